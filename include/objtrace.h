/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objtrace: how the parts fit together.  Data flows one way:
 *
 *  a command is written to events/SYSTEM/EVENT/trigger
 *	objtrace_trigger.c   text to struct objtrace_trigger   (objtrace_parse.c)
 *	  |
 *	  v  the event fires: the pointer in its field becomes a tracked object
 *	objtrace_object.c    objects begin and end
 *	objtrace_table.c     who looks for which pointer
 *	  |
 *	  |  (objtrace_free.c: the memory that it lies in is freed, and it ends;
 *	  |   objtrace_tomb.c: for a while its address is still looked for)
 *	  |
 *	  v  a function is entered with that pointer as an argument
 *	objtrace_groups.c    which functions call us (objtrace_known.c: which arguments
 *	  |		     has each?  objtrace_filter.c: is it left out?)
 *	  v
 *	objtrace_tramp_*.S   nearly always it is none: see objtrace_bloom.h
 *	  |
 *	  v
 *	objtrace_fops.c      match, fetch the member's value (objtrace_changes.c: is it
 *	  |		     another one than last time?)
 *	  |
 *	  v
 *	objtrace_record.c    write a record into the trigger's instance
 *	  |
 *	  v
 *	cat trace
 *
 * What becomes of each firing, each hit and each record is counted on the way
 * (objtrace_tally.h), and shown with the live objects in files of their own
 * (objtrace_stats.c, objtrace_tracefs.c).  Which functions are left out is written to
 * two others (objtrace_filter_files.c).
 *
 * Beside it stands the kernel-private layer (objtrace_kernel.h), through which
 * all of them reach what the kernel does not export, and objtrace_main.c, which
 * starts them bottom up and stops them top down.
 */
#ifndef _OBJTRACE_H
#define _OBJTRACE_H

#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/types.h>

#include "objtrace_fetch.h"
#include "objtrace_groups.h"
#include "objtrace_parse.h"
#include "objtrace_record.h"
#include "objtrace_table.h"
#include "objtrace_tally.h"

struct ftrace_ops;
struct ftrace_regs;
struct module;
struct seq_file;
struct trace_array;
struct trace_event_call;
struct trace_seq;

/**
 * enum objtrace_not_seen - why the entry of a function is not looked at, although an
 *			    argument may be an object; or memory that is freed or
 *			    allocated, which may hold one; or the event of a trigger
 * @OBJTRACE_NOT_SEEN_OWN: it is one of our own callees, or is called because we follow
 *			   frees
 * @OBJTRACE_NOT_SEEN_RCU: RCU is not watching, without which nothing holds the triggers
 * @OBJTRACE_NOT_SEEN_OFFLINE: the CPU comes up or goes offline, and grace periods do not wait
 *			       for the CPU, see objtrace_kernel_rcu_waits()
 * @OBJTRACE_NR_NOT_SEEN: how many there are
 */
enum objtrace_not_seen {
	OBJTRACE_NOT_SEEN_OWN,
	OBJTRACE_NOT_SEEN_RCU,
	OBJTRACE_NOT_SEEN_OFFLINE,
	OBJTRACE_NR_NOT_SEEN
};

/**
 * struct objtrace_trigger - one objtrace trigger on one event
 * @owner: what the table knows of it; of those that add
 * @freed: the same for what is left of its objects that were freed; with the option
 *	   "after-free", else empty
 * @list: of all that add, see objtrace_object.c
 * @shown: of all that are in stats, see objtrace_stats.c
 * @spec: the command
 * @fetch: how to get from an object to its value
 * @selection: in which functions its objects are recorded; of those that add
 * @files: our events in its instance
 * @tr: its instance
 * @call: its event
 * @module: that of its event, held as long as the trigger exists; or NULL
 * @object_offset: where in the event's record the pointer is, in bytes
 * @arg_registers: if its probes take the object from registers that pass arguments to
 *		   a function: bit N for register N; else 0
 * @ip_offset: if so, where in the record the address of the probe is, in bytes
 * @last_probe: the event's last probe when that was found out; only compared
 * @budget: objects that may still be added or ended, if there is a limit; changed
 *	    in any context
 * @told: bits for why objects were not added, each to be told once; set by adders
 * @to_tell: those of them that @full_work is to tell; set by adders, cleared by it
 * @full_work: tells them, from a context that can
 * @tally: by enum objtrace_tally; changed in any context
 * @filter: what follows the "if"; NULL if nothing.  The kernel's, as long as the trigger
 *	    is in stats
 * @event: the event that carries it, as SYSTEM:EVENT
 *
 * All but @owner, @freed, the lists, @selection.list and what follows @last_probe is
 * constant while the trigger is on its event, and so are @filter and @event.  Readers of
 * the table may use it for an RCU grace period after its objects have ended.
 */
struct objtrace_trigger {
	struct objtrace_owner	owner;
	struct objtrace_owner	freed;
	struct list_head	list;
	struct list_head	shown;
	struct objtrace_spec	spec;
	struct objtrace_fetch	fetch;
	struct objtrace_selection selection;
	struct objtrace_files	files;
	struct trace_array	*tr;
	struct trace_event_call	*call;
	struct module		*module;
	unsigned int		object_offset;
	unsigned int		arg_registers;
	unsigned int		ip_offset;
	const void		*last_probe;
	atomic_long_t		budget;
	unsigned long		told;
	unsigned long		to_tell;
	struct irq_work		full_work;
	atomic_long_t		tally[OBJTRACE_NR_TALLIES];
	const char		*filter;
	char			event[];
};

/**
 * objtrace_trigger_of() - the trigger that tracks an object, or has done so
 * @match: the object, or what is left of it
 *
 * Context: any; valid as long as @match.
 * Return: the trigger
 */
static inline struct objtrace_trigger *
objtrace_trigger_of(const struct objtrace_match *match)
{
	if (match->owner->is_freed)
		return container_of(match->owner, struct objtrace_trigger, freed);
	return container_of(match->owner, struct objtrace_trigger, owner);
}

/**
 * objtrace_count() - something has come to pass with a trigger
 * @trigger: the trigger
 * @what: what
 *
 * Context: any, NMI included.
 */
static inline void objtrace_count(struct objtrace_trigger *trigger,
				  enum objtrace_tally what)
{
	atomic_long_inc(&trigger->tally[what]);
}

/* objtrace_trigger.c */
int objtrace_trigger_init(void);
void objtrace_trigger_exit(void);

/* objtrace_object.c */
unsigned long objtrace_object_marks(const struct objtrace_trigger *trigger);
int objtrace_object_start(struct objtrace_trigger *trigger);
void objtrace_object_stop(struct objtrace_trigger *trigger);
void objtrace_object_fire(struct objtrace_trigger *trigger, const void *rec);
bool objtrace_object_delete(const struct objtrace_match *match);
void objtrace_object_free(const struct objtrace_match *match, unsigned long start,
			  unsigned long ip);
void objtrace_object_bury(const struct objtrace_match *match, enum objtrace_tally why);
u64 objtrace_object_age(const struct objtrace_match *match);
int objtrace_object_init(void);
void objtrace_object_exit(void);

/* objtrace_free.c */
void objtrace_free_init(void);
int objtrace_free_start(void);
void objtrace_free_stop(void);
void objtrace_free_exit(void);
bool objtrace_free_has_entry(unsigned long ip);
void objtrace_free_entry(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_regs *fregs);

/* ftrace locations of what stands between the tracepoints of frees and us, set at init */
extern unsigned long objtrace_free_iterators[2];

/**
 * objtrace_free_is_ours() - whether a function is called because we follow frees
 * @ip: its ftrace location
 *
 * Context: any.
 * Return: true if it is
 */
static inline bool objtrace_free_is_ours(unsigned long ip)
{
	return ip == objtrace_free_iterators[0] || ip == objtrace_free_iterators[1];
}

/* after_free_ms: what it is when not given, and what it may be at most */
#define OBJTRACE_DEFAULT_AFTER_FREE_MS	60000
#define OBJTRACE_MAX_AFTER_FREE_MS	3600000

/* objtrace_tomb.c */
void objtrace_tomb_init(unsigned int ms);
void objtrace_tomb_exit(void);
unsigned long objtrace_tomb_most(void);
int objtrace_tomb_start(void);
void objtrace_tomb_stop(void);
void objtrace_tomb_make(const struct objtrace_match *match, unsigned long start,
			unsigned long ip);
void objtrace_tomb_hit(const struct objtrace_match *match,
		       const struct objtrace_place *place);
void objtrace_tomb_bulk(unsigned long cache);
void objtrace_tomb_tracked(unsigned long object);
void objtrace_tomb_expire(void);

/* objtrace_fops.c */
bool objtrace_fops_enter(unsigned int *context);
void objtrace_fops_leave(unsigned int context);
int objtrace_fops_expect(struct objtrace_slot *slot, unsigned long ip, bool ends);
bool objtrace_fops_mark_old(struct objtrace_slot *slot);
void objtrace_fops_finish_old(const struct objtrace_match *match);
void objtrace_fops_renew(struct objtrace_slot *slot, unsigned long ip);
void objtrace_fops_fetch(struct objtrace_trigger *trigger,
			 struct objtrace_sample *sample);
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

/* objtrace_stats.c */
int objtrace_stats_init(void);
void objtrace_stats_exit(void);
void objtrace_stats_add(struct objtrace_trigger *trigger);
void objtrace_stats_remove(struct objtrace_trigger *trigger);
void objtrace_stats_not_seen(enum objtrace_not_seen why);
void objtrace_stats_seen(const struct objtrace_slot *slot, unsigned long ip,
			 const struct objtrace_sample *sample);
const char *objtrace_stats_instance(const struct objtrace_trigger *trigger);
int objtrace_stats_show(struct seq_file *m, void *unused);
void objtrace_stats_show_object(struct seq_file *m, struct trace_seq *s, unsigned int n);

/* objtrace_filter_files.c */
extern const struct file_operations objtrace_filter_fops;
int objtrace_filter_open(struct file *file, enum objtrace_filter which);

/* objtrace_tracefs.c */
int objtrace_tracefs_init(void);
void objtrace_tracefs_start(void);
void objtrace_tracefs_exit(void);

/* objtrace_errlog.c */
void objtrace_errlog(struct trace_array *tr, const char *glob, const char *param,
		     const struct objtrace_error *error);
void objtrace_errlog_file(const char *file, const char *text,
			  const struct objtrace_error *error);

#endif /* _OBJTRACE_H */
