import {describe, expect, test} from 'vitest'
import {extractResult, isComplete} from './completion.ts'

const lines = (...all: string[]) => all.join('\n')

describe('extractResult', () => {
  test.each<[string, string, string | null]>([
    [
      'the result line',
      lines('{"type":"system"}', '{"type":"result","result":"done","total_cost_usd":0.01}'),
      'done',
    ],
    [
      'the last of several',
      lines('{"type":"result","result":"a"}', '{"type":"result","result":"b"}'),
      'b',
    ],
    [
      'one between other lines',
      lines('line1', '{"type":"result","result":"complete"}', 'line3'),
      'complete',
    ],
    [
      'one before a line that was cut',
      lines('{"type":"result","result":"whole"}', '{"type":"result","result":"cu'),
      'whole',
    ],
    ['one with spaces in it', '  { "type" : "result" , "result" : "spaced" }  \r\n', 'spaced'],
    ['one with the type last', '{"result":"late","type":"result"}', 'late'],
    ['the text of a failed turn as empty', '{"type":"result","subtype":"error_max_turns"}', ''],
    ['a null as empty', '{"type":"result","result":null}', ''],
    [
      'the last whose text is text',
      lines('{"type":"result","result":"text"}', '{"type":"result","result":{"a":1}}'),
      'text',
    ],
    [
      'no line that only speaks of a result',
      '{"type":"user","message":"{\\"type\\":\\"result\\",\\"result\\":\\"no\\"}"}',
      null,
    ],
    [
      'the last in one array',
      '[{"type":"result","result":"a"},{"type":"result","result":"b"},{"type":"x"}]',
      'b',
    ],
    ['nothing in an array without one', '[1,"result"]', null],
    ['nothing without one', lines('{"type":"assistant"}', '{"type":"user"}'), null],
    ['nothing in what is not JSON', lines('{not json}', '{"type":"result"'), null],
    ['nothing in nothing', '', null],
    ['a response in tags', 'Some output\n<response>completed</response>', 'completed'],
    ['the last response', '<response>a</response> then <response>\nb\n</response>\n', '\nb\n'],
    [
      'a result rather than a response',
      '{"type":"result","result":"r"}\n<response>x</response>',
      'r',
    ],
    ['a response before a stray end', '<response>A</response> stray </response>', 'A'],
    ['a response before half of another', '<response>a</response> <response>open', 'a'],
    ['the inner of two', '<response>x <response>y</response></response>', 'y'],
    ['a result behind a byte order mark', '\uFEFF{"type":"result","result":"marked"}', 'marked'],
    ['nothing in half a response', '<response>open', null],
    ['nothing in the other half', 'closed</response>', null],
  ])('finds %s', (_, output, expected) => {
    expect(extractResult(output)).toBe(expected)
  })

  test('searches from the end', () => {
    // Parsed from the beginning, 200 MB of this would outlast the test.
    const noise = `{"type":"user","message":"${'result '.repeat(1000)}"}\n`.repeat(30_000)
    expect(extractResult(`${noise}{"type":"result","result":"done"}\n`)).toBe('done')
  })
})

describe('isComplete', () => {
  test.each<[string, string, string, boolean]>([
    ['the same text', '{"type":"result","result":"done"}', 'done', true],
    [
      'another case and white space around it',
      '{"type":"result","result":" Done\\n"}',
      '\tDONE ',
      true,
    ],
    ['a response', '<response> Completed </response>', 'completed', true],
    ['letters with two lower cases', '{"type":"result","result":"ΟΔΟΣ"}', 'οδος', true],
    ['letters with a third case', '{"type":"result","result":"\u212aς"}', 'Kσ', true],
    ['letters that only look alike', '{"type":"result","result":"straße"}', 'STRASSE', false],
    [
      'signs that mean something in patterns',
      '{"type":"result","result":"[a].*\\\\(b)-/x{2}$"}',
      '[A].*\\(B)-/X{2}$',
      true,
    ],
    ['a pattern that would match', '{"type":"result","result":"..."}', 'abc', false],
    ['several lines', '{"type":"result","result":"a\\nb"}', 'A\nB', true],
    ['another text', '{"type":"result","result":"done"}', 'other', false],
    ['a part of the text', '{"type":"result","result":"done and dusted"}', 'done', false],
    ['no result', '{"type":"assistant"}', 'done', false],
    ['no result, and nothing expected', '', '', false],
  ])('compares %s', (_, output, expected, complete) => {
    expect(isComplete(output, expected)).toBe(complete)
  })
})

test('isComplete compares long answers', () => {
  const answer = 'a'.repeat(1_000_000)
  expect(isComplete(`<response>${answer}</response>`, answer.toUpperCase())).toBe(true)
  expect(isComplete(`<response>${answer}</response>`, `${answer.slice(1)}b`)).toBe(false)
})
