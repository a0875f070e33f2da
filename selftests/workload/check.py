#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Prove that the records of a workload are right.

Usage: check.py x86_64|arm64 BTF DIR WORKLOAD...

A record has two proofs. The kernel's BTF shows that the function receives an object in the
recorded register. The kernel's events show that the object with the recorded ID was alive. A
record with a question mark needs only the second proof, and is counted as marked.

BTF is the kernel's BTF. DIR is the directory that test.d/workload.sh saves: the BTF
of modules in btf/, kallsyms, and for each WORKLOAD a directory with its trace. The figures
go to DIR/report. The program prints "ok" or "not ok" for each WORKLOAD, and the wrong
records on stderr.
"""

import os
import re
import sys
from collections import Counter

import abi
from btf import Btf, BtfError
from lives import Lives
from ring_buffer import TraceError, read_trace
from symbols import Symbols, SymbolsError

# The least contents of a trace: a trace with less proves nothing
LEAST_OBJECTS = 10
LEAST_RECORDS = 200
LEAST_MEMORY = 100      # events on memory
LEAST_ENDS = 0.5        # of the objects must be seen to end

MOST_COMPLAINTS = 20    # on stderr
MOST_NAMES = 4          # in a result

# The slab events, and the events of the network. Probes are handled in check_probe().
MEMORY_FREED = {"kfree": "ptr", "kmem_cache_free": "ptr"}
MEMORY_GIVEN = {"kmalloc": "ptr", "kmem_cache_alloc": "ptr"}
OBJECT_GONE = {"kfree_skb": "skbaddr", "consume_skb": "skbaddr"}
PROBES = ("free_", "around_", "gone_", "made_", "late_")


class Unproved(Exception):
    """The reason why a record is not proved."""


class Kernel:
    """The functions of the kernel and of its modules."""

    def __init__(self, abi_name, path, directory):
        self.abi, self.path, self.directory = abi_name, path, directory
        self.symbols, self.btf, self.holds = None, {}, {}

    def load(self):
        """Load the kernel's BTF and symbols once. btf_of() loads the BTF of a module."""
        if not self.symbols:
            self.btf[""] = Btf(self.path)
            self.symbols = Symbols(os.path.join(self.directory, "kallsyms"))

    def btf_of(self, module):
        path = os.path.join(self.directory, "btf", module)
        if module not in self.btf:
            self.btf[module] = Btf(path, self.btf[""]) if os.path.exists(path) else None
        return self.btf[module]

    def names_at(self, location):
        return [name for name, _ in self.symbols.functions_at(location)]

    def held_by_prototype(self, function, name, register):
        """Return the type of the argument in a register of a function, counted from 1."""
        call = abi.registers_of(function.btf, function, self.abi)
        if not call:
            raise Unproved(f"the registers of {name} are unknown")
        held = call.holds.get(register - 1, "")
        if held:
            return held
        if call.variable is not None and register > call.variable:
            raise Unproved(f'register {register} of {name} belongs to its "..."')
        raise Unproved(f"{name} receives no object in register {register}")

    def held_by_function(self, name, module, register):
        """Return the type of the argument in a register of the function with this name.

        BTF can have several functions with one name, if the compiler inlined all but one. The
        proof is good if all of them receive an object in the register.
        """
        where = module or "the kernel"
        types = self.btf_of(module)
        if not types:
            raise Unproved(f"{module} has no BTF")
        functions = types.functions().get(name)
        if not functions:
            raise Unproved(f"the BTF of {where} has no {name}")
        if self.symbols.count(name, module) > 1:
            raise Unproved(f"{where} has several functions called {name}")
        return [self.held_by_prototype(function, name, register) for function in functions][-1]

    def prove(self, location, register):
        """Return (type or None, reason or None) for the function at a location.

        A function can have several names. One of them must prove the argument.
        """
        key = location, register
        if key not in self.holds:
            self.holds[key] = None, f"no function begins at {location:#x}"
            for name, module in self.symbols.functions_at(location):
                try:
                    self.holds[key] = self.held_by_function(name, module, register), None
                    break
                except Unproved as why:
                    self.holds[key] = None, str(why)
        return self.holds[key]

    def check_probes(self, manifest):
        """Check that each function of the kernel has its probe, with the right offsets."""
        for probe, function in sorted(manifest.absent.items()):
            if not probe.startswith("late_") and self.symbols.count(function, ""):
                raise TraceError(f"{function}() has no probe, but the kernel has it")
        for probe, tag, name, offset in manifest.members:
            if probe not in manifest.probes:
                continue
            found = abi.offset_of(self.btf[""], tag, name)
            if found != int(offset):
                found = "nowhere" if found is None else found
                raise TraceError(
                    f"{name} is at {found} in struct {tag}, but {probe} uses {offset}")


class Manifest:
    """The lines of the file that a guest writes, see test.d/workload.sh."""

    LINES = {key: re.compile(pattern) for key, pattern in (
        ("struct", r"(\w+)"), ("recorded", r"(\d+)"), ("cpu", r"(\d+) (\d+)"),
        ("probe", r"(\w+) (\w+)"), ("absent", r"(\w+) (\w+)"), ("missed", r"(\w+) (\d+)"),
        ("member", r"(\w+) (\w+) (\w+) (\d+)"))}

    def __init__(self, path):
        found = {key: [] for key in self.LINES}
        with open(path, encoding="ascii") as file:
            for line in file:
                key, _, rest = line.rstrip("\n").partition(" ")
                if key in found and (match := self.LINES[key].fullmatch(rest)):
                    found[key].append(match.groups())
        if not found["struct"] or not found["cpu"] or not found["recorded"]:
            raise TraceError(f"{path}: incomplete")
        self.struct, self.recorded = found["struct"][-1][0], int(found["recorded"][-1][0])
        self.cpus = {int(cpu): int(events) for cpu, events in found["cpu"]}
        self.probes, self.absent = dict(found["probe"]), dict(found["absent"])
        self.missed = {probe: int(hits) for probe, hits in found["missed"]}
        self.members = found["member"]


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "0 %"


def by_count(counts):
    """Return "NAME COUNT" texts, the highest count first."""
    items = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{name} {count}" for name, count in items]


class Trace:
    """The findings on one trace.

    false    number of wrong unmarked records, by reason
    late     number of wrong marked records and other wrong events, by reason
    marked   number of marked records, by function
    holds    number of unmarked records, by type of the argument
    unseen   number of freed objects whose addresses the probes do not record
    """

    def __init__(self, kernel, name):
        self.kernel, self.name = kernel, name
        self.false, self.late, self.marked, self.holds = (Counter() for _ in range(4))
        self.records = self.unmarked = self.unseen = self.late_frees = self.complaints = 0
        self.lives = Lives()
        directory = os.path.join(kernel.directory, name)
        self.manifest = Manifest(os.path.join(directory, "manifest"))
        kernel.load()
        kernel.check_probes(self.manifest)
        for event in read_trace(directory, self.manifest.cpus):
            self.check_event(event)
        for number, life in self.lives.miscounted():
            self.complain(self.late, "not all hits are in the trace",
                          f"id:{number} has {life.hits} hits and {life.records} records")

    def complain(self, counts, why, text):
        counts[why] += 1
        self.complaints += 1
        if self.complaints <= MOST_COMPLAINTS:
            print(f"{self.name}: {text}: {why}", file=sys.stderr)

    def check_value(self, event):
        location, address, number, register, unknown = \
            event.get("ip", "object", "id", "arg", "unknown")
        names = self.kernel.names_at(location)
        name = names[0] if names else f"{location:#x}"
        why = self.lives.recorded(event, number, address, names, self.manifest.probes, unknown)
        self.records += 1
        if unknown:
            self.marked[name] += 1
            if why:
                self.complain(self.late, why, f"a marked record of {name}, id:{number}")
            return
        self.unmarked += 1
        held, unproved = self.kernel.prove(location, register)
        if held:
            self.holds[held] += 1
        if why or unproved:
            self.complain(self.false, why or unproved,
                          f"{name} object:{address:#x} id:{number} arg{register}")

    def check_add(self, event):
        number, address = event.get("id", "object")
        why = self.lives.added(event, number, address, event.string("event"))
        if why:
            self.complain(self.late, why, f"objtrace_add id:{number}")

    def check_del(self, event):
        number, address, hits = event.get("id", "object", "hits")
        why = self.lives.deleted(number, address, hits)
        if why:
            self.complain(self.late, why, f"objtrace_del id:{number}")

    def check_probe(self, event):
        """Check an event of a probe. test.d/workload.sh explains the names of the probes.

        A probe on a function that frees several objects has their number in nr. The field
        ptr has the first of these objects.
        """
        objects = event.values("ptr")
        number = event.get("nr")[0] if event.has("nr") else 1
        self.unseen += max(0, number - len(objects))
        for address in objects[:number]:
            self.check_object(event, address)

    def check_object(self, event, address):
        lives, name = self.lives, event.name
        if name.startswith("free_"):
            lives.memory_freed(event, address)
        elif name.startswith("gone_"):
            lives.object_gone(event, address)
        elif name.startswith("made_"):
            lives.object_made(event, address)
        elif name.startswith("around_"):
            if not lives.memory_around_freed(event, address):
                self.unseen += 1
        else:
            # Until the grace period ends, a task may use the object under RCU
            self.late_frees += len(lives.ids_at(address))

    def check_event(self, event):
        name, lives = event.name, self.lives
        if name == "objtrace_value":
            self.check_value(event)
        elif name in MEMORY_FREED:
            lives.memory_freed(event, *event.get(MEMORY_FREED[name]))
        elif name in MEMORY_GIVEN:
            lives.memory_given(event, *event.get(MEMORY_GIVEN[name], "bytes_alloc"))
        elif name in OBJECT_GONE:
            lives.object_gone(event, *event.get(OBJECT_GONE[name]))
        elif name == "objtrace_add":
            self.check_add(event)
        elif name == "objtrace_del":
            self.check_del(event)
        elif name.startswith(PROBES):
            self.check_probe(event)

    #
    # The verdict
    #

    def nr_marked(self):
        return sum(self.marked.values())

    def lacks(self):
        """Return the reason if the trace is too short to prove anything, or None."""
        lives = self.lives.all.values()
        objects, ends = len(lives), sum(life.is_seen for life in lives)
        wanted, recorded = self.manifest.struct, self.manifest.recorded
        if self.records < recorded:
            return f"{recorded} records were written, {self.records} are in the trace"
        if objects < LEAST_OBJECTS:
            return f"only {objects} objects were added"
        if self.unmarked < LEAST_RECORDS:
            return f"only {self.unmarked} records"
        if not self.holds[f"struct {wanted} *"]:
            return f"no function takes a struct {wanted} *"
        if self.lives.events < LEAST_MEMORY:
            return f"only {self.lives.events} slab events and probes"
        if ends < LEAST_ENDS * objects:
            return f"only {ends} of {objects} objects were seen to end"
        if not any(probe.startswith("free_") for probe in self.manifest.probes):
            return "no probe is on the frees that have no tracepoint"
        return None

    def verdict(self):
        """Return the reason if the trace is wrong, or None."""
        false, late = sum(self.false.values()), sum(self.late.values())
        missed = sum(self.manifest.missed.values())
        if false:
            return f"{false} of {self.unmarked} unmarked records are not proved" + \
                (f", but the kernel missed {missed} hits of probes" if missed else "")
        if late:
            return f"{late} marked records or other events are wrong"
        return self.lacks()

    def summary(self):
        marked, names = self.nr_marked(), by_count(self.marked)
        if len(names) > MOST_NAMES:
            names[MOST_NAMES:] = ["..."]
        return f"{len(self.lives.all)} objects, {self.unmarked} unmarked records proved " \
            f"right, {marked} marked ({percent(marked, self.records)})" + \
            (": " + ", ".join(names) if names else "")

    def report(self):
        lives = self.lives.all.values()
        marked, seen = self.nr_marked(), [life for life in lives if life.is_seen]
        lines = [
            f"objects: {len(lives)}",
            "  with a recorded allocation: "
            f"{sum(life.base is not None for life in lives)}",
            f"  with a recorded end: {len(seen)}",
            f"  of these, without objtrace_del: {sum(not life.is_deleted for life in seen)}",
            f"records: {self.records}",
            f"  unmarked: {self.unmarked}",
            f"  false among them: {sum(self.false.values())}",
            f"  marked: {marked} ({percent(marked, self.records)})",
            f"marked, by function: {', '.join(by_count(self.marked))}",
            f"unmarked, by type of the argument: {', '.join(by_count(self.holds))}",
            f"slab events and probes: {self.lives.events}",
            f"freed objects without a recorded address: {self.unseen}",
            f"hits of probes that the kernel missed: {', '.join(by_count(self.manifest.missed))}",
            f"objects freed after a grace period: {self.late_frees}",
            f"probes: {' '.join(sorted(self.manifest.probes))}"]
        lines += [f"wrong: {why}" for why in by_count(self.false) + by_count(self.late)]
        return f"{self.name}\n" + "".join(f"  {line}\n" for line in lines)


def check_workload(kernel, name, report):
    """Print the result of one workload. Returns its Trace if it is good."""
    try:
        trace = Trace(kernel, name)
        report.write(trace.report())
        why = trace.verdict()
    except OSError as error:
        why = f"{error.filename}: {error.strerror}"
    except (BtfError, SymbolsError, TraceError) as error:
        why = str(error)
    if why:
        print(f"not ok workload {name}: {why}")
        return None
    print(f"ok workload {name}: {trace.summary()}")
    return trace


def main(args):
    if len(args) < 4 or args[0] not in abi.REGISTERS:
        sys.exit("usage: check.py x86_64|arm64 BTF DIR WORKLOAD...")
    kernel, names = Kernel(*args[:3]), args[3:]
    with open(os.path.join(kernel.directory, "report"), "w", encoding="ascii") as report:
        good = [trace for name in names if (trace := check_workload(kernel, name, report))]
        records = sum(trace.records for trace in good)
        marked = sum(trace.nr_marked() for trace in good)
        report.write(f"all: {records} records, {marked} marked ({percent(marked, records)})\n")
    return len(good) != len(names)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
