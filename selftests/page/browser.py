# SPDX-License-Identifier: GPL-2.0-only
"""Drive Debian's Chromium with the protocol of its developer tools, through two pipes."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ('chromium-headless-shell', 'chromium')
OPTIONS = ('--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
           '--disable-background-networking', '--disable-component-update', '--disable-sync',
           '--disable-dev-shm-usage', '--hide-scrollbars', '--remote-debugging-pipe',
           '--force-device-scale-factor=1')
# Seconds.  A browser that takes longer is stuck.
TIMEOUT = 120
# Calls of the console that are complaints
LOUD = ('error', 'warning', 'assert')
# The fields of an event of the keyboard, for keys without a text
CODES = {'Enter': 13, 'Escape': 27, 'PageDown': 34, 'End': 35, 'Home': 36, 'ArrowLeft': 37,
         'ArrowUp': 38, 'ArrowRight': 39, 'ArrowDown': 40, 'Tab': 9}


class BrowserError(Exception):
    pass


class Browser:
    """A browser with one page.  It collects what the page and its scripts complain about."""

    def __init__(self, width=1280, height=900):
        self.complaints = []
        self.requests = []
        self.events = []
        self.is_traced = False
        self.number = 0
        self.rest = b''
        self.directory = tempfile.mkdtemp()
        self.process = self.start()
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = None
        self.session = self.call('Target.attachToTarget', targetId=target,
                                 flatten=True)['sessionId']
        for domain in 'Page', 'Runtime', 'Log', 'Network':
            self.call(domain + '.enable')
        self.resize(width, height)

    def start(self):
        program = next((p for p in map(shutil.which, PROGRAMS) if p), None)
        if not program:
            raise BrowserError('no %s; install chromium-headless-shell' % ' or '.join(PROGRAMS))
        self.session = None
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()

        def redirect():
            # The browser reads from 3 and writes to 4
            low, high = os.dup(to_read), os.dup(from_write)
            os.dup2(low, 3)
            os.dup2(high, 4)

        process = subprocess.Popen([program, *OPTIONS, '--user-data-dir=' + self.directory],
                                   preexec_fn=redirect, close_fds=False, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        return process

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.source)
        shutil.rmtree(self.directory, ignore_errors=True)

    def receive(self, end):
        while b'\0' not in self.rest:
            if not select.select([self.source], [], [], max(0, end - time.monotonic()))[0]:
                raise BrowserError('the browser does not answer')
            part = os.read(self.source, 1 << 20)
            if not part:
                raise BrowserError('the browser has ended')
            self.rest += part
        message, self.rest = self.rest.split(b'\0', 1)
        return json.loads(message)

    def note(self, message):
        """Keep an event of the browser that is a complaint, or a request of the page."""
        method, params = message.get('method'), message.get('params', {})
        if method == 'Runtime.exceptionThrown':
            details = params['exceptionDetails']
            self.complaints.append(details.get('exception', {}).get('description', details['text']))
        elif method == 'Runtime.consoleAPICalled' and params['type'] in LOUD:
            self.complaints.append(' '.join(str(arg.get('value', arg)) for arg in params['args']))
        elif method == 'Log.entryAdded' and params['entry']['level'] in ('error', 'warning'):
            self.complaints.append(params['entry']['text'])
        elif method == 'Page.javascriptDialogOpening':
            self.complaints.append('a dialog opened: ' + params['message'])
            self.call('Page.handleJavaScriptDialog', accept=False)
        elif method == 'Tracing.dataCollected':
            self.events += params['value']
        elif method == 'Tracing.tracingComplete':
            self.is_traced = True
        elif method == 'Network.requestWillBeSent':
            self.requests.append(params['request']['url'])

    def post(self, method, **params):
        """Send a message, and return its number for answer()."""
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.to, data):]
        return self.number

    def answer(self, number, method):
        """Wait for the answer to a message.  The answers that come before are lost."""
        end = time.monotonic() + TIMEOUT
        while True:
            answer = self.receive(end)
            if answer.get('id') != number:
                self.note(answer)
            elif 'error' in answer:
                raise BrowserError('%s: %s' % (method, answer['error']['message']))
            else:
                return answer['result']

    def call(self, method, **params):
        return self.answer(self.post(method, **params), method)

    def trace(self, run):
        """Call a function, and return its result and the events of Chromium's tracing."""
        self.events.clear()
        self.is_traced = False
        self.call('Tracing.start', transferMode='ReportEvents',
                  traceConfig={'includedCategories': ['toplevel', '__metadata']})
        result = run()
        self.call('Tracing.end')
        end = time.monotonic() + TIMEOUT
        while not self.is_traced:
            self.note(self.receive(end))
        return result, self.events

    def resize(self, width, height, scale=1):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height,
                  deviceScaleFactor=scale, mobile=False)

    def prefer(self, scheme):
        """Pretend that the system prefers dark or light."""
        self.call('Emulation.setEmulatedMedia',
                  features=[{'name': 'prefers-color-scheme', 'value': scheme}])

    def run(self, expression):
        """Return the value of an expression in the page, or of the promise that it returns."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True,
                           awaitPromise=True, allowUnsafeEvalBlockedByCSP=False)
        if 'exceptionDetails' in result:
            details = result['exceptionDetails']
            raise BrowserError(details.get('exception', {}).get('description', details['text']))
        return result['result'].get('value')

    def frame(self):
        """Wait until the page has drawn."""
        self.run('''new Promise(done => requestAnimationFrame(() =>
            requestAnimationFrame(() => requestAnimationFrame(done))))''')

    def open(self, url):
        """Open an address, and wait until its scripts have drawn."""
        # The same document would only get another fragment
        self.call('Page.navigate', url='about:blank')
        self.call('Page.navigate', url=url)
        self.wait('document.readyState === "complete"')
        self.frame()

    def wait(self, condition, seconds=TIMEOUT):
        end = time.monotonic() + seconds
        while not self.run('Boolean(%s)' % condition):
            if time.monotonic() > end:
                raise BrowserError('never true: ' + condition)
            time.sleep(0.02)

    def mouse(self, kind, x, y, **params):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **params)

    def click_while_busy(self, x, y, busy):
        """Click while the page runs a script for BUSY ms.  It handles the click after that."""
        self.run('''void setTimeout(() => {
            const end = performance.now() + %d;
            while (performance.now() < end);
        }, 0)''' % busy)
        method = 'Input.dispatchMouseEvent'
        numbers = [self.post(method, type=kind, x=x, y=y, button='left', clickCount=1)
                   for kind in ('mousePressed', 'mouseReleased')]
        # The answers come in this order, after the page has handled the click
        for number in numbers:
            self.answer(number, method)
        self.frame()

    def click(self, x, y):
        self.mouse('mouseMoved', x, y)
        for kind in 'mousePressed', 'mouseReleased':
            self.mouse(kind, x, y, button='left', clickCount=1)
        self.frame()

    def drag(self, x, y, to_x, to_y):
        self.mouse('mousePressed', x, y, button='left', clickCount=1)
        for part in 0.5, 1:
            self.mouse('mouseMoved', x + (to_x - x) * part, y + (to_y - y) * part, button='left',
                       buttons=1)
        self.mouse('mouseReleased', to_x, to_y, button='left', clickCount=1)
        self.frame()

    def wheel(self, x, y, delta, modifiers=0):
        self.mouse('mouseWheel', x, y, deltaX=0, deltaY=delta, modifiers=modifiers)
        self.frame()

    def press(self, key, modifiers=0):
        """Press a key: a character, or a name of CODES.  Shift is the modifier 8."""
        code = CODES.get(key, ord(key.upper()) if len(key) == 1 else 0)
        text = '\r' if key == 'Enter' else key if len(key) == 1 else ''
        self.call('Input.dispatchKeyEvent', type='keyDown' if text else 'rawKeyDown', key=key,
                  text=text, windowsVirtualKeyCode=code, modifiers=modifiers)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key, windowsVirtualKeyCode=code,
                  modifiers=modifiers)
        self.frame()

    def type(self, text):
        self.call('Input.insertText', text=text)
        self.frame()

    def screenshot(self, path):
        self.frame()
        shot = self.call('Page.captureScreenshot', format='png')
        with open(path, 'wb') as file:
            file.write(base64.b64decode(shot['data']))
