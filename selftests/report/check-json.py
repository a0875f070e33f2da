#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check-json.py DOCUMENT SCHEMA LINES...: check outputs of report --json.

Each line of each file must have the form in SCHEMA and no further key, and the lines must agree
with each other.  The files together have each type of line.  DOCUMENT must list the keys of SCHEMA.
The script prints complaints.
"""

import json
import re
import sys

import schema


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


def check_document(path, forms):
    keys = documented(path)
    if set(keys) != set(forms.choice) | {'record', 'function', 'value_part'}:
        print('the document describes %s, the schema %s' % (sorted(keys), sorted(forms.choice)))
    for name in keys:
        wanted = forms.keys(name)
        if name in forms.choice and name != 'object':
            wanted -= forms.keys('record')
        if keys[name] != wanted:
            print('%s: the document has the keys %s, the schema has %s' %
                  (name, sorted(keys[name]), sorted(wanted)))


class Lines:
    """The lines of one file, one after the other"""

    def __init__(self, path, forms):
        self.path = path
        self.forms = forms
        self.number = 0
        self.objects = 0
        self.object = None
        self.records = []

    def complain(self, text):
        print('%s, line %d: %s' % (self.path, self.number, text))

    def end_object(self):
        """Compare an object with its records."""
        head, records = self.object, self.records
        if not head:
            return
        kinds = [record['type'] for record in records]
        times = [record['time_ns'] for record in records]
        found = {
            'records': len(records),
            'first_ns': times[0] if times else None,
            'last_ns': times[-1] if times else None,
            'has_begin': 'add' in kinds,
            'has_end': 'del' in kinds,
        }
        for key, value in found.items():
            if head[key] != value:
                self.complain('the records before have %s %s, the object has %s' %
                              (key, value, head[key]))
        if times != sorted(times):
            self.complain('the records before are not in the order of time')
        if found['has_begin'] and found['has_end']:
            self.check_age(records[kinds.index('add')], records[kinds.index('del')])
        ends = [record['hits'] for record in records if record['type'] == 'del']
        if ends and ends != [head['hits']]:
            self.complain('the records before have the hits %s' % ends)

    def check_age(self, add, end):
        if end['age_ns'] != end['time_ns'] - add['time_ns']:
            self.complain('age_ns before is not the time since the add')

    def begin_object(self, line):
        self.end_object()
        self.objects += 1
        self.object = line
        self.records = []
        if line['object'] != self.objects:
            self.complain('object %d follows object %d' % (line['object'], self.objects - 1))

    def take_record(self, line):
        self.records.append(line)
        if not self.object or line['object'] != self.object['object']:
            self.complain('the record is not among those of its object')
        elif line['since_ns'] != line['time_ns'] - self.object['first_ns']:
            self.complain('since_ns is not the time since the first record')

    def check(self):
        """Return the types of all lines."""
        kinds = set()
        with open(self.path, encoding='ascii') as file:
            for self.number, text in enumerate(file, 1):
                line = json.loads(text)
                kind = line['type']
                kinds.add(kind)
                mistakes = ['a line of an unknown type']
                if kind in self.forms.choice:
                    mistakes = self.forms.mistakes(line, kind)
                for mistake in mistakes:
                    self.complain(mistake)
                if mistakes:
                    continue
                if kind == 'object':
                    self.begin_object(line)
                else:
                    self.take_record(line)
        self.end_object()
        return kinds


def main():
    document, path, *files = sys.argv[1:]
    forms = schema.Schema(path, 'line')
    check_document(document, forms)
    kinds = set()
    for file in files:
        kinds |= Lines(file, forms).check()
    for kind in sorted(set(forms.choice) - kinds):
        print('no line has the type %s' % kind)


main()
