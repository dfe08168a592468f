import {expect, test} from 'vitest'
import type * as z from 'zod'
import type {ClientMessage} from '../../core/protocol/client-message.ts'
import type {RunMessage, ServerMessage} from '../../core/protocol/server-message.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import type {StoreStats} from '../index/store.ts'
import type {Offsets} from '../ingest/protocol.ts'
import type {CommandOutcome, RunCommand} from '../live/bus.ts'
import type {Stats} from './answers.ts'
import type {clientMessage} from './client-messages.ts'
import type {commandOutcome, HubMessage, runCommand} from './ingest-messages.ts'
import type {runSummary} from './run.ts'
import type {runMessage, serverMessage} from './server-messages.ts'

/** A type without the differences between interfaces and object types, and without `readonly`. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? {-readonly [K in keyof T]: Plain<T[K]>}
    : T

type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false

// The compiler rejects this table if a schema differs from the type that the rest of the code uses.
const SAME: {
  clientMessage: Same<z.infer<typeof clientMessage>, ClientMessage>
  serverMessage: Same<z.infer<typeof serverMessage>, ServerMessage>
  runMessage: Same<z.infer<typeof runMessage>, RunMessage>
  runSummary: Same<z.infer<typeof runSummary>, RunSummary>
  commandOutcome: Same<z.infer<typeof commandOutcome>, CommandOutcome>
  runCommand: Same<z.infer<typeof runCommand>, RunCommand>
  offsets: Same<Extract<HubMessage, {type: 'have'}>['offsets'], Offsets>
  stats: Same<Omit<Stats, 'indexing'>, StoreStats>
} = {
  clientMessage: true,
  serverMessage: true,
  runMessage: true,
  runSummary: true,
  commandOutcome: true,
  runCommand: true,
  offsets: true,
  stats: true,
}

test('the schemas have the types of the core', () => {
  expect(Object.values(SAME)).not.toContain(false)
})
