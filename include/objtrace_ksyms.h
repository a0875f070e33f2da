/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unexported symbols of the kernel, found once at load; objtrace_symbols.h lists
 * them.
 */
#ifndef _OBJTRACE_KSYMS_H
#define _OBJTRACE_KSYMS_H

#include <linux/static_call.h>
#include <linux/types.h>

struct btf;
struct dentry;
struct event_trigger_data;
struct file_operations;
struct ftrace_event_field;
struct ftrace_ret_stack;
struct module;
struct pt_regs;
struct ring_buffer_event;
struct seq_file;
struct task_struct;
struct trace_array;
struct trace_buffer;
struct trace_event_call;
struct trace_event_file;

/*
 * Calls through ksym() are direct calls: on x86-64 static calls patch a call
 * rel32 into the module's text.  An indirect call into a function that IBT has
 * sealed is a kernel BUG on processors that check it.
 */
#define OBJTRACE_FUNC(ret, name, args)				\
	typedef ret objtrace_##name##_fn args;			\
	DECLARE_STATIC_CALL(objtrace_##name, objtrace_##name##_fn);
#define OBJTRACE_MAYBE(ret, name, args) OBJTRACE_FUNC(ret, name, args)
#define OBJTRACE_ADDR(name) extern unsigned long objtrace_addr_##name;
#include "objtrace_symbols.h"
#undef OBJTRACE_ADDR
#undef OBJTRACE_FUNC

#define ksym(name)	static_call(objtrace_##name)
#define ksym_addr(name)	(objtrace_addr_##name)

int objtrace_ksyms_init(void);
unsigned long objtrace_ksyms_size(unsigned long addr);
void objtrace_ksyms_walk(int (*fn)(void *data, const char *name, unsigned long addr),
			 int (*older_fn)(void *data, const char *name,
					 struct module *module, unsigned long addr),
			 void *data);

#endif /* _OBJTRACE_KSYMS_H */
