#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check-trace.py TRACE: check the output of report --perfetto.

TRACE must be a JSON object with each kind of event, whose slices nest on each track.  The script
prints complaints.
"""

import json
import sys


def check_nesting(events):
    """On a track, a slice ends before the slice around it."""
    tracks = {}
    for event in events:
        if event['ph'] == 'X':
            tracks.setdefault((event['pid'], event['tid']), []).append(event)
    for track, slices in tracks.items():
        ends = []
        for part in sorted(slices, key=lambda e: (e['ts'], -e['dur'])):
            while ends and ends[-1] <= part['ts']:
                ends.pop()
            if ends and part['ts'] + part['dur'] > ends[-1] + 0.001:
                print('track %s: %s outlives its caller' % (track, part['name']))
            ends.append(part['ts'] + part['dur'])


def main():
    with open(sys.argv[1], encoding='ascii') as file:
        events = json.load(file)['traceEvents']
    phases = {event['ph'] for event in events}
    if phases != {'M', 'C', 'X', 'i'}:
        print('the events have the phases %s' % sorted(phases))
    check_nesting(events)


main()
