import {join} from 'node:path'
import {isDamage} from '../../database/database.ts'
import {removeIndexFiles} from '../../database/files.ts'
import {openSearchStore, type SearchStore} from './search-store.ts'

/** The file with everything that can be searched, opened on first use. */
export interface SearchFile {
  /** Works on the store; once more on an empty one if the file turns out to be damaged. */
  use<T>(work: (store: SearchStore) => T | Promise<T>): Promise<T>
  close(): void
}

/** Opens the search of a data folder. */
export function openSearchFile(dataDir: string): SearchFile {
  const path = join(dataDir, 'search.db')
  let store: SearchStore | undefined

  return {
    async use(work) {
      try {
        return await work((store ??= openSearchStore(path)))
      } catch (error) {
        if (!isDamage(error)) throw error
        close()
        removeIndexFiles(path)
        return work((store ??= openSearchStore(path)))
      }
    },
    close,
  }

  function close(): void {
    store?.close()
    store = undefined
  }
}
