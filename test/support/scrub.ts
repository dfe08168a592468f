import {expect} from 'vitest'
import type {Adapter} from '../../src/core/events/adapter.ts'
import {parseText} from '../../src/core/wire/json.ts'
import {findEventDifference} from '../../src/fixture/find-event-difference.ts'
import {decodeFixture} from '../../src/fixture/golden.ts'
import type {PersonalData} from '../../src/fixture/scrub-text.ts'
import {scrubStream} from '../../src/fixture/scrub.ts'
import type {Fixture} from './fixtures.ts'

/** No known personal data. */
export const NO_TRACES: PersonalData = {
  workFolders: [],
  homes: [],
  users: [],
  hosts: [],
  tempFolders: [],
  sessions: [],
  words: [],
  beganAt: undefined,
}

/** Expects that scrubbing keeps the events and the validity of all lines, and that it is idempotent. */
export function expectScrubbable({agent, bytes}: Fixture): void {
  const once = scrubStream(bytes, {...NO_TRACES, beganAt: firstTime(agent, bytes)}).bytes
  const twice = scrubStream(once, {...NO_TRACES, beganAt: firstTime(agent, once)}).bytes
  expect(findEventDifference(agent, bytes, once)).toBeUndefined()
  expect(twice.equals(once)).toBe(true)
  expect(validityOf(once)).toBe(validityOf(bytes))
}

function firstTime(agent: Adapter, bytes: Uint8Array): number | undefined {
  return decodeFixture(agent, bytes).find(({at}) => at > 0)?.at
}

/** Marks for each line whether it is JSON. */
function validityOf(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .split('\n')
    .map((line) => (parseText(line) === line ? '-' : '+'))
    .join('')
}
