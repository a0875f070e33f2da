# SPDX-License-Identifier: GPL-2.0-only
"""The lives of objects: the time between the allocation and the free, by the kernel's events.

The slab events show most allocations and frees. Functions that free, keep or return objects
without such an event have probes. test.d/workload.sh explains the names of the probes.
"""

PAGE_SHIFT = 12


class Life:
    """The life of one object under one ID of objtrace.

    object      its address
    base        the start of its memory, or None if no event showed the allocation
    added_by    the event that added it to objtrace
    cpu         the CPU of this event
    records     the number of records with the ID
    hits        the field hits of objtrace_del, or None without objtrace_del
    over        the reason why the object is no longer alive, or None
    is_seen     an event of the kernel showed the end
    is_reused   its memory was allocated again after the end
    is_deleted  an objtrace_del was recorded
    gone_by     the event that showed the end; None after the next record of the object
    """

    def __init__(self, address, base, added_by, cpu):
        self.object, self.base, self.added_by, self.cpu = address, base, added_by, cpu
        self.records, self.hits, self.over, self.gone_by = 0, None, None, None
        self.is_seen = self.is_reused = self.is_deleted = False

    def end(self, why, event):
        """End the life. If it ends twice, the first reason counts.

        The last record may be the entry of the function that ends the life. If EVENT is a
        probe on this function, the record may come before or after the probe. The kernel can
        move the task to another CPU between both.
        """
        self.over = self.over or why
        self.is_seen, self.gone_by = True, event

    def is_letting_go(self, record, names, probes):
        """Return true if the record can be the entry of the function whose probe showed the end."""
        event, self.gone_by = self.gone_by, None
        return event is not None and not self.is_deleted and \
            event.task() == record.task() and probes.get(event.name) in names

    def is_miscounted(self):
        return self.hits is not None and self.hits != self.records


class Lives:
    """All lives, and the memory in the events.

    all        Lives by ID
    at, pages  Lives that have not ended, by address and by page, then by ID
    given      the sizes of allocated memory, by address
    taken      the addresses of free memory that was allocated before
    events     the number of slab events and events of probes on frees
    """

    def __init__(self):
        self.all, self.at, self.pages = {}, {}, {}
        self.given, self.taken, self.events = {}, set(), 0

    def begin(self, number, life):
        self.all[number] = life
        for address in {life.object, life.base} - {None}:
            self.at.setdefault(address, {})[number] = life
        self.pages.setdefault(life.object >> PAGE_SHIFT, {})[number] = life

    def finish(self, number, why, event=None):
        life = self.all[number]
        for address in {life.object, life.base} - {None}:
            self.at[address].pop(number, None)
        self.pages[life.object >> PAGE_SHIFT].pop(number, None)
        life.end(why, event)

    def ids_at(self, address):
        """Return the IDs of the objects at an address, or in memory that begins there."""
        return list(self.at.get(address, ()))

    def objects_at(self, address):
        """Return (ID, Life) of the objects at an address."""
        lives = self.at.get(address, {})
        return [(number, life) for number, life in lives.items() if life.object == address]

    #
    # Memory
    #

    def memory_freed(self, event, address):
        self.events += 1
        if not address:
            return
        self.given.pop(address, None)
        self.taken.add(address)
        for number in self.ids_at(address):
            self.finish(number, f"its memory was freed ({event.name})", event)

    def memory_given(self, event, address, size):
        self.events += 1
        if not address:
            return
        self.given[address] = size
        self.taken.discard(address)
        end = address + size
        for page in range(address >> PAGE_SHIFT, (end - 1 >> PAGE_SHIFT) + 1):
            for number, life in list(self.pages.get(page, {}).items()):
                if address <= life.object < end:
                    self.finish(number, f"its memory was allocated again ({event.name})")
                    life.is_reused = True

    def base_of(self, address):
        """Return the start of the allocated memory around an address, or None if unknown."""
        if self.given.get(address):
            return address
        for base, size in self.given.items():
            if base <= address < base + size:
                return base
        return None

    def memory_around_freed(self, event, address):
        """Free the memory around an address. Return false if the memory is unknown."""
        base = self.base_of(address)
        self.memory_freed(event, base)
        return base is not None

    #
    # Objects that are not freed, but kept for later use
    #

    def object_gone(self, event, address):
        for number, _ in self.objects_at(address):
            self.finish(number, f"the kernel released it ({event.name})", event)

    def object_made(self, event, address):
        """End the object at the address, which is used again, unless this event added it."""
        self.taken.discard(address)
        for number, life in self.objects_at(address):
            if not life.records and life.cpu == event.cpu and \
                    life.added_by.endswith(":" + event.name):
                continue
            self.finish(number, f"it was used again ({event.name})")
            life.is_reused = True

    #
    # The events of objtrace. Each function returns the reason why the event is wrong, or
    # None.
    #

    def added(self, event, number, address, added_by):
        if number in self.all:
            return "its id was added twice"
        for _, life in self.objects_at(address):
            if life.added_by == added_by and life.over is None:
                return "the trigger tracks it already"
        self.begin(number, Life(address, self.base_of(address), added_by, event.cpu))
        # Without a probe, memory that the kernel kept can be in use again
        if address in self.taken and ":made_" not in added_by:
            self.finish(number, "it was added while its memory was free")
        return None

    def recorded(self, record, number, address, names, probes, is_marked):
        """Check a record of a function with these names.

        An interrupt between the end and objtrace_del can leave a marked record, because the
        registers still hold the address.
        """
        life = self.all.get(number)
        if not life:
            return "its id has no objtrace_add"
        life.records += 1
        if life.object != address:
            return "its id belongs to another object"
        if life.over is None:
            return None
        if is_marked and not life.is_deleted and not life.is_reused:
            return None
        if life.is_letting_go(record, names, probes):
            return None
        return life.over

    def deleted(self, number, address, hits):
        life = self.all.get(number)
        if not life:
            return "its id has no objtrace_add"
        if life.object != address:
            return "its id belongs to another object"
        if life.is_deleted:
            return "its id has two objtrace_del"
        life.is_deleted, life.hits = True, hits
        life.over = life.over or "it ended with objtrace_del"
        return None

    def miscounted(self):
        """Return (ID, Life) of the objects whose hits differ from their records."""
        return sorted((number, life) for number, life in self.all.items()
                      if life.is_miscounted())
