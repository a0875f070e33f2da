// SPDX-License-Identifier: GPL-2.0-only
/*
 * int3.c - report an int3 that QEMU ran after ftrace had removed it, see scripts/spoilt.sh
 *
 * If the function has a kprobe, the kernel takes the int3 for the kprobe's, and continues in the
 * copy of the instruction.  A kprobe has no copy of an instruction that ftrace patches: the
 * kernel dies at address 0, and prints nothing about the cause.
 */
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/printk.h>

#include "target.h"

static struct kprobe * __percpu *current_kprobe_of;
static struct kprobe_ctlblk __percpu *ctlblk_of;

/* A kprobe that ftrace called has another status: no instruction is stepped. */
static bool steps(const struct kprobe *p)
{
	unsigned long status = this_cpu_ptr(ctlblk_of)->kprobe_status;

	return p && (status == KPROBE_HIT_SS || status == KPROBE_REENTER);
}

static int tell_stale_int3(struct notifier_block *nb, unsigned long val, void *data)
{
	const struct die_args *args = data;
	struct kprobe *p;

	if (val != DIE_OOPS || args->regs->ip)
		return NOTIFY_DONE;
	p = *this_cpu_ptr(current_kprobe_of);
	if (steps(p) && kprobe_ftrace(p) && *p->addr != INT3_INSN_OPCODE)
		pr_alert("objtrace_target: ran an int3 that is not in %ps\n", p->addr);
	return NOTIFY_DONE;
}

static struct notifier_block tell_nb = { .notifier_call = tell_stale_int3 };

__nocfi int start_telling(void)
{
	unsigned long (*lookup)(const char *name) = find_function("kallsyms_lookup_name");

	if (!lookup)
		return -ENOENT;
	current_kprobe_of = (struct kprobe * __percpu *)lookup("current_kprobe");
	ctlblk_of = (struct kprobe_ctlblk __percpu *)lookup("kprobe_ctlblk");
	if (!current_kprobe_of || !ctlblk_of)
		return -ENOENT;
	return register_die_notifier(&tell_nb);
}

void stop_telling(void)
{
	unregister_die_notifier(&tell_nb);
}
