#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Print the words of BTF that a change replaces.

Usage: alter-btf.py BTF CHANGE...

The tests of a module that reads BTF make the changes in a running kernel. The changes are
  rename-member STRUCT MEMBER
  move-member STRUCT MEMBER BITS  by that many bits
  resize-struct STRUCT BYTES      by that many bytes
  change-prototype FUNCTION       to the prototype of another function
  drop-function FUNCTION          BTF no longer describes it
For each CHANGE, the program prints a line with the 32-bit words that this change alone
replaces, in the format of the parameter btf_words of the test module objtrace_alter.
"""

import sys

import btf

HEAD = 24       # bytes of struct btf_header, which the types follow
TYPE = 12       # bytes of struct btf_type
MEMBER = 12     # bytes of struct btf_member


class Changes:
    """The words that one change replaces, as texts "OFFSET OLD NEW"."""

    def __init__(self, types):
        self.types, self.words = types, []

    def put(self, at, old, new):
        """Replace the 32-bit word at the offset AT of the BTF."""
        self.words.append(f"{at:x} {old:x} {new:x}")

    def place(self, found):
        """Return the offset of a type from the start of the BTF.

        libbpf keeps all types in one block, as in the file.
        """
        return HEAD + found.address - self.types.type(1).address

    def named(self, kind, name):
        found = self.types.by_name(kind).get(name)
        if not found:
            raise btf.BtfError(f"BTF has no {name}")
        return found

    def members(self, tag, name):
        """Return (offset, member, struct) for each member NAME of the structs TAG."""
        found = [(self.place(struct) + TYPE + MEMBER * i, member, struct)
                 for struct in self.named(btf.STRUCT, tag)
                 for i, member in enumerate(struct.members())
                 if self.types.name_at(member.name) == name]
        if not found:
            raise btf.BtfError(f"struct {tag} has no {name}")
        return found

    def rename(self, at, name):
        """Replace a name by the same string without its first character.

        A name is an offset in the strings of BTF, so this change needs no new string.
        """
        rest = self.types.name_at(name + 1)
        if not rest.isidentifier():
            raise btf.BtfError(f"'{rest}' is not a valid name")
        self.put(at, name, name + 1)

    def rename_member(self, tag, name):
        for at, member, _ in self.members(tag, name):
            self.rename(at, member.name)

    def move_member(self, tag, name, bits):
        for at, member, struct in self.members(tag, name):
            mask = 0xffffff if struct.has_bitfields else 0xffffffff
            moved = (member.offset & mask) + int(bits)
            self.put(at + 8, member.offset, member.offset & ~mask | moved)

    def resize_struct(self, tag, size):
        for struct in self.named(btf.STRUCT, tag):
            self.put(self.place(struct) + 8, struct.size, struct.size + int(size))

    def change_prototype(self, name):
        """Give the function NAME the prototype of another function.

        The kernel rejects other prototypes, because their parameters have no names.
        """
        for function in self.named(btf.FUNC, name):
            number = self.types.type(function.of).nr_parts
            other = next(one for one in self.types.types(btf.FUNC)
                         if self.types.type(one.of).nr_parts != number)
            self.put(self.place(function) + 8, function.of, other.of)

    def drop_function(self, name):
        for function in self.named(btf.FUNC, name):
            self.rename(self.place(function), function.name_offset)


CHANGES = {"rename-member": (2, Changes.rename_member), "move-member": (3, Changes.move_member),
           "resize-struct": (2, Changes.resize_struct),
           "change-prototype": (1, Changes.change_prototype),
           "drop-function": (1, Changes.drop_function)}


def print_changes(types, words):
    while words:
        if words[0] not in CHANGES:
            sys.exit(f"alter-btf.py: unknown change '{words[0]}'")
        number, function = CHANGES[words[0]]
        if len(words) <= number:
            sys.exit(f"alter-btf.py: {words[0]} takes {number} words")
        changes = Changes(types)
        function(changes, *words[1:number + 1])
        print(",".join(changes.words))
        del words[:number + 1]


def main(args):
    if len(args) < 2:
        sys.exit("usage: alter-btf.py BTF CHANGE...")
    try:
        print_changes(btf.Btf(args[0]), args[1:])
    except btf.BtfError as error:
        sys.exit(f"alter-btf.py: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
