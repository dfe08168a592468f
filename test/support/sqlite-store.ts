import type {Store} from '../../src/hub/store.ts'
import type {SqliteStoreOptions} from '../../src/hub/store/sqlite.ts'

/** Where the store is, as it is built: a thread cannot load TypeScript everywhere. */
export const storeUrl = new URL('../../dist/hub/store/sqlite.js', import.meta.url)

/** Opens that store. */
export const {openSqliteStore} = (await import(storeUrl.href)) as {
  openSqliteStore(path: string, options: SqliteStoreOptions): Promise<Store>
}
