# SPDX-License-Identifier: GPL-2.0-only
"""Read the BTF of a kernel or module with libbpf.

A program that imports this module has /usr/bin/python3 -B, so that Python leaves no
compiled module in the source tree.
"""

import ctypes
import os

(INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC,
 FUNC_PROTO, VAR, DATASEC, FLOAT, DECL_TAG, TYPE_TAG, ENUM64) = range(1, 20)

# Names and qualifiers of another type
ALIASES = frozenset((TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG))


class BtfError(Exception):
    """The BTF does not exist, or lacks something."""


class RawType(ctypes.Structure):
    """struct btf_type; size is also the ID of another type."""
    _fields_ = [(name, ctypes.c_uint32) for name in ("name", "info", "size")]


class RawArray(ctypes.Structure):
    """struct btf_array"""
    _fields_ = [(name, ctypes.c_uint32) for name in ("type", "index_type", "number")]


class RawMember(ctypes.Structure):
    """struct btf_member"""
    _fields_ = [(name, ctypes.c_uint32) for name in ("name", "type", "offset")]


class RawParam(ctypes.Structure):
    """struct btf_param"""
    _fields_ = [(name, ctypes.c_uint32) for name in ("name", "type")]


def load_libbpf():
    """Load libbpf, and silence its messages."""
    lib = ctypes.CDLL("libbpf.so.1", use_errno=True)
    pointer, number, string = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_char_p
    for name, result, arguments in (
            ("btf__parse_raw_split", pointer, [string, pointer]),
            ("btf__type_cnt", number, [pointer]),
            ("btf__type_by_id", pointer, [pointer, number]),
            ("btf__name_by_offset", string, [pointer, number]),
            ("btf__find_by_name_kind", ctypes.c_int32, [pointer, string, number])):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    lib.libbpf_set_print(None)
    return lib


LIBBPF = load_libbpf()


class Type:
    """A type: its ID, kind and name.

    The kind decides the meaning of one field: size is a number of bytes, and of is the ID of
    the type that this type refers to. address is where libbpf has the type.
    """

    def __init__(self, btf, number):
        self.address = LIBBPF.btf__type_by_id(btf.handle, number)
        if not self.address:
            raise BtfError(f"{btf.path}: no type {number}")
        raw = RawType.from_address(self.address)
        self.btf, self.id, self.kind = btf, number, raw.info >> 24 & 0x1f
        self.size = self.of = raw.size
        self.name_offset, self.has_bitfields = raw.name, raw.info >> 31
        self.nr_parts = raw.info & 0xffff

    @property
    def name(self):
        return self.btf.name_at(self.name_offset)

    def parts(self, raw, number):
        """Return the array of RAW structs that follows the type."""
        return (raw * number).from_address(self.address + ctypes.sizeof(RawType))

    def array(self):
        return self.parts(RawArray, 1)[0]

    def members(self):
        """Return the RawMembers of a struct or union."""
        return self.parts(RawMember, self.nr_parts)

    def place(self, member):
        """Return the offset of a member in bits, and the width of a bitfield, or else 0."""
        if self.has_bitfields:
            return member.offset & 0xffffff, member.offset >> 24
        return member.offset, 0

    def params(self):
        """Return the RawParams of a prototype."""
        return self.parts(RawParam, self.nr_parts)

    def is_struct(self):
        return self.kind in (STRUCT, UNION)


class Btf:
    """The BTF in a file. The BTF of a module needs the kernel's, its base."""

    def __init__(self, path, base=None):
        self.path, self.base = path, base
        self.handle = LIBBPF.btf__parse_raw_split(os.fsencode(path), base and base.handle)
        if not self.handle:
            raise BtfError(f"{path}: no BTF: {os.strerror(ctypes.get_errno())}")
        self.first = base.end if base else 1
        self.end = LIBBPF.btf__type_cnt(self.handle)
        self.named_types, self.plain_types = {}, {}

    def name_at(self, offset):
        return LIBBPF.btf__name_by_offset(self.handle, offset).decode()

    def type(self, number):
        return Type(self, number)

    def plain(self, number):
        """Return a type without its typedefs and qualifiers."""
        found = self.plain_types.get(number)
        if not found:
            found = self.type(number)
            while found.kind in ALIASES:
                found = self.type(found.of)
            self.plain_types[number] = found
        return found

    def find(self, kind, name):
        """Return the first type of a kind with that name, or None."""
        number = LIBBPF.btf__find_by_name_kind(self.handle, name.encode(), kind)
        return self.type(number) if number > 0 else None

    def types(self, kind):
        """Yield the types of a kind, without the types of the base."""
        by_id, handle = LIBBPF.btf__type_by_id, self.handle
        for number in range(self.first, self.end):
            if RawType.from_address(by_id(handle, number)).info >> 24 & 0x1f == kind:
                yield self.type(number)

    def by_name(self, kind):
        """Return {name: [types]} of a kind, without the types of the base."""
        if kind not in self.named_types:
            found = self.named_types[kind] = {}
            for one in self.types(kind):
                found.setdefault(one.name, []).append(one)
        return self.named_types[kind]

    def functions(self):
        return self.by_name(FUNC)
