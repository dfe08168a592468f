import {existsSync, mkdtempSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

/** Runs a check for every item and reports all failures at once, so that one test covers one invariant. */
export async function expectForEach<T extends {name: string}>(
  items: readonly T[],
  check: (item: T) => void | Promise<void>,
): Promise<void> {
  if (items.length === 0)
    throw new Error('expectForEach needs at least one item: the list is empty.')
  const failures: string[] = []
  for (const item of items) {
    try {
      await check(item)
    } catch (error) {
      failures.push(`${item.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (failures.length > 0) {
    throw new Error(`${failures.length} of ${items.length} failed:\n${failures.join('\n')}`)
  }
}

/** Creates a temporary folder, in memory if possible: thousands of small files are slow on disk. */
export function createFixtureFolder(prefix: string): string {
  return mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), prefix))
}
