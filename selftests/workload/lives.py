# SPDX-License-Identifier: GPL-2.0-only
"""The lives of objects: from when to when the events of the kernel show that they exist.

The slab events show most of it. Functions that free, keep or return objects without such
an event have probes, whose names say the meaning, see test.d/workload.sh.
"""

PAGE_SHIFT = 12


class Life:
    """The life of one object under one ID of objtrace.

    object      its address
    base        the start of its memory, or None if no event showed the allocation
    added_by    the event that added it to objtrace
    cpu         the processor of this event
    records     the number of records with the ID
    hits        the number of records that objtrace_del gives, or None without objtrace_del
    over        the reason why the object is no longer alive, or None
    is_seen     the kernel itself has shown the end
    is_reused   its memory was allocated again after the end
    is_deleted  there was an objtrace_del
    gone_by     the event that showed the end, if it was a probe; None after one record
    """

    def __init__(self, address, base, added_by, cpu):
        self.object, self.base, self.added_by, self.cpu = address, base, added_by, cpu
        self.records, self.hits, self.over, self.gone_by = 0, None, None, None
        self.is_seen = self.is_reused = self.is_deleted = False

    def end(self, why, event):
        """End the life. The first reason counts.

        The entry of the function that ends the life is the last function that may be
        recorded. If EVENT is a probe on this function, either may come first.
        """
        self.over = self.over or why
        self.is_seen, self.gone_by = True, event

    def is_letting_go(self, record, names, probes):
        """Whether the record may be the entry of the function whose probe showed the end."""
        event, self.gone_by = self.gone_by, None
        return event is not None and not self.is_deleted and event.cpu == record.cpu and \
            probes.get(event.name) in names

    def is_miscounted(self):
        return self.hits is not None and self.hits != self.records


class Lives:
    """All lives, and the memory that events showed.

    all        Lives by ID
    at, pages  Lives that the kernel has not ended, by address and by page, each by ID
    given      the size of allocated memory, by its address
    taken      addresses of memory that was freed and not allocated again
    events     the number of events on memory
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
        """The IDs of the objects at an address, or in memory that begins there."""
        return list(self.at.get(address, ()))

    def objects_at(self, address):
        """The lives of the objects at an address, by ID."""
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
                    self.finish(number, f"its memory was given out again ({event.name})")
                    life.is_reused = True

    def base_of(self, address):
        """The start of the memory that an address is in, or None if it is unknown."""
        if self.given.get(address):
            return address
        for base, size in self.given.items():
            if base <= address < base + size:
                return base
        return None

    def memory_around_freed(self, event, address):
        """Free the memory that an address is in. Returns false if it is unknown."""
        base = self.base_of(address)
        self.memory_freed(event, base)
        return base is not None

    #
    # Objects that are kept for the next user, and not freed
    #

    def object_gone(self, event, address):
        for number, _ in self.objects_at(address):
            self.finish(number, f"it was let go ({event.name})", event)

    def object_made(self, event, address):
        """An object was returned to a new user, unless this event is the one that added it."""
        self.taken.discard(address)
        for number, life in self.objects_at(address):
            if not life.records and life.cpu == event.cpu and \
                    life.added_by.endswith(":" + event.name):
                continue
            self.finish(number, f"it was given out again ({event.name})")
            life.is_reused = True

    #
    # The events of objtrace. Each function returns the reason why the event is wrong, or
    # None.
    #

    def added(self, event, number, address, added_by):
        if number in self.all:
            return "its id was given twice"
        for _, life in self.objects_at(address):
            if life.added_by == added_by and life.over is None:
                return "the trigger tracks it already"
        self.begin(number, Life(address, self.base_of(address), added_by, event.cpu))
        # Memory that is kept and returned again may be returned unseen
        if address in self.taken and ":made_" not in added_by:
            self.finish(number, "it was added when its memory was free")
        return None

    def recorded(self, record, number, address, names, probes, is_marked):
        """A function with one of the names received the object.

        An interrupt may come between the end and objtrace_del: it receives no object, and
        its record is marked.
        """
        life = self.all.get(number)
        if not life:
            return "no objtrace_add has told of its id"
        life.records += 1
        if life.object != address:
            return "its id is that of another object"
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
            return "no objtrace_add has told of its id"
        if life.object != address:
            return "its id is that of another object"
        if life.is_deleted:
            return "its id has ended twice"
        life.is_deleted, life.hits = True, hits
        life.over = life.over or "objtrace_del has ended it"
        return None

    def miscounted(self):
        """The lives whose objtrace_del has another number of hits than there are records."""
        return sorted((number, life) for number, life in self.all.items()
                      if life.is_miscounted())
