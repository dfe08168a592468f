import type {UsageOverview} from '../../../src/hub/protocol/answers.ts'
import {encodeQuery, get, type HubAnswer} from './api.ts'

export type {UsageBlock, UsageOverview} from '../../../src/hub/protocol/answers.ts'

export interface UsageQuery {
  /** The first day, such as `2026-10-18`. */
  since: string
  /** The last day. */
  until: string
  /** The time zone of the days. */
  timezone: string
  agent?: string | undefined
  /** The folder. */
  project?: string | undefined
}

/** Reports the usage of a range of days. */
export function fetchUsageOverview(query: UsageQuery): Promise<HubAnswer<UsageOverview>> {
  return get(`/api/usage/overview${encodeQuery({...query})}`)
}
