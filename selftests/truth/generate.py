#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Generate functions and steps that call them, and predict the records of objtrace.

Usage: generate.py SEED x86_64|arm64 FUNCTIONS CALLS DIR

The functions have random prototypes. The program predicts each record that objtrace must
write when truth_play.c runs the steps. It writes to DIR:
  truth_functions.h truth_a.c truth_b.c  the functions and the steps, in C
  expected       all records of CALLS calls or more, see Play
  expected-OPTIONS  the same for a trigger with these options, if only the functions of filter
                 are traced
  filter         functions that each kernel's BTF has
  masks          the registers of each function: NAME OBJECTS VARIABLE
  where.c where  functions that show the place of an argument, and the predicted places

The places of arguments follow from the ABIs (System V AMD64 3.2.3 and AAPCS64 6.8.2). The
values that count as objects follow from Documentation/objtrace.rst. This program shares no
code with types/args.c: each checks the other.
"""

import os
import sys

MODULE = "objtrace_truth"
LICENCE = "SPDX-License-Identifier: GPL-2.0-only"
MADE_BY = "/* Made by generate.py */\n"
ROUNDS = 10
OBJECTS = 8
LEVELS = 4          # depth of nested calls
NAMES = "ABCDEFGH"
FILES = ("a", "b")
WORD = 8            # bytes
NO_OBJECT = -1      # the index of a variable that holds no object
WATCHPOINTS = 4     # debug registers of the trigger

# Options of triggers whose records are predicted, too
OPTIONS = (("returns",), ("changes", "returns"), ("changes", "watch=4"),
           ("changes", "returns", "watch=4"))


#
# Random numbers, which do not depend on the version of Python
#

def xorshift(state):
    """Return the number after STATE in Marsaglia's xorshift generator of 32 bits."""
    state ^= state << 13 & 0xffffffff
    state ^= state >> 17
    return state ^ state << 5 & 0xffffffff


class Random:
    """A generator of numbers that depend only on the seed."""

    def __init__(self, seed):
        self.state = (seed * 2654435761 + 1) & 0xffffffff or 1
        for _ in range(10):
            self.state = xorshift(self.state)

    def below(self, limit):
        self.state = xorshift(self.state)
        return self.state * limit >> 32

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


#
# Kinds of values
#

class Kind:
    """A type of arguments and results.

    words has one letter for each word of 8 bytes: O can hold an object, n cannot. size is
    in bytes. A torn struct has a member that is not aligned. Compilers may move
    the members of a mixed struct to separate registers.
    """

    def __init__(self, name, size, words, c_type, align=WORD, torn=False, mixed=False):
        self.name, self.size, self.words, self.type = name, size, words, c_type
        self.align, self.torn, self.mixed = align, torn, mixed

    def in_memory(self):
        """Return true if x86-64 passes the value in memory: a large or a torn value."""
        return self.size > 2 * WORD or self.torn


# Name, weight, size, words, type, alignment
SCALARS = (
    ("ptr",    12, 8, "O", "void *"),
    ("object",  9, 8, "O", "struct ott_object *"),
    ("cptr",    3, 8, "O", "const char *"),
    ("handle",  2, 8, "O", "ott_handle_t"),
    ("fn",      3, 8, "O", "ott_fn_t"),
    ("ulong",   5, 8, "O", "unsigned long"),
    ("long",    3, 8, "O", "long"),
    ("u64",     3, 8, "O", "u64"),
    ("int",     4, 4, "n", "int"),
    ("u32",     2, 4, "n", "u32"),
    ("s16",     2, 2, "n", "s16"),
    ("u8",      2, 1, "n", "u8"),
    ("char",    2, 1, "n", "char"),
    ("bool",    2, 1, "n", "bool"),
    ("narrow",  2, 4, "n", "enum ott_narrow"),
    ("wide",    2, 8, "n", "enum ott_wide"),
    ("int128",  3, 16, "nn", "__int128", 16),
)

# Name, weight, size, words, members, options
STRUCTS = (
    ("nothing", 1, 0, "", ""),
    ("i",     2, 4, "n", "int a;"),
    ("hbc",   1, 4, "n", "s16 a; u8 b; char c;", {"mixed": True}),
    ("ii",    2, 8, "n", "int a; int b;"),
    ("p",     2, 8, "O", "void *a;"),
    ("l",     2, 8, "O", "unsigned long a;"),
    ("bits",  1, 8, "n", "u64 a : 32; u64 b : 32;"),
    ("u",     2, 8, "O", "void *a; int b;", {"tag": "union"}),
    ("iii",   2, 12, "nn", "int a; int b; int c;"),
    ("pi12",  1, 12, "On", "void *a; int b;", {"packed": True}),
    ("ip12",  1, 12, "nn", "int a; void *b;", {"packed": True, "torn": True}),
    ("pl",    3, 16, "OO", "void *a; long b;"),
    ("ip",    2, 16, "nO", "int a; void *b;"),
    ("pi",    2, 16, "On", "void *a; int b;"),
    ("pp",    2, 16, "OO", "void *a[2];"),
    ("iiii",  1, 16, "nn", "int a[4];"),
    ("nest",  2, 16, "nO", "struct ott_ii a; struct ott_p b;"),
    ("q",     1, 16, "nn", "__int128 a;", {"align": 16}),
    ("pli",   3, 24, "OOn", "void *a; long b; int c;"),
    ("pppp",  1, 32, "OOOO", "void *a[4];"),
    ("lq",    1, 32, "Onnn", "long a; __int128 b;", {"align": 16}),
)

KINDS = {}
WEIGHTED = []       # each kind as often as its weight


def add_kind(weight, kind):
    KINDS[kind.name] = kind
    WEIGHTED.extend([kind] * weight)


def add_struct(name, weight, size, words, members, options=None):
    """Add a struct to the kinds, and return its declaration."""
    options = dict(options or {})
    tag = options.pop("tag", "struct") + " ott_" + name
    packed = " __packed" if options.pop("packed", False) else ""
    add_kind(weight, Kind(name, size, words, tag, **options))
    return f"{tag} {{ {members} }}{packed};\nstatic_assert(sizeof({tag}) == {size});\n"


def add_kinds():
    """Fill KINDS and WEIGHTED, and return the declarations of the types."""
    types = [
        "typedef void *ott_handle_t;\n",
        "typedef void (*ott_fn_t)(void);\n",
        "enum ott_narrow { OTT_NARROW_0, OTT_NARROW_1 };\n",
        "enum ott_wide { OTT_WIDE_0, OTT_WIDE_1 = 1UL << 40 };\n",
    ]
    for name, weight, *rest in SCALARS:
        add_kind(weight, Kind(name, *rest))
    types += [add_struct(*line) for line in STRUCTS]
    return "".join(types)


TYPES = add_kinds()
# How a function changes an object, each as often as its weight: see ott_do_NAME()
WAYS = ["notrace"] * 9 + ["inline"] * 9 + ["interrupt", "other_cpu"]

RESULTS = [KINDS[name] for name in
           ("ptr", "ulong", "int", "int128", "pl", "pli", "pppp", "ip12", "u8")]


#
# How arguments are passed
#

class Place:
    """The place of an argument: registers, the stack, or the target of a pointer.

    An argument without bytes has no place.
    """

    def __init__(self, register=None, stack=None, pointer=None, is_disputed=False):
        self.register, self.stack, self.pointer = register, stack, pointer
        self.is_disputed = is_disputed

    def is_nowhere(self):
        return self.register is None and self.stack is None and self.pointer is None

    def text(self, word):
        if self.register is not None:
            return f"register {self.register + word}"
        if self.stack is not None:
            return f"stack {self.stack + WORD * word}"
        return f"behind {self.pointer.text(0)} {WORD * word}"


def round_up(number, to):
    return (number + to - 1) // to * to


class Abi:
    """The places of the arguments of one function, which place() chooses one by one."""

    def __init__(self):
        self.next = 0       # the first free register
        self.stack = 0

    def to_stack(self, kind, is_disputed=False):
        at = round_up(self.stack, kind.align)
        self.stack = at + round_up(kind.size, WORD)
        return Place(stack=at, is_disputed=is_disputed)

    def to_registers(self, kind):
        self.next += len(kind.words)
        return Place(register=self.next - len(kind.words))


class X86(Abi):
    """All words of a value are in registers, or none. Later values use the remaining registers."""

    REGISTERS = 6

    @staticmethod
    def has_result_argument(result):
        """Return true if the first register holds the address of the result."""
        return result is not None and result.in_memory()

    def place(self, kind):
        if not kind.size:
            return Place()
        if kind.in_memory() or self.next + len(kind.words) > self.REGISTERS:
            # gcc 12, clang 14 and clang 19 disagree on the use of the last register
            return self.to_stack(kind, kind.name == "int128" and self.next == 5)
        return self.to_registers(kind)


class Arm64(Abi):
    """Rule C.12: large values are copied, and the address of the copy is passed.

    C.8: a value that is aligned to 16 begins in an even register. C.13: after the first value
    on the stack, all values are on the stack.
    """

    REGISTERS = 8

    @staticmethod
    def has_result_argument(_result):
        """Return false: the address of the result has a register of its own."""
        return False

    def place(self, kind):
        if not kind.size:
            return Place()
        if kind.size > 2 * WORD:
            return Place(pointer=self.place(KINDS["ulong"]))
        if kind.align == 16 and self.next % 2:
            self.next += 1
        if self.next + len(kind.words) > self.REGISTERS:
            self.next = self.REGISTERS
            return self.to_stack(kind)
        return self.to_registers(kind)


ABIS = {"x86_64": X86, "arm64": Arm64}


#
# Functions
#

class Function:
    """A generated function.

    file         "a" or "b"
    level        from 0, or LEVELS if no function calls this function
    is_variadic  the prototype ends with "..."
    is_static, is_clone  properties of its symbol
    is_unknown   objtrace does not use the BTF of the function
    params       Kinds
    result       a Kind, or None
    object_words words that can hold an object: (parameter, word, register or None)
    counted      index of the object word whose object the function increments, or None
    way          how it increments the object, of WAYS
    is_late      it increments the object after its calls, not before
    watched      registers that objtrace compares: (register, 1 if the record is marked)
    calls        the Calls of the function
    index        index in the list of unknown functions of its file
    """

    def __init__(self, name, file, level=LEVELS, is_variadic=False, is_static=False,
                 is_clone=False, is_unknown=False, c_name=None):
        self.name, self.file, self.level, self.is_variadic = name, file, level, is_variadic
        self.is_static, self.is_clone, self.is_unknown = is_static, is_clone, is_unknown
        self.c_name = c_name or name
        self.symbol = name + (".constprop.0" if is_clone else "")
        self.calls = []
        self.index = None

    def draw(self, random, abi):
        """Choose a prototype. Return false if compilers disagree on the places of its arguments."""
        self.params = [random.pick(WEIGHTED) for _ in range(random.below(11))]
        if self.is_variadic and not self.params:
            self.params = [KINDS["ptr"]]
        self.result = random.pick(RESULTS) if random.chance(35) else None
        self.place_arguments(abi)
        if any(place.is_disputed for place in self.places):
            return False
        words = self.object_words
        self.counted = random.below(len(words)) if words else None
        self.way = random.pick(WAYS)
        self.is_late = random.chance(40)
        self.watched = self.watched_registers(abi.REGISTERS)
        return True

    def place_arguments(self, abi):
        placing = abi()
        self.has_result_argument = abi.has_result_argument(self.result)
        placing.next = 1 if self.has_result_argument else 0
        self.places = [placing.place(kind) for kind in self.params]
        self.next = placing.next
        self.object_words = [
            (param, word, None if place.register is None else place.register + word)
            for param, (kind, place) in enumerate(zip(self.params, self.places))
            for word, letter in enumerate(kind.words) if letter == "O"]

    def watched_registers(self, nr_registers):
        if self.is_unknown:
            return [(register, 1) for register in range(nr_registers)]
        sure = [(register, 0) for _, _, register in self.object_words if register is not None]
        rest = range(self.next, nr_registers) if self.is_variadic else ()
        return sorted(sure + [(register, 1) for register in rest])

    def is_in_registers(self):
        """Return true if all arguments are in registers: a raw call can then set them."""
        if self.result and self.result.in_memory():
            return False
        return all(place.register is not None or place.is_nowhere() for place in self.places)

    def is_in_btf(self):
        """Return true if each version of pahole writes the function to the BTF."""
        kinds = self.params + ([self.result] if self.result else [])
        return not self.is_unknown and not any(kind.align > WORD for kind in kinds) and \
            not (self.result and self.result.in_memory())

    def masks(self):
        """Return two bit masks: the compared registers, and the registers with marked records."""
        objects = variable = 0
        for register, mark in self.watched:
            objects |= 1 << register
            variable |= mark << register
        return objects, variable

    def prototype(self, name, result):
        params = [f"{kind.type} a{i}" for i, kind in enumerate(self.params)]
        if self.is_variadic:
            params.append("...")
        return f"{result.type if result else 'void'} {name}({', '.join(params or ['void'])})"

    def declaration(self):
        return self.prototype(self.c_name, self.result)


class Call:
    """A call of a function.

    c             the call in C
    object_words  for each object word of the callee, the index of the caller's variable
    registers     for each watched register, (index of a variable, mark of the record)
    """

    def __init__(self, function, c, object_words, registers, caller):
        self.function, self.c, self.object_words = function, c, object_words
        self.registers = [(registers[register][1], f" arg{register + 1}?" if mark else "")
                          for register, mark in function.watched]
        self.place = place_of(function.symbol, caller)


class Step:
    """A function without arguments that makes calls, one after the other."""

    def __init__(self, name, file):
        self.name, self.file, self.body, self.calls = name, file, "", []

    def source(self):
        # It calls functions through pointers of another type
        return f"OTT_FUNC __nocfi void {self.name}(unsigned int r)\n" \
               f"{{\n{self.body}\tott_barrier();\n}}\n\n"


def place_of(function, caller):
    """Return a function and its caller as in a record."""
    return f"{function} [{MODULE}] <-{caller} [{MODULE}]"


def word_of(function, index):
    """Return the C expression of an object word of a function."""
    param, word, _ = function.object_words[index]
    return f"WORD(a{param}, {word})"


def make_value(kind, words):
    """Return the C expression of a value with these words."""
    if kind.name == "bool":
        words = [f"({words[0]}) & 1"]
    return f"MAKE({kind.type}, {', '.join(words or ['0'])})"


class Generator:
    """Generates functions and steps.

    An expression is a pair: its C code, and the index of the caller's variable.
    The variables of a step are the objects, and the variables of a function are its object
    words. The index is NO_OBJECT if the expression is no variable.
    """

    def __init__(self, random, abi):
        self.random, self.abi = random, abi
        self.functions, self.steps = [], []

    def make_function(self, *args, **options):
        function = Function(*args, **options)
        while not function.draw(self.random, self.abi):
            pass
        return function

    def make_unknown(self, *args, **options):
        """Return an unknown function whose arguments are all in registers."""
        while True:
            function = self.make_function(*args, is_unknown=True, **options)
            if function.is_in_registers():
                return function

    def make_functions(self, number):
        nr_unknown = 1 + number // 50
        for i in range(number - 5 * nr_unknown):
            self.functions.append(self.make_function(
                f"ott_t{i}", FILES[i % 2], level=self.random.below(LEVELS),
                is_variadic=self.random.chance(9)))
        for i in range(nr_unknown):
            self.functions += [
                # Two functions with one name
                self.make_unknown(f"ott_u{i}", "a", is_static=True),
                self.make_unknown(f"ott_u{i}", "b", is_static=True),
                # A clone without its original, and a clone with its original
                self.make_unknown(f"ott_v{i}", "a", is_clone=True),
                self.make_unknown(f"ott_w{i}", "b"),
                self.make_unknown(f"ott_w{i}", "a", is_clone=True, c_name=f"ott_w{i}_clone"),
            ]

    def number_unknown(self):
        """Set the index of each function in ott_unknown_a or ott_unknown_b."""
        for file in FILES:
            unknown = [f for f in self.functions if f.is_unknown and f.file == file]
            for index, function in enumerate(unknown):
                function.index = index

    #
    # Calls
    #

    def no_object(self, in_step):
        below = self.random.below
        others = ["0", "0", str(below(100)), f"-{1 + below(100)}UL"]
        beside = f"S({below(OBJECTS)})"
        if in_step:
            others += ["ott_spare", beside + " + 1", beside + " + 8", beside + " + -8"]
        return self.random.pick(others), NO_OBJECT

    def random_object(self, caller=None):
        if not caller:
            i = self.random.below(OBJECTS)
            return f"S({i})", i
        if not caller.object_words:
            return self.no_object(False)
        i = self.random.below(len(caller.object_words))
        return word_of(caller, i), i

    def random_word(self, caller):
        if self.random.chance(55 if caller else 40):
            return self.random_object(caller)
        return self.no_object(not caller)

    def typed_call(self, function, caller, caller_name):
        """Return a call in C. The compiler fills the registers by the rules of the ABI."""
        code, object_words, registers = [], [], {}
        for kind, place in zip(function.params, function.places):
            words = [self.random_word(caller) for _ in kind.words]
            code.append(make_value(kind, [word[0] for word in words]))
            object_words += [word[1] for word, letter in zip(words, kind.words) if letter == "O"]
            if place.register is not None:
                registers.update(enumerate(words, place.register))
        if function.is_variadic:
            # Arguments for all registers: other registers would have unknown contents
            for register in range(function.next, self.abi.REGISTERS + self.random.below(3)):
                registers[register] = self.random_word(caller)
                code.append(f"(unsigned long)({registers[register][0]})")
        return Call(function, f"{function.c_name}({', '.join(code)})", object_words, registers,
                    caller_name)

    def raw_call(self, function, caller_name):
        """Return a call that fills all argument registers, for any prototype."""
        words = [self.random_object() if self.random.chance(70) else self.no_object(True)
                 for _ in range(8)]
        if function.is_static or function.is_clone:
            callee = f"ott_unknown_{function.file}[{function.index}]"
        else:
            callee = f"(void *){function.c_name}"
        code = ", ".join([callee] + [word[0] for word in words])
        object_words = [words[register][1] for _, _, register in function.object_words]
        return Call(function, f"RAW({code})", object_words, words, caller_name)

    def poison(self):
        """Return a call that leaves objects in all argument registers."""
        objects = [f"S({self.random.below(OBJECTS)})" for _ in range(8)]
        return f"ott_poison({', '.join(objects)})"

    def make_nested_calls(self):
        """Let functions of each level call functions of the next level."""
        levels = {}
        for function in self.functions:
            levels.setdefault(function.level, []).append(function)
        for function in self.functions:
            callees = levels.get(function.level + 1) if function.level + 1 < LEVELS else None
            if callees and self.random.chance(40):
                function.calls = [
                    self.typed_call(self.random.pick(callees), function, function.symbol)
                    for _ in range(1 + self.random.below(2))]

    def make_steps(self):
        """Make steps, so that two of them call each function."""
        queue = self.random.shuffled(self.functions) + self.random.shuffled(self.functions)
        for start in range(0, len(queue), 8):
            step = Step(f"ott_s{len(self.steps)}", FILES[len(self.steps) % 2])
            for function in queue[start:start + 8]:
                self.add_call(step, function)
            self.steps.append(step)

    def add_call(self, step, function):
        if function.is_unknown or function.is_in_registers() and self.random.chance(40):
            call = self.raw_call(function, step.name)
        else:
            call = self.typed_call(function, None, step.name)
        step.calls.append(call)
        if self.random.chance(60):
            step.body += f"\t{self.poison()};\n"
        step.body += f"\t{call.c};\n"


#
# The source
#

def function_source(function):
    counted = "0" if function.counted is None else word_of(function, function.counted)
    lines = [f"\tott_use(a{i});\n" for i in range(len(function.params))]
    lines.append("\tott_entered();\n")
    work = [f"\t{call.c};\n" for call in function.calls]
    if function.counted is not None:
        change = f"\tott_do_{function.way}({counted});\n"
        work.insert(len(work) if function.is_late else 0, change)
    lines += work
    lines.append("\tott_barrier();\n")
    if function.result:
        # On arm64, the register of the result is also an argument register
        value = make_value(function.result, [counted] * len(function.result.words))
        lines.append(f"\treturn {value};\n")
    static = "static " if function.is_static else ""
    return f"{static}OTT_FUNC {function.declaration()}\n{{\n{''.join(lines)}}}\n\n"


def header(generator, seed):
    lines = [f"/* {LICENCE} */\n", MADE_BY, TYPES, "\n", f"#define OTT_SEED\t{seed}U\n",
             f"#define OTT_STEPS\t{len(generator.steps)}\n\n"]
    for function in generator.functions:
        if not function.is_static:
            symbol = f' asm("{function.symbol}")' if function.is_clone else ""
            lines.append(f"{function.declaration()}{symbol};\n")
    lines += [f"void {step.name}(unsigned int r);\n" for step in generator.steps]
    lines += [f"extern void *const ott_unknown_{file}[];\n" for file in FILES]
    lines.append("extern void (*const ott_steps[OTT_STEPS])(unsigned int r);\n")
    return "".join(lines)


def symbol_source(functions, steps, file):
    """Return C code of a list that the test on the host uses in place of symbols and BTF."""
    lines = [f"#ifndef __KERNEL__\nconst struct ott_symbol ott_symbols_{file}[] = {{\n"]
    for function in functions:
        objects, marked = function.masks()
        lines.append(f'\t{{ "{function.symbol}", {function.c_name}, {objects}, {marked} }},\n')
    lines += [f'\t{{ "{step.name}", {step.name}, 0, 0 }},\n' for step in steps]
    return "".join(lines) + "\t{ },\n};\n#endif\n"


def source(generator, file):
    functions = [f for f in generator.functions if f.file == file]
    steps = [step for step in generator.steps if step.file == file]
    lines = [f"// {LICENCE}\n", MADE_BY, '#include "truth.h"\n\n']
    lines += [function_source(f) for f in functions]
    lines.append(f"void *const ott_unknown_{file}[] = {{\n")
    lines += [f"\t(void *){f.c_name},\n" for f in functions if f.is_unknown]
    lines.append("};\n\n")
    lines += [step.source() for step in steps]
    if file == "b":
        lines.append("void (*const ott_steps[OTT_STEPS])(unsigned int r) = {\n")
        lines += [f"\t{step.name},\n" for step in generator.steps]
        lines.append("};\n\n")
    return "".join(lines) + symbol_source(functions, steps, file)


#
# The place of each argument. test.sh compares it with the place that the compiler chooses. Each
# function has one line of assembly, which names the place of a word.
#

def where_source(function, number, param, word):
    kind = function.params[param]
    narrow = {1: "u8", 2: "u16"}.get(kind.size, "u32")
    c_type = "unsigned long" if kind.size >= WORD * (word + 1) else narrow
    result = function.result if function.has_result_argument else None
    prototype = function.prototype(f"where_{number}", result)
    code = f'{prototype};\n{prototype}\n{{\n\tasm volatile("where {number} %0" : : "rm" ' \
           f"(PART({c_type}, a{param}, {word})));\n"
    if result:
        code += f"\treturn MAKE({result.type}, 0, 0, 0, 0);\n"
    return code + "}\n\n"


def is_plain(kind, word):
    """Return true if where() can show the word: a whole word, or a small value.

    The places of other words follow from the places of these words.
    """
    return kind.size >= WORD * (word + 1) or word == 0 and not kind.mixed


def where(functions):
    """Return the source of functions that show places, and the list of places."""
    code, places = [f"// {LICENCE}\n", MADE_BY, '#include "truth.h"\n\n'], []
    for function in functions:
        for param, (kind, place) in enumerate(zip(function.params, function.places)):
            for word in range(len(kind.words)):
                if is_plain(kind, word):
                    code.append(where_source(function, len(places), param, word))
                    places.append(f"where {len(places)} {place.text(word)}\n")
    return "".join(code), "".join(places)


def masks(functions):
    return "".join(f"{f.name} {f.masks()[0]} {f.masks()[1]}\n"
                   for f in functions if not f.is_unknown)


#
# The records
#

class Seen:
    """A place where objtrace has read the value of an object.

    value     the value
    how       "add", "call", "return" or "store"
    place     the function and its caller; empty for "add"
    mark      the mark of an argument that is not sure
    """

    def __init__(self, value, how, place="", mark=""):
        self.value, self.how, self.place, self.mark = value, how, place, mark


class Followed:
    """A call that is followed to its return."""

    def __init__(self, item, seen):
        self.item, self.seen, self.is_changed = item, seen, False


class Play:
    """Runs the steps as truth_play.c does, and predicts the records.

    options    of the trigger
    traced     names of the traced functions, or None: all functions are traced
    slots      the object in each slot
    tracked    for each object, true if objtrace tracks it
    value      for each object, its value
    hits       for each object, the number of hits since it was added
    last       for each object, where objtrace has Seen its value last
    followed   the calls that are followed, the innermost last
    watched    the objects that have a debug register
    """

    def __init__(self, steps, seed, options=(), traced=None):
        self.steps, self.plan, self.traced = steps, seed, traced
        self.changes, self.returns = "changes" in options, "returns" in options
        self.nr_registers = WATCHPOINTS if "watch=4" in options else 0
        self.slots = list(range(OBJECTS))
        self.tracked, self.hits = [False] * OBJECTS, [0] * OBJECTS
        self.value = [i << 12 for i in range(OBJECTS)]
        self.last, self.followed, self.watched = [None] * OBJECTS, [], set()
        self.generation, self.calls, self.records = OBJECTS, 0, []

    def record(self, event, text):
        self.records.append(f"objtrace_{event}: {text}\n")

    def is_traced(self, symbol):
        return self.traced is None or symbol in self.traced

    def innermost(self, item):
        for call in reversed(self.followed):
            if call.item == item:
                return call
        return None

    def record_change(self, item, old, now, within):
        """Record a change. WITHIN is the followed call in which it happened, or None."""
        if within:
            first = f"{within.seen.place} object:{NAMES[item]}{within.seen.mark}"
            last = " within"
        else:
            first = f"{old.place or 'objtrace_add'} object:{NAMES[item]}{old.mark}"
            after = "after return" if old.how == "return" else "after"
            last = f" seen at: {now.place}{now.mark} ({after})"
        self.record("change", f"{first} value:{old.value:#x}->{now.value:#x}{last}")

    def enter(self, item, place, mark=""):
        """A traced function receives a tracked object."""
        now = Seen(self.value[item], "call", place, mark)
        old, self.last[item] = self.last[item], now
        self.hits[item] += 1
        is_changed = old.value != now.value
        within = self.innermost(item) if is_changed and self.returns else None
        if within:
            within.is_changed = True
        if not self.changes:
            self.record("value", f"{place} object:{NAMES[item]}{mark} value:{now.value:#x}")
        elif is_changed:
            self.record_change(item, old, now, within)
        if self.returns:
            self.followed.append(Followed(item, now))

    def leave(self, nr_calls):
        """A function returns, which was entered with NR_CALLS objects that are followed."""
        for _ in range(nr_calls):
            call = self.followed.pop()
            item, value = call.item, self.value[call.item]
            if not self.tracked[item]:
                continue
            now = Seen(value, "return", call.seen.place, call.seen.mark)
            old, self.last[item] = self.last[item], now
            is_changed = old.value != value
            call.is_changed |= is_changed
            if self.changes and is_changed:
                self.record_change(item, old, now, call)
            elif not self.changes and call.is_changed and value != call.seen.value:
                self.record("return", f"{call.seen.place} object:{NAMES[item]}{call.seen.mark} "
                                      f"value:{call.seen.value:#x}->{value:#x}")

    def store(self, item, symbol):
        old = self.value[item]
        self.value[item] = now = old + 1 & 0xffffffff
        if item not in self.watched:
            return
        self.record("write", f"{symbol} [{MODULE}] object:{NAMES[item]} value:{old:#x}->{now:#x}")
        self.last[item] = Seen(now, "store", f"{symbol} [{MODULE}]")

    def run_call(self, call, variables):
        self.calls += 1
        function, nr_before = call.function, len(self.followed)
        seen = set()
        for index, mark in call.registers if self.is_traced(function.symbol) else ():
            item = variables[index]
            if item >= 0 and item not in seen:
                seen.add(item)
                if self.tracked[item]:
                    self.enter(item, call.place, mark)
        self.run_body(call, variables)
        self.leave(len(self.followed) - nr_before)

    def run_body(self, call, variables):
        function = call.function
        if function.counted is None and not function.calls:
            return
        words = [variables[index] for index in call.object_words]
        words.append(NO_OBJECT)
        item = NO_OBJECT if function.counted is None else words[function.counted]
        symbol = function.symbol if function.way == "inline" else f"ott_change_{function.way}"
        if item >= 0 and not function.is_late:
            self.store(item, symbol)
        for nested in function.calls:
            self.run_call(nested, words)
        if item >= 0 and function.is_late:
            self.store(item, symbol)

    def run_step(self, step, rotation):
        variables = [self.slots[(i + rotation) % OBJECTS] for i in range(OBJECTS)]
        variables.append(NO_OBJECT)
        for call in step.calls:
            self.run_call(call, variables)

    def track(self, slot):
        item = self.slots[slot]
        if self.tracked[item]:
            self.enter(item, place_of("ott_truth_add", "ott_track"))
            self.leave(len(self.followed))
            return
        self.tracked[item], self.hits[item] = True, 0
        self.last[item] = Seen(self.value[item], "add")
        self.record("add", f"object:{NAMES[item]} value:{self.value[item]:#x} event:ott:truth_add")
        if len(self.watched) < self.nr_registers:
            self.watched.add(item)

    def untrack(self, slot):
        item = self.slots[slot]
        if self.tracked[item]:
            self.enter(item, place_of("ott_truth_del", "ott_untrack"))
            self.tracked[item] = False
            self.leave(len(self.followed))
            self.watched.discard(item)
            self.record("del", f"object:{NAMES[item]} reason:del hits:{self.hits[item]}")

    def reuse(self, one, other, swap):
        """Free two objects and allocate them again. With SWAP, they exchange their slots."""
        self.untrack(one)
        self.untrack(other)
        if swap:
            self.slots[one], self.slots[other] = self.slots[other], self.slots[one]
        for slot in (one, other):
            self.value[self.slots[slot]] = self.generation << 12
            self.generation += 1
        self.track(one)

    def change(self, number):
        """Track, untrack or reuse objects, as the number selects, see truth_play.c."""
        slot = number >> 2 & 7
        if number & 3 < 2:
            self.track(slot)
        elif number & 3 == 2:
            self.untrack(slot)
        else:
            other = slot + 1 + (number >> 5 & 0xff) % 7 & 7
            self.reuse(slot, other, number >> 13 & 1)

    def play_one(self):
        self.plan = number = xorshift(self.plan)
        self.run_step(self.steps[(number >> 3) % len(self.steps)], number & 7)
        self.plan = number = xorshift(number)
        if not number & 3:
            self.change(number >> 2)

    def play(self, file, nr_calls):
        """Write "run N" for N steps, their records, and the number of calls so far."""
        for round_nr in range(1, ROUNDS + 1):
            nr_steps = 0
            self.records = []
            for slot in range(OBJECTS):
                if slot % 3 != 2:
                    self.track(slot)
            while self.calls < nr_calls * round_nr / ROUNDS:
                self.play_one()
                nr_steps += 1
            for slot in range(OBJECTS):
                self.untrack(slot)
            file.write(f"run {nr_steps}\n{''.join(self.records)}calls {self.calls}\n")


def make(abi, seed, nr_functions):
    generator = Generator(Random(seed), abi)
    generator.make_functions(nr_functions)
    generator.number_unknown()
    generator.make_nested_calls()
    generator.make_steps()
    return generator


def write_file(directory, name, text):
    with open(os.path.join(directory, name), "w", encoding="ascii") as file:
        file.write(text)


def main(args):
    if len(args) != 5 or args[1] not in ABIS:
        sys.exit("usage: generate.py SEED x86_64|arm64 FUNCTIONS CALLS DIR")
    seed, nr_functions, nr_calls, directory = int(args[0]), int(args[2]), int(args[3]), args[4]
    generator = make(ABIS[args[1]], seed, nr_functions)
    plan = (seed & 0x7fffffff) + 1
    write_file(directory, "truth_functions.h", header(generator, plan))
    for file in FILES:
        write_file(directory, f"truth_{file}.c", source(generator, file))
    write_file(directory, "masks", masks(generator.functions))
    code, places = where(generator.functions)
    write_file(directory, "where.c", code)
    write_file(directory, "where", places)
    traced = {f.symbol for f in generator.functions if f.is_in_btf()}
    traced |= {"ott_truth_add", "ott_truth_del"}
    write_file(directory, "filter", "".join(f"{name}\n" for name in sorted(traced)))
    with open(os.path.join(directory, "expected"), "w", encoding="ascii") as file:
        Play(generator.steps, plan).play(file, nr_calls)
    for options in OPTIONS:
        name = os.path.join(directory, "expected-" + "-".join(options))
        with open(name, "w", encoding="ascii") as file:
            Play(generator.steps, plan, options, traced).play(file, nr_calls)


if __name__ == "__main__":
    main(sys.argv[1:])
