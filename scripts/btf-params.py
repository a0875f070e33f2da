#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Print the functions of a kernel that have a parameter of STRUCT *.

Usage: btf-params.py BTF STRUCT

Each line is "NAME REGISTER", for a parameter in one of the first six registers, counted
from 0. Functions that share their name are left out. The parameters of a function count
only up to the first that is not in exactly one register.
"""

import sys

import btf

NR_REGISTERS = 6        # for arguments: both architectures have as many or more
REGISTER_BYTES = 8


def is_pointer_to(types, parameter, tag):
    if parameter.kind != btf.PTR:
        return False
    target = types.plain(parameter.of)
    return target.kind == btf.STRUCT and target.name == tag


def registers(types, function, tag):
    """Return the registers that hold a pointer to the struct TAG."""
    params = types.type(function.of).params()
    for register, param in enumerate(params[:NR_REGISTERS]):
        found = types.plain(param.type)
        if found.is_struct() or found.kind == btf.FLOAT or \
                found.kind == btf.INT and found.size > REGISTER_BYTES:
            return
        if is_pointer_to(types, found, tag):
            yield register


def main(args):
    if len(args) != 2:
        sys.exit("usage: btf-params.py BTF STRUCT")
    try:
        types = btf.Btf(args[0])
    except btf.BtfError as error:
        sys.exit(f"btf-params.py: {error}")
    for name, functions in types.functions().items():
        if len(functions) == 1:
            for register in registers(types, functions[0], args[1]):
                print(name, register)


if __name__ == "__main__":
    main(sys.argv[1:])
