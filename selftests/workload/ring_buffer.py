# SPDX-License-Identifier: GPL-2.0-only
"""Read a trace with libtraceevent.

A trace is the pages of per_cpu/cpuN/trace_pipe_raw, and the files "format" of its events.
The kernels are little-endian, and have 64 bits.
"""

import ctypes
import os
import struct

PAGE = 4096
HEAD = 16                                   # bytes before the events of a page
LONG_SIZE_8, LITTLE_ENDIAN = 1, 1           # enum kbuffer_long_size, kbuffer_endian
IS_ARRAY, IS_SIGNED, IS_STRING, IS_DYNAMIC = 1, 4, 8, 16    # enum tep_format_flags
ELEMENT = 8                                 # bytes of the elements of all arrays here

TYPE = struct.Struct("<H")                  # the first field of all events
UNSIGNED = {1: "B", 2: "H", 4: "I", 8: "Q"}


class TraceError(Exception):
    """The trace is incomplete or malformed."""


class FormatField(ctypes.Structure):
    """struct tep_format_field"""
    _fields_ = [
        ("next", ctypes.c_void_p), ("event", ctypes.c_void_p), ("type", ctypes.c_char_p),
        ("name", ctypes.c_char_p), ("alias", ctypes.c_char_p), ("offset", ctypes.c_int),
        ("size", ctypes.c_int), ("arraylen", ctypes.c_uint), ("elementsize", ctypes.c_uint),
        ("flags", ctypes.c_ulong)]


def load_libtraceevent():
    lib = ctypes.CDLL("libtraceevent.so.1")
    pointer, string = ctypes.c_void_p, ctypes.c_char_p
    time = ctypes.POINTER(ctypes.c_ulonglong)
    for name, result, arguments in (
            ("tep_alloc", pointer, []),
            ("tep_parse_format", ctypes.c_int,
             [pointer, ctypes.POINTER(pointer), string, ctypes.c_ulong, string]),
            ("tep_find_any_field", ctypes.POINTER(FormatField), [pointer, string]),
            ("kbuffer_alloc", pointer, [ctypes.c_int, ctypes.c_int]),
            ("kbuffer_load_subbuffer", ctypes.c_int, [pointer, pointer]),
            ("kbuffer_subbuffer_size", ctypes.c_int, [pointer]),
            ("kbuffer_missed_events", ctypes.c_int, [pointer]),
            ("kbuffer_read_event", pointer, [pointer, time]),
            ("kbuffer_next_event", pointer, [pointer, time]),
            ("kbuffer_event_size", ctypes.c_int, [pointer])):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


LIB = load_libtraceevent()


#
# Formats
#

class Format:
    """The name of an event, and the place of each field in its data."""

    def __init__(self, name, event):
        self.name, self.event, self.fields = name, event, {}

    def field(self, name):
        """Return (offset, struct.Struct) of a field, or None if the event lacks the field.

        The Struct of a string unpacks the place of the string.
        """
        if name not in self.fields:
            found = LIB.tep_find_any_field(self.event, name.encode())
            self.fields[name] = self.unpacking(found[0]) if found else None
        return self.fields[name]

    @staticmethod
    def unpacking(field):
        if field.flags & IS_DYNAMIC:
            return field.offset, struct.Struct("<HH")
        if field.flags & IS_ARRAY:
            return field.offset, struct.Struct(f"<{field.size // ELEMENT}Q")
        letter = UNSIGNED[field.size]
        return field.offset, struct.Struct(
            "<" + (letter.lower() if field.flags & IS_SIGNED else letter))


class Event:
    """An event of a trace."""

    def __init__(self, cpu, time, event_format, data):
        self.cpu, self.time, self.format, self.data = cpu, time, event_format, data
        self.name = event_format.name if event_format else ""

    def has(self, name):
        return self.format.field(name) is not None

    def values(self, name):
        """Return a tuple with the value of a field, or with all values of an array."""
        field = self.format.field(name)
        if not field:
            raise TraceError(f"the event {self.name} has no field {name}")
        return field[1].unpack_from(self.data, field[0])

    def task(self):
        """Return the PID of the task that the event interrupted, or that caused the event."""
        return self.values("common_pid")[0]

    def get(self, *names):
        """Return the values of fields that are no arrays."""
        return [self.values(name)[0] for name in names]

    def string(self, name):
        at, size = self.values(name)
        return self.data[at:at + size].partition(b"\0")[0].decode()


def read_formats(path):
    """Return {ID: Format} of a file with the formats of several events."""
    with open(path, encoding="ascii") as file:
        texts = file.read().split("name: ")[1:]
    tep, formats = LIB.tep_alloc(), {}
    for text in texts:
        name, number = text.split("\n", 2)[:2]
        event, data = ctypes.c_void_p(), ("name: " + text).encode()
        if LIB.tep_parse_format(tep, ctypes.byref(event), data, len(data), b""):
            raise TraceError(f"{path}: libtraceevent does not know the format of {name}")
        formats[int(number.removeprefix("ID: "))] = Format(name, event)
    if not formats:
        raise TraceError(f"{path}: no formats")
    return formats


#
# Pages
#

def read_page(buffer, cpu, page, formats):
    """Yield the events of a page."""
    time = ctypes.c_ulonglong()
    LIB.kbuffer_load_subbuffer(buffer, page)
    if LIB.kbuffer_missed_events(buffer):
        raise TraceError(f"cpu{cpu}: the kernel lost events")
    if LIB.kbuffer_subbuffer_size(buffer) > PAGE - HEAD:
        raise TraceError(f"cpu{cpu}: a page has too many bytes")
    start, raw = ctypes.addressof(page), page.raw
    place = LIB.kbuffer_read_event(buffer, ctypes.byref(time))
    while place:
        size = LIB.kbuffer_event_size(buffer)
        data = raw[place - start:][:size]
        if len(data) != size:
            raise TraceError(f"cpu{cpu}: an event of {size} bytes is cut off")
        number, = TYPE.unpack_from(data)
        yield Event(cpu, time.value, formats.get(number), data)
        place = LIB.kbuffer_next_event(buffer, ctypes.byref(time))


def read_cpu(cpu, path, formats):
    """Yield the events of one CPU."""
    buffer = LIB.kbuffer_alloc(LONG_SIZE_8, LITTLE_ENDIAN)
    # libtraceevent reads two words of each event, and the last event may have one word
    page = ctypes.create_string_buffer(PAGE + HEAD)
    with open(path, "rb") as file:
        while got := file.readinto(memoryview(page)[:PAGE]):
            if got != PAGE:
                raise TraceError(f"{path}: ends within a page")
            yield from read_page(buffer, cpu, page, formats)


def read_trace(directory, counts):
    """Return the events in a directory, with the files cpuN and formats, in the order of time.

    Events of one CPU with the same time stay in their order. COUNTS has the number of events
    of each CPU.
    """
    formats, events = read_formats(os.path.join(directory, "formats")), []
    for cpu, counted in sorted(counts.items()):
        found = list(read_cpu(cpu, os.path.join(directory, f"cpu{cpu}"), formats))
        if len(found) != counted:
            raise TraceError(
                f"cpu{cpu}: {len(found)} events, the kernel counted {counted}")
        events += found
    return sorted(events, key=lambda event: event.time)
