#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print complaints about code in a module that would fail on x86 processors with IBT.

Usage: ibt-complaints.py CHECK MODULE [ARGUMENT...]

With IBT, an indirect call must land on an ENDBR, and the kernel takes away ("seals") the
ENDBR of each function that it only calls directly. QEMU does not emulate IBT, so this
program looks for the errors in the code. CHECK is one of
  indirect       calls or jumps through a pointer. The tracepoints may call their probes,
                 and pv_ops is allowed, because the kernel makes direct calls of these when
                 it loads the module. With the argument "tables", a switch may jump through
                 a table: a compiler uses tables for a kernel without IBT and retpolines.
  calls NAME...  kernel functions that are not called by a static call, which the kernel
                 makes a direct call
  pointers FILE  data or code with the address of a kernel function that FILE lists as
                 sealed
  entries        functions of the module that are called through a pointer, and have no
                 ENDBR or a sealed ENDBR. ftrace calls the trampolines directly.
Each line of the output is a complaint. A check complains if it finds nothing to check.
"""

import re
import subprocess
import sys
from collections import defaultdict

# Sections in which the tools of the kernel describe the code: nothing calls through them
ANNOTATIONS = re.compile(
    r"\.(call_sites|return_sites|retpoline_sites|cfi_sites|ibt_endbr_seal"
    r"|static_call_sites|orc_.*|smp_locks|altinstr.*|parainstructions|debug_.*|discard.*)"
    r"|__patchable_function_entries|__kcfi_traps|__mcount_loc|__ex_table|__bug_table"
    r"|__jump_table")

SECTION = re.compile(r"\s*\[\s*(\d+)\] (\S+) +\S+ +([0-9a-f]{16}) ")
CODE_SECTION = re.compile(r"Disassembly of section (.*):")
LABEL = re.compile(r"([0-9a-f]+) <(.*)>:")
INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\t([^\t].*?)\s*")
CODE_RELOCATION = re.compile(r"\s*([0-9a-f]+): R_X86_64_")
RELOCATION = re.compile(
    r"([0-9a-f]+) +[0-9a-f]+ (R_\S+) +([0-9a-f]+) (\S+) ([-+]) ([0-9a-f]+)")
RELOCATIONS = re.compile(r"Relocation section '\.rela(.*)' at")

BRANCH = re.compile(r"(bnd )?(call|j[a-z]+)(,p[nt])? +[0-9a-f]+ ")
INDIRECT = re.compile(r"(bnd |notrack )*(call|jmp)[a-z]* +(\*|.*%)")
TABLE_JUMP = re.compile(r"jmp +\*0x[0-9a-f]+\(,%r[a-z0-9]+,8\)")


def lines_of(*command):
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed")
    return process.stdout.splitlines()


class Relocation:
    """An address in a section: the address of a symbol, plus a number."""

    def __init__(self, section, match):
        at, self.type, value, self.symbol, sign, plus = match.groups()
        self.section, self.at, self.value = section, int(at, 16), int(value, 16)
        self.plus = int(plus, 16) * (-1 if sign == "-" else 1)

    def place(self):
        return f"{self.section}+{self.at:#x}"


class Module:
    """The code, symbols and relocations of a module.

    Dictionaries by section and offset: code has the instructions, owner the name of the
    function of each instruction, and functions the names of functions. branches has the
    offset of each direct call or jump, by the offset of its relocation. defined has the
    section of each symbol of the module, by name and value.
    """

    def __init__(self, path):
        self.path = path
        self.code, self.owner, self.functions = (defaultdict(dict) for _ in range(3))
        self.branches = defaultdict(dict)
        self.defined = defaultdict(dict)
        self.relocations = []
        self.read_sections()
        self.read_code()
        self.read_symbols()
        self.read_relocations()

    def read_sections(self):
        found = [match for line in lines_of("readelf", "-SW", self.path)
                 if (match := SECTION.match(line))]
        self.section_names = {match[1]: match[2] for match in found}
        self.addresses = {match[2]: int(match[3], 16) for match in found}

    def read_code(self):
        """Read the instructions, by their offsets from the start of the section.

        The linker script of some kernels gives the sections of modules addresses, and
        objdump adds them.
        """
        section = name = text = None
        base = at = 0
        for line in lines_of("objdump", "-dr", "--no-show-raw-insn", self.path):
            if match := INSTRUCTION.fullmatch(line):
                at, text = int(match[1], 16) - base, match[2]
                self.code[section][at], self.owner[section][at] = text, name
            elif match := CODE_RELOCATION.match(line):
                if BRANCH.match(text):
                    self.branches[section][int(match[1], 16) - base] = at
            elif match := LABEL.fullmatch(line):
                name = match[2]
                self.functions[section][int(match[1], 16) - base] = name
            elif match := CODE_SECTION.fullmatch(line):
                section = match[1]
                base = self.addresses[section]
        if not self.code:
            sys.exit(f"{self.path}: objdump found no code")

    def read_symbols(self):
        for line in lines_of("readelf", "-sW", self.path):
            words = line.split()
            if len(words) >= 8 and words[6].isdigit():
                self.defined[words[7]][int(words[1], 16)] = self.section_names.get(words[6])

    def read_relocations(self):
        """Read the relocations, except for those of the debug information."""
        section = ""
        for line in lines_of("readelf", "-rW", self.path):
            if match := RELOCATIONS.match(line):
                section = match[1]
            elif not section.startswith(".debug_") and (match := RELOCATION.fullmatch(line)):
                self.relocations.append(Relocation(section, match))
        if not self.relocations:
            sys.exit(f"{self.path}: readelf found no relocation")

    def target(self, relocation):
        """Return the section and offset of a relocation's target, or None outside of the module.

        In code, a relocation counts from the end of its four bytes.
        """
        section = self.defined.get(relocation.symbol, {}).get(relocation.value)
        if section is None:
            return None
        is_relative = relocation.type.endswith(("_PC32", "_PLT32")) and \
            relocation.section in self.code
        return section, relocation.value + relocation.plus + (4 if is_relative else 0)

    def is_branch(self, relocation):
        return relocation.at in self.branches.get(relocation.section, ())

    def pointers(self):
        """Return the relocations that take an address, without direct calls and jumps."""
        return [r for r in self.relocations
                if not ANNOTATIONS.fullmatch(r.section) and not self.is_branch(r)]

    def function_of(self, relocation):
        functions = self.functions.get(relocation.section, {})
        before = [at for at in functions if at <= relocation.at]
        return functions[max(before)] if before else relocation.section


def check_indirect(module, *options):
    pv_operands = {(r.section, r.at) for r in module.relocations if r.symbol == "pv_ops"}
    for section, code in sorted(module.code.items()):
        for at, text in sorted(code.items()):
            function = module.owner[section][at]
            if function.startswith("__traceiter_") or not INDIRECT.match(text):
                continue
            if "tables" in options and TABLE_JUMP.fullmatch(text):
                continue
            # The operand follows the two or three bytes of the instruction
            if not {(section, at + 2), (section, at + 3)} & pv_operands:
                yield f"{function}: {text}"
    # A thunk replaces an indirect call or jump
    for relocation in module.relocations:
        if relocation.symbol.startswith("__x86_indirect_"):
            function = module.function_of(relocation)
            if not function.startswith("__traceiter_"):
                yield f"{function}: {relocation.symbol}"


def static_call_keys(module):
    """Return the key of each static call, by the section and offset of its instruction."""
    entries = [r for r in module.relocations if r.section == ".static_call_sites"]
    keys = {r.at - 4: r.symbol for r in entries if r.at % 8 == 4}
    return {module.target(r): keys.get(r.at, "") for r in entries if r.at % 8 == 0}


def trampoline_complaints(module, name):
    """Check that the trampoline of a static call is a direct jump or a return.

    A call site calls the trampoline until the kernel patches the site.
    """
    trampoline = "__SCT__objtrace_" + name
    if trampoline not in module.defined:
        yield f"{name}: no trampoline"
        return
    value, section = next(iter(module.defined[trampoline].items()))
    text = module.code[section].get(value, "nothing")
    if not re.match(r"ret|jmp +[0-9a-f]+", text):
        yield f"{name}: the trampoline is '{text}'"


def check_calls(module, *names):
    keys = static_call_keys(module)
    if not names:
        yield "no function was named"
    for name in names:
        calls = [r for r in module.relocations
                 if r.symbol == "__SCT__objtrace_" + name and module.is_branch(r)]
        if not calls:
            yield f"{name}: is never called"
        for call in calls:
            at = module.branches[call.section][call.at]
            key = keys.get((call.section, at), "no static call")
            if key != "__SCK__objtrace_" + name:
                yield f"{call.place()}: calls {name}, but .static_call_sites has {key} there"
        yield from trampoline_complaints(module, name)


def check_pointers(module, path):
    with open(path, encoding="ascii") as file:
        sealed = set(file.read().splitlines())
    kernel = [r for r in module.pointers() if r.symbol not in module.defined]
    if not sealed:
        yield f"{path} lists nothing"
    elif not kernel:
        yield "no address of the kernel in the module"
    for relocation in kernel:
        if relocation.symbol in sealed:
            yield f"{relocation.place()}: the address of {relocation.symbol}, which is sealed"


def is_called_directly(section, name):
    """Return true if nothing calls the function through a pointer, although its address is taken.

    Only tracepoints that never fire call the probe stubs, which Linux 6.18 seals in all
    modules. A static call jumps directly to its trampoline, and ftrace calls objtrace's
    trampolines directly.
    """
    return name.startswith(("__probestub_", "objtrace_tramp_")) or section == ".static_call.text"


def check_entries(module):
    sealed = {module.target(r) for r in module.relocations if r.section == ".ibt_endbr_seal"}
    seen = False
    for relocation in module.pointers():
        section, at = target = module.target(relocation) or (None, None)
        name = module.functions.get(section, {}).get(at)
        if name is None or is_called_directly(section, name):
            continue
        seen = True
        if module.code[section].get(at) != "endbr64":
            yield f"{relocation.place()}: {name} has no ENDBR"
        if target in sealed:
            yield f"{relocation.place()}: {name} is sealed"
    if not seen:
        yield "no address of a function is taken"


CHECKS = {"indirect": check_indirect, "calls": check_calls, "pointers": check_pointers,
          "entries": check_entries}


def main(args):
    if len(args) < 2 or args[0] not in CHECKS:
        sys.exit(f"usage: ibt-complaints.py {'|'.join(CHECKS)} MODULE [ARGUMENT...]")
    for complaint in CHECKS[args[0]](Module(args[1]), *args[2:]):
        print(complaint)


if __name__ == "__main__":
    main(sys.argv[1:])
