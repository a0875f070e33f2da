// SPDX-License-Identifier: GPL-2.0-only
/*
 * trigger.c - scenarios for test.d/trigger, and for files that a test writes
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "target.h"

static noinline void ott_life(unsigned int n)
{
	add(OTT_A);
	add(OTT_B);
	take(OTT_A);
	drop(OTT_A);
	take(OTT_A);
	drop(OTT_A);
	take(OTT_B);
	add(OTT_A);
	take(OTT_A);
	ott_barrier();
}

/*
 * Interrupts are off, so no slot of the table becomes free.  M0 needs one slot; A would need
 * two, because it is inside a larger allocation.
 */
static noinline void ott_churn(unsigned int n)
{
	while (n--) {
		add(&ott_many[0]);
		drop(&ott_many[0]);
	}
	ott_barrier();
}

/* The register has the object on the entry and in the middle of ott_mid(). */
static noinline void ott_through(unsigned int n)
{
	add(OTT_A);
	ott_mid(NULL, OTT_A, NULL, NULL, NULL, NULL, NULL, NULL);
	take(OTT_A);
	ott_barrier();
}

/*
 * A probe that skips its function.  Of several probes on one entry, the kernel calls the probe
 * that was registered last first.
 */
static struct kprobe skipper;

static int skip(struct kprobe *p, struct pt_regs *regs)
{
#ifdef CONFIG_X86_64
	instruction_pointer_set(regs, (unsigned long)ott_noargs);
#else
	instruction_pointer_set(regs, procedure_link_pointer(regs));
#endif
	return 1;
}

void stop_skipping(void)
{
	if (skipper.addr)
		unregister_kprobe(&skipper);
	memset(&skipper, 0, sizeof(skipper));
}

static int run_skip(void (*function)(unsigned int n), unsigned int n)
{
	int ret;

	stop_skipping();
	if (!n)
		return 0;
	skipper.addr = (void *)(n == 1 ? ott_add : ott_drop);
	skipper.pre_handler = skip;
	ret = register_kprobe(&skipper);
	if (ret)
		memset(&skipper, 0, sizeof(skipper));
	return ret;
}

static int add_once(struct kprobe *p, struct pt_regs *regs)
{
	add(OTT_A);
	return 0;
}

/* While the handler of a probe runs, the kernel calls no other handler, and counts a miss. */
static int run_missed(void (*function)(unsigned int n), unsigned int n)
{
	struct kprobe probe = { .addr = (void *)ott_noargs, .pre_handler = add_once };
	int ret = register_kprobe(&probe);

	if (ret)
		return ret;
	while (n--)
		ott_noargs();
	unregister_kprobe(&probe);
	return 0;
}

/* No shell command can write from such an address. */
static int run_write_fault(void (*function)(unsigned int n), unsigned int n)
{
	struct file *file = fget(n);
	ssize_t ret = -EINVAL;
	loff_t pos = 0;

	if (!file)
		return -EBADF;
	if (file->f_op->write)
		ret = file->f_op->write(file, (const char __user *)1, 10, &pos);
	fput(file);
	return ret < 0 ? ret : 0;
}

static const struct ott_scenario trigger_scenarios[] = {
	/* test.d/trigger, and some tests in filter, lifetime and record */
	{ "life", "Add, pass and drop A, pass and drop it again, and add it again next to B.",
	  run_once, ott_life },
	{ "churn", "Add and drop M0 N times, without a grace period in between.",
	  run_once, ott_churn },
	{ "through", "Add A, pass it through ott_mid() in one register, and pass it again.",
	  run_once, ott_through },
	{ "skip", "Set a kprobe that skips ott_add() if N is 1, ott_drop() if 2, none if 0.",
	  run_skip },
	/* test.d/tools */
	{ "missed", "Add A N times in the handler of a kprobe, where other kprobes are missed.",
	  run_missed },
	/* test.d/filter */
	{ "write_fault", "Write to the open file N of the task from an address without memory.",
	  run_write_fault },
};

OTT_GROUP(ott_trigger_scenarios, trigger_scenarios);
