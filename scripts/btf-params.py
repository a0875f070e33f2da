#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# btf-params.py BTF STRUCT
#
# The functions of a kernel with a parameter of STRUCT *: a line "NAME REGISTER" for each
# such parameter among the first six, the first register being 0. Left out are functions
# that share their name, and those with a parameter before it that is in no register, or
# in two.

import struct
import sys

MAGIC = 0xeb9f
PTR, STRUCT, UNION = 2, 4, 5
TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, FUNC_PROTO, TYPE_TAG = 8, 9, 10, 11, 12, 13, 18
MODIFIERS = (TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG)
INT, FLOAT = 1, 16

# Bytes behind a type: always, and for each of its members
FIXED = {INT: 4, 3: 12, 14: 4, 17: 4}
EACH = {STRUCT: 12, UNION: 12, 6: 8, FUNC_PROTO: 8, 15: 12, 19: 12}
LAST_KIND = 19

# What both architectures have
NR_REGISTERS = 6


class Type:
    def __init__(self, name, kind, size, params):
        self.name, self.kind, self.size, self.params = name, kind, size, params
        self.type = size    # the same field, by kind


def read_types(data):
    magic, _, _, header, type_off, type_len, str_off, _ = struct.unpack_from("<HBBIIIII", data)
    if magic != MAGIC:
        sys.exit("btf-params.py: this is no BTF")
    strings = header + str_off
    at, end, types = header + type_off, header + type_off + type_len, [Type("void", 0, 0, [])]
    while at < end:
        name_off, info, size = struct.unpack_from("<III", data, at)
        kind, number = info >> 24 & 0x1f, info & 0xffff
        if kind > LAST_KIND:
            sys.exit("btf-params.py: type %d is of the unknown kind %d" % (len(types), kind))
        at += 12
        params = []
        if kind == FUNC_PROTO:
            params = [struct.unpack_from("<II", data, at + 8 * i)[1] for i in range(number)]
        at += FIXED.get(kind, 0) + EACH.get(kind, 0) * number
        name = data[strings + name_off:data.index(b"\0", strings + name_off)].decode()
        types.append(Type(name, kind, size, params))
    return types


def plain(types, number):
    while types[number].kind in MODIFIERS:
        number = types[number].type
    return types[number]


def is_pointer_to(types, number, tag):
    t = plain(types, number)
    if t.kind != PTR:
        return False
    to = plain(types, t.type)
    return to.kind == STRUCT and to.name == tag


def registers(types, function, tag):
    for register, number in enumerate(types[function.type].params[:NR_REGISTERS]):
        t = plain(types, number)
        if t.kind in (STRUCT, UNION, FLOAT) or t.kind == INT and t.size > 8:
            return
        if is_pointer_to(types, number, tag):
            yield register


def main(path, tag):
    with open(path, "rb") as f:
        types = read_types(f.read())
    functions = [t for t in types if t.kind == FUNC]
    seen = {}
    for function in functions:
        seen[function.name] = seen.get(function.name, 0) + 1
    for function in functions:
        if seen[function.name] == 1:
            for register in registers(types, function, tag):
                print(function.name, register)


if len(sys.argv) != 3:
    sys.exit("usage: btf-params.py BTF STRUCT")
main(sys.argv[1], sys.argv[2])
