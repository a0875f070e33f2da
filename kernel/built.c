// SPDX-License-Identifier: GPL-2.0-only
/*
 * Layouts and values of kernel/structs.h, as in the headers that the module was built with.
 */
#include <linux/cpuhotplug.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hw_breakpoint.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/mm_types.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/static_call.h>
#include <linux/stddef.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#ifdef CONFIG_ARM64
#include <linux/bpf.h>
#include <linux/kernel_stat.h>
#endif
#ifdef CONFIG_UNWINDER_ORC
#include <asm/unwind.h>
#endif

#include "kernel/built.h"

#define OBJTRACE_SIZE(type)		{ #type, NULL, 0, sizeof(struct type) },
#define OBJTRACE_MEMBER(type, member)	\
	{ #type, #member, offsetof(struct type, member), sizeof_field(struct type, member) },
#define OBJTRACE_ENUMERATOR(name)	{ NULL, #name, name, 0 },

const struct objtrace_btf_built objtrace_built[] = {
#include "kernel/structs.h"
	{ }
};
