// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's private structs in use: our event command, its triggers, and what
 * is asked of events, probes and slabs.  Members are read and written by name, at the
 * offsets that objtrace_layout.c has found; no other file does so.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kfence.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include <linux/rculist.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#ifdef CONFIG_ARM64
#include <asm/insn.h>
#endif

#include "objtrace_adrp.h"
#include "objtrace_compat.h"
#include "objtrace_kernel.h"
#include "objtrace_ksyms.h"
#include "objtrace_layout.h"
#include "objtrace_memory.h"
#include "objtrace_parse.h"
#include "objtrace_record.h"

/* A bit of enum event_trigger_type that no built-in has; they are only compared */
#define TRIGGER_TYPE		(1 << 14)
/* More commands than any kernel has: a ring that does not close is no ring */
#define MAX_COMMANDS		64
/* Longest name of a command that is looked at */
#define COMMAND_NAME_LEN	16

static const struct objtrace_layout * const at = &objtrace_layout;

static void *command;		/* our struct event_command */
static void *command_ops;	/* our struct event_trigger_ops, if at->split */
static struct list_head *command_list;	/* the kernel's trigger_commands */

#define member(base, type, offset) (*(type *)((void *)(base) + (offset)))

/* @addr can be any address, that of a device's registers included */
static bool read_nofault(void *dst, unsigned long addr, size_t size)
{
	size_t done, step;
	u64 value;

	for (done = 0; done < size; done += step) {
		step = size - done >= sizeof(u64) ? sizeof(u64) :
		       size - done >= sizeof(u32) ? sizeof(u32) : 1;
		if (objtrace_memory_read(addr + done, step, &value))
			return false;
		memcpy(dst + done, &value, step);
	}
	return true;
}

static bool command_is(unsigned long node, const char *name)
{
	char buf[COMMAND_NAME_LEN] = {};
	unsigned long addr;

	if (!read_nofault(&addr, node - at->command.list + at->command.name, sizeof(addr)))
		return false;
	/* Short of the end of a page is fault enough: no command lies there */
	return read_nofault(buf, addr, strlen(name) + 1) && !strcmp(buf, name);
}

/*
 * Whether @head is trigger_commands: a ring, with the two oldest commands in it.
 * It may be any address at all.
 */
static bool is_command_list(unsigned long head)
{
	bool traceon = false, traceoff = false;
	unsigned long node = head;
	unsigned int i;

	for (i = 0; i < MAX_COMMANDS; i++) {
		if (!read_nofault(&node, node, sizeof(node)) || !node)
			return false;
		if (node == head)
			return traceon && traceoff;
		traceon |= command_is(node, "traceon");
		traceoff |= command_is(node, "traceoff");
	}
	return false;
}

/* Returns 0 or -ENOMEM; @head is 0 if the code does not have the address */
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
	if (read_nofault(code, addr, size)) {
		do {
			*head = objtrace_adrp_next(code, size / sizeof(*code), addr,
						   &pos);
		} while (*head && !is_command_list(*head));
	}
	kfree(code);
	return 0;
}

/* Each kernel has init_task.  It is data, as trigger_commands is. */
static const char *why_not_found(void)
{
	if (!ksym(kallsyms_lookup_name)("init_task"))
		return "this kernel lacks CONFIG_KALLSYMS_ALL";
	return "objtrace does not know this kernel";
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

	INIT_LIST_HEAD(&member(command, struct list_head, at->command.list));
	member(command, const char *, at->command.name) = c->name;
	member(command, int, at->command.trigger_type) = TRIGGER_TYPE;
	member(command, int, at->command.flags) = at->needs_rec;
	member(command, const void *, at->command.parse) = c->parse;

	ops = at->split ? command_ops : command;
	member(ops, const void *, at->ops.trigger) = c->trigger;
	member(ops, const void *, at->ops.free) = c->free;
	member(ops, const void *, at->ops.print) = c->print;
	return 0;
}

/**
 * objtrace_kernel_init() - find the kernel's commands, and build ours
 * @c: the command
 *
 * Context: task, module init, after objtrace_ksyms_init() and objtrace_layout_init().
 * Return: 0; -EOPNOTSUPP after one line that says what cannot be found; -ENOMEM
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
 * objtrace_kernel_exit() - free what objtrace_kernel_init() has built
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
 * event_mutex has no exported way to be locked.  Each reader of a trigger file locks it in
 * trigger_start(), and unlocks it in trigger_stop().  This reader has a file without an event:
 * trigger_start() then only locks.  Nothing is allocated, so nothing can fail.  Constant.
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
	struct list_head *own = &member(command, struct list_head, at->command.list);
	const char *name = member(command, const char *, at->command.name);
	struct list_head *node;

	list_for_each(node, command_list)
		if (command_is((unsigned long)node, name))
			return -EBUSY;
	list_add(own, command_list);
	return 0;
}

/**
 * objtrace_kernel_link() - add our command to the kernel's
 *
 * Newer kernels replace -EEXIST of module init by -EBUSY.
 *
 * Context: task, module init, last: from now on it can be used.
 * Return: 0, or -EBUSY after one line if a command of this name exists
 */
int objtrace_kernel_link(void)
{
	int ret;

	lock_event_mutex();
	ret = link_command();
	unlock_event_mutex();
	if (ret)
		pr_err("a trigger command of this name exists already\n");
	else
		pr_info("struct event_command of this kernel: %s\n",
			at->split ? "split" : "merged");
	return ret;
}

/**
 * objtrace_kernel_unlink() - remove our command from the kernel's
 *
 * When it returns, no function of the command runs or will run again: they all
 * run under event_mutex, apart from triggers, and no trigger is live.
 *
 * Context: task, module exit, when no file of ours can be open any more.
 */
void objtrace_kernel_unlink(void)
{
	lock_event_mutex();
	list_del_init(&member(command, struct list_head, at->command.list));
	unlock_event_mutex();
}

/**
 * objtrace_kernel_data_alloc() - allocate a trigger as the kernel knows it
 * @private_data: what objtrace_kernel_data_private() shall return
 *
 * Context: task.
 * Return: the trigger, on no list and without a filter, or NULL
 */
struct event_trigger_data *objtrace_kernel_data_alloc(void *private_data)
{
	void *data = kzalloc(at->data.size, GFP_KERNEL);

	if (!data)
		return NULL;
	member(data, long, at->data.count) = -1;
	member(data, void *, at->data.cmd_ops) = command;
	if (at->split)
		member(data, void *, at->data.ops) = command_ops;
	member(data, void *, at->data.private_data) = private_data;
	INIT_LIST_HEAD(&member(data, struct list_head, at->data.list));
	INIT_LIST_HEAD(&member(data, struct list_head, at->data.named_list));
	return data;
}

/**
 * objtrace_kernel_data_free() - free a trigger and its filter
 * @data: the trigger, on no list, and a grace period after it was on one
 *
 * Context: task.
 */
void objtrace_kernel_data_free(struct event_trigger_data *data)
{
	ksym(set_trigger_filter)(NULL, data, NULL);
	kfree(data);
}

/**
 * objtrace_kernel_data_private() - what a trigger was allocated with
 * @data: the trigger
 *
 * Context: any.
 * Return: the private data
 */
void *objtrace_kernel_data_private(struct event_trigger_data *data)
{
	return member(data, void *, at->data.private_data);
}

/**
 * objtrace_kernel_data_filter() - the filter of a trigger
 * @data: the trigger
 *
 * Context: task, event_mutex held.
 * Return: what was written after 'if', or NULL
 */
const char *objtrace_kernel_data_filter(struct event_trigger_data *data)
{
	return member(data, const char *, at->data.filter_str);
}

/**
 * objtrace_kernel_data_next() - the next objtrace trigger of an event
 * @file: the event
 * @data: the one before, or NULL for the first
 *
 * Context: task, event_mutex held.
 * Return: the trigger, or NULL when there is none
 */
struct event_trigger_data *
objtrace_kernel_data_next(struct trace_event_file *file,
			  struct event_trigger_data *data)
{
	struct list_head *node = data ? &member(data, struct list_head, at->data.list) :
					&file->triggers;

	for (node = node->next; node != &file->triggers; node = node->next) {
		data = (void *)node - at->data.list;
		if (member(data, void *, at->data.cmd_ops) == command)
			return data;
	}
	return NULL;
}

/**
 * objtrace_kernel_data_add() - put a trigger on an event, which then fires for it
 * @data: the trigger
 * @file: the event
 *
 * Behind the others, so that they fire and are listed in the order they were set.
 *
 * Context: task, event_mutex held.
 * Return: 0, or a negative errno if the event cannot be enabled; the trigger may
 * have fired even so
 */
int objtrace_kernel_data_add(struct event_trigger_data *data,
			     struct trace_event_file *file)
{
	int ret;

	list_add_tail_rcu(&member(data, struct list_head, at->data.list),
			  &file->triggers);
	ksym(update_cond_flag)(file);
	ret = ksym(trace_event_trigger_enable_disable)(file, 1);
	if (ret < 0) {
		/* What it has counted up before it failed, it has not taken back */
		ksym(trace_event_trigger_enable_disable)(file, 0);
		list_del_rcu(&member(data, struct list_head, at->data.list));
		ksym(update_cond_flag)(file);
	}
	return ret;
}

/**
 * objtrace_kernel_data_del() - take a trigger off its event
 * @data: the trigger, which may fire for another grace period
 * @file: the event
 *
 * Context: task, event_mutex held.
 */
void objtrace_kernel_data_del(struct event_trigger_data *data,
			      struct trace_event_file *file)
{
	list_del_rcu(&member(data, struct list_head, at->data.list));
	ksym(trace_event_trigger_enable_disable)(file, 0);
	ksym(update_cond_flag)(file);
}

/**
 * objtrace_kernel_find_field() - find a field of an event's record
 * @call: the event
 * @name: of the field: the event's own, a generic or a common one
 * @field: filled in if there is one
 *
 * Context: task, event_mutex held.
 * Return: whether there is one
 */
bool objtrace_kernel_find_field(struct trace_event_call *call, const char *name,
				struct objtrace_field *field)
{
	struct ftrace_event_field *f;

	/* The kernel's prototype lacks the const, the function does not write */
	f = ksym(trace_find_event_field)(call, (char *)name);
	if (!f)
		return false;
	field->offset = member(f, int, at->field.offset);
	field->size = member(f, int, at->field.length);
	field->is_array = strchr(member(f, const char *, at->field.type), '[');
	return true;
}

static const void *find_probe_arg(const void *probe, const char *name)
{
	const void *arg = probe + at->probe.args;
	unsigned int i;

	for (i = 0; i < member(probe, unsigned int, at->probe.nr_args); i++) {
		if (!strcmp(member(arg, const char *, at->probe_arg.name), name))
			return arg;
		arg += at->probe_arg.size;
	}
	return NULL;
}

/* Of $argN, an argument register by its name, or the name of a parameter; else -1 */
static int arg_register(const void *arg)
{
	const char *definition = arg ? member(arg, const char *, at->probe_arg.comm) : "";
	const void *code;
	unsigned int n;

	if (sscanf(definition, "$arg%u", &n) == 1)
		return n <= OBJTRACE_NR_ARGS ? (int)n - 1 : -1;
	if (definition[0] == '%')
		return objtrace_find_arg_register(definition + 1);
	/* All that is not a plain name: @ADDR, +OFF(...), a->b, \IMM, $stack ... */
	if (!definition[0] || strpbrk(definition, "@+-()>.\\$["))
		return -1;
	/* The first thing to be done for it is to fetch the parameter of this number */
	code = member(arg, const void *, at->probe_arg.code);
	n = member(code, unsigned int, at->fetch_insn.param);
	return n < OBJTRACE_NR_ARGS ? (int)n : -1;
}

static struct list_head *probes_of(struct trace_event_call *call)
{
	return (void *)call - at->probe_event.call + at->probe_event.probes;
}

/**
 * objtrace_kernel_arg_registers() - which arguments of functions a field is
 * @call: an event of a kprobe (TRACE_EVENT_FL_KPROBE)
 * @name: of the field
 *
 * An event can have several probes, which define the field each in its own way.
 *
 * Context: task, event_mutex held.
 * Return: bit N if a probe takes it as it is from register N of those that pass
 * arguments, so that the function's entry receives that very pointer; 0 if one of them
 * reads it from memory or has it from elsewhere
 */
unsigned int objtrace_kernel_arg_registers(struct trace_event_call *call,
					   const char *name)
{
	unsigned int registers = 0;
	struct list_head *node;
	int n;

	list_for_each(node, probes_of(call)) {
		n = arg_register(find_probe_arg((void *)node - at->probe.list, name));
		if (n < 0)
			return 0;
		registers |= BIT(n);
	}
	return registers;
}

/**
 * objtrace_kernel_last_probe() - the probe that was added last to an event
 * @call: an event of a kprobe
 *
 * Context: any, while the event exists.
 * Return: it; only to be compared
 */
const void *objtrace_kernel_last_probe(struct trace_event_call *call)
{
	return READ_ONCE(probes_of(call)->prev);
}

/**
 * objtrace_kernel_probe_is_first() - whether probes fire before our callback
 * @ops: our registered ftrace_ops, which traces the function
 * @ip: the function's ftrace location
 *
 * For probes on the entry of a function.  Where a probe is a breakpoint on the
 * first instruction, it does: the function has not called anything before.  It will,
 * unless ftrace has put its nop back: that is what sysctl kernel.ftrace_enabled=0 does.
 *
 * Where a probe is an ftrace_ops itself, both are called one after the other, in the order
 * of ftrace's list: what comes behind us in there was registered before us and is called
 * later.  (Not by our trampoline: a function with two ops calls what goes through the
 * list.)  Probes of events have no post handler, so they are not behind the ops that
 * modifies the ip; unless somebody else has put a kprobe with one on the same function,
 * which is not looked for.
 *
 * Context: any, preemption disabled: dynamic ops are freed after a grace period.
 * Return: true if a probe that fires now is followed by our callback for the same
 * entry; false if our callback has been there already, or is not called at all
 */
bool objtrace_kernel_probe_is_first(const struct ftrace_ops *ops, unsigned long ip)
{
#ifdef CONFIG_KPROBES_ON_FTRACE
	const struct ftrace_ops *p;

	for (p = rcu_dereference_raw(ops->next); p; p = rcu_dereference_raw(p->next))
		if ((unsigned long)p->func == ksym_addr(kprobe_ftrace_handler) &&
		    !(p->flags & FTRACE_OPS_FL_IPMODIFY))
			return false;
	return true;
#else
	return aarch64_insn_is_bl(le32_to_cpu(READ_ONCE(*(const __le32 *)ip)));
#endif
}

/**
 * objtrace_kernel_buffer_at() - where it is told where an instance has its records
 * @tr: the instance
 *
 * Context: any.
 * Return: that place, which is there as long as the instance; to be read with READ_ONCE(),
 * see objtrace_kernel_buffer()
 */
struct trace_buffer **objtrace_kernel_buffer_at(struct trace_array *tr)
{
	void *array_buffer = (void *)tr + at->instance.array_buffer;

	return &member(array_buffer, struct trace_buffer *, at->array_buffer.buffer);
}

/**
 * objtrace_kernel_buffer() - where an instance has its records
 * @tr: the instance
 *
 * It may be exchanged for another one at any time (snapshot); both have its clock, and
 * stay for a grace period.
 *
 * Context: any, NMI included; preemption disabled as long as it is used.
 * Return: the buffer
 */
struct trace_buffer *objtrace_kernel_buffer(struct trace_array *tr)
{
	return READ_ONCE(*objtrace_kernel_buffer_at(tr));
}

/**
 * objtrace_kernel_clock() - the time in an instance
 * @tr: the instance
 *
 * Context: any, NMI included; preemption disabled.
 * Return: now, by the instance's trace clock
 */
u64 objtrace_kernel_clock(struct trace_array *tr)
{
	return ring_buffer_time_stamp(objtrace_kernel_buffer(tr));
}

/**
 * objtrace_kernel_instance() - what an instance is called
 * @tr: the instance
 *
 * Context: any, while the instance exists.
 * Return: its name; NULL for the one at the top
 */
const char *objtrace_kernel_instance(const struct trace_array *tr)
{
	return member(tr, const char *, at->instance.name);
}

/**
 * struct cache - what is read of the cache of a slab
 * @address: of its struct kmem_cache
 * @ctor: as there, and so are all others
 * @flags: as there
 * @stride: bytes from one object to the next
 * @red_left_pad: as there
 */
struct cache {
	unsigned long	address;
	unsigned long	ctor;
	slab_flags_t	flags;
	unsigned int	stride;
	unsigned int	red_left_pad;
};

/*
 * @slab is the first page of a slab that may be freed at any moment: all values can be wrong.
 * The caller has read the flags of the same struct page.
 */
static bool read_cache(const struct page *slab, struct cache *c)
{
	if (!at->slub)
		return false;
	c->address = READ_ONCE(member(slab, unsigned long, at->slab.slab_cache));
	if (!read_nofault(&c->ctor, c->address + at->cache.ctor, sizeof(c->ctor)) ||
	    !read_nofault(&c->flags, c->address + at->cache.flags, sizeof(c->flags)) ||
	    !read_nofault(&c->stride, c->address + at->cache.stride, sizeof(c->stride)) ||
	    !read_nofault(&c->red_left_pad, c->address + at->cache.red_left_pad,
			  sizeof(c->red_left_pad)))
		return false;
	return c->stride;
}

/* First byte of the object of a slab that @addr lies in; 0 if it cannot be found out */
static unsigned long start_in_slab(const struct page *slab, unsigned long addr,
				   const struct cache *c)
{
	unsigned long first = (unsigned long)page_address(slab);
	unsigned long start = addr - (addr - first) % c->stride;

	if (c->flags & SLAB_RED_ZONE)
		start += c->red_left_pad;
	return start <= addr ? start : 0;
}

/**
 * objtrace_kernel_memory_start() - the memory that an object lies in
 * @addr: the object
 *
 * What kmalloc() or kmem_cache_alloc() had returned.  An object of KFENCE has two pages
 * for itself and need not begin with one: it goes by the page.
 *
 * Context: any, NMI included; preemption disabled, and our own callees kept out.
 * Return: its first byte; 0 if it is neither from there nor from a page of several
 */
unsigned long objtrace_kernel_memory_start(unsigned long addr)
{
	struct cache cache;
	struct page *head;

	if (is_kfence_address((void *)addr))
		return addr & PAGE_MASK;
	if (!virt_addr_valid((void *)addr))
		return 0;
	head = virt_to_head_page((void *)addr);
	if (PageSlab(head))
		return read_cache(head, &cache) ? start_in_slab(head, addr, &cache) : 0;
	/* Too large for a slab */
	return PageHead(head) ? (unsigned long)page_address(head) : 0;
}

/**
 * objtrace_kernel_slab_object() - what some memory is a part of
 * @addr: an address in it, which may be free
 * @found: filled in
 *
 * An object of KFENCE is one of the cache that it is there for.
 *
 * Context: as objtrace_kernel_memory_start().
 * Return: false if it is in no slab, or what is read of that makes no sense
 */
bool objtrace_kernel_slab_object(unsigned long addr, struct objtrace_slab_object *found)
{
	struct cache cache;
	struct page *head;

	if (!virt_addr_valid((void *)addr))
		return false;
	head = virt_to_head_page((void *)addr);
	if (!PageSlab(head) || !read_cache(head, &cache))
		return false;
	found->start = is_kfence_address((void *)addr) ? addr & PAGE_MASK :
		       start_in_slab(head, addr, &cache);
	found->cache = cache.address;
	found->ctor = cache.ctor;
	found->is_typesafe = cache.flags & SLAB_TYPESAFE_BY_RCU;
	return found->start;
}

/**
 * objtrace_kernel_has_rcu_sheaves() - whether kfree_rcu() collects objects in sheaves
 *
 * Context: any.
 * Return: true if it may; without CONFIG_KVFREE_RCU_BATCHED it never does
 */
bool objtrace_kernel_has_rcu_sheaves(void)
{
	return at->sheaves && IS_ENABLED(CONFIG_KVFREE_RCU_BATCHED);
}

/**
 * objtrace_kernel_sheaf() - the objects in a sheaf
 * @head: its rcu_head, at the entry of the callback that frees them
 * @nr: how many there are is stored here
 *
 * A sheaf that RCU calls back for has no capacity of its own: the head lies there.  It is
 * one of its cache's, and none of those holds more than the cache says.
 *
 * Context: that callback's entry: nobody else has the sheaf.
 * Return: the objects, for as long as that lasts
 */
void **objtrace_kernel_sheaf(unsigned long head, unsigned int *nr)
{
	unsigned long sheaf = head - at->sheaf.head;
	unsigned long cache;

	if (!at->sheaves) {
		*nr = 0;
		return NULL;
	}
	cache = member(sheaf, unsigned long, at->sheaf.cache);
	*nr = min(member(sheaf, unsigned int, at->sheaf.nr),
		  member(cache, unsigned int, at->cache.sheaf_capacity));
	return &member(sheaf, void *, at->sheaf.objects);
}
