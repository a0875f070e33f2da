/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that can be wrong with a command, one line each: the name, the
 * errno that write() returns and the sentence that error_log shows.  The parser,
 * the trigger code, the error log and the tests all read this one list; it has
 * no include guard because each of them expands it in its own way.
 */
OBJTRACE_ERROR(NO_VERB,		EINVAL,	"Expected a verb: add")
OBJTRACE_ERROR(UNKNOWN_VERB,	EINVAL,	"Unknown verb: only add is known")
OBJTRACE_ERROR(NO_FIELD,	EINVAL,	"Expected a field of the event after the verb")
OBJTRACE_ERROR(FIELD_TOO_LONG,	EINVAL,	"Field name is too long")
OBJTRACE_ERROR(UNKNOWN_FIELD,	EINVAL,	"Event has no such field: see its format file")
OBJTRACE_ERROR(GENERIC_FIELD,	EINVAL,	"Generic fields hold no object: use a field of the event itself")
OBJTRACE_ERROR(FIELD_SIZE,	EINVAL,	"Field is not pointer-sized: it cannot hold an object")
OBJTRACE_ERROR(BAD_OFFSET,	EINVAL,	"Offset is not a number: decimal, 0x hex or 0 octal")
OBJTRACE_ERROR(OFFSET_RANGE,	ERANGE,	"Offset is out of range: it must fit in 32 bits with its sign")
OBJTRACE_ERROR(UNKNOWN_TYPE,	EINVAL,	"Unknown type: u8 u16 u32 u64 x8 x16 x32 x64 are known")
OBJTRACE_ERROR(BAD_COUNT,	EINVAL,	"Count is not a number")
OBJTRACE_ERROR(COUNT_RANGE,	ERANGE,	"Count is out of range")
OBJTRACE_ERROR(ZERO_COUNT,	EINVAL,	"Count must be at least 1: it is how many objects may be added")
OBJTRACE_ERROR(TRAILING_TEXT,	EINVAL,	"Unexpected text after the count")
OBJTRACE_ERROR(NO_IF,		EINVAL,	"Expected 'if' before the filter")
OBJTRACE_ERROR(EMPTY_FILTER,	EINVAL,	"Expected a filter after 'if'")
OBJTRACE_ERROR(OWN_EVENT,	EINVAL,	"Events of objtrace itself cannot carry an objtrace trigger")
OBJTRACE_ERROR(NO_RECORD_EVENTS, ENODEV, "This instance has no objtrace events to write records to")
OBJTRACE_ERROR(TRIGGER_EXISTS,	EEXIST,	"The same trigger is already set on this event")
OBJTRACE_ERROR(NO_SUCH_TRIGGER,	ENOENT,	"No such trigger to remove: see the trigger file")
OBJTRACE_ERROR(SEVERAL_TRIGGERS, EINVAL, "Several triggers match: give the one to remove in full")
OBJTRACE_ERROR(OWNER_GONE,	ENODEV,	"The module that owns this event is being removed")
OBJTRACE_ERROR(MODULE_GONE,	ENODEV,	"objtrace is being removed")
OBJTRACE_ERROR(FTRACE_DEAD,	ENODEV,	"ftrace has disabled itself after a bug, see dmesg: reboot")
OBJTRACE_ERROR(ENABLE_FAILED,	EIO,	"The event cannot be enabled")
OBJTRACE_ERROR(NO_MEMORY,	ENOMEM,	"Out of memory")
