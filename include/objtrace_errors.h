/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * List of all errors of commands, and of lines for set_filter and set_notrace.  Each entry has
 * the name, the errno of write() and the sentence for error_log.  The last text has the cause and
 * the remedy in reStructuredText, for Documentation/objtrace.rst.
 *
 * The parser, the trigger code, the error log, the tests and the documentation use this list.
 * It has no include guard, because each user expands the list in its own way.
 */
/* Errors that objtrace_parse() finds in the text */
OBJTRACE_ERROR(LINE_BREAK,	EINVAL,	"The command has a line break: write one command at a time, on one line",
	"The caret marks the line break. ``error_log`` shows the text before it. Each "
	"write to the file takes one command. A filter belongs on the command's line.")
OBJTRACE_ERROR(NO_VERB,		EINVAL,	"Expected a verb: add, del or clear",
	"The text after ``objtrace:`` is empty. Name the action, as in "
	"``objtrace:add:FIELD``.")
OBJTRACE_ERROR(UNKNOWN_VERB,	EINVAL,	"Unknown verb: the verbs are add, del and clear",
	"The word after ``objtrace:`` is not a verb. The field follows the verb: "
	"``objtrace:add:FIELD``.")
OBJTRACE_ERROR(NOT_FOR_VERB,	EINVAL,	"Only add accepts this: del takes a field and a count, clear takes a count",
	"``del`` and ``clear`` read no value, so they take no offset, struct, type or "
	"option. ``clear`` takes no field. Remove this part.")
OBJTRACE_ERROR(NO_FIELD,	EINVAL,	"Expected the name of an event field here",
	"The name of a field is missing at the caret. The event's file ``format`` lists "
	"the fields.")
OBJTRACE_ERROR(BAD_FIELD,	EINVAL,	"A field name has only letters, digits and _: name a probe argument with NAME=$retval",
	"The character at the caret cannot be part of a field name. ``$retval``, "
	"``%di`` and similar are arguments of a probe. Name the argument in the probe's "
	"definition, as in ``obj=$retval``, and use that name here.")
OBJTRACE_ERROR(BAD_ADDRESS,	EINVAL,	"An address is 0x and at most 16 hexadecimal digits",
	"The address at the caret has too many digits, no digits, another character, or "
	"no ``0x`` in front of it.")
OBJTRACE_ERROR(STAR,		EINVAL,	"Remove the '*': the object is the memory that the field points to",
	"objtrace reads the value at the object's address without a ``*``. "
	"``+0(+0(FIELD))`` follows the pointer in the object's first bytes, and "
	"``(STRUCT)FIELD->MEMBER->MEMBER`` follows the pointer of a member.")
OBJTRACE_ERROR(AMPERSAND,	EINVAL,	"Remove the '&': the field already holds the object's address",
	"The object is always the memory that the field points to. A member after the "
	"field chooses the value in the records, and not another object.")
OBJTRACE_ERROR(FIELD_INDEX,	EINVAL,	"A field is one pointer and has no elements: use FIELD,OFFSET or (STRUCT)FIELD->MEMBER",
	"An index follows the field itself. Remove it if it is 0. An element of an "
	"array in the object is ``(STRUCT)FIELD->MEMBER[2]``.")
OBJTRACE_ERROR(FIELD_TOO_LONG,	EINVAL,	"Field name is too long: at most 63 characters",
	"No event has a field with such a long name. See the event's file ``format``.")
OBJTRACE_ERROR(MIXED_FORMS,	EINVAL,	"Use one form: FIELD,OFFSET or +OFFSET(FIELD) or (STRUCT)FIELD->MEMBER",
	"The command mixes two of the three forms of an object, as in ``(bio)arg1,8``. "
	"Choose one form. With a struct, name the member instead of an offset.")
OBJTRACE_ERROR(BAD_OFFSET,	EINVAL,	"Offset is not a number: use decimal, 0x hex or 0 octal",
	"The offset is empty, or has a character that is not a digit. A leading ``0`` "
	"means octal, so ``09`` is not a number.")
OBJTRACE_ERROR(OFFSET_RANGE,	ERANGE,	"Offset is out of range: it must fit in a signed 32-bit integer",
	"The offset, or the offset of the named member, is below -2147483648 or above "
	"2147483647. No object is that large: look for an extra digit.")
OBJTRACE_ERROR(NO_SIGN,		EINVAL,	"An offset before '(' needs a sign: +OFFSET(FIELD) or -OFFSET(FIELD)",
	"The object begins with a number and a parenthesis, without a sign. Write "
	"``+8(FIELD)`` instead of ``8(FIELD)``.")
OBJTRACE_ERROR(NO_PARENTHESIS,	EINVAL,	"Expected '(' after the offset: +OFFSET(FIELD) or FIELD,OFFSET",
	"A signed offset at the start of an object needs a ``(`` after it. Write "
	"``+8(FIELD)`` or ``FIELD,8``.")
OBJTRACE_ERROR(UNBALANCED,	EINVAL,	"Parentheses do not match: each '(' needs a ')'",
	"A ``)`` is missing, or there is one too many. Count the parentheses up to the "
	"caret.")
OBJTRACE_ERROR(TOO_DEEP,	EINVAL,	"Too many pointers: a value is at most 7 pointers away",
	"The path to the value follows more than 7 pointers. Track an object that is "
	"closer to the value, from an event with a field for that object.")
OBJTRACE_ERROR(BAD_STRUCT,	EINVAL,	"Expected only the tag of a struct, as in (bio): no 'struct', '*' or blanks",
	"The text between ``(`` and ``)`` is not a single name. Write ``(bio)``, not "
	"``(struct bio *)``. A union is named in the same way. Typedefs and types "
	"without a tag are not accepted.")
OBJTRACE_ERROR(STRUCT_TOO_LONG,	EINVAL,	"Struct name is too long: at most 95 characters",
	"No struct of a kernel has such a long name. Check the position of the ``)``.")
OBJTRACE_ERROR(STRUCT_NEEDED,	EINVAL,	"A member needs the name of its struct: (STRUCT)FIELD->MEMBER",
	"The command names a member without its struct. Write ``(STRUCT)`` before the "
	"field.")
OBJTRACE_ERROR(NO_MEMBER,	EINVAL,	"Expected the name of a member here",
	"``->`` and ``.`` need the name of a member after them; ``.`` also accepts the "
	"number of an array element. Add the name, or remove the text before the caret.")
OBJTRACE_ERROR(BAD_MEMBER,	EINVAL,	"A member name has only letters, digits and _: separate members with '.' or '->'",
	"The character at the caret cannot be part of a member name. A type follows "
	"after ``:``.")
OBJTRACE_ERROR(BAD_INDEX,	EINVAL,	"Expected the number of an array element, as in NAME.2 or NAME[2]",
	"The index is not a number, or the ``]`` is missing. An index is a decimal "
	"constant.")
OBJTRACE_ERROR(PATH_TOO_LONG,	EINVAL,	"Path is too long: at most 127 characters and 16 members",
	"The path to the member exceeds these limits. Give the offset in bytes instead: "
	"``FIELD,OFFSET:TYPE``.")
OBJTRACE_ERROR(TRAILING_TEXT,	EINVAL,	"Unexpected text after the object: expected ':' or a blank",
	"The object ends with the parenthesis before the caret. Put a ``:`` before a "
	"type, a count or an option, and a blank before ``if``.")
OBJTRACE_ERROR(EMPTY_PART,	EINVAL,	"Expected a count after ':', or a type or an option of add",
	"The text after the ``:`` at the caret is empty. Remove the ``:``.")
OBJTRACE_ERROR(UNKNOWN_TYPE,	EINVAL,	"Not a type (u8-u64 s8-s64 x8-x64 char symbol) or an option (changes returns size= typed after-free enum= stack= watch)",
	"The part at the caret is not a type, a count or an option. ``count=N`` and "
	"``unlimited`` are counts.")
OBJTRACE_ERROR(TYPE_BITS,	EINVAL,	"A type has 8, 16, 32 or 64 bits: u8 u16 u32 u64, or the same with s or x",
	"The number at the caret is no size of a value. The number counts bits, not "
	"bytes: an ``int`` is ``s32``.")
OBJTRACE_ERROR(HEX_TYPE,	EINVAL,	"Hexadecimal types are x8, x16, x32 and x64: a pointer needs no type",
	"The type at the caret is a format of another tool. Without a type, a pointer "
	"is shown in hexadecimal. ``symbol`` shows an address as a symbol.")
OBJTRACE_ERROR(C_TYPE,		EINVAL,	"A type is a sign and a number of bits: int is s32, long is s64, bool is u8",
	"The type at the caret is a type of C or of another tool. ``s`` is a signed "
	"number, and ``u`` an unsigned one: ``unsigned int`` is ``u32``.")
OBJTRACE_ERROR(NOT_ONE_NUMBER,	EINVAL,	"A value is one number of at most 8 bytes: there are no strings and no arrays",
	"``char`` shows one byte, and ``MEMBER.2:char`` the third one of an array. To "
	"choose objects by a string, give a probe an argument of the type ``string``, "
	"and use it in the filter.")
OBJTRACE_ERROR(CAPITALS,	EINVAL,	"Types and options are in lower case",
	"The word at the caret has capital letters. Write ``u32`` for ``U32``.")
OBJTRACE_ERROR(TYPE_TWICE,	EINVAL,	"The command already has a type: remove one of the two",
	"The type at the caret is a second one. A value has one type.")
OBJTRACE_ERROR(BAD_COUNT,	EINVAL,	"Count is not a number: use N, count=N or unlimited",
	"The count has a character that is not a digit, is negative, or is empty after "
	"``count=``. Write a number, or ``unlimited``.")
OBJTRACE_ERROR(COUNT_RANGE,	ERANGE,	"Count is out of range: it must fit in a signed long",
	"The count is above 9223372036854775807. Write ``unlimited`` for no limit.")
OBJTRACE_ERROR(ZERO_COUNT,	EINVAL,	"Count must be at least 1: use unlimited, or no count, for no limit",
	"A trigger with a count of 0 does nothing. To remove a trigger, write its line "
	"with ``!`` in front.")
OBJTRACE_ERROR(COUNT_TWICE,	EINVAL,	"The command already has a count: remove one of the two",
	"The count at the caret is a second one. ``N``, ``count=N`` and ``unlimited`` "
	"are three forms of the same count.")
OBJTRACE_ERROR(UNKNOWN_OPTION,	EINVAL,	"Unknown option: the options are changes, returns, size, typed, after-free, enum, stack and watch",
	"The part at the caret is not an option of objtrace, and the command already "
	"has a type, or the part has a value.")
OBJTRACE_ERROR(OPTION_TWICE,	EINVAL,	"The command already has this option: remove one of the two",
	"The option at the caret is a second one. ``size=N`` and ``size=auto`` are the "
	"same option, and so are ``typed`` and ``typed=strict``.")
OBJTRACE_ERROR(OPTION_VALUE,	EINVAL,	"This option takes no value",
	"``changes`` and ``after-free`` take no value. Remove the ``=`` and the text "
	"after it.")
OBJTRACE_ERROR(RETURNS_VALUE,	EINVAL,	"Expected returns or returns=all",
	"``all`` is the only value of ``returns``.")
OBJTRACE_ERROR(BAD_SIZE,	EINVAL,	"Size is not a number: use size=N, in bytes, or size=auto",
	"The text after ``size=`` is neither a number nor ``auto``. The number is "
	"decimal, ``0x`` hexadecimal or ``0`` octal, without a unit.")
OBJTRACE_ERROR(SIZE_RANGE,	ERANGE,	"Size is out of range: 1 to 0x7fffffff bytes",
	"The size is 0, negative or above 0x7fffffff. With ``auto``, it is the size of "
	"the struct. Remove the option to match only the object's first byte.")
OBJTRACE_ERROR(SIZE_AUTO_NEEDS_STRUCT, EINVAL, "size=auto needs the object's struct: (STRUCT)FIELD or (STRUCT)FIELD->MEMBER",
	"objtrace looks up the object's size by the name of its struct. Write "
	"``(STRUCT)`` before the field, or give the number of bytes.")
OBJTRACE_ERROR(TYPED_NEEDS_STRUCT, EINVAL, "typed needs the object's struct: (STRUCT)FIELD or (STRUCT)FIELD->MEMBER",
	"objtrace looks up the functions that take the object by the name of its "
	"struct. Write ``(STRUCT)`` before the field, or remove the option.")
OBJTRACE_ERROR(TYPED_VALUE,	EINVAL,	"Expected typed or typed=strict",
	"``strict`` is the only value of ``typed``.")
OBJTRACE_ERROR(BAD_ENUM,	EINVAL,	"Expected enum=NAME: the name of an enum, or of one of its enumerators",
	"The name is missing, is longer than 95 characters, or has a character that no "
	"name has. Write the tag without the word ``enum``.")
OBJTRACE_ERROR(BAD_STACK,	EINVAL,	"Number of stack entries is not a number: use stack=N",
	"The text after ``stack`` is not ``=`` and a number. The number is decimal, "
	"``0x`` hexadecimal or ``0`` octal.")
OBJTRACE_ERROR(STACK_RANGE,	ERANGE,	"Number of stack entries is out of range: 1 to 64",
	"A stack record of ``stack=N`` has at most 64 entries. Remove the option for no "
	"stack records. ``options/stacktrace`` adds the whole stack to each record.")
OBJTRACE_ERROR(BAD_WATCH,	EINVAL,	"watch takes a number: use watch or watch=N, for N objects",
	"The text after ``watch=`` is not a number. ``watch`` alone means one object at a "
	"time.")
OBJTRACE_ERROR(WATCH_RANGE,	ERANGE,	"watch is out of range: 1 to the number of debug registers (x86-64: 4, arm64: 2 to 16)",
	"Each watched object takes one debug register of every processor. Watch fewer "
	"objects at a time.")
OBJTRACE_ERROR(NO_IF,		EINVAL,	"Expected 'if' and a filter after the blank",
	"The text after the blank does not begin with ``if``. The parts of a command "
	"have no blanks in or between them.")
OBJTRACE_ERROR(FILTER_BLANK,	EINVAL,	"A filter has a blank before 'if' and a blank after it",
	"The ``if`` at the caret follows a ``:``, or the filter follows ``if`` without "
	"a blank. Write ``add:FIELD if pid == 1``.")
OBJTRACE_ERROR(EMPTY_FILTER,	EINVAL,	"Expected a filter after 'if'",
	"The text after ``if`` is empty. Add a filter, or remove the ``if``.")
/* Found in the event's fields, by objtrace_parse_field() */
OBJTRACE_ERROR(UNKNOWN_FIELD,	EINVAL,	"Event has no such field: see its format file",
	"The event has other fields: its file ``format`` lists them. A probe records "
	"only the arguments in its definition.")
OBJTRACE_ERROR(GENERIC_FIELD,	EINVAL,	"Generic fields hold no object: use a field of the event itself",
	"``cpu``, ``comm`` and a few others work in the filter of any event, but its "
	"record does not contain them. Name a field from the event's file ``format``.")
OBJTRACE_ERROR(FIELD_SIZE,	EINVAL,	"Field is not pointer-sized: it cannot hold an object",
	"The field is smaller or larger than a pointer, or is an array. A probe's "
	"argument has the right size without a type, or with ``:x64`` or ``:u64``.")
/* Found in BTF, when the path is followed; the log says in which struct */
OBJTRACE_ERROR(UNKNOWN_STRUCT,	EINVAL,	"No such struct in the BTF of the kernel and its modules",
	"The BTF of the kernel and of the loaded modules has no struct or union with "
	"this tag. A typedef is not accepted. Load the module that defines the struct; "
	"it must have BTF.")
OBJTRACE_ERROR(INCOMPLETE_STRUCT, EINVAL, "BTF has only the name of this struct: load the module that defines it",
	"The kernel uses the struct only through pointers, so its BTF lacks the "
	"members. Load the module that defines the struct, or give the offset in bytes.")
OBJTRACE_ERROR(AMBIGUOUS_STRUCT, EINVAL, "Several structs of the kernel have this name and member: give the offset instead",
	"Different parts of the kernel define structs of this name, and several of "
	"these have the member. Give the offset in bytes: ``FIELD,OFFSET:TYPE``.")
OBJTRACE_ERROR(MODULE_STRUCTS,	ENOSPC,	"Triggers already use structs of 16 modules: remove one of the triggers",
	"objtrace keeps the BTF of each module whose structs a trigger names, for at "
	"most 16 modules. Remove a trigger that uses one of the modules.")
OBJTRACE_ERROR(UNKNOWN_MEMBER,	EINVAL,	"No such member",
	"The struct in the log has no member of this name. Names in C code can be "
	"macros for nested members: the log lists members with a similar name. Members "
	"differ between kernel versions: ``bpftool btf dump`` and ``pahole`` show the "
	"members in this kernel.")
OBJTRACE_ERROR(NOT_A_STRUCT,	EINVAL,	"The part before this is not a struct or union: it has no members",
	"The path reached a number, an enum, or a pointer that does not point to a "
	"struct. The path ends there.")
OBJTRACE_ERROR(NOT_A_POINTER,	EINVAL,	"The part before '->' is not a pointer",
	"``->`` follows a pointer, but the path reached another type. The path ends "
	"there.")
OBJTRACE_ERROR(ARROW_NEEDED,	EINVAL,	"The part before this is a pointer: follow it with '->'",
	"The path reached a pointer to a struct, or the object itself directly after "
	"the field. Write ``->`` instead of ``.``.")
OBJTRACE_ERROR(DOT_NEEDED,	EINVAL,	"The part before '->' is a struct, not a pointer: use '.' for its members",
	"The path reached a struct that is embedded in another struct. Write ``.`` "
	"instead of ``->``.")
OBJTRACE_ERROR(NOT_AN_ARRAY,	EINVAL,	"The part before this is not an array: it has no elements",
	"An index follows a member that is not an array. Remove the index.")
OBJTRACE_ERROR(POINTER_INDEX,	EINVAL,	"The part before this is a pointer, not an array: follow it with '->'",
	"BTF does not have the number of elements behind a pointer. Read the first "
	"element with ``->``, or give the offset in bytes: ``+OFFSET(+OFFSET(FIELD))``.")
OBJTRACE_ERROR(USER_POINTER,	EINVAL,	"The part before this is a pointer to user memory: objtrace cannot follow it",
	"BTF marks the pointer as ``__user``. objtrace never reads the memory of a "
	"process. Use the pointer itself as the value.")
OBJTRACE_ERROR(PERCPU_POINTER,	EINVAL,	"The part before this is a per-CPU pointer: objtrace cannot follow it",
	"BTF marks the pointer as ``__percpu``. It is an address only after a CPU's "
	"offset is added. Use the pointer itself as the value.")
OBJTRACE_ERROR(INDEX_NEEDED,	EINVAL,	"This is an array: choose an element, as in NAME.2",
	"A value is a single element of an array. Add the element's number, counted "
	"from 0.")
OBJTRACE_ERROR(INDEX_RANGE,	ERANGE,	"The array has fewer elements: the first is number 0",
	"The index is beyond the end of the array. The elements of a multi-dimensional "
	"array have one index: ``y[2][3]`` has the elements ``y.0`` to ``y.5``.")
OBJTRACE_ERROR(NOT_A_VALUE,	EINVAL,	"This is not a value of 1, 2, 4 or 8 bytes: name one of its members",
	"The path ends at a struct, a union or another type that is not a single "
	"number. Name a member, or give a type to read the first bytes.")
OBJTRACE_ERROR(TYPE_TOO_WIDE,	EINVAL,	"Type is wider than the member",
	"The type has more bytes than the member, so the value would include the next "
	"member. Choose a smaller type, or remove the type to use the member's own.")
OBJTRACE_ERROR(SYMBOL_SIZE,	EINVAL,	"symbol needs a member that is as wide as a pointer",
	"The member is too small for an address. Use ``symbol`` with pointers and "
	"64-bit integers.")
OBJTRACE_ERROR(BITFIELD_TYPE,	EINVAL,	"A bitfield takes no type: its width comes from BTF",
	"A type is a number of bytes, and a bitfield is a number of bits. Remove the "
	"type: BTF has the width and the sign.")
/* The log has the names that the command can have instead */
OBJTRACE_ERROR(UNKNOWN_ENUM,	EINVAL,	"No enum and no enumerator has this name",
	"The BTF of the kernel and of the struct's module has no such name. Names that "
	"are similar are in front of the sentence. A macro is no enumerator.")
OBJTRACE_ERROR(AMBIGUOUS_ENUM,	EINVAL,	"Several enums have this name: use one of the names in front of this sentence",
	"Different enums of the kernel have the name, or an enumerator of the name. "
	"Each name in front of the sentence stands for one of them.")
OBJTRACE_ERROR(ENUM_TYPE,	EINVAL,	"enum= needs an integer: not a pointer, and not the type char or symbol",
	"The value is a pointer, or the command has a type that is no number. Remove "
	"the type, or the option.")
/* Found by the trigger code */
OBJTRACE_ERROR(OWN_EVENT,	EINVAL,	"Events of objtrace itself cannot carry an objtrace trigger",
	"Events of objtrace record objects that are already tracked, so the trigger "
	"could fire itself without end. Set the trigger on the event that the object "
	"comes from. The kernel's own triggers work on objtrace's events.")
OBJTRACE_ERROR(USER_EVENT,	EINVAL,	"Events of user programs hold no address of a kernel object",
	"A probe on a user program reads the memory of that program. Set a probe in the "
	"kernel.")
OBJTRACE_ERROR(FPROBE_ENTRY,	EINVAL,	"Arguments of fprobes and tracepoint probes cannot be used: use a kprobe or the tracepoint's event",
	"The kernel may call such a probe before or after objtrace, so objtrace cannot "
	"tell whether to record the entry. Write ``p:`` instead of ``f:`` in the "
	"definition of the probe. fprobes on returns work.")
OBJTRACE_ERROR(USER_ADDRESS,	EINVAL,	"This is an address of user space: objects are in kernel memory",
	"The address belongs to a process. Write an address of the kernel, for example "
	"from a record of objtrace or from ``/proc/kallsyms``.")
OBJTRACE_ERROR(NOT_CANONICAL,	EINVAL,	"No memory can have this address: it is neither user space nor the kernel",
	"The upper bits of the address are wrong. Look for a missing or an extra digit.")
OBJTRACE_ERROR(UNMAPPED_ADDRESS, EINVAL, "No memory of the kernel is mapped at this address",
	"The object was freed and unmapped, or the address is from another boot of the "
	"kernel: objects have other addresses after each boot.")
OBJTRACE_ERROR(DEVICE_ADDRESS,	EINVAL,	"This is memory of a device: objtrace tracks objects in RAM only",
	"A read of a device's register can have side effects, so objtrace never reads "
	"the value there. Track the driver's object instead.")
OBJTRACE_ERROR(NO_RECORD_EVENTS, ENODEV, "This instance has no objtrace events to write records to",
	"The instance was created with a list of event systems without ``objtrace``. "
	"Use another instance: an instance that ``mkdir`` creates has all events.")
OBJTRACE_ERROR(WATCH_UNSUPPORTED, EOPNOTSUPP, "watch does not work on this processor or kernel: remove the option",
	"The kernel needs ``CONFIG_HAVE_HW_BREAKPOINT``. A processor of arm64 needs LSE "
	"atomics, which the line ``Features`` of ``/proc/cpuinfo`` shows as ``atomics``. "
	"Without them, a watchpoint would repeat an atomic operation for ever.")
OBJTRACE_ERROR(WATCH_UNALIGNED,	EINVAL,	"watch needs a member at a multiple of its size: a debug register covers no other bytes",
	"A debug register covers 1, 2, 4 or 8 bytes, at an address that is a multiple of "
	"this number. On arm64, it covers bytes of one aligned word of 8 bytes. Choose a "
	"smaller type, so that the first bytes of the member are watched.")
OBJTRACE_ERROR(WATCH_TAKEN,	ENOSPC,	"Too few debug registers are free: remove a trigger with watch, or end gdb or perf",
	"A processor has a few debug registers for triggers with ``watch``, perf and "
	"debuggers. ``objtrace/stats`` shows the registers of each trigger, as "
	"``watch_registers``.")
OBJTRACE_ERROR(WATCH_IGNORED,	EOPNOTSUPP, "This machine ignores debug registers: watch cannot work here",
	"objtrace tests the debug registers of each processor when the trigger is set. A "
	"processor did not report a store. Confidential guests can have such processors.")
OBJTRACE_ERROR(WATCH_REFUSED,	EIO,	"The kernel refused the debug registers: remove the option watch",
	"perf returned an unexpected error for a debug register. A security policy can "
	"restrict perf.")
OBJTRACE_ERROR(TRIGGER_EXISTS,	EEXIST,	"The same trigger is already set on this event",
	"The event has a trigger that differs at most in the count. To change the "
	"count, remove that trigger first.")
OBJTRACE_ERROR(NO_SUCH_TRIGGER,	ENOENT,	"No such trigger to remove: see the trigger file",
	"The text after ``!`` does not match any trigger of the event. Write a line of "
	"the trigger file, with ``!`` in front.")
OBJTRACE_ERROR(SEVERAL_TRIGGERS, EINVAL, "Several triggers match: write the whole trigger",
	"The text after ``!`` matches several triggers of the event. Add the type, "
	"count, options and filter from the trigger file.")
OBJTRACE_ERROR(TOO_MANY_TRIGGERS, ENOSPC, "Too many objtrace triggers: at most 256 in all instances together",
	"A trigger with ``clear`` visits all triggers with ``add`` when its event "
	"fires, so their number is limited. Remove some triggers.")
OBJTRACE_ERROR(OWNER_LOADING,	EBUSY,	"The module that owns this event is still being loaded: try again",
	"Module init of that module has not ended, and may fail. Set the trigger when "
	"``/proc/modules`` says ``Live`` for the module.")
OBJTRACE_ERROR(OWNER_GONE,	ENODEV,	"The module that owns this event is being removed",
	"``rmmod`` of that module has begun. Load the module again, and then set the "
	"trigger.")
OBJTRACE_ERROR(MODULE_GONE,	ENODEV,	"objtrace is being removed",
	"``rmmod objtrace`` has begun. Load objtrace again, and then set the trigger.")
OBJTRACE_ERROR(FTRACE_DEAD,	ENODEV,	"ftrace has disabled itself after a bug, see dmesg: reboot",
	"The kernel found an error in its own function tracing and disabled it until "
	"the next boot. No function can be traced before that. If functions were traced "
	"at that time, rmmod reports that the module is in use.")
OBJTRACE_ERROR(ENABLE_FAILED,	EIO,	"The event cannot be enabled",
	"The kernel refused to enable the event. dmesg may show the cause for a probe. "
	"The trigger was not set.")
OBJTRACE_ERROR(NO_MEMORY,	ENOMEM,	"Out of memory",
	"The kernel has no memory for the trigger, the list of functions or the ring "
	"buffer of the instance. The first trigger allocates that buffer with the size "
	"in ``buffer_size_kb``. Reduce the size, or try again.")
/* Found in the patterns that are written to set_filter and set_notrace */
OBJTRACE_ERROR(NO_PATTERN,	EINVAL,	"Expected a function or a pattern after '!'",
	"``!`` removes functions from the list, and needs the name of a function or a "
	"pattern. Write it without a blank: ``!vfs_*``.")
OBJTRACE_ERROR(PATTERN_TOO_LONG, EINVAL, "Pattern is too long: at most 639 characters",
	"No function has such a long name. Separate patterns with blanks or newlines.")
OBJTRACE_ERROR(PATTERN_NUMBER,	EINVAL,	"Functions have no numbers here: give a name or a pattern",
	"The kernel's ``set_ftrace_filter`` accepts line numbers. Line numbers change "
	"when a module is loaded, but this list outlives modules.")
OBJTRACE_ERROR(PATTERN_COMMAND,	EINVAL,	"Only :mod:MODULE can follow a function: write other commands to set_ftrace_filter",
	"The text after ``:`` does not name a module. Write a command such as "
	"``vfs_read:traceoff`` to the kernel's ``set_ftrace_filter``.")
OBJTRACE_ERROR(NOTHING_TO_TAKE,	EINVAL,	"The list is empty, so '!' removes nothing: write to set_notrace to exclude functions",
	"``!`` removes functions from the list, and ``>`` empties it. To trace all "
	"functions except some, write these to ``set_notrace`` without ``!``.")
OBJTRACE_ERROR(NO_FUNCTION,	EINVAL,	"No such function can be traced: see available_filter_functions",
	"No function matches, or the function is inlined or ``notrace``. For a module "
	"that is not loaded yet, add its name: ``PATTERN:mod:MODULE``.")
OBJTRACE_ERROR(TOO_MANY_PATTERNS, ENOSPC, "The list is full: at most 64 KiB of patterns",
	"The patterns exceed the limit. Use ``*`` to match several functions with one "
	"pattern.")
