// SPDX-License-Identifier: GPL-2.0-only
/*
 * nmi.c - NMIs on x86-64, for test.d/record and test.d/stress
 *
 * The scenario nmi has an NMI in the middle of an int3.  A del trigger on the int3 ends B.  objtrace
 * calls irq_work_queue() for that.  A callback on a function that irq_work_queue() calls sends the
 * NMI.  The handler of the NMI passes A.
 */
#include <asm/apic.h>
#include <asm/nmi.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "clear_arg_registers.h"
#include "target.h"

#define NMI_SPINS	100000000

static bool sends_nmi;	/* until the callback has sent the NMI */
static bool awaits_nmi;	/* until the NMI is handled */

static int ott_handle_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!READ_ONCE(awaits_nmi))
		return NMI_DONE;
	take(OTT_A);
	clear_arg_registers();
	WRITE_ONCE(awaits_nmi, false);
	return NMI_HANDLED;
}

static void notrace send_nmi(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	unsigned int i;

	if (!in_nmi() || !xchg(&sends_nmi, false))
		return;
	WRITE_ONCE(awaits_nmi, true);
	apic->send_IPI(raw_smp_processor_id(), NMI_VECTOR);
	for (i = 0; i < NMI_SPINS && READ_ONCE(awaits_nmi); i++)
		cpu_relax();
}

static struct ftrace_ops nmi_ops = { .func = send_nmi };

static noinline void ott_interrupted(unsigned int n)
{
	ott_cur = OTT_B;
	ott_mid(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_cur = NULL;
	ott_barrier();
}

/* Returns -EIO if no NMI came: then nothing was tested. */
static int run_nmi(void (*function)(unsigned int n), unsigned int n)
{
	unsigned char name[] = "arch_irq_work_raise";
	int ret = register_nmi_handler(NMI_LOCAL, ott_handle_nmi, 0, "objtrace_target");

	if (ret)
		return ret;
	ret = ftrace_set_filter(&nmi_ops, name, strlen(name), 1) ?:
	      register_ftrace_function(&nmi_ops);
	if (!ret) {
		sends_nmi = true;
		run_irqs_off(function, n);
		unregister_ftrace_function(&nmi_ops);
		if (sends_nmi || awaits_nmi)
			ret = -EIO;
		sends_nmi = false;
		awaits_nmi = false;
	}
	unregister_nmi_handler(NMI_LOCAL, "objtrace_target");
	return ret;
}

/* Only at exit: see free_tracers() */
void free_nmi_filter(void)
{
	ftrace_free_filter(&nmi_ops);
}

/*
 * NMIs that interrupt whatever the CPUs do.  One NMI is handled before the next one is sent, so none
 * of them merge.
 */
static int run_storm(void (*function)(unsigned int n), unsigned int n)
{
	int ret = register_nmi_handler(NMI_LOCAL, ott_handle_nmi, 0, "objtrace_target");
	unsigned int i, spins, cpu = 0;

	if (ret)
		return ret;
	for (i = 0; !ret && i < n; i++) {
		cpus_read_lock();
		cpu = cpumask_next(cpu, cpu_online_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_online_mask);
		WRITE_ONCE(awaits_nmi, true);
		apic->send_IPI(cpu, NMI_VECTOR);
		for (spins = 0; spins < NMI_SPINS && READ_ONCE(awaits_nmi); spins++)
			cpu_relax();
		cpus_read_unlock();
		if (READ_ONCE(awaits_nmi))
			ret = -EIO;
		cond_resched();
	}
	WRITE_ONCE(awaits_nmi, false);
	unregister_nmi_handler(NMI_LOCAL, "objtrace_target");
	return ret;
}

static const struct ott_scenario nmi_scenarios[] = {
	{ "nmi", "Pass A in an NMI that interrupts objtrace while del ends B.",
	  run_nmi, ott_interrupted },
	{ "nmi_storm", "Pass A in N NMIs, which interrupt all CPUs in turn.",
	  run_storm },
};

OTT_GROUP(ott_nmi_scenarios, nmi_scenarios);
