import {expect, test} from 'vitest'
import {describeError} from './describe-error.ts'

test.each([
  ['Error: Session not found\n', 'Error: Session not found'],
  ['\u001b[91m\u001b[1mError: \u001b[0mSession not found\n', 'Error: Session not found'],
  ['Error:\n  the key is not valid\n', 'the key is not valid'],
  // A stack trace and other text follow the reason.
  ['Error: no key\n    at main (cli.js:1:2)\nGoodbye\n', 'Error: no key'],
  // A warning is not a reason.
  [
    'WARNING: proceeding, even though we could not create PATH aliases\nReading prompt from stdin...\nNo prompt provided via stdin.\n',
    'No prompt provided via stdin.',
  ],
  ['Warning: 256-color support not detected\n', 'Warning: 256-color support not detected'],
  // Neither is the help text that follows invalid arguments.
  [
    'Unknown arguments: such-flag, suchFlag\nUsage: gemini [options] [command]\n\nOptions:\n  -e, --extensions  A list of extensions to use. If not provided, all are used.  [array]\n  -h, --help        Show help  [boolean]\n',
    'Unknown arguments: such-flag, suchFlag',
  ],
  [
    "error: unexpected argument '--no-such-flag' found\n\n  tip: to pass '--no-such-flag' as a value, use '-- --no-such-flag'\n\nUsage: codex exec [OPTIONS] [PROMPT]\n       codex exec [OPTIONS] <COMMAND> [ARGS]\n\nFor more information, try '--help'.\n",
    "error: unexpected argument '--no-such-flag' found",
  ],
  // The reason may follow the help text.
  [
    'Usage: tool [options]\n\nOptions:\n  --not-this  is not the reason\n\nUnknown argument: nope\n',
    'Unknown argument: nope',
  ],
  // Some programs print only the help text.
  [
    'opencode run [message..]\n\nrun opencode with a message\n\nPositionals:\n  message  message to send  [array]\n\nOptions:\n      --auto         auto-approve permissions that are not explicitly denied (dangerous!)\n                                           [boolean] [default: false]',
    'it printed its help: opencode run [message..]',
  ],
  [
    '--dangerously-skip-permissions cannot be used with root/sudo privileges\n',
    '--dangerously-skip-permissions cannot be used with root/sudo privileges',
  ],
  // Cline prints errors as JSON when it cannot start.
  [
    '{"ts":"2026-11-18T02:10:52.626Z","type":"error","message":"JSON output mode requires a prompt"}\n',
    'JSON output mode requires a prompt',
  ],
  ['{"error":{"message":"no key"}}\n', 'no key'],
  ['{"error":"no key"}\n', '{"error":"no key"}'],
  ['', ''],
])('finds the reason in %j: %j', (stderr, reason) => {
  expect(describeError(stderr)).toBe(reason)
})

test.each([
  ['returns nothing without output', '', ''],
  ['returns a single line', 'boom\n', 'boom'],
  ['returns the last line without a reason', 'one\ntwo\n', 'two'],
  ['returns the line with a reason', 'Error: no key\nGoodbye\n', 'Error: no key'],
  ['returns the later of two reasons', 'error: a\nfatal: b\nbye', 'fatal: b'],
  [
    'removes terminal sequences',
    '\u001b[31mError:\u001b[0m no \u001b]0;title\u0007key',
    'Error: no key',
  ],
  ['skips stack traces', 'Error: x\n    at f (file.js:1:2)\n    at g (error.js:3:4)\n', 'Error: x'],
  ['skips separator lines', 'Error: x\n=======\n^^^^\n\n', 'Error: x'],
  ['matches complete words only', 'terror and notable\nlast', 'last'],
  ['removes carriage returns', 'Error: x\r\nbye\r\n', 'Error: x'],
])('%s', (_, stderr, expected) => {
  expect(describeError(stderr)).toBe(expected)
})
