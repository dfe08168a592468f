import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseClientMessage} from './client-message.ts'

const parse = (value: unknown) => parseClientMessage(JSON.stringify(value))

describe('a message of a client', () => {
  test.each([
    [{type: 'subscribe'}],
    [{type: 'subscribe', runId: 'a', since: 0}],
    [{type: 'subscribe', workOrderId: 'w', includeOutput: false}],
    [{type: 'unsubscribe', runId: 'a'}],
    [{type: 'ping', ref: '1'}],
    [{type: 'answer_permission', runId: 'a', requestId: 'r', allow: true, input: {a: 1}}],
    [{type: 'answer_permission', runId: 'a', requestId: 'r', allow: false, message: 'no'}],
    [{type: 'answer_permission', runId: 'a', requestId: 'r', allow: true, answers: [['x', 'y']]}],
    [{type: 'stop_run', runId: 'a'}],
  ])('%j is understood as it is', (message) => {
    expect(parse(message)).toEqual({ok: true, message})
  })

  test('is understood without what a later client may say, and without what is null', () => {
    const message = {type: 'subscribe', runId: 'a', later: [1], since: null}
    expect(parse(message)).toEqual({ok: true, message: {type: 'subscribe', runId: 'a'}})
  })

  test.each([
    ['', 'bad-json', undefined],
    ['{', 'bad-json', undefined],
    ['[]', 'bad-json', undefined],
    ['null', 'bad-json', undefined],
    ['"ping"', 'bad-json', undefined],
    ['{}', 'unknown-type', 'type'],
    ['{"type":5}', 'unknown-type', 'type'],
    ['{"type":"subscribed"}', 'unknown-type', 'type'],
    ['{"type":"constructor"}', 'unknown-type', 'type'],
    ['{"type":"__proto__"}', 'unknown-type', 'type'],
    ['{"type":"subscribe","runId":5}', 'bad-field', 'runId'],
    ['{"type":"subscribe","runId":""}', 'bad-field', 'runId'],
    ['{"type":"subscribe","workOrderId":{}}', 'bad-field', 'workOrderId'],
    ['{"type":"subscribe","runId":"a","since":-1}', 'bad-field', 'since'],
    ['{"type":"subscribe","runId":"a","since":1.5}', 'bad-field', 'since'],
    ['{"type":"subscribe","runId":"a","since":"1"}', 'bad-field', 'since'],
    ['{"type":"subscribe","runId":"a","since":1e300}', 'bad-field', 'since'],
    ['{"type":"subscribe","since":1}', 'bad-field', 'since'],
    ['{"type":"subscribe","includeOutput":"yes"}', 'bad-field', 'includeOutput'],
    ['{"type":"subscribe","includeProgress":1}', 'bad-field', 'includeProgress'],
    ['{"type":"stop_run"}', 'bad-field', 'runId'],
    ['{"type":"answer_permission","runId":"a","allow":true}', 'bad-field', 'requestId'],
    ['{"type":"answer_permission","runId":"a","requestId":"r"}', 'bad-field', 'allow'],
    [
      '{"type":"answer_permission","runId":"a","requestId":"r","allow":true,"input":[]}',
      'bad-field',
      'input',
    ],
  ])('%s is none: %s', (text, code, field) => {
    const outcome = parseClientMessage(text)
    expect(outcome).toMatchObject({ok: false, error: {code}})
    expect(outcome.ok || outcome.error.field).toBe(field)
  })

  test.each(['{}', '[]', '["x"]', '[[]]', '[[1]]', '[[""]]', '[["x"],null]'])(
    'with the answers %s is none',
    (answers) => {
      const head = '{"type":"answer_permission","runId":"a","requestId":"r","allow":true'
      expect(parseClientMessage(`${head},"answers":${answers}}`)).toMatchObject({
        ok: false,
        error: {code: 'bad-field', field: 'answers'},
      })
    },
  )

  test('has its ref in what is said against it', () => {
    expect(parse({type: 'stop', ref: 'x'})).toMatchObject({ok: false, error: {ref: 'x'}})
    expect(parse({type: 'stop_run', ref: 'x'})).toMatchObject({ok: false, error: {ref: 'x'}})
  })

  test('of any shape is understood or refused, never an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const outcome = parseClientMessage(text)
        expect(outcome.ok ? outcome.message.type : outcome.error.message).not.toBe('')
      }),
      {numRuns: 2000},
    )
  })
})
