#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""bench.py OBJTRACE DIRECTORY: measure pages with many records.

Write traces and their pages, and open the pages in Chromium.  A line has the time of the report,
the size of the page, the time until data is drawn, and the frames while the wheel zooms in and
out.  Times are wall-clock times, which grow with the load of the host.  The last column is CPU
time: that of the longest task of the page's main thread while it zooms.  A page with several
objects shows a table first: it is not zoomed.
"""

import os
import subprocess
import sys
import time

import traces
from browser import Browser

ZOOM = '''new Promise(done => {
    const canvas = document.querySelector("#chart canvas");
    const box = canvas.getBoundingClientRect();
    const frames = [];
    let last = 0;

    function turn(now) {
        if (last)
            frames.push(now - last);
        last = now;
        if (frames.length === 120)
            return done(frames);
        canvas.dispatchEvent(new WheelEvent("wheel", {
            deltaY: frames.length %% 60 < 40 ? -120 : 240, bubbles: true, cancelable: true,
            view: window, clientX: box.left + box.width * %f, clientY: box.top + 100 }));
        requestAnimationFrame(turn);
    }

    requestAnimationFrame(turn);
})'''
# Records and objects of the traces
TRACES = ((100000, 1), (1000000, 1), (1000000, 100000))
HEAD = ('records', 'objects', 'report', 'page', 'drawn', 'longest frame', 'mean frame',
        'longest task')
FORMAT = '%7s  %7s  %7s  %8s  %7s  %13s  %10s  %12s'


def longest_task(events):
    """The CPU time of the longest task of the page's main thread, in ms."""
    names = [event for event in events if event.get('name') == 'thread_name']
    main = {(event['pid'], event['tid']) for event in names
            if event['args']['name'] == 'CrRendererMain'}
    return max((event.get('tdur', 0) for event in events
                if event['ph'] == 'X' and (event['pid'], event['tid']) in main), default=0) / 1000


def zoom(browser, place):
    """Zoom at a place of the picture.  Return the frames, and the longest task, in ms."""
    frames, events = browser.trace(lambda: browser.run(ZOOM % place))
    return frames, longest_task(events)


def zoom_twice(browser):
    """Return the texts of the last columns."""
    frames, task = [], 0
    for place in 0.3, 0.7:
        more, longest = zoom(browser, place)
        frames += more
        task = max(task, longest)
    return ('%.0f ms' % max(frames), '%.0f ms' % (sum(frames) / len(frames)), '%.0f ms' % task)


def open_page(page, is_one):
    """Return the seconds until the page shows data, and the texts of the last columns."""
    browser = Browser()
    try:
        browser.call('Page.navigate', url='file://' + page)
        browser.wait('performance.getEntriesByName("objtrace-drawn").length')
        drawn = browser.run('performance.getEntriesByName("objtrace-drawn")[0].startTime') / 1000
        columns = zoom_twice(browser) if is_one else ('', '', '')
        if browser.complaints:
            sys.exit('\n'.join(browser.complaints))
    finally:
        browser.close()
    return drawn, columns


def measure(program, directory, records, objects):
    trace, page = (os.path.join(directory, name) for name in ('many.dat', 'many.html'))
    traces.many(trace, records, objects)
    begin = time.monotonic()
    subprocess.run([program, 'report', trace, '--html', page], check=True)
    report = time.monotonic() - begin
    drawn, columns = open_page(page, objects == 1)
    return (records, objects, '%.1f s' % report, '%.1f MB' % (os.path.getsize(page) / 1e6),
            '%.2f s' % drawn, *columns)


def main():
    program, directory = map(os.path.realpath, sys.argv[1:])
    print(FORMAT % HEAD)
    for records, objects in TRACES:
        print((FORMAT % measure(program, directory, records, objects)).rstrip(), flush=True)


main()
