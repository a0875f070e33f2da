#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""traces.py story|hostile FILE
traces.py many FILE RECORDS OBJECTS

Write a file of trace-cmd for the tests of pages.

story	objects with each part of a page, at known times
hostile	names that are markup
many	many records
"""

import random
import sys

from tracefile import TraceFile

START = 5_000_000_000
HEX, SIGNED, ENUM = 0, 1, 4
IN_CALL, AFTER_CALL = 5, 0
FREED = 3
HOSTILE = '<img src=x onerror=alert(1)>'
# kallsyms ends a name at a blank
HOSTILE_NAME = '<img/src=x/onerror=alert(1)>'
CLOSING = '</script><script>alert(2)</script>'


class Life:
    """An object.  Times are in us since its add."""

    def __init__(self, trace, number, start, member='', form=SIGNED):
        self.trace = trace
        self.common = dict(object=0xffff888000000000 + 0x100 * number, id=number)
        self.form = form
        self.member = member
        self.start = START + start * 1000
        self.cpu = 0

    def at(self, time):
        self.time = self.start + round(time * 1000)
        return self.time

    def record(self, kind, time, task, value=None, **rest):
        if value is not None:
            rest.update(value=value, format=self.form)
        self.trace.record(kind, self.at(time), task, self.cpu, **self.common, **rest)

    def add(self, task, value, event, **rest):
        self.record('add', 0, task, value, event=event, member=self.member, **rest)

    def enter(self, time, task, value, function, caller, **rest):
        self.record('value', time, task, value, ip=function, parent_ip=caller + 8, arg=1, **rest)

    def leave(self, time, task, value, function, caller, old, **rest):
        self.record('return', time, task, value, ip=function, parent_ip=caller + 8, arg=1, old=old,
                    **rest)

    def change(self, time, task, value, function, caller, old, **rest):
        self.record('change', time, task, value, ip=function, parent_ip=caller + 8, arg=1, old=old,
                    how=IN_CALL, member=self.member, **rest)

    def free(self, time, task, function, caller, hits):
        self.record('del', time, task, ip=caller + 8, by=function, reason=FREED, hits=hits,
                    age=round(time * 1000))

    def stack(self, task, *functions):
        self.trace.stack(self.time + 10, task, [function + 4 for function in functions], self.cpu)


def packet(trace, number, start, names, freed_by):
    """A packet whose calls have returns and stacks."""
    life = Life(trace, number, start, 'len')
    task = names['ping']
    life.add(task, 98, 'net:net_dev_queue')
    life.enter(100, task, 98, names['dev_queue_xmit'], names['ip_output'])
    life.stack(task, names['dev_queue_xmit'], names['ip_output'], names['nft_do_chain'])
    life.enter(200, task, 98, names['eth_type_trans'], names['dev_queue_xmit'])
    life.leave(300, task, 84, names['eth_type_trans'], names['dev_queue_xmit'], 98)
    life.leave(500, task, 84, names['dev_queue_xmit'], names['ip_output'], 98, ret=1)
    life.enter(600, task, 84, names['nft_do_chain'], names['ip_output'], offset=16)
    life.enter(700, task, 64, names['ip_rcv'], names['ip_output'])
    if freed_by == 'kfree':
        trace.dropped(life.at(900), task, life.common['object'], 3)
    life.free(1000, task, names[freed_by], names['ip_rcv'], 7)


def leak(trace, number, start, names):
    """A counter: the second take has no give."""
    life = Life(trace, number, start, 'refs.counter')
    worker, reader = names['worker'], names['reader']
    life.add(worker, 1, 'ott:open')
    life.change(100, reader, 2, names['ref_get'], names['ip_rcv'], 1)
    life.change(150, reader, 1, names['ref_put'], names['ip_rcv'], 2)
    life.cpu = 1
    life.change(200, reader, 2, names['ref_get'], names['nft_do_chain'], 1)
    life.change(900, worker, 1, names['ref_put'], names['ip_output'], 2)


def state(trace, number, start, names):
    """An enum, a change that only a later function saw, and a use after the free."""
    life = Life(trace, number, start, 'state', ENUM)
    task = names['ping']
    life.add(task, 7, 'ott:connect', enum_id=40, name='TCP_CLOSE')
    life.record('change', 50, task, 2, ip=names['dev_queue_xmit'], parent_ip=names['ip_output'] + 8,
                arg=1, old=7, how=AFTER_CALL, seen_ip=names['ip_rcv'], member='state',
                seen_parent_ip=names['ip_output'] + 8, enum_id=40, name='TCP_SYN_SENT',
                old_name='TCP_CLOSE')
    life.change(80, task, 1, names['ip_rcv'], names['ip_output'], 2, enum_id=40,
                name='TCP_ESTABLISHED', old_name='TCP_SYN_SENT')
    life.free(100, task, names['kfree'], names['ip_rcv'], 3)
    life.record('after_free', 250, task, ip=names['ip_rcv'], parent_ip=names['ip_output'] + 8,
                arg=1, freed_by=names['kfree'], age=150000)


def story(path):
    trace = TraceFile(2)
    names = {name: trace.function(name) for name in (
        'dev_queue_xmit', 'eth_type_trans', 'ip_output', 'ip_rcv', 'kfree', 'kmem_cache_free',
        'ref_get', 'ref_put')}
    names['nft_do_chain'] = trace.function('nft_do_chain', 'nf_tables')
    names.update((name, trace.task(name)) for name in ('ping', 'worker', 'reader'))
    for i in range(5):
        packet(trace, i + 1, 1500 * i, names, 'kfree' if i == 2 else 'kmem_cache_free')
    leak(trace, 6, 9000, names)
    state(trace, 7, 12000, names)
    trace.write(path)


def hostile(path):
    trace = TraceFile()
    bad = trace.function(HOSTILE_NAME, HOSTILE_NAME)
    worse = trace.function(CLOSING + '&lt;"\'')
    task = trace.task(HOSTILE)
    for number in 1, 2:
        life = Life(trace, number, 2000 * number, HOSTILE)
        life.add(task, 1, CLOSING)
        life.enter(1, task, 1, bad, worse)
        life.stack(task, bad, worse)
        life.leave(2, task, 5, bad, worse, 1)
        life.form = ENUM
        life.change(3, task, 6, worse, bad, 5, enum_id=9, name=HOSTILE, old_name='<!--')
        life.free(4, task, bad, worse, 1)
    trace.write(path)


def many(path, records, objects):
    """The functions are nested as the calls of a program are, and the value walks at random."""
    trace = TraceFile(1)
    rng = random.Random(1)
    names = [trace.function('%s_%d' % (prefix, i))
             for prefix in ('tcp', 'ip', 'skb', 'dev', 'sk') for i in range(20)]
    names += [trace.function('nft_%d' % i, 'nf_tables') for i in range(20)]
    tasks = [trace.task('task%d' % i) for i in range(8)]
    start = 0
    for number in range(objects):
        life = Life(trace, number + 1, start, 'refs.counter')
        task = tasks[number % len(tasks)]
        life.add(task, 1, 'ott:open')
        start += walk(life, task, rng, names, records // objects - 2)
    trace.write(path)


def walk(life, task, rng, names, nr):
    calls, value, time = [], 1, 0
    for _ in range(nr):
        time += rng.choice((0.2, 0.5, 1, 6))
        if calls and (len(calls) > 9 or rng.random() < 0.5):
            function, caller, old = calls.pop()
            value += rng.choice((0, 0, 0, 1, -1))
            life.leave(time, task, value, function, caller, old)
        else:
            function, caller = rng.choice(names), calls[-1][0] if calls else names[0]
            calls.append((function, caller, value))
            life.enter(time, task, value, function, caller)
    life.free(time + 1, task, names[1], names[2], nr)
    return int(time) + 2


def main():
    kind, path = sys.argv[1:3]
    {'story': story, 'hostile': hostile, 'many': many}[kind](path, *map(int, sys.argv[3:]))


if __name__ == '__main__':
    main()
