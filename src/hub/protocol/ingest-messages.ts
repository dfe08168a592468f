import * as z from 'zod'
import type {RunRecord} from '../../recording/run-record.ts'
import {count, flag, message, named, text} from './fields.ts'

const key = count('Identifies the run on this connection.').max(2 ** 32 - 1)
const id = z.int().describe('Identifies the command on this connection.')
// Checked by `parseRunRecord`, which also repairs and limits its fields.
const record = z.custom<RunRecord>().meta({type: 'object', description: 'The `run.json` of a run.'})

export const commandOutcome = z.discriminatedUnion('ok', [
  z.object({ok: z.literal(true)}),
  z.object({
    ok: z.literal(false),
    code: z.enum(['no-such-request', 'not-reachable', 'bad-field']),
    message: text(),
  }),
])

export const runCommand = z.discriminatedUnion('type', [
  z.object({type: z.literal('stop')}),
  z.object({
    type: z.literal('answer'),
    requestId: text(),
    allow: flag(),
    message: text().optional(),
    rule: text().optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    answers: z.array(z.array(text()).readonly()).readonly().optional(),
  }),
])

/** Messages from a runner to a hub, besides the bytes. */
export const runnerMessage = z
  .discriminatedUnion('type', [
    message('offer', 'Offers a run.', {key, record}),
    message('record', 'The record of a run changed. Sent after the bytes that it describes.', {
      key,
      version: z.int().describe('Any number by which you recognise the record.'),
      record,
    }),
    message('outcome', 'The outcome of a command.', {id, outcome: commandOutcome}),
  ])
  .register(named, {id: 'RunnerMessage'})
export type RunnerMessage = z.infer<typeof runnerMessage>

const offsets = z.object({
  timing: count(),
  out: count(),
  err: count(),
  in: count(),
  answer: count(),
  file: count(),
})

/** Messages from a hub to a runner. */
export const hubMessage = z
  .discriminatedUnion('type', [
    message('have', 'Acknowledges an offer, bytes or a record.', {
      key,
      runId: text('The name of the run at the hub; another one if the name was in use.'),
      isLocal: flag('Whether the hub reads the same folder: send no bytes and no records.'),
      offsets: offsets.describe('The stored bytes of each file. Continue from there.'),
      version: z.int().describe('That of the last `record` on this connection; 0 for the offer.'),
    }),
    message('refused', 'The run is not accepted.', {key, message: text()}),
    message('replaced', 'Another runner offered the run with the same `marker`.', {key}),
    message('command', 'A command of a client. Reply with `outcome` within 5 seconds.', {
      key,
      id,
      command: runCommand,
    }),
  ])
  .register(named, {id: 'HubMessage'})
export type HubMessage = z.infer<typeof hubMessage>
