import type {RequestBlock, RequestRows} from './request-columns.ts'
import type {RequestList, UsageRequest} from './usage/report.ts'

/** The transcripts of a session with their requests. */
export interface RequestOwner {
  agent: string
  startedAt: number
  endedAt: number
  transcripts: readonly {rows: RequestRows; isSubAgent: boolean}[]
}

/**
 * Gives each request to the session that began first among those that have it. Copies of a request in other files count
 * as one with it: the largest output counts, because usage grows while an answer is written.
 *
 * @returns The requests of each session in order of time, decoded on each pass.
 */
export function assignRequests(owners: readonly RequestOwner[]): RequestList[] {
  // A copy that begins with the rows of its origin usually ends later.
  const sorted = owners.toSorted(
    (one, other) => one.startedAt - other.startedAt || one.endedAt - other.endedAt,
  )
  const requests = createOwnedRequests(countRows(owners))
  const tables = new Map<string, KeyTable>()
  const lists = new Map<RequestOwner, RequestList>()
  for (const owner of sorted) {
    const {agent} = owner
    let known = tables.get(agent)
    if (known === undefined) {
      known = createTable(sorted.filter((other) => other.agent === agent))
      tables.set(agent, known)
    }
    const first = requests.count()
    for (const {rows, isSubAgent} of owner.transcripts) {
      const part = requests.addPart(rows.block, isSubAgent)
      for (let row = rows.from; row < rows.from + rows.length; row++) {
        const number = known.findOrAdd(rows.block, row, requests.count())
        if (number === requests.count()) requests.add(part, row)
        else requests.merge(number, rows.block, row)
      }
    }
    lists.set(owner, requests.list(first, requests.count()))
  }
  return owners.map((owner) => lists.get(owner) ?? [])
}

/** Numbers of requests by their keys. */
interface KeyTable {
  /** The number of a request that is known by its key; otherwise adds it with a number, which is returned. */
  findOrAdd(block: RequestBlock, row: number, number: number): number
}

function createTable(owners: readonly RequestOwner[]): KeyTable {
  const table = createHashTable(countRows(owners))
  const hasPartialKeys = owners.some(({transcripts}) =>
    transcripts.some(({rows}) => rows.block.hasPartialKeys),
  )
  return hasPartialKeys ? withPartialKeys(table) : table
}

function countRows(owners: readonly RequestOwner[]): number {
  return owners.reduce(
    (sum, {transcripts}) => transcripts.reduce((count, {rows}) => count + rows.length, sum),
    0,
  )
}

/** A table by the hashes of keys. A `Map` would need an object for each hash. */
function createHashTable(count: number): KeyTable {
  const size = 2 ** Math.ceil(Math.log2(2 * count + 1))
  const hashes = new Float64Array(size)
  /** 0 is an empty place. */
  const numbers = new Int32Array(size)
  return {
    findOrAdd(block, row, number) {
      const keyHash = block.keyHashAt(row)
      let place = keyHash & (size - 1)
      for (;;) {
        const found = numbers[place] ?? 0
        if (found === 0) break
        if (hashes[place] === keyHash) return found - 1
        place = (place + 1) & (size - 1)
      }
      hashes[place] = keyHash
      numbers[place] = number + 1
      return number
    },
  }
}

/** A table in which a key without its second part is that of any request with the first part. */
function withPartialKeys(table: KeyTable): KeyTable {
  /** Requests by the first part of their key: all of them, and those without a second part. */
  const [complete, partial] = [new Map<string, number>(), new Map<string, number>()]
  return {
    findOrAdd(block, row, number) {
      const key = block.keyAt(row)
      const firstPart = key.slice(0, key.lastIndexOf(' ') + 1)
      const isPartial = block.hasPartialKeyAt(row)
      const same = partial.get(firstPart) ?? (isPartial ? complete.get(firstPart) : undefined)
      const found = same ?? table.findOrAdd(block, row, number)
      const ofKind = isPartial ? partial : complete
      if (!ofKind.has(firstPart)) ofKind.set(firstPart, found)
      return found
    },
  }
}

/** The requests of one transcript. */
interface Part {
  block: RequestBlock
  isSubAgent: boolean
}

/** All requests by number. They are not kept as objects: tens of thousands would take longer than everything else. */
function createOwnedRequests(maxCount: number) {
  const parts: Part[] = []
  const partIndexes = new Int32Array(maxCount)
  const rows = new Int32Array(maxCount)
  let count = 0
  /** The last request that is older than the one before it. */
  let lastDescent = 0
  let lastTime = 0
  /** Requests of which a copy has more output. */
  const merged = new Map<number, UsageRequest>()
  return {count: () => count, addPart, add, merge, list}

  function addPart(block: RequestBlock, isSubAgent: boolean): number {
    return parts.push({block, isSubAgent}) - 1
  }

  function add(partIndex: number, row: number): void {
    partIndexes[count] = partIndex
    rows[count] = row
    const at = timeOf(count)
    if (at < lastTime) lastDescent = count
    lastTime = at
    count++
  }

  function merge(number: number, block: RequestBlock, row: number): void {
    const output = merged.get(number)?.tokens.output ?? partOf(number).block.outputAt(rowOf(number))
    if (block.outputAt(row) <= output) return
    const {at, isSubAgent, toolCount} = read(number)
    const copy = block.read(row)
    merged.set(number, {...copy, at, isSubAgent, toolCount: Math.max(toolCount, copy.toolCount)})
  }

  function list(from: number, to: number): RequestList {
    const numbers = sortByTime(from, to)
    return {
      length: to - from,
      *[Symbol.iterator]() {
        for (let index = 0; index < to - from; index++) yield read(numbers?.[index] ?? from + index)
      },
    }
  }

  /** Orders the requests that were added last; `undefined` if they are in order already, as nearly always. */
  function sortByTime(from: number, to: number): number[] | undefined {
    if (lastDescent <= from) return undefined
    return Array.from({length: to - from}, (_, index) => from + index).toSorted(
      (one, other) => timeOf(one) - timeOf(other),
    )
  }

  function read(number: number): UsageRequest {
    const before = merged.get(number)
    if (before !== undefined) return before
    const {block, isSubAgent} = partOf(number)
    const request = block.read(rowOf(number))
    if (isSubAgent) request.isSubAgent = true
    return request
  }

  function timeOf(number: number): number {
    return partOf(number).block.timeAt(rowOf(number))
  }

  function partOf(number: number): Part {
    const part = parts[partIndexes[number] ?? -1]
    if (part === undefined) throw new RangeError(`no request ${number}`)
    return part
  }

  function rowOf(number: number): number {
    return rows[number] ?? 0
  }
}
