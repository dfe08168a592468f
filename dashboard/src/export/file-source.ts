import {BLOCKS} from '../../../src/export/exported-run.ts'
import type {FullRecord, RunItem} from '../../../src/replay/run-item.ts'
import {createRunModel} from '../model/run-model.ts'
import {createStore} from '../ui/create-store.ts'
import type {LineRange, Loading, RunSource} from '../run/run-source.ts'
import {unpack} from './unpack.ts'

/** Complete lines of a range, compressed. */
interface Block {
  from: number
  to: number
  element: Element
}

/** How many blocks are kept uncompressed: enough for continuous reading, with little memory. */
const MAX_UNPACKED = 8

/** Reads a run from this page, to which it was exported, once it is opened. */
export function createFileSource(runId: string): RunSource & {open(): Promise<void>} {
  const model = createRunModel()
  const loading: Loading = {isCaughtUp: false, bytesRead: 0, bytesTotal: 0}
  const {get, set, subscribe} = createStore({snapshot: model.snapshot, loading})
  const blocks = listBlocks()
  const unpacked = new Map<Block, Promise<FullRecord[]>>()
  const leftOut = new Set<number>()

  return {
    runId,
    get,
    subscribe,
    isLeftOut: (line) => leftOut.has(line),
    async readRecords(ranges) {
      const wanted = blocks.filter((block) => ranges.some((range) => overlaps(range, block)))
      const found: FullRecord[] = []
      for (const block of wanted) {
        for (const record of await readBlock(block)) {
          if (ranges.some(([from, to]) => record.line >= from && record.line <= to)) {
            found.push(record)
          }
        }
      }
      const lines = new Set(found.map(({line}) => line))
      for (const [from, to] of ranges) {
        for (let line = from; line <= to; line++) if (!lines.has(line)) leftOut.add(line)
      }
      return found
    },
    async open() {
      try {
        await readItems()
      } catch {
        update({error: 'The data in this file is damaged. Only the readable part is shown.'})
      }
      update({isCaughtUp: true})
    },
  }

  async function readItems(): Promise<void> {
    const elements = [...document.querySelectorAll(`[${BLOCKS.items}]`)]
    const bytesTotal = elements.reduce((sum, {textContent}) => sum + textContent.length, 0)
    for (const element of elements) {
      const bytesRead = get().loading.bytesRead + element.textContent.length
      model.take(await unpack<RunItem[]>(element))
      update({bytesRead, bytesTotal})
      // Frees the memory.
      element.remove()
    }
  }

  function readBlock(block: Block): Promise<FullRecord[]> {
    const records = unpacked.get(block) ?? unpack<FullRecord[]>(block.element)
    // Least recently used blocks are dropped first.
    unpacked.delete(block)
    unpacked.set(block, records)
    for (const oldest of unpacked.keys()) {
      if (unpacked.size <= MAX_UNPACKED) break
      unpacked.delete(oldest)
    }
    return records
  }

  function update(change: Partial<Loading>): void {
    set({snapshot: model.snapshot, loading: {...get().loading, ...change}})
  }
}

function listBlocks(): Block[] {
  return [...document.querySelectorAll(`[${BLOCKS.records}]`)].map((element) => ({
    from: Number(element.getAttribute('data-from')),
    to: Number(element.getAttribute('data-to')),
    element,
  }))
}

function overlaps([first, last]: LineRange, {from, to}: Block): boolean {
  return first <= to && last >= from
}
