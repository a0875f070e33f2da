/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unexported symbols of the kernel.  objtrace_symbols.h lists the symbols, and module init looks
 * them up.
 */
#ifndef _OBJTRACE_KSYMS_H
#define _OBJTRACE_KSYMS_H

#ifndef CONFIG_ARM64
#include <linux/static_call.h>
#endif
#include <linux/types.h>

struct btf;
struct dentry;
struct event_trigger_data;
struct file_operations;
struct ftrace_event_field;
struct ftrace_ret_stack;
struct kprobe;
struct module;
struct perf_event;
struct pt_regs;
struct ring_buffer_event;
struct seq_file;
struct task_struct;
struct trace_array;
struct trace_buffer;
struct trace_event_call;
struct trace_event_file;

/*
 * A call of ksym() is a direct call, because the kernel checks indirect calls:
 *   - With CONFIG_CFI (kCFI), the caller compares the type hash of the function with that of the
 *     pointer.  A static function has no type hash if no code takes its address.
 *   - On x86-64 with IBT, the kernel seals functions that it does not call indirectly.  An
 *     indirect call of a sealed function is a kernel BUG on CPUs with IBT.
 * On x86-64, static calls patch a call rel32 into the module's text.  arm64 has no static calls:
 * ksym() is a function in kernel/calls_arm64.S that branches to the kernel's function.
 */
#ifdef CONFIG_ARM64
#define OBJTRACE_FUNC(ret, name, args)				\
	typedef ret objtrace_##name##_fn args;			\
	extern objtrace_##name##_fn objtrace_##name;	\
	extern unsigned long objtrace_##name##_addr;
#define ksym(name)	objtrace_##name
#else
#define OBJTRACE_FUNC(ret, name, args)				\
	typedef ret objtrace_##name##_fn args;			\
	DECLARE_STATIC_CALL(objtrace_##name, objtrace_##name##_fn);
#define ksym(name)	static_call(objtrace_##name)
#endif
#define OBJTRACE_MAYBE(ret, name, args) OBJTRACE_FUNC(ret, name, args)
#define OBJTRACE_FUNC2(ret, name, args, older)			\
	typedef ret objtrace_##name##_older_fn older;		\
	OBJTRACE_FUNC(ret, name, args)
#define OBJTRACE_ADDR(name) extern unsigned long objtrace_addr_##name;
#define OBJTRACE_MAYBE_ADDR(name) OBJTRACE_ADDR(name)
#include "objtrace_symbols.h"
#undef OBJTRACE_ADDR
#undef OBJTRACE_FUNC

#define ksym_addr(name)	(objtrace_addr_##name)

int objtrace_ksyms_init(void);
unsigned long objtrace_ksyms_size(unsigned long addr);

#endif /* _OBJTRACE_KSYMS_H */
