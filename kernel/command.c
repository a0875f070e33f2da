// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's structs of objtrace's event command and of its triggers.  kernel/layout.c finds
 * the offsets of the members, which differ between kernels.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "kernel/adrp.h"
#include "kernel/command.h"
#include "kernel/ksyms.h"
#include "kernel/layout.h"
#include "kernel/memory.h"

/* A bit that no built-in value of enum event_trigger_type has.  The kernel only compares values. */
#define TRIGGER_TYPE		(1 << 14)
/* More commands than any kernel has.  A longer list is not trigger_commands. */
#define MAX_COMMANDS		64
/* Size of the buffer for a name, longer than the names that objtrace compares */
#define COMMAND_NAME_LEN	16

static const struct objtrace_layout * const at = &objtrace_layout;

static void *command;		/* our struct event_command */
static void *command_ops;	/* our struct event_trigger_ops, if at->split */
static struct list_head *command_list;	/* the kernel's trigger_commands */

static bool command_is(unsigned long node, const char *name)
{
	char buf[COMMAND_NAME_LEN] = {};
	unsigned long addr;

	if (!objtrace_memory_copy(&addr, node - at->command.list + at->command.name, sizeof(addr)))
		return false;
	/* A copy also fails if unmapped memory follows a short name: no command has such a name */
	return objtrace_memory_copy(buf, addr, strlen(name) + 1) && !strcmp(buf, name);
}

/*
 * Check that @head is trigger_commands: a circular list with the commands traceon and
 * traceoff.  @head may be any address.
 */
static bool is_command_list(unsigned long head)
{
	bool traceon = false, traceoff = false;
	unsigned long node = head;
	unsigned int i;

	for (i = 0; i < MAX_COMMANDS; i++) {
		if (!objtrace_memory_copy(&node, node, sizeof(node)) || !node)
			return false;
		if (node == head)
			return traceon && traceoff;
		traceon |= command_is(node, "traceon");
		traceoff |= command_is(node, "traceoff");
	}
	return false;
}

/* Return 0 or -ENOMEM; set @head to 0 if the code has no such address */
static int scan_for_commands(unsigned long *head)
{
	unsigned long addr = ksym_addr(trigger_process_regex);
	unsigned long size = objtrace_ksyms_size(addr);
	unsigned int pos = 0;
	u32 *code;

	*head = 0;
	if (!IS_ENABLED(CONFIG_ARM64) || !size)
		return 0;
	code = kmalloc(size, GFP_KERNEL);
	if (!code)
		return -ENOMEM;
	if (objtrace_memory_copy(code, addr, size)) {
		do {
			*head = objtrace_adrp_next(code, size / sizeof(*code), addr,
						   &pos);
		} while (*head && !is_command_list(*head));
	}
	kfree(code);
	return 0;
}

/* Each kernel has the variable init_task, so kallsyms without init_task has no variables */
static const char *why_not_found(void)
{
	if (!ksym(kallsyms_lookup_name)("init_task"))
		return "this kernel lacks CONFIG_KALLSYMS_ALL";
	return "objtrace does not support this kernel";
}

static int find_commands(void)
{
	unsigned long head = ksym(kallsyms_lookup_name)("trigger_commands");
	int ret = 0;

	/* A module may have a symbol of this name, too */
	if (!head || !is_command_list(head))
		ret = scan_for_commands(&head);
	if (ret)
		return ret;
	if (!head) {
		pr_err("trigger_commands cannot be found: %s\n", why_not_found());
		return -EOPNOTSUPP;
	}
	command_list = (struct list_head *)head;
	return 0;
}

static int build_command(const struct objtrace_command *c)
{
	void *ops;

	command = kzalloc(at->command.size, GFP_KERNEL);
	command_ops = at->split ? kzalloc(at->ops.size, GFP_KERNEL) : NULL;
	if (!command || (at->split && !command_ops))
		return -ENOMEM;

	INIT_LIST_HEAD(&objtrace_private(command, struct list_head, at->command.list));
	objtrace_private(command, const char *, at->command.name) = c->name;
	objtrace_private(command, int, at->command.trigger_type) = TRIGGER_TYPE;
	objtrace_private(command, int, at->command.flags) = at->needs_rec;
	objtrace_private(command, typeof(OBJTRACE_PARSE_PROTO), at->command.parse) = c->parse;

	ops = at->split ? command_ops : command;
	objtrace_private(ops, typeof(OBJTRACE_TRIGGER_PROTO), at->ops.trigger) = c->trigger;
	objtrace_private(ops, typeof(OBJTRACE_FREE_PROTO), at->ops.free) = c->free;
	objtrace_private(ops, typeof(OBJTRACE_PRINT_PROTO), at->ops.print) = c->print;
	return 0;
}

/**
 * objtrace_kernel_init() - find trigger_commands, and allocate objtrace's event command
 * @c: name and functions of the command
 *
 * Context: task, module init, after objtrace_ksyms_init() and objtrace_layout_init().
 * Return: 0; -EOPNOTSUPP after one line if trigger_commands cannot be found; -ENOMEM
 */
int objtrace_kernel_init(const struct objtrace_command *c)
{
	int ret;

	ret = find_commands();
	if (!ret)
		ret = build_command(c);
	if (ret)
		objtrace_kernel_exit();
	return ret;
}

/**
 * objtrace_kernel_exit() - free the memory of the event command
 *
 * Context: task, with the command unlinked.
 */
void objtrace_kernel_exit(void)
{
	kfree(command_ops);
	kfree(command);
	command_ops = NULL;
	command = NULL;
}

/*
 * event_mutex is not exported.  Each reader of a trigger file locks event_mutex in
 * trigger_start(), and unlocks event_mutex in trigger_stop().  This constant reader has a file
 * without an event, so trigger_start() only locks.  No step allocates, so no step can fail.
 */
static struct inode no_event;
static struct file no_event_file = { .f_inode = &no_event };
static struct seq_file reader = { .private = &no_event_file };

static void lock_event_mutex(void)
{
	loff_t pos = 0;

	ksym(trigger_start)(&reader, &pos);
}

static void unlock_event_mutex(void)
{
	ksym(trigger_stop)(&reader, NULL);
}

static int link_command(void)
{
	struct list_head *own = &objtrace_private(command, struct list_head, at->command.list);
	const char *name = objtrace_private(command, const char *, at->command.name);
	struct list_head *node;

	list_for_each(node, command_list)
		if (command_is((unsigned long)node, name))
			return -EBUSY;
	list_add(own, command_list);
	return 0;
}

/**
 * objtrace_kernel_link() - add the event command to trigger_commands
 *
 * The errno is not -EEXIST, because newer kernels replace -EEXIST of module init with -EBUSY.
 *
 * Context: task, module init, last step that can fail: users can use the command when this
 * returns.
 * Return: 0, or -EBUSY after one line if a command of this name exists
 */
int objtrace_kernel_link(void)
{
	int ret;

	lock_event_mutex();
	ret = link_command();
	unlock_event_mutex();
	if (ret)
		pr_err("a trigger command objtrace already exists\n");
	else
		pr_info("struct event_command of this kernel: %s\n",
			at->split ? "split" : "merged");
	return ret;
}

/**
 * objtrace_kernel_unlink() - remove the event command from trigger_commands
 *
 * No function of the command runs after the return.  All functions but the trigger function run
 * under event_mutex, and no trigger exists during module exit.
 *
 * Context: task, module exit, when no file of objtrace can be open any more.
 */
void objtrace_kernel_unlink(void)
{
	lock_event_mutex();
	list_del_init(&objtrace_private(command, struct list_head, at->command.list));
	unlock_event_mutex();
}

/**
 * objtrace_kernel_data_alloc() - allocate a trigger's struct event_trigger_data
 * @private_data: pointer for objtrace_kernel_data_private()
 *
 * Context: task; may sleep.
 * Return: the trigger, on no list and without a filter, or NULL if memory is short
 */
struct event_trigger_data *objtrace_kernel_data_alloc(void *private_data)
{
	void *data = kzalloc(at->data.size, GFP_KERNEL);

	if (!data)
		return NULL;
	objtrace_private(data, long, at->data.count) = -1;
	objtrace_private(data, void *, at->data.cmd_ops) = command;
	if (at->split)
		objtrace_private(data, void *, at->data.ops) = command_ops;
	objtrace_private(data, void *, at->data.private_data) = private_data;
	INIT_LIST_HEAD(&objtrace_private(data, struct list_head, at->data.list));
	INIT_LIST_HEAD(&objtrace_private(data, struct list_head, at->data.named_list));
	return data;
}

/**
 * objtrace_kernel_data_free() - free a trigger and its filter
 * @data: the trigger, which was on no list for a grace period
 *
 * Context: task; may sleep.
 */
void objtrace_kernel_data_free(struct event_trigger_data *data)
{
	ksym(set_trigger_filter)(NULL, data, NULL);
	kfree(data);
}

/**
 * objtrace_kernel_data_private() - read the private data of a trigger
 * @data: the trigger
 *
 * Context: Any, NMI included.
 * Return: the argument of objtrace_kernel_data_alloc()
 */
void *objtrace_kernel_data_private(struct event_trigger_data *data)
{
	return objtrace_private(data, void *, at->data.private_data);
}

/**
 * objtrace_kernel_data_filter() - read the text of a trigger's filter
 * @data: the trigger
 *
 * Context: task, event_mutex held.
 * Return: the text after "if", or NULL if the trigger has no filter
 */
const char *objtrace_kernel_data_filter(struct event_trigger_data *data)
{
	return objtrace_private(data, const char *, at->data.filter_str);
}

/* The next trigger of any command.  Without event_mutex, RCU keeps the triggers. */
static struct event_trigger_data *next_trigger(struct trace_event_file *file,
					       struct event_trigger_data *data)
{
	struct list_head *node = data ? &objtrace_private(data, struct list_head, at->data.list) :
					&file->triggers;

	/* list_for_each_rcu() needs a member with the type of RCU */
	node = READ_ONCE(node->next);
	return node == &file->triggers ? NULL : (void *)node - at->data.list;
}

/**
 * objtrace_kernel_data_next() - iterate over the objtrace triggers of an event
 * @file: the event
 * @data: the previous trigger, or NULL for the first call
 *
 * Context: task, event_mutex held.
 * Return: the next trigger, or NULL at the end
 */
struct event_trigger_data *
objtrace_kernel_data_next(struct trace_event_file *file,
			  struct event_trigger_data *data)
{
	while ((data = next_trigger(file, data)))
		if (objtrace_private(data, void *, at->data.cmd_ops) == command)
			break;
	return data;
}

static int type_of_trigger(struct event_trigger_data *data)
{
	return objtrace_private(objtrace_private(data, void *, at->data.cmd_ops), int,
				at->command.trigger_type);
}

/**
 * objtrace_kernel_take_stacktrace() - use the trigger "stacktrace" of an event once
 * @file: the event
 *
 * The kernel's function would write a stack record with functions of objtrace.  An event has
 * at most one such trigger.
 *
 * Context: Any, NMI included; preemption disabled.
 * Return: true if the event has the trigger, and the count of the trigger was not used up
 */
bool objtrace_kernel_take_stacktrace(struct trace_event_file *file)
{
	struct event_trigger_data *data = NULL;
	long *count;

	do {
		data = next_trigger(file, data);
		if (!data)
			return false;
	} while (type_of_trigger(data) != ETT_STACKTRACE);
	count = &objtrace_private(data, long, at->data.count);
	/* As in the kernel: -1 is no limit, and two CPUs may use the same count */
	if (*count > 0)
		(*count)--;
	else if (!*count)
		return false;
	return true;
}

/**
 * objtrace_kernel_data_add() - add a trigger to an event, and enable the event
 * @data: the trigger
 * @file: the event
 *
 * The trigger becomes the last one of the event.  So triggers fire and are listed in the order
 * in which the user set them.
 *
 * Context: task, event_mutex held.
 * Return: 0, or a negative errno if the event cannot be enabled.  The trigger may fire before
 * an error is returned.
 */
int objtrace_kernel_data_add(struct event_trigger_data *data,
			     struct trace_event_file *file)
{
	int ret;

	list_add_tail_rcu(&objtrace_private(data, struct list_head, at->data.list),
			  &file->triggers);
	ksym(update_cond_flag)(file);
	ret = ksym(trace_event_trigger_enable_disable)(file, 1);
	if (ret < 0) {
		/* The failed call has incremented the event's count of triggers */
		ksym(trace_event_trigger_enable_disable)(file, 0);
		list_del_rcu(&objtrace_private(data, struct list_head, at->data.list));
		ksym(update_cond_flag)(file);
	}
	return ret;
}

/**
 * objtrace_kernel_data_del() - remove a trigger from its event
 * @data: the trigger, which can still fire for a grace period
 * @file: the event
 *
 * Context: task, event_mutex held.
 */
void objtrace_kernel_data_del(struct event_trigger_data *data,
			      struct trace_event_file *file)
{
	list_del_rcu(&objtrace_private(data, struct list_head, at->data.list));
	ksym(trace_event_trigger_enable_disable)(file, 0);
	ksym(update_cond_flag)(file);
}
