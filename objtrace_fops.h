/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ftrace callbacks of the groups in functions/groups.c, and the common function that they
 * and the trampolines call.
 */
#ifndef _OBJTRACE_FOPS_H
#define _OBJTRACE_FOPS_H

struct ftrace_ops;
struct ftrace_regs;

void objtrace_fops_entry(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs);
void objtrace_fops_entry1(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *fregs);
void objtrace_fops_entry2(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *fregs);
void objtrace_fops_entry3(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *fregs);
void objtrace_fops_entry_any(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs);
void objtrace_fops_look(unsigned long ip, unsigned long parent_ip,
			const unsigned long *args);

#endif /* _OBJTRACE_FOPS_H */
