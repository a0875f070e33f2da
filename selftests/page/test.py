#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""test.py OBJTRACE DIRECTORY NUMBER [--write]: tests of the pages that the program writes.

Chromium shows the pages.  The test cases are counted from NUMBER on.  The pages show the traces of
traces.py.  The pictures of --svg must be the files in expected/.  The picture of packet.dat must be
that of README.rst.  With --write, these files are written, for a review.
Prints TAP.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import traces
from browser import Browser

SHIFT = 8
HERE = os.path.dirname(os.path.realpath(__file__))
DOCUMENTS = os.path.join(HERE, '..', '..', 'Documentation')
COLOURS = ['hit', 'many', 'change', 'dim', 'match', 'call', 'curve', 'life', 'back']

OVERVIEW = '''
1 | 0xffff888000000100 | len | | 1 ms | 7 | 64 | | freed by kmem_cache_free ← ip_rcv
2 | 0xffff888000000200 | len | | 1 ms | 7 | 64 | | freed by kmem_cache_free ← ip_rcv
3 | 0xffff888000000300 | len | | 1 ms | 7 | 64 | freed by kfree ← ip_rcv, the others by \
kmem_cache_free ← ip_rcv | freed by kfree ← ip_rcv
4 | 0xffff888000000400 | len | | 1 ms | 7 | 64 | | freed by kmem_cache_free ← ip_rcv
5 | 0xffff888000000500 | len | | 1 ms | 7 | 64 | | freed by kmem_cache_free ← ip_rcv
6 | 0xffff888000000600 | refs.counter | | 900 µs | 5 | 1 | never freed; 1 reference without a give \
| still tracked
7 | 0xffff888000000700 | state | | 100 µs | 3 | TCP_ESTABLISHED | freed by kfree ← ip_rcv, the \
others by kmem_cache_free ← ip_rcv; 1 use after the free | freed by kfree ← ip_rcv
'''
PACKET = '''
0 | 0 | ping-100 | add | 98 | added by net:net_dev_queue
100 µs | 0 | ping-100 | value | 98 | dev_queue_xmit ← ip_output
200 µs | 0 | ping-100 | value | 98 | eth_type_trans ← dev_queue_xmit
300 µs | 0 | ping-100 | return | 98 → 84 | in eth_type_trans ← dev_queue_xmit, returned 0x0
500 µs | 0 | ping-100 | return | 84 | dev_queue_xmit ← ip_output, returned 0x1
600 µs | 0 | ping-100 | value | 84 | nft_do_chain ← ip_output at +0x10
700 µs | 0 | ping-100 | value | 84 → 64 | in or after nft_do_chain ← ip_output, seen at ip_rcv ← \
ip_output
1 ms | 0 | ping-100 | del | | freed by kmem_cache_free ← ip_rcv
'''
STATE = '''
0 | 0 | ping-100 | add | TCP_CLOSE | added by ott:connect
50 µs | 0 | ping-100 | change | TCP_CLOSE → TCP_SYN_SENT | in or after dev_queue_xmit ← ip_output, \
seen at ip_rcv ← ip_output
80 µs | 0 | ping-100 | change | TCP_SYN_SENT → TCP_ESTABLISHED | in ip_rcv ← ip_output
100 µs | 0 | ping-100 | del | | freed by kfree ← ip_rcv
250 µs | 0 | ping-100 | after_free | | hint: passed to ip_rcv ← ip_output, 150.0 us after the free \
by kfree
'''
LEDGER = '''
1 | 0 | +1 | | ref_get ← ip_rcv
1 | 0 | +1 | 1 | ref_get ← nft_do_chain
0 | 1 | -1 | | ref_put ← ip_rcv
0 | 1 | -1 | | ref_put ← ip_output
'''
EVENT_LANE = 5
EVENT = ['Record 8 of 9: event', 'Event: kfree_skb: skbaddr=0xffff888000000300 reason: 3']
DETAILS = '''
Record 2 of 8: value
Function: dev_queue_xmit
Module: vmlinux
Caller: ip_output
Value: 98
Event: dev_queue_xmit ← ip_output
Task: ping-100
CPU: 0
Time: 100 µs
Duration: 400 µs
Trace clock: 5.000100000 s
Stack
dev_queue_xmit
ip_output
nft_do_chain [nf_tables]
'''


class Tests:
    def __init__(self, program, directory, number):
        self.program = program
        self.directory = directory
        self.number = number
        self.writes = False
        self.failed = 0
        self.browser = Browser()

    def check(self, name, got, wanted):
        self.number += 1
        if got == wanted:
            print('ok %d %s' % (self.number, name))
            return
        self.failed += 1
        print('not ok %d %s' % (self.number, name))
        for title, text in ('got', got), ('wanted', wanted):
            print('\n'.join('# %s: %s' % (title, line) for line in str(text).split('\n')))
        sys.stdout.flush()

    def test_picture(self, trace, name, *options, expected=os.path.join(HERE, 'expected')):
        """Compare a picture with its expected file, and check that it has no other elements."""
        path = os.path.join(self.directory, name)
        expected = os.path.join(expected, name)
        subprocess.run([self.program, 'report', os.path.join(self.directory, trace), '--svg', path,
                        *options], check=True)
        with open(path) as file:
            picture = file.read()
        if self.writes:
            with open(expected, 'w') as file:
                file.write(picture)
        with open(expected) as file:
            self.check('the picture ' + name, picture, file.read())
        elements = ElementTree.fromstring(picture).iter()
        tags = {element.tag.rpartition('}')[2] for element in elements}
        self.check(name + ' has text and forms only',
                   tags - {'svg', 'title', 'style', 'rect', 'text', 'path', 'circle'}, set())

    def test_pictures(self):
        self.test_picture('story.dat', 'overview.svg')
        self.test_picture('story.dat', 'object.svg', '--object', '1')
        self.test_picture('story.dat', 'dropped.svg', '--object', '3')
        self.test_picture('story.dat', 'leak.svg', '--object', '6')
        self.test_picture('story.dat', 'state.svg', '--object', '7')
        # The picture of README.rst
        self.test_picture(os.path.join(HERE, 'packet.dat'), 'packet.svg', expected=DOCUMENTS)
        self.test_picture(traces.HOSTILE + '.dat', 'hostile.svg', '--object', '1')

    def page(self, kind, *numbers, name=None):
        """Write a trace and its page, and return the address of the page."""
        trace = os.path.join(self.directory, name or kind + '.dat')
        page = os.path.join(self.directory, kind + '.html')
        getattr(traces, kind)(trace, *numbers)
        subprocess.run([self.program, 'report', trace, '--html', page], check=True)
        return 'file://' + page

    def text(self, selector):
        return self.browser.run('document.querySelector(%r).textContent' % selector)

    def rows(self, selector):
        """The texts of a table, as the constants of this file have them."""
        return self.browser.run('''[...document.querySelectorAll(%r)].map(row =>
            [...row.children].map(cell => cell.textContent).join(" | ").replace(/  +/g, " ").trim())
            .join("\\n")''' % (selector + ' tbody tr'))

    def check_rows(self, name, selector, wanted):
        self.check(name, self.rows(selector), wanted.strip())

    def center(self, selector):
        """Scroll to an element, and return its center."""
        # A click that begins on a row of the last frame is lost
        self.browser.frame()
        self.browser.run('document.querySelector(%r).scrollIntoView({block: "nearest"})' % selector)
        return self.browser.run('''(() => {
            const box = document.querySelector(%r).getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        })()''' % selector)

    def click(self, selector):
        """Click on an element with the mouse."""
        self.browser.click(*self.center(selector))

    def place(self, part, row, time, span):
        """A place in the picture that shows a whole life: the center of a row of a part, at a time.

        Times are in us; the span is that of the object."""
        left, top, places = self.browser.run('''(() => {
            const canvas = document.querySelector("#chart canvas");
            const box = canvas.getBoundingClientRect();
            return [box.left, box.top, JSON.parse(canvas.dataset.places)];
        })()''')
        heights = {'lanes': places['laneHeight'], 'calls': places['callHeight']}
        y = places[part]['top'] + (row + 0.5) * heights.get(part, places[part]['height'])
        width = places['right'] - places['left']
        return left + places['left'] + width * (time / span + 0.02) / 1.04, top + y

    def colour(self, x, y):
        """The colour of a pixel of the picture, as the name of a colour in the style sheet."""
        return self.browser.run('''(() => {
            const canvas = document.querySelector("#chart canvas");
            const box = canvas.getBoundingClientRect();
            const pixel = canvas.getContext("2d").getImageData(%f - box.left, %f - box.top, 1, 1);
            const hex = "#" + [...pixel.data.slice(0, 3)].map(part =>
                part.toString(16).padStart(2, "0")).join("");
            const style = getComputedStyle(document.documentElement);
            return %r.find(name => style.getPropertyValue("--" + name).trim() === hex) || hex;
        })()''' % (x, y, COLOURS))

    def open(self, address):
        self.browser.open(address)
        self.browser.complaints.clear()

    def view(self):
        return self.text('#window')

    def rest(self):
        """Wait until the address has the view."""
        self.browser.run('new Promise(done => setTimeout(done, 200))')

    def link(self):
        self.rest()
        return self.browser.run('location.hash')

    def facts(self):
        """The details of the selected record, with its stack."""
        return self.browser.run('''[...document.querySelectorAll("#details h2, #details dt, " +
            "#details dd, #details h3, #details li")].map(part =>
            part.textContent + (part.tagName === "DT" ? ": " : "\\n")).join("").trim()''')

    def check_silence(self, name):
        self.check(name + ': no error in the console', '\n'.join(self.browser.complaints), '')
        self.browser.complaints.clear()

    def test_overview(self):
        self.check('the page has the name of the file', self.text('h1'), 'story.dat')
        self.check('the page counts objects and records', self.text('#subtitle'),
                   '7 objects · 51 records')
        self.check_rows('the overview has a row for each object', '#objects', OVERVIEW)
        self.browser.run('document.querySelector("#sort").value = "unusual"; '
                         'document.querySelector("#sort").dispatchEvent(new Event("change"))')
        self.check('unusual objects come first', self.numbers(), '7 6 3 1 2 4 5')
        self.click('#objects th.life button')
        self.check('a head sorts by life', self.numbers(), '1 2 3 4 5 6 7')
        self.click('#objects th.hits button')
        self.check('a head sorts by hits', self.numbers(), '1 2 3 4 5 6 7')
        self.check('the order is in the address', self.link(), '#sort=hits')
        self.browser.run('document.querySelector("#query").focus()')
        self.browser.type('TCP_SYN')
        self.check('a search leaves the objects with matches',
                   (self.numbers(), self.text('#count')), ('7', '1 of 7 objects'))
        self.browser.run('document.querySelector("#query").value = ""; '
                         'document.querySelector("#query").dispatchEvent(new Event("input"))')

    def numbers(self):
        self.browser.frame()
        return self.browser.run('[...document.querySelectorAll("#objects td.number")]'
                                '.map(cell => cell.textContent).join(" ")')

    def test_late_link(self):
        """Open an object while the page is about to store its view in the address."""
        row = self.center('#objects tbody tr:nth-child(2)')
        self.browser.run('document.querySelector("#query").dispatchEvent(new Event("input"))')
        self.browser.frame()
        self.browser.click_while_busy(*row, 400)
        self.rest()
        self.check('a late update of the address closes no object', self.text('#subtitle')[:8],
                   'object 2')
        self.browser.run('history.back()')
        self.browser.wait('!document.querySelector("#overview").hidden')
        self.check('the browser goes back to all objects', self.numbers(), '1 2 3 4 5 6 7')

    def test_object(self):
        self.click('#objects tbody tr:nth-child(1)')
        self.check('a click opens an object', self.text('h1'), 'object 0xffff888000000100 → len')
        self.check('the head of an object', self.text('#subtitle'),
                   'object 1 · 1 ms · 7 hits · nothing lost · story.dat')
        self.check_rows('the table has each record', '#records', PACKET)
        self.check('a record is a mark in its lane',
                   self.colour(*self.place('lanes', 0, 100, 1000)), 'hit')
        self.check('a change is a mark', self.colour(*self.place('lanes', 1, 300, 1000)), 'change')
        self.check('between two records is no mark',
                   self.colour(*self.place('lanes', 1, 400, 1000)), 'back')
        self.check('a call is a bar', self.colour(*self.place('calls', 0, 450, 1000)), 'call')
        self.check('a call that changes the value is a bar',
                   self.colour(*self.place('calls', 1, 295, 1000)), 'change')
        self.check('the bar of a call ends with the call',
                   self.colour(*self.place('calls', 1, 450, 1000)), 'back')
        self.check('the life line', self.colour(*self.place('life', 0, 500, 1000)), 'life')

    def test_pointer(self):
        self.browser.mouse('mouseMoved', *self.place('lanes', 0, 100, 1000))
        self.browser.frame()
        self.check('a record under the pointer is described', self.browser.run(
            '[...document.querySelector("#tip").children].map(part => part.textContent)'
            '.join(" | ")'),
            'dev_queue_xmit | ← ip_output | 98 | ping-100, CPU 0 | 100 µs')
        self.browser.click(*self.place('lanes', 0, 100, 1000))
        self.check('a click shows a record and its stack', self.facts(), DETAILS.strip())
        self.browser.click(*self.place('calls', 1, 250, 1000))
        self.check('a click on a bar shows the call', self.facts().split('\n')[0],
                   'Record 3 of 8: value')
        self.browser.click(*self.place('values', 0, 850, 1000))
        self.check('a click on the curve shows the change', self.facts().split('\n')[0],
                   'Record 7 of 8: value')

    def test_zoom(self):
        self.check('the whole life has no window', self.view(), '')
        x, y = self.place('lanes', 0, 500, 1000)
        for _ in range(4):
            self.browser.wheel(x, y, -200)
        self.check('the wheel zooms', self.view(), '328 µs to 672 µs')
        self.browser.wheel(x, y, 200, modifiers=SHIFT)
        self.check('the wheel moves with Shift', self.view(), '389 µs to 732 µs')
        self.browser.drag(x, y, x + 100, y)
        self.check('dragging moves', self.view(), '359 µs to 702 µs')
        self.browser.press('0')
        self.check('a key shows the whole life', self.view(), '')
        self.browser.press('+')
        self.check('a key zooms', self.view(), '240 µs to 760 µs')
        self.browser.run('document.querySelector("#chart canvas").focus()')
        self.browser.press('ArrowRight')
        self.check('a key moves', self.view(), '318 µs to 838 µs')
        self.browser.press('ArrowDown')

    def test_keys(self):
        self.browser.press('0')
        self.browser.press('n')
        self.check('a key selects the next record', self.facts().split('\n')[0],
                   'Record 8 of 8: del')
        self.browser.press('C', SHIFT)
        self.check('a key selects the change before', self.facts().split('\n')[0],
                   'Record 7 of 8: value')
        self.browser.run('document.querySelector("#records .scroller").focus()')
        self.browser.press('ArrowUp')
        self.check('a key selects the row before', self.facts().split('\n')[0],
                   'Record 6 of 8: value')
        self.browser.press('o')
        self.check('a key shows all objects', self.text('h1'), 'story.dat')
        self.browser.run('history.back()')
        self.browser.frame()
        self.browser.wait('!document.querySelector("#object").hidden')
        self.check('the browser goes back to the object', self.text('h1'),
                   'object 0xffff888000000100 → len')

    def test_search(self):
        self.browser.press('0')
        self.browser.press('/')
        self.browser.type('ETH_TYPE')
        self.check('a search counts its records', self.text('#matches'), '2 records')
        self.check('a search marks its records',
                   self.colour(*self.place('lanes', 1, 300, 1000)), 'match')
        self.check('a search dims the others',
                   self.colour(*self.place('lanes', 0, 100, 1000)), 'dim')
        self.browser.press('Enter')
        first = self.facts().split('\n')[0]
        self.browser.press('Enter')
        second = self.facts().split('\n')[0]
        self.browser.press('Enter', SHIFT)
        self.check('Enter selects the matches in turn',
                   (first, second, self.facts().split('\n')[0]),
                   ('Record 3 of 8: value', 'Record 4 of 8: return', 'Record 3 of 8: value'))
        self.browser.run('document.querySelector("#rows").value = "matches"; '
                         'document.querySelector("#rows").dispatchEvent(new Event("change"))')
        self.browser.frame()
        self.check_rows('the table shows the matches only', '#records',
                        '\n'.join(PACKET.replace('\\\n', '').strip().split('\n')[2:4]))

    def test_link(self, address):
        self.browser.press('Escape')
        self.browser.run('document.activeElement.blur()')
        self.browser.press('+')
        self.browser.run('document.querySelector("#lanes").value = "depth"; '
                         'document.querySelector("#lanes").dispatchEvent(new Event("change"))')
        link, before = self.link(), (self.view(), self.facts(), self.text('#matches'))
        self.open(address + link)
        self.check('a link shows the same view',
                   (self.view(), self.facts(), self.text('#matches')), before)
        self.check('a link shows the same lanes and rows', self.browser.run(
            '[document.querySelector("#lanes").value, document.querySelector("#rows").value,'
            ' document.querySelector("#query").value].join()'), 'depth,matches,ETH_TYPE')
        self.open(address + '#object=99&from=x&record=-3&lanes=<b>&sort=constructor&tab=%00')
        self.check('a wrong link shows all objects', self.text('h1'), 'story.dat')

    def test_enum(self, address):
        self.open(address + '#object=7')
        self.check_rows('an object with names of values', '#records', STATE)
        self.check('a use after the free is named', self.text('#subtitle'),
                   'object 7 · 100 µs · 3 hits · nothing lost · freed by kfree ← ip_rcv, the '
                   'others by kmem_cache_free ← ip_rcv; 1 use after the free · story.dat')
        self.browser.click(*self.place('life', 0, 250, 250))
        self.check('a click on the mark of the hint shows it', self.facts().split('\n')[0],
                   'Record 5 of 5: after_free')

    def test_events(self, address):
        """An event of the kernel is in a lane of its own, below those of 5 subsystems."""
        self.open(address + '#object=3')
        self.check('an event of the kernel is a mark in its lane',
                   self.colour(*self.place('lanes', EVENT_LANE, 900, 1000)), 'hit')
        self.browser.click(*self.place('lanes', EVENT_LANE, 900, 1000))
        self.check('a click on the event shows it', self.facts().split('\n')[:2], EVENT)

    def test_ledger(self, address):
        self.open(address + '#object=6&tab=ledger')
        self.check_rows('the ledger has a row for each function', '#ledger', LEDGER)
        self.check('the ledger has the result', self.text('#ledger-result'),
                   '1 at the start, 1 at the end: 1 take without a give')
        self.click('#tab-records')
        self.check('the take without a give is marked', self.browser.run(
            '[...document.querySelectorAll("#records tr.open")].map(row =>'
            ' row.lastChild.textContent).join()'),
            'in ref_get ← nft_do_chain — no give for this take?')

    def test_theme(self, address):
        themes = []
        for scheme in 'dark', 'light':
            self.browser.prefer(scheme)
            self.browser.frame()
            themes.append(self.browser.run('document.documentElement.dataset.theme'))
        self.check('the page is as dark as the system', themes, ['dark', 'light'])
        self.browser.press('t')
        theme = self.browser.run('document.documentElement.dataset.theme')
        self.open(address)
        self.check('a switch stays',
                   (theme, self.browser.run('document.documentElement.dataset.theme')),
                   ('dark', 'dark'))

    def visible_rows(self):
        """The numbers of the rows that the table of records shows."""
        return self.browser.run('''(() => {
            const box = document.querySelector("#records .scroller").getBoundingClientRect();
            const head = document.querySelector("#records thead").getBoundingClientRect();
            return [...document.querySelectorAll("#records tbody tr")].filter(row => {
                const place = row.getBoundingClientRect();
                return place.top >= head.bottom - 1 && place.bottom <= box.bottom + 1;
            }).map(row => row.ariaRowIndex - 1);
        })()''')

    def test_many(self, address):
        """A table with many rows has only the visible ones as elements."""
        self.open(address + '#record=2000')
        rows = self.visible_rows()
        self.check('a link scrolls to its record', (2000 in rows, len(rows) > 10), (True, True))
        self.check('the table says how many rows it has', self.browser.run(
            'document.querySelector("#records table").ariaRowCount'), '3001')
        self.check('few rows are elements', self.browser.run(
            'document.querySelectorAll("#records tbody tr").length') < 50, True)
        self.browser.run('document.querySelector("#records .scroller").focus()')
        self.browser.press('End')
        self.check('a key scrolls to the last row', self.visible_rows()[-1:], [3000])
        self.browser.press('Home')
        self.check('a key scrolls to the first row', self.visible_rows()[:1], [1])
        self.check('a key selects the first record', self.facts().split('\n')[0],
                   'Record 1 of 3000: add')

    def test_names(self):
        """Each element that takes input has a name for readers of the screen."""
        self.browser.call('Accessibility.enable')
        nodes = self.browser.call('Accessibility.getFullAXTree')['nodes']
        roles = ('button', 'searchbox', 'combobox', 'textbox', 'table', 'tab', 'image', 'region')
        found = [(node['role']['value'], node.get('name', {}).get('value', ''))
                 for node in nodes if not node['ignored'] and node['role']['value'] in roles]
        self.browser.call('Accessibility.disable')
        self.check('each control has a name', [role for role, name in found if not name], [])
        self.check('the picture, the table and the search are among them',
                   {'image', 'table', 'searchbox'} - {role for role, _ in found}, set())

    def test_hostile(self, address):
        self.open(address)
        self.check('markup in the name of the file is text', self.text('h1'),
                   traces.HOSTILE + '.dat')
        self.open(address + '#object=1&record=2')
        self.check('markup in a member is text', self.text('h1'),
                   'object 0xffff888000000100 → ' + traces.HOSTILE)
        self.check('markup in a function is text', self.facts().split('\n')[1:3],
                   ['Function: ' + traces.HOSTILE_NAME, 'Module: ' + traces.HOSTILE_NAME])
        self.check('markup in a task is text', self.browser.run(
            'document.querySelector("#records td.task").textContent'), '<img src=x onerr-100')
        self.check('markup in an event is text', self.browser.run(
            'document.querySelector("#records td.event").textContent'),
            'added by ' + traces.CLOSING)
        self.check('the page has no other element', self.browser.run(
            'document.querySelectorAll("img, script:not([type]) ~ script, iframe, a").length'), 0)

    def test_hashes(self, address):
        """The policy allows the script and the style of the page, by their hashes."""
        with open(address[len('file://'):]) as file:
            page = file.read()
        policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
        hashes = ['sha256-' + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
                  for text in (re.search('<script>(.*?)</script>', page, re.S).group(1),
                               re.search('<style>(.*?)</style>', page, re.S).group(1))]
        self.check('the policy allows nothing but the parts of the page',
                   re.sub(r'\s+', ' ', policy),
                   "default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; "
                   "require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'"
                   % tuple(hashes))

    def test_policy(self):
        """The policy of the page forbids what a mistake in the page could allow."""
        self.browser.run('''(() => {
            const image = document.createElement("img");
            const script = document.createElement("script");
            window.refused = [];
            image.src = "x.png";
            script.append("window.isRun = true");
            document.body.append(image, script);
            for (const write of [() => { script.text = "window.isRun = true"; },
                                 () => document.body.insertAdjacentHTML("beforeend", "<i>x</i>"),
                                 () => eval("window.isRun = true")]) {
                try {
                    write();
                } catch (error) {
                    window.refused.push(error.name);
                }
            }
        })()''')
        self.browser.frame()
        self.check('the policy refuses scripts, images and markup', self.browser.run(
            '[window.isRun, ...window.refused].join()'), ',TypeError,TypeError,EvalError')
        said = '\n'.join(self.browser.complaints)
        wanted = ['image', 'TrustedScript', 'TrustedHTML']
        self.check('the browser says so', [word for word in wanted if word not in said], [])
        self.browser.complaints.clear()

    def run(self):
        story = self.page('story')
        self.open(story)
        self.test_overview()
        self.test_late_link()
        self.test_object()
        self.test_pointer()
        self.test_zoom()
        self.test_keys()
        self.test_search()
        self.test_link(story)
        self.test_enum(story)
        self.test_events(story)
        self.test_ledger(story)
        self.test_names()
        self.test_theme(story)
        self.check_silence('a story')
        many = self.page('many', 3000, 1)
        self.test_many(many)
        self.check_silence('many records')
        hostile = self.page('hostile', name=traces.HOSTILE + '.dat')
        self.test_hostile(hostile)
        self.check_silence('hostile names')
        self.check('the page requests nothing else', {
            url.partition('#')[0] for url in self.browser.requests
            if not url.startswith(('about:', 'data:'))}, {story, many, hostile})
        self.test_hashes(hostile)
        self.test_policy()
        self.test_pictures()
        print('1..%d' % self.number)
        return self.failed


def main():
    tests = Tests(os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), int(sys.argv[3]))
    tests.writes = sys.argv[4:] == ['--write']
    try:
        failed = tests.run()
    finally:
        tests.browser.close()
    sys.exit(failed > 0)


main()
