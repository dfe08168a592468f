import {refuse, type Refusal} from './refusal.ts'
import {ParameterError} from './route-params.ts'
import type {Rights} from '../auth/tokens.ts'
import type {LineRange} from '../../replay/run-item.ts'

/** Selects lines of a recording: by number, or the lines that contain a text. */
type RecordsQuery = {type: 'lines'; ranges: LineRange[]} | {type: 'find'; text: string}

const MAX_RECORDS = 1000

/** Parses the query for lines. */
export function readRecordsQuery(params: URLSearchParams, rights: Rights): RecordsQuery | Refusal {
  const text = params.get('find')
  if (text === null) {
    return {type: 'lines', ranges: readRanges(params.get('lines') ?? '')}
  }
  // The text may be a secret: clients without the right to the raw bytes must not learn whether it occurs.
  if (!rights.answer) {
    return refuse(
      403,
      'forbidden',
      'The query parameter `find` needs a token with the right `answer`.',
    )
  }
  if (text.length < 2) throw new ParameterError('find', 'at least 2 characters')
  return {type: 'find', text}
}

/** Parses lines such as `3,17,20-25`. */
function readRanges(text: string): LineRange[] {
  const ranges = text.split(',').map((part): LineRange | null => {
    const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? []
    return first !== '' && Number(last) >= Number(first) ? [Number(first), Number(last)] : null
  })
  const known = ranges.filter((range) => range !== null)
  const count = known.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  if (known.length === ranges.length && count <= MAX_RECORDS) return joinRanges(known)
  throw new ParameterError('lines', 'at most 1,000 line numbers, such as `3,17,20-25`')
}

/** Sorts ranges and merges adjacent ones, so that no line is read twice. */
export function joinRanges(ranges: readonly LineRange[]): LineRange[] {
  const joined: LineRange[] = []
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = joined.at(-1)
    if (before === undefined || first > before[1] + 1) joined.push([first, last])
    else joined[joined.length - 1] = [before[0], Math.max(before[1], last)]
  }
  return joined
}
