import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseClientMessage} from './client-messages.ts'

const parse = (value: unknown) => parseClientMessage(JSON.stringify(value))

describe('parseClientMessage', () => {
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
  ])('accepts %j unchanged', (message) => {
    expect(parse(message)).toEqual({ok: true, message})
  })

  test('drops unknown fields and fields that are null', () => {
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
  ])('rejects %s with %s', (text, code, field) => {
    const outcome = parseClientMessage(text)
    expect(outcome).toMatchObject({ok: false, error: {code}})
    expect(outcome.ok || outcome.error.field).toBe(field)
  })

  test.each(['{}', '[]', '["x"]', '[[]]', '[[1]]', '[[""]]', '[["x"],null]'])(
    'rejects the answers %s',
    (answers) => {
      const head = '{"type":"answer_permission","runId":"a","requestId":"r","allow":true'
      expect(parseClientMessage(`${head},"answers":${answers}}`)).toMatchObject({
        ok: false,
        error: {code: 'bad-field', field: 'answers'},
      })
    },
  )

  test('returns the ref of an invalid message in the error', () => {
    expect(parse({type: 'stop', ref: 'x'})).toMatchObject({ok: false, error: {ref: 'x'}})
    expect(parse({type: 'stop_run', ref: 'x'})).toMatchObject({ok: false, error: {ref: 'x'}})
  })

  test('accepts or rejects any input without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const outcome = parseClientMessage(text)
        expect(outcome.ok ? outcome.message.type : outcome.error.message).not.toBe('')
      }),
      {numRuns: 2000},
    )
  })
})
