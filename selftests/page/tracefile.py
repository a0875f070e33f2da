# SPDX-License-Identifier: GPL-2.0-only
"""Write a file of trace-cmd, version 6, with records of objtrace, and of a tracepoint.

The formats have the fields of include/objtrace_event.h.  The values of the fields are the caller's,
so a file can have any functions, tasks and times.
"""

import struct

PAGE = 4096
PAGE_HEAD = 16
# Kinds of entries in a page of the ring buffer: padding, and a time that the delta is too short for
PADDING, TIME_EXTEND = 29, 30
DELTA_BITS = 27
STACK_ID = 4
FIRST_ID = 1000

COMMON = (('unsigned short', 'common_type', 2), ('unsigned char', 'common_flags', 1),
          ('unsigned char', 'common_preempt_count', 1), ('int', 'common_pid', 4))
POINTER, LONG, U64 = ('void *', 8), ('unsigned long', 8), ('u64', 8)
U32, U8, TEXT = ('u32', 4), ('u8', 1), ('__data_loc char[]', 4)

VALUE = dict(value=LONG, btf=U32, enum_id=U32, format=U8, fault=U8)
CALL = dict(ip=POINTER, parent_ip=POINTER, struct_id=U32, offset=U32, arg=U8, unknown=U8)
EVENTS = {
    'add': dict(VALUE, event=TEXT, member=TEXT, name=TEXT),
    'value': dict(CALL, **VALUE),
    'change': dict(CALL, **VALUE, old=LONG, old_ts=U64, old_cpu=U32, old_fault=U8, how=U8,
                   unsure=U8, seen_ip=POINTER, seen_parent_ip=POINTER, seen_offset=U32,
                   seen_unknown=U8, member=TEXT, name=TEXT, old_name=TEXT),
    'return': dict(CALL, **VALUE, old=LONG, ret=LONG, old_fault=U8, unsure=U8),
    'del': dict(ip=POINTER, by=POINTER, hits=U64, age=U64, reason=U8),
    'after_free': dict(CALL, btf=U32, freed_by=POINTER, age=U64),
    'watch': dict(window=U64, cpus=U32),
    'write': dict(VALUE, ip=POINTER, old=LONG),
}
# A tracepoint of the kernel, with some of its fields
DROP = dict(skbaddr=POINTER, reason=U32)
CODES = {8: 'Q', 4: 'I', 2: 'H', 1: 'B'}


class Event:
    """An event: its format, and the packing of its records."""

    def __init__(self, name, number, fields, text):
        fields = [(*kind, key) for key, kind in fields.items()]
        fields.sort(key=lambda field: -field[1])
        self.number = number
        self.texts = [key for kind, size, key in fields if kind == TEXT[0]]
        self.keys = [key for kind, size, key in fields]
        self.packing = struct.Struct('<HBBi' + ''.join(CODES[size] for _, size, _ in fields))
        self.format = self.describe(name, fields, text)

    def describe(self, name, fields, text):
        lines = ['name: %s' % name, 'ID: %d' % self.number, 'format:']
        offset = 0
        for kind, key, size in COMMON + tuple((k, n, s) for k, s, n in fields):
            kind, _, array = kind.partition('[')
            lines.append('\tfield:%s %s%s;\toffset:%d;\tsize:%d;\tsigned:0;' % (
                kind, key, '[' + array if array else '', offset, size))
            offset += size
            if key == 'common_pid':
                lines.append('')
        return '\n'.join(lines + ['', 'print fmt: %s' % text, '']).encode()

    def pack(self, pid, values):
        values = dict(values)
        tail = b''
        for key in self.texts:
            text = values.get(key, '')
            text = (text if isinstance(text, bytes) else text.encode()) + b'\0'
            values[key] = len(text) << 16 | self.packing.size + len(tail)
            tail += text
        mask = (1 << 64) - 1
        return self.packing.pack(self.number, 0, 0, pid,
                                 *(values.get(key, 0) & mask for key in self.keys)) + tail


class Buffer:
    """The pages of a CPU."""

    def __init__(self):
        self.pages = []
        self.page = None
        self.last = 0

    def close(self):
        if self.page is None:
            return
        data = b''.join(self.page)
        self.pages.append(struct.pack('<QQ', self.start, len(data)) + data +
                          bytes(PAGE - PAGE_HEAD - len(data)))
        self.page = None

    def add(self, ts, record):
        record += bytes(-len(record) % 4)
        entry = self.entry(ts, record) if self.page is not None else b''
        if self.page is None or self.used + len(entry) > PAGE - PAGE_HEAD:
            self.close()
            self.page, self.used, self.start, self.last = [], 0, ts, ts
            entry = self.entry(ts, record)
        self.page.append(entry)
        self.used += len(entry)
        self.last = ts

    def entry(self, ts, record):
        delta = ts - self.last
        head = b''
        if delta >> DELTA_BITS:
            head = struct.pack('<II', TIME_EXTEND | (delta & (1 << DELTA_BITS) - 1) << 5,
                               delta >> DELTA_BITS)
            delta = 0
        if len(record) <= 28 * 4:
            return head + struct.pack('<I', len(record) // 4 | delta << 5) + record
        return head + struct.pack('<II', delta << 5, len(record) + 4) + record


class TraceFile:
    """A file with records.  Functions and tasks have any names."""

    def __init__(self, cpus=1):
        self.events = {
            name: Event('objtrace_' + name, FIRST_ID + i, dict(object=LONG, id=U64, **fields),
                        '"object:0x%lx", REC->object')
            for i, (name, fields) in enumerate(EVENTS.items())}
        self.drop = Event('kfree_skb', FIRST_ID + len(EVENTS), DROP,
                          '"skbaddr=%p reason: %d", REC->skbaddr, REC->reason')
        self.buffers = [Buffer() for _ in range(cpus)]
        self.functions = {}
        self.tasks = {}

    def function(self, name, module=None):
        """Return the address of a function, which has 0x100 bytes."""
        key = (name, module)
        if key not in self.functions:
            self.functions[key] = 0xffffffff81000000 + 0x100 * len(self.functions)
        return self.functions[key]

    def task(self, name):
        """Return the number of a new task."""
        pid = 100 + len(self.tasks)
        self.tasks[pid] = name
        return pid

    def record(self, kind, ts, pid, cpu=0, **values):
        self.buffers[cpu].add(ts, self.events[kind].pack(pid, values))

    def dropped(self, ts, pid, address, reason):
        """Add the tracepoint's record of a packet."""
        self.buffers[0].add(ts, self.drop.pack(pid, dict(skbaddr=address, reason=reason)))

    def stack(self, ts, pid, addresses, cpu=0):
        """Add a stack, which belongs to the last record of the CPU."""
        self.buffers[cpu].add(ts, struct.pack('<HBBii4x%dQ' % len(addresses), STACK_ID, 0, 0, pid,
                                              len(addresses), *addresses))

    def symbols(self):
        lines = [b'%x t %s%s\n' % (address, name.encode(),
                                   b'\t[%s]' % module.encode() if module else b'')
                 for (name, module), address in self.functions.items()]
        # libtraceevent finds no name in the last symbol
        lines.append(b'%x t _end\n' % (0xffffffff81000000 + 0x100 * len(self.functions)))
        return b''.join(lines)

    def header(self):
        page = (b'\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n'
                b'\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n'
                b'\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n'
                b'\tfield: char data;\toffset:16;\tsize:%d;\tsigned:0;\n' % (PAGE - PAGE_HEAD))
        entry = b'# compressed entry header\n'
        stack = b'\n'.join((
            b'name: kernel_stack', b'ID: %d' % STACK_ID, b'format:',
            b'\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;',
            b'\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;',
            b'\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;',
            b'\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;', b'',
            b'\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;',
            b'\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;', b'',
            b'print fmt: "%ps", (void *)REC->caller[0]', b''))
        parts = [b'\x17\x08Dtracing6\0\0\x08', struct.pack('<I', PAGE)]
        for name, text in (b'header_page', page), (b'header_event', entry):
            parts += name, b'\0', struct.pack('<Q', len(text)), text
        parts += struct.pack('<IQ', 1, len(stack)), stack
        systems = {b'objtrace': self.events.values(), b'skb': [self.drop]}
        parts += struct.pack('<I', len(systems)),
        for system, events in systems.items():
            parts += system, b'\0', struct.pack('<I', len(events))
            for event in events:
                parts += struct.pack('<Q', len(event.format)), event.format
        symbols = self.symbols()
        tasks = b''.join(b'%d %s\n' % (pid, name.encode()) for pid, name in self.tasks.items())
        parts += struct.pack('<I', len(symbols)), symbols, struct.pack('<I', 0)
        parts += struct.pack('<Q', len(tasks)), tasks, struct.pack('<I', len(self.buffers))
        return b''.join(parts) + b'options  \0' + struct.pack('<H', 0) + b'flyrecord\0'

    def write(self, path):
        for buffer in self.buffers:
            buffer.close()
        header = self.header()
        offset = len(header) + 16 * len(self.buffers)
        padding = bytes(-offset % PAGE)
        offset += len(padding)
        with open(path, 'wb') as file:
            file.write(header)
            for buffer in self.buffers:
                size = PAGE * len(buffer.pages)
                file.write(struct.pack('<QQ', offset, size))
                offset += size
            file.write(padding)
            for buffer in self.buffers:
                file.writelines(buffer.pages)
