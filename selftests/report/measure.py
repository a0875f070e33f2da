#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""measure.py OBJTRACE FILE: measure the views of `objtrace report FILE'.

The script prints the elapsed time, the time of the processor and the largest memory of each view.
The exit code is 1 if FILE has too few records, or if a figure is above its limit.
"""

import os
import re
import subprocess
import sys
import tempfile
import time

MIN_RECORDS = 1000000
MAX_SECONDS = 10
MAX_MB = 500


def views(objtrace):
    """Return the options of the views, from the help."""
    text = subprocess.run([objtrace, 'report', '--help'], check=True, capture_output=True,
                          text=True).stdout
    text = re.search(r'^Views:\n(.*?)^$', text, re.MULTILINE | re.DOTALL).group(1)
    return re.findall(r'^ +--(\w+)( FILE)?', text, re.MULTILINE)


def run(words):
    """Return elapsed seconds, seconds of the processor, and MB."""
    start = time.monotonic()
    pid = os.posix_spawnp(words[0], words, os.environ)
    status, usage = os.wait4(pid, 0)[1:]
    elapsed = time.monotonic() - start
    if status:
        sys.exit('%s: exit status %d' % (' '.join(words), os.waitstatus_to_exitcode(status)))
    return elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def count(objtrace, path):
    """Return the numbers of records and of objects."""
    records = objects = 0
    with subprocess.Popen([objtrace, 'report', path, '--json'], stdout=subprocess.PIPE) as report:
        for line in report.stdout:
            if line.startswith(b'{"type":"object",'):
                objects += 1
            else:
                records += 1
    return records, objects


def main():
    objtrace, path = sys.argv[1:]
    records, objects = count(objtrace, path)
    print('%s: %d records of %d objects' % (os.path.basename(path), records, objects))
    print('%-20s %8s %8s %8s' % ('view', 'seconds', 'CPU', 'MB'))
    is_good = records >= MIN_RECORDS
    for name, has_file in views(objtrace):
        with tempfile.TemporaryDirectory() as directory:
            output = os.path.join(directory, 'report')
            words = [objtrace, 'report', path, '--' + name] + ([] if has_file else ['-o'])
            elapsed, processor, memory = run(words + [output])
            size = os.path.getsize(output) / 1e6
        is_slow = elapsed > MAX_SECONDS or memory > MAX_MB
        print('%-20s %8.2f %8.2f %8.0f  %.0f MB written%s' %
              (name, elapsed, processor, memory, size, ': above the limit' if is_slow else ''))
        is_good = is_good and not is_slow
    return 0 if is_good else 1


sys.exit(main())
