// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - objtrace_target: scenarios of known calls with known arguments, for the selftests
 *
 * A test writes the name of a scenario into the parameter run.  /proc/objtrace_target lists the
 * scenarios.  The parameter objects has the addresses of the objects.  A test reads it while no
 * object is tracked: printing an address passes it to functions, and objtrace records them.
 *
 * objtrace compares every argument register of a function that it does not know.  A trace must
 * have one possible content, so:
 * - Most functions here have an argument for each register, or more.  Unused arguments are 0.
 * - Interrupts are off while a register may hold an object: arm64 enters an interrupt with the
 *   registers of the interrupted function.
 * - The registers are cleared before functions of the kernel run.
 */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "clear_arg_registers.h"
#include "target.h"

#define PROC_NAME	"objtrace_target"

static const struct ott_group *const groups[] = {
	&ott_record_scenarios,
#ifdef CONFIG_X86_64
	&ott_nmi_scenarios,
#endif
	&ott_trigger_scenarios,
	&ott_many_scenarios,
	&ott_free_scenarios,
	&ott_rcu_scenarios,
	&ott_after_free_scenarios,
	&ott_kill_scenarios,
	&ott_watch_scenarios,
	&ott_returns_scenarios,
};

/*
 * Find a function that the kernel does not export.  The callers of the function are __nocfi: on
 * x86-64 with IBT, the address is after the landing pad, where kCFI does not find the type.
 */
void *find_function(const char *name)
{
	struct kprobe kp = {
		.symbol_name	= name,
		.flags		= KPROBE_FLAG_DISABLED,
	};

	if (register_kprobe(&kp))
		return NULL;
	unregister_kprobe(&kp);
	return kp.addr;
}

void run_irqs_off(void (*scenario)(unsigned int), unsigned int n)
{
	unsigned long flags;

	local_irq_save(flags);
	scenario(n);
	clear_arg_registers();
	local_irq_restore(flags);
}

int run_once(void (*scenario)(unsigned int), unsigned int n)
{
	run_irqs_off(scenario, n);
	return 0;
}

static struct irq_work irq_work;

void queue_irq(void (*handler)(struct irq_work *work))
{
	irq_work = IRQ_WORK_INIT_HARD(handler);
	irq_work_queue(&irq_work);
}

int run_irq(void (*scenario)(unsigned int), unsigned int n)
{
	run_irqs_off(scenario, n);
	irq_work_sync(&irq_work);
	return 0;
}

/* On one CPU: freed memory returns to the CPU that freed it. */
static int run_pinned(int (*frees)(unsigned int n), unsigned int n)
{
	int ret;

	migrate_disable();
	ret = frees(n);
	migrate_enable();
	return ret;
}

static int run_free(const struct ott_scenario *s, unsigned int n)
{
	int ret = s->prepare ? s->prepare() : 0;

	if (!ret)
		ret = run_pinned(s->frees, n);
	if (s->finish)
		s->finish();
	return ret ?: allocate_freed();
}

static const struct ott_scenario *find_scenario(const char *name)
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(groups); i++)
		for (j = 0; j < groups[i]->nr; j++)
			if (!strcmp(name, groups[i]->scenarios[j].name))
				return &groups[i]->scenarios[j];
	return NULL;
}

/*
 * Whether the objects exist.  The files of the parameters exist before init and after exit.  The
 * kernel's lock for parameters protects the variable.
 */
static bool is_ready;

static void set_ready(bool ready)
{
	kernel_param_lock(THIS_MODULE);
	is_ready = ready;
	kernel_param_unlock(THIS_MODULE);
}

/* "SCENARIO [NUMBER]" */
static int run_set(const char *val, const struct kernel_param *kp)
{
	const struct ott_scenario *s;
	unsigned int n = 0;
	char name[24];

	if (sscanf(val, "%23s %u", name, &n) < 1)
		return -EINVAL;
	if (!is_ready)
		return -ENODEV;
	s = find_scenario(name);
	if (!s)
		return -EINVAL;
	return s->frees ? run_free(s, n) : s->run(s->function, n);
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "write \"SCENARIO [NUMBER]\" to run it");

/* "SCENARIO: SENTENCE" per line; a parameter would have room for a page only */
static int show_scenarios(struct seq_file *m, void *v)
{
	const struct ott_scenario *s;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		for (j = 0; j < groups[i]->nr; j++) {
			s = &groups[i]->scenarios[j];
			seq_printf(m, "%s: %s\n", s->name, s->sentence ?: "");
		}
	}
	return 0;
}

/* The test sets it to 0 through sysfs, and init returns */
static unsigned int init_waits;
module_param(init_waits, uint, 0600);
MODULE_PARM_DESC(init_waits, "unless this is 0, init waits, and the kernel keeps its functions");

static bool init_fails;
module_param(init_fails, bool, 0600);
MODULE_PARM_DESC(init_fails, "init fails after it has waited");

/* The kernel frees it after init. */
OTT_FUNC void __init ott_early(void *object)
{
	ott_use(object);
	ott_barrier();
}

#ifndef CONFIG_X86_64
int start_telling(void) { return 0; }
void stop_telling(void) { }
#endif

static void end_all(void)
{
	set_ready(false);
	remove_proc_entry(PROC_NAME, NULL);
	stop_threads();
	stop_sleeping();
	stop_skipping();
	stop_killing();
	stop_telling();
	free_tracers();
	free_nmi_filter();
	free_objects();
}

static int __init ott_init(void)
{
	int ret = allocate_objects();

	if (ret)
		goto err_objects;
	ret = start_telling();
	if (ret)
		goto err_objects;
	if (!proc_create_single(PROC_NAME, 0400, NULL, show_scenarios)) {
		ret = -ENOMEM;
		goto err_telling;
	}
	run_irqs_off(ott_middle, 0);	/* sets ott_mid_offset */
	ott_early(THIS_MODULE);
	set_ready(true);
	while (READ_ONCE(init_waits))
		msleep(20);
	if (!init_fails)
		return 0;
	end_all();
	return -EINVAL;

err_telling:
	stop_telling();
err_objects:
	free_objects();
	return ret;
}

static void __exit ott_exit(void)
{
	end_all();
}

module_init(ott_init);
module_exit(ott_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Functions and objects that the objtrace selftests trace");
MODULE_INFO(test, "Y");
