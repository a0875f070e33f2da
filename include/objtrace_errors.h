/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that can be wrong with a command, or with what is written to set_filter
 * and set_notrace, a line each: the name, the errno
 * that write() returns and the sentence that error_log shows; then cause and
 * remedy, as reStructuredText, for Documentation/objtrace.rst alone.  The parser,
 * the trigger code, the error log, the tests and the documentation all read this
 * one list; it has no include guard because each of them expands it in its own way.
 */
/* Found in the text alone, by objtrace_parse() */
OBJTRACE_ERROR(NO_VERB,		EINVAL,	"Expected a verb: add, del or clear",
	"Nothing stands behind ``objtrace:``. Say what is to be done, as in "
	"``objtrace:add:FIELD``.")
OBJTRACE_ERROR(UNKNOWN_VERB,	EINVAL,	"Unknown verb: add, del and clear are known",
	"The word after ``objtrace:`` is no verb. A field comes after the verb: "
	"``objtrace:add:FIELD``.")
OBJTRACE_ERROR(NOT_FOR_VERB,	EINVAL,	"Only add takes this: del takes a field and a count, clear a count",
	"An offset, a struct, a type or an option was given to ``del``, or a field to "
	"``clear``: neither reads a value. Leave it out.")
OBJTRACE_ERROR(NO_FIELD,	EINVAL,	"Expected a field of the event here",
	"The name of a field is missing where the caret stands. The event's file ``format`` "
	"lists the fields.")
OBJTRACE_ERROR(BAD_FIELD,	EINVAL,	"A field's name has letters, digits and _ only: a probe gives $retval one with NAME=$retval",
	"The caret is at a character that no field's name has. ``$retval``, ``%di`` and the "
	"like are arguments of probes: give them a name where the probe is defined, "
	"``obj=$retval``, and use that.")
OBJTRACE_ERROR(FIELD_TOO_LONG,	EINVAL,	"Field name is too long: at most 63 characters",
	"No event has a field with such a name. See the event's file ``format``.")
OBJTRACE_ERROR(MIXED_FORMS,	EINVAL,	"One form only: FIELD,OFFSET or +OFFSET(FIELD) or (STRUCT)FIELD->MEMBER",
	"Two of the three ways to write an object were mixed, as in ``(bio)arg1,8``. Choose "
	"one of them: with a struct, name the member instead of an offset.")
OBJTRACE_ERROR(BAD_OFFSET,	EINVAL,	"Offset is not a number: decimal, 0x hex or 0 octal",
	"The offset has a character that is no digit, or none at all. A number that begins "
	"with ``0`` is octal, ``09`` therefore is none.")
OBJTRACE_ERROR(OFFSET_RANGE,	ERANGE,	"Offset is out of range: it must fit in 32 bits with its sign",
	"The offset, or that of the member that was named, is below -2147483648 or above "
	"2147483647. No object is that large: see whether there is a digit too many.")
OBJTRACE_ERROR(NO_SIGN,		EINVAL,	"An offset before '(' needs its sign: +OFFSET(FIELD) or -OFFSET(FIELD)",
	"A number stands where the object begins, and a parenthesis behind it. Write "
	"``+8(FIELD)``, not ``8(FIELD)``.")
OBJTRACE_ERROR(NO_PARENTHESIS,	EINVAL,	"Expected '(' after the offset: +OFFSET(FIELD) or FIELD,OFFSET",
	"An object that begins with ``+`` or ``-`` and an offset goes on with ``(``. Write "
	"``+8(FIELD)``, or ``FIELD,8``.")
OBJTRACE_ERROR(UNBALANCED,	EINVAL,	"Parentheses do not match: each '(' needs its ')'",
	"A ``)`` is missing, or there is one too many. Count them up to the caret.")
OBJTRACE_ERROR(TOO_DEEP,	EINVAL,	"Too deep: at most 7 pointers can be followed to a value",
	"The value is behind more than 7 pointers. Track an object that is nearer to it, from "
	"an event that has that one in a field.")
OBJTRACE_ERROR(BAD_STRUCT,	EINVAL,	"Expected the bare tag of a struct, as in (bio): no 'struct', '*' or blanks",
	"Between ``(`` and ``)`` stands something other than one name. It is ``(bio)``, not "
	"``(struct bio *)``; unions are named the same way, typedefs and types without a tag "
	"cannot be.")
OBJTRACE_ERROR(STRUCT_TOO_LONG,	EINVAL,	"Struct name is too long: at most 95 characters",
	"No struct of a kernel has such a long name. See whether the ``)`` is at its place.")
OBJTRACE_ERROR(STRUCT_NEEDED,	EINVAL,	"Members are found by their struct: (STRUCT)FIELD->MEMBER",
	"A member was named, but not in which struct it is. Write ``(STRUCT)`` before the "
	"field.")
OBJTRACE_ERROR(NO_MEMBER,	EINVAL,	"Expected the name of a member here",
	"After ``->`` or ``.`` comes the name of a member, or after ``.`` the number of an "
	"array's element. Add it, or remove what is before the caret.")
OBJTRACE_ERROR(BAD_MEMBER,	EINVAL,	"A member's name has letters, digits and _ only: '.' or '->' comes before the next one",
	"The caret is at a character that no member's name has. A type comes after ``:``.")
OBJTRACE_ERROR(BAD_INDEX,	EINVAL,	"Expected the number of an array's element, as in NAME.2 or NAME[2]",
	"What stands in brackets, or begins with a digit after ``.``, is no number, or the "
	"``]`` is missing. An index is decimal and is never computed.")
OBJTRACE_ERROR(PATH_TOO_LONG,	EINVAL,	"Path is too long: at most 127 characters and 16 members",
	"The path to the member is longer than objtrace keeps. Give the offset in bytes "
	"instead: ``FIELD,OFFSET:TYPE``.")
OBJTRACE_ERROR(TRAILING_TEXT,	EINVAL,	"Unexpected text after the object: expected ':' or a blank",
	"The object ended with a parenthesis, but something follows it directly. Put a ``:`` "
	"before a type, a count or an option, and a blank before ``if``.")
OBJTRACE_ERROR(EMPTY_PART,	EINVAL,	"Expected a count after ':', or with add a type or an option",
	"There is nothing behind the ``:`` at the caret. Leave the ``:`` out.")
OBJTRACE_ERROR(UNKNOWN_TYPE,	EINVAL,	"Neither a type (u8-u64 s8-s64 x8-x64 char symbol) nor an option (changes size= typed after-free)",
	"The part behind the object is neither a type, nor a count, nor an option. Types are "
	"written in small letters.")
OBJTRACE_ERROR(TYPE_PLACE,	EINVAL,	"The type is given once, right after the object",
	"There is a second type, or it stands after the count or an option. The order is "
	"type, count, options.")
OBJTRACE_ERROR(BAD_COUNT,	EINVAL,	"Count is not a number: N, count=N or unlimited",
	"The count has a character that is no digit, is negative, or nothing follows "
	"``count=``. Write a number, or ``unlimited``.")
OBJTRACE_ERROR(COUNT_RANGE,	ERANGE,	"Count is out of range: it must fit in a signed long",
	"The count is above 9223372036854775807. ``unlimited`` is the way to say that there "
	"is no limit.")
OBJTRACE_ERROR(ZERO_COUNT,	EINVAL,	"Count must be at least 1: say unlimited, or nothing, for no limit",
	"A trigger that may do nothing has no use. Remove a trigger by writing it with ``!`` "
	"in front.")
OBJTRACE_ERROR(COUNT_PLACE,	EINVAL,	"The count is given once, after the type and before the options",
	"There is a second count, or it stands after an option. The order is type, count, "
	"options.")
OBJTRACE_ERROR(UNKNOWN_OPTION,	EINVAL,	"Unknown option: changes, size, typed and after-free are known",
	"The part at the caret is no option of objtrace. If a type was meant, it comes right "
	"after the object.")
OBJTRACE_ERROR(OPTION_TWICE,	EINVAL,	"Each option is given at most once",
	"The option at the caret was given before. Remove one of the two.")
OBJTRACE_ERROR(OPTION_VALUE,	EINVAL,	"This option takes no value",
	"``changes`` and ``after-free`` are complete as they are. Remove what follows them.")
OBJTRACE_ERROR(BAD_SIZE,	EINVAL,	"Size is not a number: size=N, in bytes, or size=auto",
	"What follows ``size=`` is no number and not ``auto``. It is decimal, ``0x`` "
	"hexadecimal or ``0`` octal, without a unit.")
OBJTRACE_ERROR(SIZE_RANGE,	ERANGE,	"Size is out of range: 1 to 0x7fffffff bytes",
	"The size is 0, negative, or above 0x7fffffff; with ``auto``, that of the struct is. "
	"Leave the option out to match the object's first byte only.")
OBJTRACE_ERROR(SIZE_AUTO_NEEDS_STRUCT, EINVAL, "size=auto needs the object's struct: (STRUCT)FIELD or (STRUCT)FIELD->MEMBER",
	"How large the object is can only be looked up if its struct was given. Write "
	"``(STRUCT)`` before the field, or the number of bytes.")
OBJTRACE_ERROR(TYPED_NEEDS_STRUCT, EINVAL, "typed needs the object's struct: (STRUCT)FIELD or (STRUCT)FIELD->MEMBER",
	"Which functions have a parameter for the object can only be looked up if its struct "
	"was given. Write ``(STRUCT)`` before the field, or leave the option out.")
OBJTRACE_ERROR(TYPED_VALUE,	EINVAL,	"Expected typed alone, or typed=strict",
	"``typed`` is complete as it is, and ``strict`` is the only value that it can have.")
OBJTRACE_ERROR(NO_IF,		EINVAL,	"Expected 'if' and a filter: nothing else follows a blank",
	"After a blank only a filter may follow, with ``if`` before it. The other parts of a "
	"command have no blanks in and between them.")
OBJTRACE_ERROR(EMPTY_FILTER,	EINVAL,	"Expected a filter after 'if'",
	"Nothing follows ``if``. Add a filter, or remove the ``if``.")
/* Found in the event's fields, by objtrace_parse_field() */
OBJTRACE_ERROR(UNKNOWN_FIELD,	EINVAL,	"Event has no such field: see its format file",
	"The event has fields, but none of this name. See its file ``format``: what a probe "
	"is to hold, its definition has to name.")
OBJTRACE_ERROR(GENERIC_FIELD,	EINVAL,	"Generic fields hold no object: use a field of the event itself",
	"``cpu``, ``comm`` and a few others can be used in the filter of any event, but are "
	"not in its record. Name a field that is in the event's file ``format``.")
OBJTRACE_ERROR(FIELD_SIZE,	EINVAL,	"Field is not pointer-sized: it cannot hold an object",
	"The field is smaller or larger than a pointer, or is an array. A probe's argument "
	"has the right size if it has no type, or ``:x64`` or ``:u64``.")
/* Found in BTF, when the path is followed; the log says in which struct */
OBJTRACE_ERROR(UNKNOWN_STRUCT,	EINVAL,	"No such struct in the BTF of the kernel and its modules",
	"Neither the kernel nor a loaded module knows a struct or union by this tag. See "
	"whether it is a typedef, and whether the module that defines it is loaded and was "
	"built with BTF.")
OBJTRACE_ERROR(INCOMPLETE_STRUCT, EINVAL, "Only this struct's name is known: is the module that defines it loaded?",
	"The kernel handles the struct by pointers only and never looks into it. Load the "
	"module that defines it, or give the offset in bytes.")
OBJTRACE_ERROR(AMBIGUOUS_STRUCT, EINVAL, "Several structs of the kernel have this name and member: give its offset instead",
	"Different parts of the kernel have structs of this name, and more than one of them "
	"has the member. Give the offset in bytes: ``FIELD,OFFSET:TYPE``.")
OBJTRACE_ERROR(MODULE_STRUCTS,	ENOSPC,	"Triggers already use structs of 16 modules: remove one of them",
	"For each module whose structs a trigger names, its type information is kept. Remove "
	"a trigger that uses one of them.")
OBJTRACE_ERROR(UNKNOWN_MEMBER,	EINVAL,	"No such member",
	"The struct that the log names has no member of this name. Members come and go "
	"between kernel versions: ``bpftool btf dump`` and ``pahole`` show those of this "
	"kernel.")
OBJTRACE_ERROR(NOT_A_STRUCT,	EINVAL,	"What comes before this is no struct or union: it has no members",
	"What was reached is a number, an enum, or a pointer to no struct. The path ends "
	"there.")
OBJTRACE_ERROR(NOT_A_POINTER,	EINVAL,	"What comes before '->' is no pointer: it cannot be followed",
	"``->`` follows a pointer, but what was reached is none. The path ends there.")
OBJTRACE_ERROR(ARROW_NEEDED,	EINVAL,	"What comes before this is a pointer: follow it with '->'",
	"What was reached is a pointer to a struct, or, right after the field, the object "
	"itself. Write ``->`` instead of ``.``.")
OBJTRACE_ERROR(DOT_NEEDED,	EINVAL,	"What comes before '->' is no pointer but a struct: its members follow '.'",
	"What was reached is a struct that is part of the one around it. Write ``.`` instead "
	"of ``->``.")
OBJTRACE_ERROR(NOT_AN_ARRAY,	EINVAL,	"What comes before this is no array: it has no elements",
	"A number was given after something that is no array. Remove it.")
OBJTRACE_ERROR(POINTER_INDEX,	EINVAL,	"What comes before this is a pointer, no array: only what it leads to can be read",
	"BTF does not tell how many elements a pointer leads to. Follow it with ``->`` to the "
	"first one, or give the offset in bytes: ``+OFFSET(+OFFSET(FIELD))``.")
OBJTRACE_ERROR(USER_POINTER,	EINVAL,	"What comes before this is a pointer to user memory: it is not followed",
	"The kernel's types say that the pointer leads to a process' memory, which objtrace "
	"never reads. Take the pointer itself as the value.")
OBJTRACE_ERROR(PERCPU_POINTER,	EINVAL,	"What comes before this is a per-CPU pointer: it is not followed",
	"The kernel's types say that this is no address until a CPU's offset is added to it. "
	"Take the pointer itself as the value.")
OBJTRACE_ERROR(INDEX_NEEDED,	EINVAL,	"This is an array: choose an element, as in NAME.2",
	"A value is one element, not all of an array. Add its number, counted from 0.")
OBJTRACE_ERROR(INDEX_RANGE,	ERANGE,	"The array has fewer elements: they are counted from 0",
	"The array that was named does not have the element. An array of several dimensions "
	"is written as one of all its elements: ``y[2][3]`` has ``y.0`` to ``y.5``.")
OBJTRACE_ERROR(NOT_A_VALUE,	EINVAL,	"This is no value of 1, 2, 4 or 8 bytes: go on to one of its members",
	"What was named is a whole struct or union, or something else that is no single "
	"number. Name one of its members, or give a type to see its first bytes.")
OBJTRACE_ERROR(TYPE_TOO_WIDE,	EINVAL,	"Type is wider than the member",
	"Reading so many bytes would show parts of the next member, too. Choose a smaller "
	"type, or leave it out to have the member's own.")
OBJTRACE_ERROR(SYMBOL_SIZE,	EINVAL,	"symbol needs a member that is as wide as a pointer",
	"An address does not fit into the member. Use ``symbol`` with pointers and with "
	"integers of 64 bits.")
OBJTRACE_ERROR(BITFIELD_TYPE,	EINVAL,	"A bitfield's width comes from BTF: leave the type out",
	"A type says how many bytes are read, a bitfield has bits. Leave the type out: width "
	"and sign are known.")
/* Found by the trigger code */
OBJTRACE_ERROR(OWN_EVENT,	EINVAL,	"Events of objtrace itself cannot carry an objtrace trigger",
	"Records of objtrace hold objects that are tracked already, and could go on for ever. "
	"Set the trigger on the event that the object comes from; the kernel's own triggers "
	"work on objtrace's events.")
OBJTRACE_ERROR(USER_EVENT,	EINVAL,	"Events of user programs hold no address of a kernel object",
	"A probe on a user program sees that program's memory. Set a probe in the kernel.")
OBJTRACE_ERROR(FPROBE_ENTRY,	EINVAL,	"Arguments of fprobes and tracepoint probes cannot be used: set a kprobe, or use the tracepoint's event",
	"Whether the kernel calls such a probe before objtrace or after it cannot be found "
	"out, and with it whether the entry is still to be recorded. Write ``p:`` instead of "
	"``f:`` where the probe is defined; fprobes on returns work.")
OBJTRACE_ERROR(NO_RECORD_EVENTS, ENODEV, "This instance has no objtrace events to write records to",
	"The instance was made with a list of event systems that ``objtrace`` is not in. Use "
	"another instance: those made by ``mkdir`` have all events.")
OBJTRACE_ERROR(TRIGGER_EXISTS,	EEXIST,	"The same trigger is already set on this event",
	"The event has a trigger that differs from this one in its count at most. Remove that "
	"one first to set another count.")
OBJTRACE_ERROR(NO_SUCH_TRIGGER,	ENOENT,	"No such trigger to remove: see the trigger file",
	"None of the event's triggers is what was written behind ``!``. Write a line of the "
	"trigger file as it is, with ``!`` in front.")
OBJTRACE_ERROR(SEVERAL_TRIGGERS, EINVAL, "Several triggers match: give the one to remove in full",
	"What was written behind ``!`` leaves out what tells the event's triggers apart. Give "
	"type, count, options and filter as the trigger file shows them.")
OBJTRACE_ERROR(TOO_MANY_TRIGGERS, ENOSPC, "Too many objtrace triggers: at most 256 in all instances together",
	"A trigger that clears looks at all that add, at the moment its event fires, so there "
	"must not be too many. Remove some.")
OBJTRACE_ERROR(OWNER_GONE,	ENODEV,	"The module that owns this event is being removed",
	"``rmmod`` of that module was faster. Load it again, then set the trigger.")
OBJTRACE_ERROR(MODULE_GONE,	ENODEV,	"objtrace is being removed",
	"``rmmod objtrace`` was faster. Load it again, then set the trigger.")
OBJTRACE_ERROR(FTRACE_DEAD,	ENODEV,	"ftrace has disabled itself after a bug, see dmesg: reboot",
	"The kernel found an inconsistency in its own function tracing and has switched it "
	"off until the next boot. No function can be traced before. If functions were traced "
	"when that happened, rmmod reports until then that the module is in use.")
OBJTRACE_ERROR(ENABLE_FAILED,	EIO,	"The event cannot be enabled",
	"The kernel refused to switch the event on; for a probe dmesg may tell why. Nothing "
	"was set.")
OBJTRACE_ERROR(NO_MEMORY,	ENOMEM,	"Out of memory",
	"The kernel has no memory for the trigger or for the list of functions, or for the "
	"instance's buffer, which is made as large as ``buffer_size_kb`` says when the first "
	"trigger is set. Make that smaller, or try again.")
/* Found in what is written to set_filter and set_notrace */
OBJTRACE_ERROR(NO_PATTERN,	EINVAL,	"Expected a function or a pattern behind '!'",
	"``!`` takes functions out of the list, but nothing says which. There is no blank "
	"behind it: ``!vfs_*``.")
OBJTRACE_ERROR(PATTERN_TOO_LONG, EINVAL, "Pattern is too long: at most 639 characters",
	"No function has such a long name. See whether blanks or newlines between the "
	"patterns were lost.")
OBJTRACE_ERROR(PATTERN_NUMBER,	EINVAL,	"Functions have no numbers here: give a name or a pattern",
	"The kernel's ``set_ftrace_filter`` takes the numbers of lines. They change with "
	"every module that is loaded, and what is in this list stays when modules go.")
OBJTRACE_ERROR(PATTERN_COMMAND,	EINVAL,	"Only :mod:MODULE can follow a function: its commands are for set_ftrace_filter",
	"What follows the ``:`` is none of the module's name. Commands such as "
	"``vfs_read:traceoff`` are written to the kernel's ``set_ftrace_filter``.")
OBJTRACE_ERROR(NOTHING_TO_TAKE,	EINVAL,	"The list is empty, nothing can be taken out: set_notrace leaves functions out",
	"``!`` takes back what was put into the same list before, and ``>`` empties it. All "
	"functions but some are traced if these are in ``set_notrace``, without a ``!``.")
OBJTRACE_ERROR(NO_FUNCTION,	EINVAL,	"No such function can be traced: see available_filter_functions",
	"Nothing has a name that matches, or what has is inlined or ``notrace``. Functions of "
	"a module that is not loaded yet are named with it: ``PATTERN:mod:MODULE``.")
OBJTRACE_ERROR(TOO_MANY_PATTERNS, ENOSPC, "The list is full: at most 64 KiB of patterns",
	"There are too many patterns. One with a ``*`` can stand for many.")
