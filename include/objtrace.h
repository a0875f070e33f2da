/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objtrace: the way of the data, from a command to a record.
 *
 *  a user writes a command to events/SYSTEM/EVENT/trigger
 *	objtrace_trigger.c   make a struct objtrace_trigger of the text (command/parse.c)
 *	  |
 *	  v  the event fires: the pointer in its field becomes a tracked object
 *	objects/fire.c	     add the object; objects/object.c: delete objects
 *	objects/table.c	     hash table of the tracked pointers
 *	  |
 *	  |  (objects/free.c: delete an object when its memory is freed;
 *	  |   objects/tomb.c: look for the freed address for some time)
 *	  |
 *	  v  a function is entered with that pointer as an argument
 *	functions/groups.c   select the functions to trace (functions/known.c: by their
 *	  |		     arguments; functions/filter.c: by the user's lists)
 *	  v
 *	functions/tramp_*.S  check a Bloom filter, which rejects nearly all pointers
 *	  |		     (objects/bloom.h)
 *	  v
 *	objtrace_fops.c	     find the object, and read the member's value (records/sample.c;
 *	  |		     records/changes.c: compare the value with the last value;
 *	  |		     objects/returns.c: compare again when the function returns)
 *	  v
 *	records/record.c     write a record into the ring buffer of the trigger's instance
 *	  |		     (objtrace_event.h: fields; records/events.c: our events)
 *	  v
 *	records/print.c	     print the records in "cat trace"
 *
 * With the option "watch", a debug register reports each store to the member: objects/watch.c
 * writes a record for the store.
 *
 * records/tally.h has counters for each firing, each hit and each record.  files/stats.c and
 * files/tracefs.c show the counters and the tracked objects.  files/filter_files.c has the
 * files set_filter and set_notrace, which exclude functions.
 *
 * The folder kernel/ has all access to the private parts of the kernel:
 *
 *	kernel/ksyms.c	     look up unexported symbols during module init
 *	kernel/btf.c	     check types and prototypes in the running kernel's BTF
 *	kernel/member.c	     find types and members in the BTF of the kernel or a module
 *	kernel/built.c	     layouts of the public structs in the headers of the build
 *	kernel/layout.c	     offsets of the private structs' members, from the BTF
 *	kernel/command.c     the event command and its triggers
 *	kernel/event.c	     events, their probes, and instances
 *	kernel/stack.c	     stack traces without objtrace's own functions
 *	kernel/slab.c	     slabs and sheaves
 *	kernel/caller.c	     callers of functions whose return address was replaced
 *	kernel/memory.c	     read memory at unchecked addresses
 *	kernel/watch.c	     hardware watchpoints
 *	kernel/return.c	     follow calls to their return
 *
 * objtrace_main.c initializes the parts bottom up.  Exit removes the files and the command first.
 *
 * Documentation/internals.rst has the layers of these files, the life of an object, the rules
 * of memory ordering, and the contexts.
 */
#ifndef _OBJTRACE_H
#define _OBJTRACE_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/types.h>

#include "command/parse.h"
#include "functions/selection.h"
#include "kernel/percpu.h"
#include "objects/table.h"
#include "objtrace_fetch.h"
#include "records/events.h"
#include "records/tally.h"

struct module;
struct objtrace_watch;
struct trace_array;
struct trace_event_call;

/**
 * struct objtrace_trigger - one objtrace trigger on one event
 * @owner: the trigger's tracked objects in the table; empty unless the trigger adds
 * @freed: the trigger's tombstones in the table; empty without the option "after-free"
 * @list: entry in the list of all triggers that add, under event_mutex: see objects/object.c
 * @shown: entry in the list of files/stats.c, under its mutex
 * @spec: the parsed command
 * @fetch: steps from an object's address to its value
 * @selection: functions to trace for the objects; unused unless the trigger adds
 * @files: objtrace's events in the trigger's instance
 * @tr: the instance
 * @call: the event
 * @module: module of the event, with a reference as long as the trigger exists; or NULL
 * @object_offset: offset in bytes of the pointer in the event's record; unused if the command has
 *		   an address
 * @arg_registers: bit N if a probe of the event takes the pointer from argument register N;
 *		   0 if a probe takes the pointer from memory
 * @compares: the option "changes" or "returns": each hit compares the value with the last value
 * @ip_offset: offset in bytes of the probe's address in the record, if @arg_registers is not 0
 * @last_probe: newest probe of the event when @arg_registers was computed; only compared
 * @watch: watchpoints of the option "watch"; NULL without the option.  See objects/watch.c
 * @tally: counters of each CPU, which each CPU increments in any context
 * @filter: text after "if", which the kernel owns; NULL without a filter.  Valid as long as the
 *	    trigger is in stats.
 * @budget: remaining COUNT of the command; atomically changed in any context
 * @told: bits of reasons why an object was not added, to log each reason once; atomically
 *	  changed in any context
 * @to_tell: bits of reasons that @full_work has to log; atomically set in any context, and
 *	     cleared by @full_work
 * @full_work: logs the reasons of @to_tell, outside of NMIs
 * @event_len: length of @event
 * @event: name of the event, as SYSTEM:EVENT
 *
 * Members without a writer above are constant from the time at which the trigger is added to its
 * event.  Readers of the table may use the trigger for an RCU grace period after its objects
 * were deleted.
 *
 * A hit reads many of the members.  The members that an added object writes begin a cache line, so
 * that no hit waits for that line.
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
	bool			compares;
	unsigned int		ip_offset;
	const void		*last_probe;
	struct objtrace_watch	*watch;
	struct objtrace_tallies __percpu *tally;
	const char		*filter;
	size_t			event_len;
	atomic_long_t		budget ____cacheline_aligned_in_smp;
	unsigned long		told;
	unsigned long		to_tell;
	struct irq_work		full_work;
	char			event[];
};

/**
 * objtrace_trigger_of() - find the trigger of an object or of a tombstone
 * @match: the object or tombstone
 *
 * Context: Any, NMI included.
 * Return: the trigger, valid as long as @match
 */
static inline struct objtrace_trigger *
objtrace_trigger_of(const struct objtrace_match *match)
{
	if (match->owner->is_freed)
		return container_of(match->owner, struct objtrace_trigger, freed);
	return container_of(match->owner, struct objtrace_trigger, owner);
}

/**
 * objtrace_count() - increment a counter of a trigger
 * @trigger: the trigger
 * @what: the counter
 *
 * Context: Any, NMI included.
 */
static inline void objtrace_count(struct objtrace_trigger *trigger,
				  enum objtrace_tally what)
{
	objtrace_percpu_inc(&trigger->tally->nr[what]);
}

/**
 * objtrace_trigger_budget() - find the remaining COUNT of a trigger's command
 * @trigger: the trigger
 *
 * Context: Any, NMI included.
 * Return: the remaining COUNT; NULL if the command has no COUNT
 */
static inline atomic_long_t *objtrace_trigger_budget(struct objtrace_trigger *trigger)
{
	return trigger->spec.count ? &trigger->budget : NULL;
}

#endif /* _OBJTRACE_H */
