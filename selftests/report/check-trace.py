#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check-trace.py SCHEMA TRACE LINES: check the output of report --perfetto.

TRACE must have the form in SCHEMA and no further key.  Its events must have a meaning for
Perfetto: see class Events.  LINES is the output of report --json for the same file.  TRACE must
have each record of LINES once, and its counters must have the values of LINES.  The script prints
complaints.
"""

import collections
import decimal
import json
import sys

import schema

# Numbers of tracks for the idle task of each CPU
IDLE_TRACK = 4194305
FORMS = {'X': 'call', 'i': 'instant', 'C': 'counter'}


def ns(microseconds):
    return int(microseconds * 1000)


def form_of(event):
    """Return the part of the schema for an event, or None."""
    if event['ph'] == 'M':
        return event['name'] if event['name'] in ('process_name', 'thread_name') else None
    return FORMS.get(event['ph'])


class Events:
    """The events, in the order of the file.

    A name comes before the events that it names, and once.  The times of an object ascend.  Slices
    on a track nest, down to the nanosecond: Perfetto drops a slice that outlives the slice around
    it.  An object has one counter.
    """

    def __init__(self, events):
        self.processes = set()
        self.tracks = set()
        self.used = set()
        self.times = collections.defaultdict(int)
        self.ends = collections.defaultdict(list)
        self.counters = {}
        self.number = 0
        for self.number, event in enumerate(events, 1):
            getattr(self, 'take_' + form_of(event))(event)
        for track in self.tracks - self.used:
            print('no event has the track %s, which has a name' % (track,))

    def complain(self, text):
        print('event %d: %s' % (self.number, text))

    def take_process_name(self, event):
        if event['pid'] in self.processes:
            self.complain('process %s has a name already' % event['pid'])
        self.processes.add(event['pid'])

    def take_thread_name(self, event):
        track = (event['pid'], event['tid'])
        if track in self.tracks:
            self.complain('track %s has a name already' % (track,))
        self.tracks.add(track)

    def take_time(self, event):
        if event['pid'] not in self.processes:
            self.complain('process %s has no name before' % event['pid'])
        if ns(event['ts']) < self.times[event['pid']]:
            self.complain('an event of object %s before has a later time' % event['pid'])
        self.times[event['pid']] = ns(event['ts'])

    def take_instant(self, event):
        self.take_time(event)
        track = (event['pid'], event['tid'])
        if track not in self.tracks:
            self.complain('track %s has no name before' % (track,))
        self.used.add(track)

    def take_call(self, event):
        self.take_instant(event)
        ends = self.ends[event['pid'], event['tid']]
        end = ns(event['ts']) + ns(event['dur'])
        while ends and ends[-1] <= ns(event['ts']):
            ends.pop()
        if ends and end > ends[-1]:
            self.complain('%s outlives its caller' % event['name'])
        ends.append(end)

    def take_counter(self, event):
        self.take_time(event)
        if self.counters.setdefault(event['pid'], event['name']) != event['name']:
            self.complain('object %s has a counter %s already' %
                          (event['pid'], self.counters[event['pid']]))


def compare(what, wanted, found):
    for key in sorted((wanted - found).elements(), key=str):
        print('no event for the %s %s' % (what, key))
    for key in sorted((found - wanted).elements(), key=str):
        print('no line for the %s %s' % (what, key))


def track_of(line):
    return line['pid'] or IDLE_TRACK + line['cpu']


def name_of(line):
    """Return the name of a record's event."""
    function = line.get('function') or line.get('seen_function')
    if line['type'] in ('add', 'del', 'watch'):
        return 'objtrace_' + line['type']
    return function['name']


def compare_records(lines, events):
    """Each record is a slice or an instant.  The end of a slice is a record, too."""
    wanted, found = collections.Counter(), collections.Counter()
    for line in lines:
        if line['type'] != 'object':
            track = line['object'], line['time_ns'], track_of(line)
            wanted[(*track, line['type'], name_of(line))] += 1
    for event in events:
        if event['ph'] not in 'Xi':
            continue
        track = event['pid'], ns(event['ts']), event['tid']
        found[(*track, event['args']['record'], event['name'])] += 1
        if event['ph'] == 'X':
            found[event['pid'], ns(event['ts']) + ns(event['dur']), event['tid'], 'return',
                  event['name']] += 1
    compare('record', wanted, found)


def compare_objects(lines, events):
    wanted = collections.Counter((line['object'], 'object %(object)s %(address)s' % line,
                                  line['member'] or 'value')
                                 for line in lines if line['type'] == 'object')
    counters = {event['pid']: event['name'] for event in events if event['ph'] == 'C'}
    found = collections.Counter((event['pid'], event['args']['name'],
                                 counters.get(event['pid'], 'value'))
                                for event in events if event['name'] == 'process_name')
    compare('object', wanted, found)


def compare_counters(lines, events):
    """After the records of a moment, the counter has the last value."""
    values, shown = {}, {}
    for line in lines:
        number = line.get('value', {}).get('number')
        if number is not None:
            values[line['object'], line['time_ns']] = number
    for event in events:
        if event['ph'] == 'C':
            shown[event['pid'], ns(event['ts'])] = event['args']['value']
    for moment in sorted(shown.keys() - values.keys()):
        print('no line for the counter of object %s at %s' % moment)
    counter = None
    for moment in sorted(values):
        if not counter or counter[0] != moment[0]:
            counter = (moment[0], None)
        if moment in shown:
            counter = (moment[0], shown[moment])
        if counter[1] != values[moment]:
            print('the counter of object %s has %s at %s, and not %s' %
                  (moment[0], counter[1], moment[1], values[moment]))


def check_forms(trace, forms):
    """Return True if all events have their forms."""
    mistakes = forms.mistakes(dict(trace, traceEvents=[]), 'root')
    for number, event in enumerate(trace['traceEvents'], 1):
        form = form_of(event)
        complaints = forms.mistakes(event, form) if form else ['an unknown event']
        mistakes += ['event %d: %s' % (number, complaint) for complaint in complaints]
    for mistake in mistakes:
        print(mistake)
    seen = {form_of(event) for event in trace['traceEvents']}
    for form in sorted(set(forms.choice) - seen):
        print('no event has the form %s' % form)
    return not mistakes


def main():
    path, trace, lines = sys.argv[1:]
    with open(trace, encoding='ascii') as file:
        trace = json.load(file, parse_float=decimal.Decimal)
    with open(lines, encoding='ascii') as file:
        lines = [json.loads(line) for line in file]
    if not check_forms(trace, schema.Schema(path, 'event')):
        return
    events = trace['traceEvents']
    Events(events)
    compare_objects(lines, events)
    compare_records(lines, events)
    compare_counters(lines, events)


main()
