# SPDX-License-Identifier: GPL-2.0-only
"""Find the registers of a function that can hold a pointer, and the type of the pointer.

The prototypes are in BTF. The registers follow from the ABIs (System V AMD64 3.2.3 and
AAPCS64 6.8.2). This module checks types/args.c, and shares no code with it.
"""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
import btf  # noqa: E402

REGISTERS = {"x86_64": 6, "arm64": 8}
WORD = 8
LARGEST = 2 * WORD      # the largest value in registers, in bytes
DEPTH = 32              # the limit of nested types: no struct has so many levels

# The size of four floats of 16 bytes: arm64 passes such a struct in registers
LARGEST_FLOATS = 64


class Unknown(Exception):
    """The ABI does not define the registers of the value."""


#
# Values
#

class Value:
    """The contents of an argument.

    words    {number of a word: type of the pointer or integer in the word, or ""}
    is_torn  true if a member is not aligned
    is_wide  true if a member is a __int128
    """

    def __init__(self, size):
        self.size, self.words, self.is_torn, self.is_wide = size, {}, False, False

    def nr_words(self):
        return (self.size + WORD - 1) // WORD

    def in_memory(self):
        """Return true if the value has the class MEMORY in the ABI of x86-64."""
        return self.size > LARGEST or self.is_torn

    def touch(self, first, last):
        """Note that the bits FIRST to LAST belong to a member."""
        for word in range(first // 64, last // 64 + 1):
            self.words.setdefault(word, "")

    def add_scalar(self, at, size, name):
        """Add a number or a pointer, AT bits from the start."""
        if size not in (1, 2, 4, 8, 16):
            raise Unknown
        self.is_torn |= at % (8 * size) != 0
        self.is_wide |= size == 16
        self.touch(at, at + 8 * size - 1)
        if size == WORD and at % 64 == 0:
            self.words[at // 64] = name

    def add_array(self, types, at, array, depth):
        """Add an array. Compilers disagree on large arrays, and on unaligned elements."""
        size = size_of(types, array.type)
        if not array.number or not size or array.number * size > LARGEST:
            raise Unknown
        for i in range(array.number):
            was_torn = self.is_torn
            self.add(types, at + 8 * size * i, array.type, depth)
            if i and self.is_torn != was_torn:
                raise Unknown

    def add_members(self, types, at, struct, depth):
        for member in struct.members():
            offset, bits = struct.place(member)
            if not bits:
                self.add(types, at + offset, member.type, depth)
                continue
            if size_of(types, member.type) > WORD:
                raise Unknown
            self.touch(at + offset, at + offset + bits - 1)

    def add(self, types, at, number, depth):
        """Add a value of the type NUMBER, AT bits from the start."""
        found = types.plain(number)
        if found.kind == btf.PTR:
            self.add_scalar(at, WORD, pointer_name(types, found))
        elif found.kind == btf.INT:
            self.add_scalar(at, found.size, "integer")
        elif found.kind in (btf.ENUM, btf.ENUM64):
            self.add_scalar(at, found.size, "")
        elif found.is_struct() and depth:
            self.add_members(types, at, found, depth - 1)
        elif found.kind == btf.ARRAY and depth:
            self.add_array(types, at, found.array(), depth - 1)
        else:
            raise Unknown


def pointer_name(types, pointer):
    target = types.plain(pointer.of)
    if not target.kind:
        return "void *"
    if target.is_struct() or target.kind == btf.FWD:
        return f"struct {target.name} *"
    return "pointer"


def size_of(types, number):
    found = types.plain(number)
    if found.kind == btf.PTR:
        return WORD
    if found.kind == btf.ARRAY:
        array = found.array()
        return array.number * size_of(types, array.type)
    return found.size


def refuse_floats(types, struct):
    """Raise Unknown if a large struct has floats, which registers may pass."""
    left = [member.type for member in struct.members()]
    for _ in range(DEPTH):
        if not left:
            break
        found = types.plain(left.pop(0))
        if found.kind == btf.FLOAT:
            raise Unknown
        if found.is_struct():
            left[:0] = [member.type for member in found.members()]
        elif found.kind == btf.ARRAY:
            left.insert(0, found.array().type)


def value_of(types, number):
    found = types.plain(number)
    # No argument is an array, and floats have registers of their own
    if found.kind in (btf.ARRAY, btf.FLOAT):
        raise Unknown
    value = Value(size_of(types, number))
    if found.is_struct() and not value.size:
        return value
    if found.is_struct() and value.size > LARGEST:
        if value.size <= LARGEST_FLOATS:
            refuse_floats(types, found)
        return value
    value.add(types, 0, number, DEPTH)
    # Padding can leave a word without members
    if any(word not in value.words for word in range(value.nr_words())):
        raise Unknown
    return value


#
# Calls
#

class Call:
    """The registers at the entry of a function.

    holds     {register, counted from 0: "struct NAME *", "void *", "pointer", "integer", or
              "" for a value that cannot be an object}
    variable  the first register that can hold arguments of a "...", or None
    """

    def __init__(self, abi):
        self.abi, self.nr_registers, self.next = abi, REGISTERS[abi], 0
        self.holds, self.variable = {}, None

    def to_registers(self, words):
        """Put all words into registers. Return false if too few registers are left."""
        if self.next + len(words) > self.nr_registers:
            return False
        for word in words:
            self.holds[self.next] = word
            self.next += 1
        return True

    def pass_value(self, value):
        words = [value.words.get(word, "") for word in range(value.nr_words())]
        if self.abi == "arm64":
            self.pass_arm64(value, words)
        elif not value.in_memory():
            self.to_registers(words)

    def pass_arm64(self, value, words):
        """Apply three rules of the ABI.

        C.8: a value that is aligned to 16 begins in an even register. C.12: the address of
        a copy stands for a large value. C.13: once a value is on the stack, no register is
        used.
        """
        if value.size > LARGEST:
            words = [""]
        elif value.is_wide and self.next % 2:
            self.next += 1
        if not self.to_registers(words):
            self.next = self.nr_registers

    def pass_result(self, types, number):
        """Use a register for the address of a large result, on x86-64."""
        if self.abi == "x86_64" and types.plain(number).kind and \
                value_of(types, number).in_memory():
            self.to_registers([""])

    def pass_params(self, types, params):
        for i, param in enumerate(params):
            if not param.name and not param.type and i == len(params) - 1:
                if self.next < self.nr_registers:
                    self.variable = self.next
                break
            self.pass_value(value_of(types, param.type))


def registers_of(types, function, abi):
    """Return the Call of a FUNC of the BTF, or None if its registers are unknown."""
    prototype = types.type(function.of)
    call = Call(abi)
    if prototype.kind != btf.FUNC_PROTO:
        return None
    try:
        call.pass_result(types, prototype.of)
        call.pass_params(types, prototype.params())
    except Unknown:
        return None
    return call


#
# Members
#

def member_offset(types, struct, name, depth=DEPTH):
    """Return the offset of a member in bytes, also of a member in an anonymous struct or union."""
    for member in struct.members():
        called = types.name_at(member.name)
        offset = struct.place(member)[0] // 8
        if called == name:
            return offset
        inner = types.plain(member.type)
        if called == "" and inner.is_struct() and depth:
            more = member_offset(types, inner, name, depth - 1)
            if more is not None:
                return offset + more
    return None


def offset_of(types, tag, name):
    """Return the offset of a member of the struct TAG, or None if the struct lacks it."""
    struct = types.find(btf.STRUCT, tag)
    return struct and member_offset(types, struct, name)
