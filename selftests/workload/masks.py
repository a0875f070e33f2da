#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Print the registers of each function that abi.py finds in BTF.

Usage: masks.py x86_64|arm64 BTF...

The format is the same as that of selftests/truth/masks, which prints the registers that
types/args.c finds: a line "NAME OBJECTS VARIABLE" for each function, or "NAME unknown".
"""

import sys

import abi
from btf import Btf


def masks(call):
    """Return two bit masks: registers that can hold objects, and registers of a "..."."""
    objects = sum(1 << register for register, held in call.holds.items() if held)
    variable = 0
    if call.variable is not None:
        variable = (1 << call.nr_registers) - (1 << call.variable)
    return objects | variable, variable


def main(args):
    if len(args) < 2 or args[0] not in abi.REGISTERS:
        sys.exit("usage: masks.py x86_64|arm64 BTF...")
    for types in [Btf(path) for path in args[1:]]:
        for name, functions in sorted(types.functions().items()):
            for function in functions:
                call = abi.registers_of(types, function, args[0])
                print(name, *masks(call) if call else ["unknown"])


if __name__ == "__main__":
    main(sys.argv[1:])
