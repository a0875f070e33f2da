#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Show the figures that a guest measured for `make bench-parallel`.

Usage:
  bench_parallel.py collect ROW ARCH KERNEL HOST-CPUS <VERDICT-LOG  print a result
  bench_parallel.py table RESULT                                    print it for people

See selftests/qemu/job-parallel and Documentation/benchmark.rst. A result is JSON. A figure
that is not in the log is an error, unless the log gives a reason.
"""

import statistics
import sys

from bench_common import Log, Result, die_of_usage, print_columns, ratio, relative, shown

WORKLOADS = ["hackbench", "dbench", "dd"]
CPUS = ["1", "2", "4"]

# Each mode with its description, in the order of the table
MODES = [
    ("none", "nothing is traced"),
    ("empty", "all functions call a callback that does nothing"),
    ("objtrace", "64 objects"),
    ("strict-bio", "64 objects, (bio) typed=strict"),
]
CALLS = [
    ("take-own", "none", "a function that is not traced"),
    ("take-own", "function-tracer", "the function tracer records it"),
    ("take-own", "objtrace", "every processor passes its own object"),
    ("take-shared", "objtrace", "all processors pass the same object"),
    ("add-own", "none", "another function that is not traced"),
    ("add-own", "kprobe", "a kprobe records it"),
    ("add-own", "objtrace", "every processor adds its own objects"),
    ("add-shared", "objtrace", "all processors add the same objects"),
]
# Ratios to one processor that two processors should reach, and the least and the most that is right
GOALS = [
    ("take-own", "function-tracer", 1.8, 2.1),
    ("take-own", "objtrace", 1.8, None),
    ("take-shared", "objtrace", 1.0, None),
]
COUNTS = ["calls", "loops", "loop_seconds", "loop_calls", "neighbours", "fentry"]


class ParallelResult(Result):
    """The figures of one boot: lists of values, by figure, mode and CPUs."""

    def values(self, what, mode, cpus):
        return self.figures.get(" ".join((what, mode, cpus)), [])

    def time(self, what, mode, cpus):
        """Return the shortest time: other work of the host can only make it longer."""
        return min(self.values(what, mode, cpus), default=None)

    def rate(self, what, mode, cpus):
        return statistics.median(self.values(what, mode, cpus))

    def spread(self, what, mode, cpus):
        """Return half of the distance between the quartiles, as a part of the median."""
        values = self.values(what, mode, cpus)
        if len(values) < 2:
            return 0
        quartiles = statistics.quantiles(values, n=4, method="inclusive")
        return (quartiles[2] - quartiles[0]) / 2 / self.rate(what, mode, cpus)

    def count(self, what):
        return max(self.values(what, "-", "-"), default=None)

    def times(self, what, mode, cpus):
        return ratio(self.time(what, mode, cpus), self.time(what, "none", cpus))

    def r(self, what, mode, cpus):
        return relative(*(self.time(what, m, cpus) for m in (mode, "none", "empty")))

    def missing(self):
        wanted = [(w, m, c) for w in WORKLOADS if not self.left_out(w)
                  for m, _ in MODES for c in CPUS]
        wanted += [(w, m, c) for w, m, _ in CALLS for c in CPUS]
        wanted += [(c, "-", "-") for c in COUNTS if not self.left_out(c)]
        return [" ".join(w) for w in wanted if not self.values(*w)]


def collect(facts, lines):
    log, figures = Log(lines, 3), {}
    for words, value in log.figures:
        figures.setdefault(" ".join(words), []).append(value)
    data = dict(zip(["row", "arch", "kernel", "host_cpus"], facts), figures=figures,
                left_out=log.left_out)
    ParallelResult(data).write()


def heads():
    return [""] + ["%s processor%s" % (c, "s" if c != "1" else "") for c in CPUS]


def print_workloads(result):
    for workload in WORKLOADS:
        if result.left_out(workload):
            continue
        print("%s: seconds, ratio to tracing nothing, and R, on" % workload)
        rows = [heads()]
        for mode, name in MODES:
            cells = []
            for cpus in CPUS:
                cell = shown(result.time(workload, mode, cpus), 2)
                if mode != "none":
                    cell += " %s" % shown(result.times(workload, mode, cpus), 2)
                    cell += " (%s)" % shown(result.r(workload, mode, cpus), 2)
                cells.append(cell)
            rows.append([name] + cells)
        print_columns(rows)


def print_calls(result):
    print("Thousands of calls per second, of all processors together: the median of the rounds,")
    print("half of the distance between its quartiles, and the ratio to one processor:")
    rows = [heads()]
    for what, mode, name in CALLS:
        one = result.rate(what, mode, "1")
        cells = []
        for cpus in CPUS:
            rate = result.rate(what, mode, cpus)
            cell = "%s +-%.0f%%" % (shown(rate / 1000), 100 * result.spread(what, mode, cpus))
            if cpus != "1":
                cell += " (%s)" % shown(ratio(rate, one), 2)
            cells.append(cell)
        rows.append([name] + cells)
    print_columns(rows)


def print_goals(result):
    names = {(what, mode): name for what, mode, name in CALLS}
    for what, mode, least, most in GOALS:
        times = ratio(result.rate(what, mode, "2"), result.rate(what, mode, "1"))
        met = least <= times and (most is None or times <= most)
        goal = "at least %s" % least if most is None else "%s to %s" % (least, most)
        print("%s: two processors make %s times the calls of one, the goal is %s: %s" %
              (names[what, mode], shown(times, 2), goal, "met" if met else "missed"))


def print_counts(result):
    print("Each of %s such calls was counted once, and has one record." %
          shown(sum(result.values("calls", "-", "-"))))
    counts = tuple(shown(result.count(c)) for c in COUNTS[1:])
    print("Armed and disarmed %s times in %s seconds, under load: %s calls, each with one" %
          counts[:3])
    print("record. Kprobes and tracers were set and removed %s times, and a BPF program %s times." %
          counts[3:])


def table(path):
    result = ParallelResult.read(path)
    data = result.data
    print("%s %s: Linux %s; %s processors, of QEMU, on a host with %s" % (
        data["row"], data["arch"], data["kernel"], CPUS[-1], data["host_cpus"]))
    result.print_left_out()
    print_workloads(result)
    print_calls(result)
    print_goals(result)
    print_counts(result)


def main(args):
    if len(args) == 5 and args[0] == "collect":
        collect(args[1:], sys.stdin)
    elif len(args) == 2 and args[0] == "table":
        table(args[1])
    else:
        die_of_usage()


if __name__ == "__main__":
    main(sys.argv[1:])
