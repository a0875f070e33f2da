#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check-json.py DOCUMENT LINES: check the output of report --json.

Each line of LINES must be a JSON object with exactly the keys that DOCUMENT lists for its type.
The script prints complaints.
"""

import json
import re
import sys


def documented(path):
    """Return {type: set of keys} from the blocks "type: NAME" of the document."""
    keys = {}
    name = None
    with open(path, encoding='utf-8') as file:
        for line in file:
            match = re.match(r'^\.\. type: (\w+)$', line)
            if match:
                name = match.group(1)
                keys[name] = set()
            elif re.match(r'^\.\. types: end$', line):
                name = None
            elif name:
                match = re.match(r'^((?:\*\w+\*(?:, )?)+)$', line)
                if match:
                    keys[name] |= set(re.findall(r'\*(\w+)\*', match.group(1)))
    return keys


def check_part(kind, value, keys, where):
    wanted = keys[kind]
    if set(value) != wanted:
        print('%s: %s has the keys %s, the document has %s' %
              (where, kind, sorted(value), sorted(wanted)))


def check_lines(path, keys):
    seen = set()
    with open(path, encoding='ascii') as file:
        for number, line in enumerate(file, 1):
            where = 'line %d' % number
            record = json.loads(line)
            kind = record['type']
            seen.add(kind)
            wanted = keys[kind] | (keys['record'] if kind != 'object' else set())
            check_part(kind, record, {kind: wanted}, where)
            for key, part in record.items():
                if isinstance(part, dict):
                    check_part('function' if 'module' in part else 'value_part', part, keys, where)
    for kind in set(keys) - seen - {'record', 'function', 'value_part'}:
        print('no line has the type %s' % kind)


def main():
    document, lines = sys.argv[1:]
    check_lines(lines, documented(document))


main()
