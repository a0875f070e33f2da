#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Show and judge the figures that a guest measured for `make bench`.

Usage:
  bench.py collect ROW ARCH KERNEL COMPILER QEMU [MODE...] <VERDICT-LOG  print a result
  bench.py table RESULT BUDGETS           print it for people
  bench.py plot RESULT DIR                print a gnuplot script
  bench.py baseline RESULT...             print a baseline
  bench.py check BASELINE BUDGETS RESULT  print "ok" and "not ok" lines

See selftests/qemu/job-bench and Documentation/benchmark.rst. A result is JSON. With MODEs,
the guest measures only these modes, and the budgets of other modes are ignored. A missing
figure is an error, unless the log gives a reason. Complaints go to stderr.
"""

import fnmatch
import sys

from bench_common import (
    Log, Result, die, die_of_usage, is_number, print_columns, ratio, relative, shown)

WORKLOADS = ["getppid", "stat", "pread", "pipe"]
ALL_WORKLOADS = WORKLOADS + ["read"]
OBJECTS = [1, 64, 4096, 65536]
VERSIONS = ["kernel", "compiler", "qemu"]

# The allowed increase of a figure over its baseline
TOLERANCE = 0.03
# A further allowance for arming, in instructions. Arming waits for grace periods, and the
# kernel's work during a grace period depends on its ticks. 6 million more were seen.
ARMING_TOLERANCE = 8e6

# These modes do not measure objtrace: they are not compared with the baseline
REFERENCES = ["none", "none-again", "empty", "linear", "function-tracer", "tracer-off",
              "traced", "bpf-file"]
# The workloads of these modes are not compared either. Each boot has other addresses, and so
# many objects can have the hash of a pointer that a workload passes, in each set: see "Traps"
# in Documentation/benchmark.rst. The mode objects-1 runs the same code.
COLLIDING = ["objects-4096", "objects-65536"]
# Other figures are not costs, or depend on how long the kernel waits for something
COSTS = ALL_WORKLOADS + ["arm", "arm-first", "add", "take", "store", "life", "memory"]

# The modes of a call that receives an object, of a store to an object, and of its whole life
TAKEN = ["none", "function-tracer", "objtrace", "changes", "returns"]
STORED = ["none", "watch"]
LIVED = ["rejected", "objtrace"]

# The modes of a real read: its bio is tracked or not
FOLLOWED = ["rejected", "followed", "followed-untyped", "traced"]

# The ways in which a traced function calls objtrace, as in the file stats
PATHS = ["trampoline", "direct_call", "callback"]

# Each mode with its description, in the order of the table
MODES = [
    ("none", "nothing is traced"),
    ("empty", "all functions call a callback that does nothing"),
    ("linear", "as proposed in 2022: 5 objects, one by one"),
    ("function-tracer", "the kernel's function tracer"),
    ("tracer-off", "the function tracer, tracing_on=0"),
    ("objects-1", "1 object"),
    ("objects-64", "64 objects"),
    ("objects-4096", "4096 objects"),
    ("objects-65536", "65536 objects"),
    ("beside-tracer", "64 objects, with tracer-off"),
    ("callbacks", "64 objects, C callbacks (trampoline=0)"),
    ("typed-file", "64 objects, (file) typed"),
    ("typed-bio", "64 objects, (bio) typed"),
    ("typed-sk_buff", "64 objects, (sk_buff) typed"),
    ("strict-file", "64 objects, (file) typed=strict"),
    ("strict-bio", "64 objects, (bio) typed=strict"),
    ("strict-sk_buff", "64 objects, (sk_buff) typed=strict"),
    ("bpf-file", "64 objects, struct file *, BPF kprobe.multi"),
]


#
# Results
#

class ModeResult(Result):
    """The figures of one boot: lists of values, by figure and mode."""

    def name(self):
        return "%s %s" % (self.data["row"], self.data["arch"])

    def value(self, what, mode):
        """Return the lowest measured value, or None.

        An object can collide in a filter with a pointer that functions receive all the
        time. So the best of several sets of objects shows the cost of the code."""
        values = self.figures.get(what, {}).get(mode)
        return min(values) if values else None

    def worst(self, what, mode):
        values = self.figures.get(what, {}).get(mode)
        return max(values) if values else None

    def none(self, workload):
        """Return the cost without tracing: the higher value of before and after.

        Some system calls stay slower after tracing."""
        values = [self.value(workload, m) for m in ("none", "none-again")]
        values = [v for v in values if v is not None]
        return max(values) if values else None

    def relative(self, workload, value):
        return relative(value, self.none(workload), self.value(workload, "empty"))

    def r(self, workload, mode):
        return self.relative(workload, self.value(workload, mode))

    def arming(self, mode):
        """Return the cost of arming, relative to registering the empty callback."""
        return ratio(self.value("arm", mode), self.value("arm", "empty"))

    def elapsed(self, mode):
        """Return the time that arming takes, or the first arming if there was only one."""
        return self.value("arm-time", mode) or self.value("arm-first-time", mode)

    def added(self, what, mode, base="none"):
        """Return the cost that a mode adds to one call or store, in instructions."""
        value, none = self.value(what, mode), self.value(what, base)
        return None if None in (value, none) else value - none

    def record(self, mode):
        """Return the cost of recording one call of a function, in instructions."""
        return self.added("take", mode)

    def life(self):
        """Return the cost of adding and ending an object without records, in instructions."""
        return self.added("life", "objtrace", "rejected")

    def records(self):
        return ratio(self.record("objtrace"), self.record("function-tracer"))

    def per_record(self, mode, base):
        """Return the cost of adding, recording and ending the bio of a read, per record."""
        value, without = self.value("read", mode), self.value("read", base)
        if None in (value, without):
            return None
        return ratio(value - without, self.value("records", mode))

    def memory(self):
        """Return the memory of the filters and of the knowledge about functions."""
        values = [self.value("memory", m) for m in ("filters", "knowledge")]
        return None if None in values else sum(values)

    def to_measure(self):
        """Yield (figure, mode) of each figure that the result must have."""
        chosen = self.data["modes"] or [m for m, _ in MODES] + ["take", "followed"]
        chosen = [m for m in chosen if not self.left_out(m)]
        for workload in [w for w in ALL_WORKLOADS if not self.left_out(w)]:
            for mode in ["none", "none-again"] + [m for m, _ in MODES if m in chosen]:
                yield workload, mode
        if "take" in chosen:
            for mode in TAKEN:
                yield "take", mode
            for mode in STORED:
                yield "store", mode
            for mode in LIVED:
                yield "life", mode
        if "followed" in chosen and not self.left_out("read"):
            for mode in FOLLOWED:
                yield "read", mode
                yield "records", mode
        yield from (("memory", "filters"), ("memory", "knowledge"), ("table", "objtrace"))

    def missing(self):
        return sorted({"%s %s" % pair for pair in self.to_measure()
                       if self.value(*pair) is None})

    def modes(self):
        """Return the modes in which a workload ran, with their descriptions."""
        return [m for m in MODES if any(self.value(w, m[0]) is not None for w in ALL_WORKLOADS)]


def collect(facts, lines):
    log, figures = Log(lines, 2), {}
    for (what, mode), value in log.figures:
        figures.setdefault(what, {}).setdefault(mode, []).append(value)
    if not figures:
        die("the guest measured nothing")
    data = dict(zip(["row", "arch"] + VERSIONS, facts), modes=facts[5:], figures=figures,
                stats=log.stats, left_out=log.left_out)
    ModeResult(data).write()


#
# The table
#

def millions(value):
    return shown(None if value is None else value / 1e6, 1)


def cell(result, workload, mode):
    """Return a value with its R, and the R of the worst set of objects if it differs."""
    value = result.value(workload, mode)
    r = result.r(workload, mode)
    if value is None or r is None or mode == "none":
        return shown(value)
    worst = result.relative(workload, result.worst(workload, mode))
    if worst - r >= 0.01:
        return "%s (%s-%s)" % (shown(value), shown(r, 2), shown(worst, 2))
    return "%s (%s)" % (shown(value), shown(r, 2))


def print_workloads(result):
    rows = [["mode"] + ALL_WORKLOADS]
    for mode, what in result.modes():
        rows.append([what] + [cell(result, w, mode) for w in ALL_WORKLOADS])
    print("Instructions per operation, and R:")
    print_columns(rows)


def print_modes(result):
    rows = [["mode", "functions", "first arming", "arming", "times empty", "elapsed",
             "disarming", "adding one"]]
    for mode, name in result.modes():
        if any(result.value(what, mode) is not None for what in ("arm", "arm-first")):
            rows.append([name, shown(result.value("functions", mode)),
                         millions(result.value("arm-first", mode)),
                         millions(result.value("arm", mode)),
                         shown(result.arming(mode), 2), millions(result.elapsed(mode)),
                         millions(result.value("disarm", mode)),
                         shown(result.value("add", mode))])
    print("Traced functions; millions of instructions to arm them; the elapsed time of arming")
    print("and of disarming, where an idle nanosecond counts as an instruction; instructions to")
    print("add an object:")
    print_columns(rows)


def print_records(result):
    print("Instructions for a record, in a function that only the benchmark calls:")
    print("  objtrace %s, the function tracer %s: %s times" % (
        shown(result.record("objtrace")), shown(result.record("function-tracer")),
        shown(result.records(), 2)))
    print("The same call with an option, while the value stays the same; a store to the member,")
    print("without the processor's part of the exception:")
    print("  changes %s, returns %s with its record; watch %s with its record" % (
        shown(result.record("changes")), shown(result.record("returns")),
        shown(result.added("store", "watch"))))
    print("An object is added and ends, with two records that are lost: %s instructions" %
          shown(result.life()))
    if result.value("records", "followed") is None:
        return
    rows = [["a read of 4 KiB", "instructions", "records", "per record"]]
    for mode, base, what in [
            ("none", None, "nothing is traced"),
            ("rejected", None, "typed=strict, no bio is added"),
            ("followed", "rejected", "typed=strict, its bio is followed"),
            ("followed-untyped", "objects-1", "its bio is followed, untyped"),
            ("traced", "none", "function tracer, on the functions that got it")]:
        rows.append([what, shown(result.value("read", mode)),
                     shown(result.value("records", mode), 1),
                     shown(result.per_record(mode, base), 0) if base else "-"])
    print_columns(rows)


def print_paths(result):
    rows = [["mode", "trampoline", "direct call", "callback", "filter bytes", "in use"]]
    for mode, name in result.modes():
        if any(result.value("calls-" + path, mode) for path in PATHS):
            rows.append([name] + [shown(result.value("calls-" + path, mode)) for path in PATHS] +
                        [shown(result.value(what, mode)) for what in ("asked", "marked")])
    print("The code that the functions call; bytes of the first filter, and bytes in use:")
    print_columns(rows)


def print_memory(result):
    print("Memory in KiB: filters %s, knowledge of functions %s, together %s; module %s" % tuple(
        shown(None if v is None else v / 1024) for v in (
            result.value("memory", "filters"), result.value("memory", "knowledge"),
            result.memory(), result.value("memory", "module"))))
    print("Table: %s bytes for each object" % shown(result.value("table", "objtrace"), 1))


def print_budgets(result, path):
    verdict = Verdict(result, read_budgets(path))
    print("Budgets: " + verdict.summary())
    for line in verdict.missed + verdict.known + verdict.stale:
        print("  " + line)


def table(path, budgets):
    result = ModeResult.read(path)
    print("%s: Linux %s, %s, QEMU %s" % (result.name(), result.data["kernel"],
                                         result.data["compiler"], result.data["qemu"]))
    result.print_left_out()
    print_workloads(result)
    print_modes(result)
    print_paths(result)
    print_records(result)
    print_memory(result)
    print_budgets(result, budgets)


#
# Plots
#

def plot_one(result, workload, directory):
    points = []
    for number in OBJECTS:
        mode = "objects-%d" % number
        r = result.r(workload, mode)
        if r is not None:
            worst = result.relative(workload, result.worst(workload, mode))
            points.append("%d %.4f %.4f" % (number, r, worst))
    if not points:
        return
    row, arch = result.data["row"], result.data["arch"]
    print("set output '%s/%s-%s-%s.svg'" % (directory, row, arch, workload))
    print("set title '%s: %s, Linux %s'" % (workload, arch, result.data["kernel"]))
    print("$data << EOD\n%s\nEOD" % "\n".join(points))
    print("plot $data using 1:2 with linespoints title 'R', \\")
    print("\t$data using 1:3 with linespoints title 'R, worst set of objects', \\")
    print("\t1 with lines title 'empty callback'")


def plot(path, directory):
    result = ModeResult.read(path)
    print("set terminal svg noenhanced size 640,400 dynamic background 'white'")
    print("set logscale x 2\nset xrange [0.7:100000]\nset yrange [0:*]")
    print("set xtics (%s)" % ", ".join(str(n) for n in OBJECTS))
    print("set xlabel 'objects'\nset ylabel 'R'\nset key top left\nset grid")
    for workload in ALL_WORKLOADS:
        plot_one(result, workload, directory)


#
# Baseline
#

def is_compared(what, mode):
    """Return true if the baseline has this figure.

    A few objects are added so quickly that one tick of the kernel changes the result.
    """
    if what in ALL_WORKLOADS and mode in COLLIDING:
        return False
    return what in COSTS and mode not in REFERENCES and \
        (what != "add" or mode == "objects-4096")


def baseline(paths):
    print("# SPDX-License-Identifier: GPL-2.0-only\n#")
    print("# The baseline of make bench-check, in instructions or bytes. Written by")
    print("# make bench-baseline, never by hand.\n#")
    print("# arch what mode value")
    for path in paths:
        result = ModeResult.read(path)
        arch = result.data["arch"]
        for name in VERSIONS:
            print(arch, "version", name, result.data[name])
        for what in COSTS:
            for mode in sorted(result.figures.get(what, {})):
                if is_compared(what, mode):
                    print(arch, what, mode, "%.2f" % result.value(what, mode))


def table_lines(path):
    with open(path, encoding="utf-8") as f:
        return [line.split() for line in f if line.strip() and not line.startswith("#")]


def read_baseline(path, arch):
    versions, figures = {}, {}
    try:
        lines = table_lines(path)
    except FileNotFoundError:
        lines = []
    for words in lines:
        if words[0] != arch:
            continue
        if words[1] == "version":
            versions[words[2]] = " ".join(words[3:])
        else:
            figures[words[1], words[2]] = float(words[3])
    return versions, figures


class Report:
    """Print one line for each check, and complaints."""

    def __init__(self):
        self.failed = False

    def complain(self, complaints):
        for complaint in complaints:
            print(complaint, file=sys.stderr)

    def result(self, complaints, name):
        self.complain(complaints)
        print("not ok" if complaints else "ok", name)
        self.failed |= bool(complaints)


def worst(what, before):
    """Return the highest figure that passes as equal to the baseline."""
    slack = ARMING_TOLERANCE if what in ("arm", "arm-first") else 0
    return before * (1 + TOLERANCE) + slack


def compare(result, figures):
    """Return complaints, and the number of figures that are better than the baseline."""
    complaints, better = [], 0
    for (what, mode), before in sorted(figures.items()):
        now = result.value(what, mode)
        if now is None:
            complaints.append("%s %s was not measured" % (what, mode))
        elif now > worst(what, before):
            complaints.append("%s %s: %.2f, the baseline is %.2f: %.1f %% more" %
                              (what, mode, now, before, (now / before - 1) * 100))
        elif now < before * (1 - TOLERANCE):
            better += 1
    return complaints, better


def check_baseline(result, path, report):
    """Return true if the baseline is for the same versions."""
    versions, figures = read_baseline(path, result.data["arch"])
    if not figures:
        report.result(["no baseline for %s in %s: make bench-baseline writes it" %
                       (result.data["arch"], path)], "there is a baseline")
        return False
    differ = ["%s %s" % (v, versions.get(v)) for v in VERSIONS
              if versions.get(v) != result.data[v]]
    if differ:
        report.result([], "the baseline is for other versions, not compared: " + ", ".join(differ))
        return False
    complaints, better = compare(result, figures)
    name = "%d figures are at most %.0f %% above the baseline" % (len(figures), TOLERANCE * 100)
    if better:
        name += ", %d are lower by more than that: run make bench-baseline" % better
    report.result(complaints, name)
    return True


#
# Budgets
#

class Budget:
    """One line of the table of budgets."""

    def __init__(self, words):
        if len(words) != 7 or not is_number(words[5]) or \
                not (words[6] == "-" or is_number(words[6])):
            die("invalid budget: " + " ".join(words))
        self.series, self.arch, self.figure, self.mode, self.workload = words[:5]
        self.limit, self.text = float(words[5]), words[5]
        self.reached = None if words[6] == "-" else float(words[6])
        if not self.is_for_something():
            die("a budget for an unknown figure: " + " ".join(words))

    def is_for_something(self):
        modes = [m for m, _ in MODES]
        if self.figure == "R":
            return self.mode in modes and fnmatch.filter(WORKLOADS, self.workload)
        return self.workload == "-" and self.mode in {
            "arm": modes, "record": ["take"], "life": ["take"], "table": ["-"],
            "memory": ["-"],
        }.get(self.figure, [])

    def is_for(self, result):
        modes = result.data["modes"]
        return self.arch == result.data["arch"] and \
            result.data["kernel"].startswith(self.series + ".") and \
            (not modes or self.mode == "-" or self.mode in modes)

    def values(self, result):
        """Yield (name, value) of each figure that the budget limits."""
        if self.figure == "R":
            for workload in fnmatch.filter(WORKLOADS, self.workload):
                yield "R of %s, %s" % (workload, self.mode), result.r(workload, self.mode)
        elif self.figure == "arm":
            yield "arming %s, times empty" % self.mode, result.arming(self.mode)
        elif self.figure == "record":
            yield "a record, times the function tracer's", result.records()
        elif self.figure == "life":
            yield "adding and ending an object", result.life()
        elif self.figure == "table":
            yield "bytes of the table for each object", result.value("table", "objtrace")
        elif self.figure == "memory":
            yield "bytes of filters and knowledge", result.memory()


def read_budgets(path):
    return [Budget(words) for words in table_lines(path)]


class Verdict:
    """The results of the budgets. If two budgets limit one figure, the first counts."""

    def __init__(self, result, budgets):
        self.seen, self.missed, self.known, self.stale = set(), [], [], []
        for budget in budgets:
            if budget.is_for(result):
                for name, value in budget.values(result):
                    self.judge(budget, name, value)

    def judge(self, budget, name, value):
        if name in self.seen:
            return
        self.seen.add(name)
        line = "%s: %s, the budget is %s" % (
            name, "not measured" if value is None else shown(value, 3), budget.text)
        if budget.reached is not None:
            line += ", %s is known" % shown(budget.reached, 3)
        if value is not None and value <= budget.limit:
            if budget.reached is not None:
                self.stale.append(line)
        elif value is None or budget.reached is None or \
                value > budget.reached * (1 + TOLERANCE):
            self.missed.append(line)
        else:
            self.known.append(line)

    def summary(self):
        nr, missed = len(self.seen), len(self.missed) + len(self.known)
        if not nr:
            return "none for this kernel"
        text = "%d of %d are met" % (nr - missed, nr)
        if self.known:
            text += ", %d missed as known" % len(self.known)
        if self.stale:
            text += ", %d met that are known as missed" % len(self.stale)
        return text


def check_budgets(result, path, is_enforced, report):
    verdict = Verdict(result, read_budgets(path))
    if is_enforced:
        nothing = [] if verdict.seen else [
            "nothing was compared: neither the baseline nor a budget is for this kernel"]
        report.result(verdict.missed + nothing, "budgets: " + verdict.summary())
    else:
        report.complain(verdict.missed)
        report.result([], "budgets, not enforced: " + verdict.summary())


def check(baseline_path, budgets_path, path):
    result, report = ModeResult.read(path), Report()
    is_compared = check_baseline(result, baseline_path, report)
    check_budgets(result, budgets_path, not is_compared, report)
    return report.failed


def main(args):
    if len(args) >= 6 and args[0] == "collect":
        collect(args[1:], sys.stdin)
    elif len(args) == 3 and args[0] == "table":
        table(args[1], args[2])
    elif len(args) == 3 and args[0] == "plot":
        plot(args[1], args[2])
    elif len(args) >= 2 and args[0] == "baseline":
        baseline(args[1:])
    elif len(args) == 4 and args[0] == "check":
        return check(args[1], args[2], args[3])
    else:
        die_of_usage()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
