#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print complaints about stores on the path of a traced function.

Usage: miss-path.py MODULE [TABLE]

Without a tracked object, the function makes a miss.
A store on this path would move cache lines between the processors at each call. The
program follows all ways through each trampoline of MODULE, and through each callback for
ftrace, up to the code for a value that passed the filter. It complains about
  - a store, except to the stack
  - a call, or a jump, out of the module
  - a trampoline or callback that does not exist, or that never looks at a value
  - x86: a return of a trampoline that the kernel counts, in a kernel that may count calls.
    The kernel does not count ftrace's call of the trampoline.

With an object, the function makes a hit. A hit writes only memory that belongs to its
processor, its task, its object or its record. The program follows all ways from LOOK_IN_C, and
finds the source function of each store in the debug information. TABLE has these functions, and
whose memory they write, see hit-stores.tbl. The program complains about
  - a store in a function that TABLE lacks
  - x86: a store to the memory of the processor that does not use the segment gs
  - a function of TABLE that is not on the path
It does not follow calls out of the module. Without TABLE, the program looks at misses only.

Each line of the output is a complaint.

Environment: CROSS_COMPILE is the prefix of objdump for the architecture.
"""

import os
import re
import subprocess
import sys

# The code for a value that passed both levels of the filter of a trampoline, or the first
# level of the filter of a callback. This code may store.
HIT = re.compile(
    r"(objtrace_tramp_look|objtrace_fops_look|look_closer_at_args|objtrace_free_entry)([.]|$)")

# The functions that ftrace calls
ENTRIES = ["objtrace_tramp_" + size + level for size in ("small", "large")
           for level in ("1", "2", "3", "")]
ENTRIES += ["objtrace_fops_entry" + kind for kind in ("", "1", "2", "3", "_any")]

# The trampolines jump to this function, which calls C
LOOK = "objtrace_tramp_look"

# The C code for a hit
LOOK_IN_C = "objtrace_fops_look"

# These functions of the kernel do not return
NO_RETURN = re.compile(r"__stack_chk_fail|__fortify_panic")

# A header of the kernel: its inline functions store on behalf of their caller
KERNEL_HEADER = re.compile(r"/include/(linux|asm|asm-generic)/")

# The suffix of a part or of a variant of a function that the compiler made
VARIANT = re.compile(r"[.].*")

# Memory that a hit can write, as hit-stores.tbl explains. Functions with NO_HIT are left out.
NO_HIT = "-"
MEMORY = ("cpu", "task", "caller", "object", "record", NO_HIT)

SECTION = re.compile(r"Disassembly of section (.*):")
LABEL = re.compile(r"([0-9a-f]+) <(.*)>:")
INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\t([^\t].*?)\s*")
RELOCATION = re.compile(r"\s*[0-9a-f]+: R_\S+\t([^\s+-]+)([+-]0x[0-9a-f]+)?")
BLANKS = re.compile(r"[\t ]+")
COMMENT = re.compile(r" *(//|# ).*")
COUNTED_CALLS = re.compile(r" *\d+ [.]call_sites ")
# Name, size and address of a section
HEADER = re.compile(r" *\d+ (\S+) +[0-9a-f]+ +([0-9a-f]+) .*")
RELOCATED_SECTION = re.compile(r"RELOCATION RECORDS FOR \[(.*)\]:")
REFERENCE = re.compile(r"[0-9a-f]+ R_\S+ +([^\s+-]+)(?:[+]0x([0-9a-f]+))?")
TARGET = re.compile(r"\b([0-9a-f]+) <[^>]*>$")


class Instruction:
    """One instruction: its section, its text, and the symbol of its relocation, or "".

    next is the place of the next instruction of the section. A place is a section and an
    address in it.
    """

    def __init__(self, section, text):
        self.section, self.text, self.symbol, self.next = section, text, "", None
        self.addend = 0


class X86:
    """The kinds of instructions of x86-64."""

    RETURN = re.compile(r"(bnd )?ret")
    LOST = re.compile(r"(bnd |notrack )*(call|jmp)[a-z]* +[*]|ud2|hlt|iret|int3")
    CALL = re.compile(r"(bnd )?call")
    JUMP = re.compile(r"(bnd )?jmp")
    BRANCH = re.compile(r"(j[a-z]+|loop[a-z]*)(,p[nt])? ")

    ALWAYS_STORES = re.compile(r"(rep\S* |lock )|.*\b(stos|movs|ins)[bwlq]? ")
    # Instructions that only read their last operand
    READS = re.compile(
        r"((data16|cs) )*(cmp[bwlq]?|test[bwlq]?|nop[wlq]?|bt[wlq]?|i?mul[bwlq]?|i?div[bwlq]?"
        r"|push[wlq]?|prefetch\w*|lfence)\b")
    ADDRESS = re.compile(r"\([^)]*\)")
    MEMORY = re.compile(r".*\(|%[a-z]s:|0x[0-9a-f]+$")
    STACK = re.compile(r"-?(0x[0-9a-f]+)?\(%rsp\)")
    OF_CPU = re.compile(r".*%gs:")
    # A relocation counts from the end of the instruction
    TO_END = 4

    @classmethod
    def is_return(cls, text, symbol):
        return cls.RETURN.match(text) or text.startswith("jmp") and symbol == "__x86_return_thunk"

    @classmethod
    def stores(cls, text):
        """Return true if an instruction writes memory other than the stack.

        Instructions write the last operand, and exchanges write both operands.
        """
        if cls.ALWAYS_STORES.match(text):
            return True
        # Without the commas of an address
        plain = cls.ADDRESS.sub(lambda match: match[0].replace(",", ";"), text)
        operation, _, operands = plain.partition(" ")
        operands = operands.split(",")
        if not operation.startswith(("xchg", "xadd")):
            operands = operands[-1:]
        memory = [operand for operand in operands if cls.MEMORY.match(operand)]
        return bool(memory) and not cls.READS.match(text) and \
            not all(cls.STACK.fullmatch(operand) for operand in memory)


class X86WithFrames(X86):
    """x86-64 with CONFIG_FRAME_POINTER: each C function has its variables below its rbp."""

    STACK = re.compile(X86.STACK.pattern + r"|-0x[0-9a-f]+\(%rbp\)")


class Arm64:
    """The kinds of instructions of arm64."""

    LOST = re.compile(r"blr|br|eret|brk|udf")
    CALL = re.compile(r"bl ")
    JUMP = re.compile(r"b ")
    BRANCH = re.compile(r"(b[.]|cbn?z|tbn?z)")

    ATOMIC = re.compile(r"dc|swp|cas|ld(add|clr|set|eor|[su]max|[su]min)|st(x|lx)")
    STACK = re.compile(r"\[sp[],]")
    # The address of the memory is in a register
    OF_CPU = re.compile("")
    TO_END = 0

    @staticmethod
    def is_return(text, _symbol):
        """Return true for "ret", and for "ret x10", which continues in the traced function."""
        return text == "ret" or text.startswith("ret ")

    @classmethod
    def stores(cls, text):
        if cls.ATOMIC.match(text):
            return True
        # The shadow call stack belongs to the task, as the stack does
        if text == "str x30, [x18], #8":
            return False
        return text.startswith("st") and not cls.STACK.search(text)


class Module:
    """The code of a module.

    code has the instructions by place, places the place of each function by its name, and
    names the reverse. If several static functions share a name, places has only one of
    them. That is enough: a jump to a static function has a place, and needs no name.

    counts_calls is true if the kernel may count the calls of the module. plain has the
    places of the returns that the kernel then replaces by uncounted returns.
    """

    def __init__(self, path):
        self.machine = X86
        self.path, self.code, self.places, self.names = path, {}, {}, {}
        self.read_code(path)
        if not self.code:
            sys.exit(f"{path}: objdump found no code")
        if self.has_frames(LOOK_IN_C):
            self.machine = X86WithFrames
        self.counts_calls, self.plain, self.addresses = False, set(), {}
        self.read_alternatives(path)

    @staticmethod
    def run(tool, *args, text=""):
        process = subprocess.run([os.environ.get("CROSS_COMPILE", "") + tool, *args], input=text,
                                 stdout=subprocess.PIPE, text=True, check=False)
        if process.returncode:
            sys.exit(f"{tool} failed")
        return process.stdout.splitlines()

    def dump(self, *args):
        return self.run("objdump", *args)

    def find_sources(self, places):
        """Yield each place, and its functions and their files, from the innermost outwards."""
        for section in {section for section, _ in places}:
            of_section = [place for place in places if place[0] == section]
            start = self.addresses.get(section, 0)
            text = "".join(f"{address - start:x}\n" for _, address in of_section)
            lines = self.run("addr2line", "-aif", "-j", section, "-e", self.path, text=text)
            starts = [n for n, line in enumerate(lines) if line.startswith("0x")] + [len(lines)]
            for place, n, end in zip(of_section, starts, starts[1:]):
                yield place, list(zip(lines[n + 1:end:2], lines[n + 2:end:2]))

    def read_code(self, path):
        section = last = None
        for line in self.dump("-dr", "--no-show-raw-insn", path):
            if match := INSTRUCTION.fullmatch(line):
                last = self.add_instruction(section, match, last)
            elif match := RELOCATION.match(line):
                last.symbol, last.addend = match[1], int(match[2] or "0", 16)
            elif match := LABEL.fullmatch(line):
                place = section, int(match[1], 16)
                self.places[match[2]], self.names[place] = place, match[2]
            elif match := SECTION.fullmatch(line):
                section, last = match[1], None
            elif "file format elf64-" in line and "aarch64" in line:
                self.machine = Arm64

    def has_frames(self, name):
        """Return true if a function of x86 starts with code that sets the frame pointer."""
        instruction, texts = self.code.get(self.places.get(name)), []
        # Instructions of the function's body can be between those that set it
        while instruction and len(texts) < 8:
            texts.append(instruction.text)
            instruction = self.code.get(instruction.next)
        return "push %rbp" in texts and "mov %rsp,%rbp" in texts

    def read_alternatives(self, path):
        """Read the table of alternatives: each refers to an instruction and to its replacement.

        The linker script of Linux 6.19 gives the sections of a module addresses. objdump
        prints instructions with the address of their section, and relocations without it.
        """
        section = original = None
        for line in self.dump("-hr", path):
            self.counts_calls |= bool(COUNTED_CALLS.match(line))
            if match := HEADER.fullmatch(line):
                self.addresses[match[1]] = int(match[2], 16)
            elif match := RELOCATED_SECTION.fullmatch(line):
                section = match[1]
            elif section == ".altinstructions" and (match := REFERENCE.fullmatch(line)):
                place = self.referred(match)
                if place[0] != ".altinstr_replacement":
                    original = place
                elif place in self.code and self.code[place].text == "ret":
                    self.plain.add(original)

    def referred(self, match):
        """Return the place that a relocation refers to, by a section or by a function."""
        start = match[1], self.addresses.get(match[1], 0)
        section, address = self.places.get(match[1], start)
        return section, address + int(match[2] or "0", 16)

    def add_instruction(self, section, match, last):
        place = section, int(match[1], 16)
        if last:
            last.next = place
        text = COMMENT.sub("", BLANKS.sub(" ", match[2]), count=1)
        self.code[place] = instruction = Instruction(section, text)
        return instruction

    def target(self, instruction):
        """Return the name and the place of the target of a jump or call.

        The name is empty if the target is inside a function. The place is None outside the
        module. The relocation of a static function in another section names the section. After
        the optimization across files, each function has a section.
        """
        name = instruction.symbol
        if name.startswith("."):
            place = name, self.addresses.get(name, 0) + instruction.addend + self.machine.TO_END
            return self.names.get(place, ""), place
        if name:
            return name, self.places.get(name)
        match = TARGET.search(instruction.text)
        if not match:
            sys.exit(f"no target in '{instruction.text}'")
        place = instruction.section, int(match[1], 16)
        return self.names.get(place, ""), place


class Walk:
    """All ways from an entry to a return or to a hit."""

    def __init__(self, module, entry):
        self.module, self.entry = module, entry
        self.hits, self.complaints = 0, []

    def run(self):
        start = self.module.places.get(self.entry)
        if start is None:
            return ["does not exist"]
        todo, seen = [start], set()
        while todo:
            place = todo.pop()
            if place not in seen:
                seen.add(place)
                todo += self.step(place)
        if not self.hits and not self.complaints:
            return ["never looks at a value"]
        return self.complaints

    def step(self, place):
        """Check one instruction. Return the places of the instructions that may follow."""
        instruction = self.module.code.get(place)
        if instruction is None:
            self.complaints.append("runs past the end of the code")
            return []
        machine, text = self.module.machine, instruction.text
        if machine.is_return(text, instruction.symbol):
            if self.entry.startswith("objtrace_tramp_"):
                self.complaints += return_complaints(self.module, place)
            return []
        if machine.LOST.match(text):
            self.complaints.append(text)
            return []
        if machine.JUMP.match(text):
            return self.follow(instruction)
        if machine.CALL.match(text) or machine.BRANCH.match(text):
            return [instruction.next] + self.follow(instruction)
        if machine.stores(text):
            self.complaints.append(text)
        return [instruction.next]

    def follow(self, instruction):
        """Return the place of the target of a jump or call, unless it is a hit or unknown."""
        name, place = self.module.target(instruction)
        if HIT.match(name):
            self.hits += 1
        elif place:
            return [place]
        else:
            self.complaints.append(f"{instruction.text} ({name})")
        return []


class HitWalk:
    """All ways of a hit, without the functions that the table leaves out."""

    def __init__(self, module, table):
        self.module, self.table = module, table
        self.seen, self.stores, self.complaints = set(), set(), []

    def run(self):
        start = self.module.places.get(LOOK_IN_C)
        if start is None:
            return ["does not exist"]
        todo, left_out = [start], set()
        while todo:
            place = todo.pop()
            if place not in self.seen:
                self.seen.add(place)
                todo += self.step(place, left_out)
        absent = self.table.keys() - self.check_stores() - left_out
        self.complaints += [f"{name} of the table is not on the path" for name in sorted(absent)]
        return self.complaints

    def step(self, place, left_out):
        """Note a store. Return the places of the instructions that may follow."""
        instruction, machine = self.module.code.get(place), self.module.machine
        if instruction is None or machine.is_return(instruction.text, instruction.symbol):
            return []
        text, after = instruction.text, [instruction.next]
        if machine.LOST.match(text):
            # A call by a pointer of the kernel returns
            return after if re.match(r"(\w+ )*(call|blr)", text) else []
        is_jump = machine.JUMP.match(text)
        if not is_jump and not machine.CALL.match(text) and not machine.BRANCH.match(text):
            if machine.stores(text):
                self.stores.add(place)
            return after
        name, target = self.module.target(instruction)
        if NO_RETURN.match(name):
            return []
        if self.table.get(VARIANT.sub("", name)) == NO_HIT:
            left_out.add(VARIANT.sub("", name))
            target = None
        return ([] if is_jump else after) + ([target] if target else [])

    def check_stores(self):
        """Complain about the stores that the table lacks. Return the functions on the path."""
        found = set()
        for place, frames in self.module.find_sources(self.seen):
            names = [VARIANT.sub("", name) for name, file in frames
                     if not KERNEL_HEADER.search(file)]
            found.update(names)
            if place in self.stores and not any(self.table.get(n) == NO_HIT for n in names):
                self.check_store(self.module.code[place].text, names[0] if names else "?")
        return found

    def check_store(self, text, name):
        whose = self.table.get(name)
        if whose is None:
            self.complaints.append(f"{name} stores, and is not in the table: {text}")
        elif whose == "cpu" and not self.module.machine.OF_CPU.match(text):
            self.complaints.append(f"{name} stores to shared memory: {text}")


def read_table(path):
    """Return whose memory each function writes, by the name of the function."""
    table = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split()
            if words and (len(words) < 3 or words[1] not in MEMORY or words[0] in table):
                sys.exit(f"{path}: {line.strip()}: not FUNCTION MEMORY WHAT, or a second time")
            if words:
                table[words[0]] = words[1]
    return table


def return_complaints(module, place):
    """Return complaints about a return of a trampoline."""
    if not module.counts_calls or place in module.plain:
        return []
    return [f"{module.code[place].text}: is counted"]


def look_complaints(module):
    """Return complaints about the returns of LOOK, which no walk reaches."""
    start = place = module.places.get(LOOK)
    complaints = []
    while place and (place == start or place not in module.names):
        instruction = module.code[place]
        if module.machine.is_return(instruction.text, instruction.symbol):
            complaints += return_complaints(module, place)
        place = instruction.next
    return complaints if start else ["does not exist"]


def main(args):
    if len(args) not in (1, 2):
        sys.exit("usage: miss-path.py MODULE [TABLE]")
    module = Module(args[0])
    for entry in ENTRIES:
        for complaint in Walk(module, entry).run():
            print(f"{entry}: {complaint}")
    for complaint in look_complaints(module):
        print(f"{LOOK}: {complaint}")
    if args[1:]:
        for complaint in HitWalk(module, read_table(args[1])).run():
            print(f"{LOOK_IN_C}: {complaint}")


if __name__ == "__main__":
    main(sys.argv[1:])
