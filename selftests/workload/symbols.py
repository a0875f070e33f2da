# SPDX-License-Identifier: GPL-2.0-only
"""The functions of a kernel, from a copy of its /proc/kallsyms."""

from bisect import bisect_right

# The greatest distance of the call of ftrace from the start of a function
LOCATION_SPAN = 16


class SymbolsError(Exception):
    """The file lists no functions."""


class Symbols:
    """The functions of a kernel and its modules.

    at         {address: [(name, module)]}, with the module "" for the kernel
    places     {name: [(address, module)]}
    addresses  all addresses, in order
    """

    def __init__(self, path):
        self.at, self.places = {}, {}
        with open(path, encoding="ascii") as file:
            for line in file:
                self.add(*line.split())
        self.addresses = sorted(self.at)
        if not self.addresses or not self.addresses[-1]:
            raise SymbolsError(f"{path}: no functions; were the addresses hidden?")

    def add(self, address, kind, name, module=""):
        # The padding before functions has names, too
        if kind in "tTwW" and not name.startswith("__pfx_"):
            address, module = int(address, 16), module.strip("[]")
            self.at.setdefault(address, []).append((name, module))
            self.places.setdefault(name, []).append((address, module))

    def functions_at(self, location):
        """Return [(name, module)] of the function with this ftrace location."""
        index = bisect_right(self.addresses, location)
        start = self.addresses[index - 1] if index else None
        if start is None or location - start > LOCATION_SPAN:
            return []
        return self.at[start]

    def count(self, name, module):
        """Return the number of functions of a module with that name."""
        return len({address for address, owner in self.places.get(name, ()) if owner == module})
