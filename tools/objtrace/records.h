/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of objtrace in a file of trace-cmd, decoded into one struct.
 */
#ifndef _TOOLS_OBJTRACE_RECORDS_H
#define _TOOLS_OBJTRACE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

struct object;
struct tep_handle;
struct tep_record;

typedef unsigned long long u64;

/**
 * enum record_kind - the events of objtrace
 * @RECORD_ADD: objtrace_add
 * @RECORD_VALUE: objtrace_value
 * @RECORD_CHANGE: objtrace_change
 * @RECORD_RETURN: objtrace_return
 * @RECORD_DEL: objtrace_del
 * @RECORD_AFTER_FREE: objtrace_after_free
 * @RECORD_WATCH: objtrace_watch
 * @RECORD_WRITE: objtrace_write
 * @NR_RECORD_KINDS: number of events
 * @RECORD_EVENT: an event of the kernel that has the address of an object, see context.h
 */
enum record_kind {
	RECORD_ADD,
	RECORD_VALUE,
	RECORD_CHANGE,
	RECORD_RETURN,
	RECORD_DEL,
	RECORD_AFTER_FREE,
	RECORD_WATCH,
	RECORD_WRITE,
	NR_RECORD_KINDS,
	RECORD_EVENT = NR_RECORD_KINDS,
};

/* The numbers of the fields format, fault, how and reason: see include/objtrace_event.h */
enum record_format { FORMAT_HEX, FORMAT_SIGNED, FORMAT_CHAR, FORMAT_SYMBOL, FORMAT_ENUM };
enum record_fault { NO_FAULT, FAULT_UNMAPPED, FAULT_IO, FAULT_UNKNOWN };
enum record_reason { DEL_TRIGGER, DEL_DEL, DEL_CLEAR, DEL_FREE };
enum record_how { AFTER_CALL, AFTER_ADD, AFTER_UNKNOWN, AFTER_STORE, AFTER_RETURN, WITHIN };

/**
 * struct record - a record of objtrace; a member that the event lacks is 0
 * @ts: time of the record, by the trace clock
 * @value: the value, or the new value
 * @old: the old value
 * @ip: the function, the suspect or the instruction; for RECORD_DEL, an address in the function
 *	that freed the memory
 * @parent_ip: return address of @ip
 * @seen_ip: for RECORD_CHANGE: the function that was entered with the new value
 * @seen_parent_ip: return address of @seen_ip
 * @by: for RECORD_DEL: the last function that received the object; for RECORD_AFTER_FREE: an address
 *	in the function that freed the memory
 * @ret: for RECORD_RETURN: the return value
 * @age: for RECORD_DEL: time since the add; for RECORD_AFTER_FREE: time since the free; for
 *	 RECORD_WATCH: the window in ns; for RECORD_CHANGE: the time of the old value
 * @hits: for RECORD_DEL: number of function entries
 * @event: for RECORD_ADD: the event that fired; for RECORD_EVENT: its name and its text; the decoder
 *	   owns the text
 * @next: next record of the same object, see objects.h
 * @next_in_time: next record of the file, see objects.h
 * @object: the object
 * @btf: number of the BTF of @enum_id and @struct_id
 * @enum_id: type of the value if it is an enum
 * @struct_id: type of the object if it is known
 * @offset: bytes from the start of the object to the pointer that @ip received
 * @seen_offset: the same for @seen_ip
 * @cpus: for RECORD_WATCH: number of CPUs; for RECORD_CHANGE: the CPU that read the old value
 * @stack: number of the stack, see stacks.h; 0 without a stack
 * @pid: task that ran
 * @cpu: CPU that wrote the record
 * @kind: enum record_kind
 * @arg: number of the argument that had the pointer
 * @unknown: @arg if it is not certain that @ip received the object, else 0
 * @seen_unknown: the same for @seen_ip
 * @format: enum record_format
 * @fault: enum record_fault of @value
 * @old_fault: enum record_fault of @old
 * @how: for RECORD_CHANGE: enum record_how
 * @unsure: a function that @ip called may have changed the value
 * @reason: for RECORD_DEL: enum record_reason
 */
struct record {
	u64			ts;
	u64			value;
	u64			old;
	u64			ip;
	u64			parent_ip;
	u64			seen_ip;
	u64			seen_parent_ip;
	u64			by;
	u64			ret;
	u64			age;
	u64			hits;
	const char		*event;
	struct record		*next;
	struct record		*next_in_time;
	struct object		*object;
	unsigned int		btf;
	unsigned int		enum_id;
	unsigned int		struct_id;
	unsigned int		offset;
	unsigned int		seen_offset;
	unsigned int		cpus;
	unsigned int		stack;
	int			pid;
	unsigned short		cpu;
	unsigned char		kind;
	unsigned char		arg;
	unsigned char		unknown;
	unsigned char		seen_unknown;
	unsigned char		format;
	unsigned char		fault;
	unsigned char		old_fault;
	unsigned char		how;
	unsigned char		unsure;
	unsigned char		reason;
};

/**
 * struct record_owner - the object that a record belongs to
 * @id: the kernel's number of the object
 * @address: address of its first byte
 * @member: path to the value; empty or NULL if it is unknown; the decoder owns the text
 */
struct record_owner {
	u64		id;
	u64		address;
	const char	*member;
};

struct decoder;

/**
 * enum decoded - the outcome of decode()
 * @DECODED: the record is one of objtrace's
 * @DECODED_FOREIGN: the record belongs to another event
 * @DECODED_DAMAGED: the record is too short for its event
 */
enum decoded {
	DECODED,
	DECODED_FOREIGN,
	DECODED_DAMAGED,
};

struct decoder *decoder_new(struct tep_handle *tep, char *mistake, size_t size);
void decoder_free(struct decoder *decoder);
enum decoded decode(struct decoder *decoder, const struct tep_record *raw, struct record *record,
		    struct record_owner *owner);
void decode_event(struct decoder *decoder, const struct tep_record *raw, struct record *record,
		  const char *text);
const char *decoder_enumerator(const struct decoder *decoder, const struct record *record, u64 value);
const char *record_kind_name(enum record_kind kind);
const char *record_fault_name(unsigned int fault);

/* True if the record has a value: objtrace_del and similar events have none */
static inline bool record_has_value(const struct record *record)
{
	switch (record->kind) {
	case RECORD_ADD:
	case RECORD_VALUE:
	case RECORD_CHANGE:
	case RECORD_RETURN:
	case RECORD_WRITE:
		return true;
	default:
		return false;
	}
}

#endif /* _TOOLS_OBJTRACE_RECORDS_H */
