#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write a trace of a workload "sample", with the functions of sample.c.

Usage: sample.py ABI DIR [MISTAKE]

DIR gets the files that test.d/workload.sh saves of a workload. The trace is right, except
for the MISTAKE, which is listed in test.sh.
"""

import os
import struct
import sys

OBJECTS = 24
MEMORY = 256            # bytes of an object
PAGE = 4096
PAGE_HEAD = 16
FULL_PAGE = 1500        # bytes: pages have few events, so that there are many pages
OTHERS = 0xffff000009000000     # objects of other workloads

# Types of events in the ring buffer that are no data
PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31


#
# The kernel
#

FUNCTIONS = ("ws_put ws_second ws_void ws_address ws_pair ws_large ws_print ws_nothing ws_twin "
             "ws_cloned ws_cloned.isra.0 ws_unknown ws_both ws_same").split()
ADDRESS = {name: 0xffff800081000000 + 0x100 * i for i, name in enumerate(FUNCTIONS)}
ADDRESS["ws_module"] = 0xffff80007a000000
ADDRESS["ws_put_inside"] = ADDRESS["ws_put"] + 0x40

PROBE_IP = ("unsigned long __probe_ip", "Q")

# The fields that follow the common ones: their declarations, and how to pack them
EVENTS = {
    "kmem_cache_alloc": (("const void * ptr", "Q"), ("size_t bytes_req", "Q"),
                         ("size_t bytes_alloc", "Q"), ("bool accounted", "B")),
    "kmem_cache_free": (("unsigned long call_site", "Q"), ("const void * ptr", "Q"),
                        ("__data_loc char[] name", "I")),
    "free_bulk": (PROBE_IP, ("u64 nr", "Q"), ("u64 ptr[64]", "64Q")),
    "free_nolock": (PROBE_IP, ("u64 ptr", "Q")),
    "free_sheaf": (PROBE_IP, ("u32 nr", "I"), ("u64 ptr[]", "64Q")),
    "around_rcu": (PROBE_IP, ("u64 ptr", "Q")),
    "gone_put": (PROBE_IP, ("u64 ptr", "Q")),
    "made_alloc": (("unsigned long __probe_func", "Q"), ("unsigned long __probe_ret_ip", "Q"),
                   ("u64 ptr", "Q")),
    "objtrace_add": (("unsigned long object", "Q"), ("unsigned long value", "Q"),
                     ("u64 id", "Q"), ("u32 btf", "I"), ("u32 enum_id", "I"),
                     ("u8 format", "B"), ("u8 fault", "B"), ("__data_loc char[] event", "I")),
    "objtrace_value": (("unsigned long ip", "Q"), ("unsigned long parent_ip", "Q"),
                       ("unsigned long object", "Q"), ("unsigned long value", "Q"),
                       ("u64 id", "Q"), ("u32 offset", "I"), ("u8 arg", "B"),
                       ("u8 unknown", "B")),
    "objtrace_del": (("unsigned long ip", "Q"), ("unsigned long object", "Q"),
                     ("unsigned long hits", "Q"), ("u64 id", "Q"), ("u64 age", "Q"),
                     ("u8 reason", "B")),
}
EVENT_IDS = {name: 300 + i for i, name in enumerate(sorted(EVENTS))}

# The probes on frees, each with its function
FREES = ("free_bulk kmem_cache_free_bulk", "free_nolock ws_void", "free_sheaf ws_sheaf",
         "around_rcu ws_callback")

COMMON_FIELDS = """\
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

"""


def round_up(number, to):
    return (number + to - 1) // to * to


def layout(name):
    """Return [(offset, size)] of the fields of an event, and the size of the event."""
    at, places = 8, []
    for _, code in EVENTS[name]:
        size = struct.calcsize("<" + code)
        at = round_up(at, min(size, 8))
        places.append((at, size))
        at += size
    return places, at


def event_format(name):
    fields = "".join(
        f"\tfield:{declaration};\toffset:{at};\tsize:{size};\tsigned:0;\n"
        for (declaration, _), (at, size) in zip(EVENTS[name], layout(name)[0]))
    return f"name: {name}\nID: {EVENT_IDS[name]}\nformat:\n{COMMON_FIELDS}{fields}\n" \
        'print fmt: ""\n\n'


def kallsyms():
    symbols = [(ADDRESS[name], "T" if "put" in name else "t", name) for name in FUNCTIONS]
    symbols += [(0xffff800082000000, "t", "ws_twin"), (0xffff800083000000, "d", "ws_second"),
                (ADDRESS["ws_put"] - 16, "t", "__pfx_ws_put"),
                (ADDRESS["ws_module"], "t", "ws_module\t[ws_mod]")]
    return "".join("%016x %s %s\n" % symbol for symbol in symbols)


#
# The ring buffer
#

class Buffer:
    """The pages of one CPU.

    data   the events of the current page
    start  the time of its first event, or None
    last   the time of the last event
    pages  the full pages
    count  the number of events on all pages
    """

    def __init__(self, mistake):
        self.data, self.start, self.last = b"", None, 0
        self.pages, self.count, self.mistake = [], 0, mistake

    def end_page(self):
        if self.start is None:
            return
        size = len(self.data)
        if self.mistake == "lost" and not self.pages:
            size |= 1 << 31
        page = struct.pack("<QQ", self.start, size) + self.data
        self.pages.append(page.ljust(PAGE, b"\0"))
        self.data, self.start = b"", None

    def add(self, data, time, nr_events):
        """Add an event. NR_EVENTS has the number of events of each CPU."""
        if len(self.data) > FULL_PAGE:
            if nr_events[0] % 2:
                # The last word of a page, which is too small for an event
                self.data += struct.pack("<I", PADDING)
            self.end_page()
        if self.start is None:
            self.start = self.last = time
        delta = self.before_event(time + 1, sum(nr_events) % 7)
        words = (len(data) + 3) // 4
        data = data.ljust(4 * words, b"\0")
        if words <= 28:
            self.data += struct.pack("<I", delta << 5 | words) + data
        else:
            self.data += struct.pack("<II", delta << 5, 4 + 4 * words) + data
        self.last = time + 1
        self.count += 1

    def before_event(self, time, kind):
        """Write a time stamp, a discarded event, or nothing before the next event.

        Return the time between the written entry and the next event. A discarded event takes
        one unit of time.
        """
        delta = time - self.last
        if kind == 3:
            self.data += struct.pack("<II", (delta & 0x7ffffff) << 5 | TIME_EXTEND, delta >> 27)
            return 0
        if kind == 5:
            self.data += struct.pack("<II", (time & 0x7ffffff) << 5 | TIME_STAMP, time >> 27)
            return 0
        if kind == 6:
            self.data += struct.pack("<II8x", 1 << 5 | PADDING, 12)
            return delta - 1
        return delta


class Trace:
    """The events of two CPUs."""

    def __init__(self, abi, mistake):
        self.abi, self.mistake = abi, mistake
        self.time = (1 << 30) - 50      # the delta of an event has 27 bits
        self.buffers = [Buffer(mistake), Buffer(mistake)]
        self.recorded, self.hits = 0, {}
        self.moved = None               # the CPU that the task of the next events comes from

    def event(self, cpu, name, *values):
        """Write an event. A value is a number, a list or a string. The last may be omitted.

        Each CPU has its own task, except for a task that moved to this CPU.
        """
        places, size = layout(name)
        data, strings = bytearray(size), b""
        struct.pack_into("<HBBi", data, 0, EVENT_IDS[name], 0, 0,
                         100 + (cpu if self.moved is None else self.moved))
        for (_, code), (at, _), value in zip(EVENTS[name], places, values):
            if isinstance(value, str):
                text = value.encode() + b"\0"
                value = len(text) << 16 | size + len(strings)
                strings += text
            if not isinstance(value, list):
                value = [value]
            struct.pack_into("<" + code, data, at, *value)
        nr_events = [buffer.count for buffer in self.buffers]
        self.buffers[cpu].add(bytes(data) + strings, self.time, nr_events)
        self.time += 1

    def value(self, cpu, function, arg, address, number, is_unknown=False):
        self.recorded += 1
        self.hits[number] = self.hits.get(number, 0) + 1
        # ftrace is called a little after the start of the function
        self.event(cpu, "objtrace_value", ADDRESS[function] + 4, 1, address, 0, number, 0, arg,
                   arg if is_unknown else 0)

    def add(self, cpu, address, number, added_by="workload:made_alloc"):
        self.event(cpu, "objtrace_add", address, 0, number, 0, 0, 0, 0, added_by)

    def delete(self, cpu, address, number):
        hits = self.hits.get(number, 0) + (self.mistake == "hits")
        self.event(cpu, "objtrace_del", 1, address, hits, number, 1000, 3)

    def alloc(self, cpu, address):
        self.event(cpu, "kmem_cache_alloc", address, MEMORY, MEMORY, 1)

    def free(self, cpu, address):
        self.event(cpu, "kmem_cache_free", 1, address, "cache")

    def large_register(self):
        """Return the register of the second argument of ws_large."""
        return 1 if self.abi == "x86_64" else 2

    def pass_around(self, cpu, address, number):
        """Pass the object to each function, in each register that can hold it."""
        calls = (("ws_put", 1), ("ws_second", 2), ("ws_void", 1), ("ws_address", 1),
                 ("ws_pair", 2), ("ws_pair", 3), ("ws_large", self.large_register()),
                 ("ws_print", 1), ("ws_module", 2), ("ws_module", 1), ("ws_cloned", 1),
                 ("ws_both", 1))
        for i, (function, arg) in enumerate(calls):
            self.value(cpu if i % 2 else 1 - cpu, function, arg, address, number)
        self.value(cpu, "ws_cloned.isra.0", 2, address, number, True)
        if number % 2:
            self.value(cpu, "ws_twin", 1, address, number, True)

    def wrong_record(self, address, number):
        """Write the wrong event of the mistake, if the mistake is a wrong event."""
        wrong = {
            "register": ("ws_put", 2), "number": ("ws_second", 1), "narrow": ("ws_address", 2),
            "abi": ("ws_large", 3 - self.large_register()), "half": ("ws_pair", 1),
            "rest": ("ws_print", 2), "nothing": ("ws_nothing", 1), "namesake": ("ws_same", 1),
            "twin": ("ws_twin", 1), "clone": ("ws_cloned.isra.0", 1),
            "unknown": ("ws_unknown", 1), "inside": ("ws_put_inside", 1),
        }.get(self.mistake)
        if wrong:
            self.value(0, *wrong, address, number)
        elif self.mistake == "stranger":
            self.value(0, "ws_put", 1, address, 999999)
        elif self.mistake == "meaning":
            self.value(0, "ws_put", 1, address + 64, number)
        elif self.mistake == "twice":
            self.add(0, address, number)
        elif self.mistake == "again":
            self.add(0, address, number + 3000)

    #
    # The ends of objects
    #

    def put_if(self, mistakes, cpu, address, number):
        """Write a record of ws_put after the end, if the mistake is one of these."""
        if self.mistake in mistakes.split():
            self.value(cpu, "ws_put", 1, address, number)

    def end_by_free(self, base, address, number):
        if self.mistake == "ended":
            self.delete(1, address, number)
        self.put_if("ended", 0, address, number)
        self.free(1, base)
        self.put_if("freed", 0, address, number)
        self.value(0, "ws_twin", 1, address, number, True)
        if self.mistake != "ended":
            self.delete(1, address, number)
        if self.mistake == "late":
            self.value(0, "ws_twin", 1, address, number, True)
        self.put_if("deleted", 0, address, number)
        if self.mistake == "deleted-twice":
            self.delete(1, address, number)

    def end_by_bulk(self, base, address, number):
        if self.mistake != "unseen":
            self.event(0, "free_bulk", 1, 3, [4096, 8192, base] + [0] * 61)
        if self.mistake not in ("bulk", "unseen"):
            self.delete(1, address, number)
        if self.mistake == "unseen":
            self.alloc(1, base)
        self.put_if("bulk unseen", 1, address, number)

    def end_by_put(self, base, address, number):
        """End the object by a put. The kernel keeps it, and it is used again with another ID."""
        self.event(0, "gone_put", 1, address)
        # The task may move to another CPU between the probe and the record
        if number % 12 < 6:
            self.moved = 0
            self.value(1, "ws_put", 1, address, number)
            self.moved = None
        else:
            self.value(int(self.mistake == "task"), "ws_put", 1, address, number)
        self.put_if("gone missed", 0, address, number)
        self.delete(0, address, number)
        self.event(1, "made_alloc", 1, 1, address)
        self.add(1, address, number + 1000)
        self.value(1, "ws_put", 1, address, number + 1000)
        if self.mistake == "made":
            self.event(1, "made_alloc", 1, 1, address)
        self.value(1, "ws_put", 1, address, number + 1000)
        self.free(0, base)
        if self.mistake == "dead":
            self.add(0, address, number + 2000, "workload:open")
        self.put_if("dead", 0, address, number + 2000)

    def end_by_sheaf(self, base, address, number):
        self.event(0, "free_sheaf", 1, 2, [8192, base] + [4096] * 62)
        self.put_if("sheaf", 0, address, number)
        self.delete(0, address, number)

    def end_by_rcu(self, base, address, number):
        self.event(1, "around_rcu", 1, base + MEMORY - 16)
        self.put_if("around", 0, address, number)
        self.delete(1, address, number)

    def end_by_nolock(self, base, address, number):
        self.event(0, "free_nolock", 1, base)
        if address == base and self.mistake != "unprobed":
            self.value(0, "ws_void", 1, address, number)
        if self.mistake == "nolock":
            self.value(0, "ws_void", 1, address, number)
        self.delete(0, address, number)

    #
    # The whole
    #

    def live(self, i):
        """Write the events of the object I, from its allocation to its end."""
        base, number = 0xffff000001000000 + 0x1000 * i, 100 + i
        # Some objects are a member in the middle of their memory
        address = base + (0 if i % 12 < 6 else 64)
        self.alloc(0, base)
        # The order of these two does not matter
        if i % 2:
            self.event(1, "made_alloc", 1, 1, address)
        self.add(1, address, number)
        if not i % 2:
            self.event(1, "made_alloc", 1, 1, address)
        if self.mistake != "few" or i < 3:
            self.pass_around(0, address, number)
            self.pass_around(1, address, number)
        if i == 5:
            self.wrong_record(address, number)
        ends = (self.end_by_free, self.end_by_bulk, self.end_by_put, self.end_by_sheaf,
                self.end_by_rcu, self.end_by_nolock)
        if self.mistake != "endless" or i < 9:
            ends[i % 6](base, address, number)

    def play(self):
        for i in range(7 if self.mistake == "objects" else OBJECTS):
            self.live(i)
        for i in range(1, 1 if self.mistake == "memory" else 61):
            self.alloc(i % 2, OTHERS + MEMORY * i)
            self.free(1, OTHERS + MEMORY * i)
        for buffer in self.buffers:
            buffer.end_page()
        if self.mistake == "cut":
            self.buffers[0].pages.pop()

    def manifest(self):
        tag = "ws_other" if self.mistake == "other" else "ws_object"
        offset = 16 if self.mistake == "layout" else 8
        absent = "ws_void" if self.mistake == "absent" else "ws_inlined"
        lines = [f"struct {tag}", f"cpu 0 {self.buffers[0].count}",
                 f"cpu 1 {self.buffers[1].count}", f"member free_sheaf ws_object next {offset}",
                 "member free_no ws_no next 4", "probe gone_put ws_put",
                 "probe made_alloc ws_alloc"]
        if self.mistake == "missed":
            lines.append("missed gone_put 2")
        lines += [f"absent gone_other {absent}", "absent late_other ws_put",
                  f"recorded {self.recorded + (self.mistake == 'unwritten')}"]
        if self.mistake != "unprobed":
            lines += [f"probe {probe}" for probe in FREES]
        return "".join(line + "\n" for line in lines)


def main(args):
    if len(args) not in (2, 3):
        sys.exit("usage: sample.py ABI DIR [MISTAKE]")
    abi, directory, mistake = (args + [""])[:3]
    trace = Trace(abi, mistake)
    trace.play()
    os.makedirs(os.path.join(directory, "sample"), exist_ok=True)
    files = {
        "kallsyms": kallsyms().encode(),
        "sample/formats": "".join(map(event_format, sorted(EVENTS))).encode(),
        "sample/cpu0": b"".join(trace.buffers[0].pages),
        "sample/cpu1": b"".join(trace.buffers[1].pages),
        "sample/manifest": trace.manifest().encode(),
    }
    for name, data in files.items():
        with open(os.path.join(directory, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main(sys.argv[1:])
