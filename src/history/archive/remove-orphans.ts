import type {ChunkStore} from './chunk-store.ts'
import {readManifest} from './manifest.ts'

/** Removes chunks that no file has. Only with the lock. */
export function removeOrphans(folder: string, store: Pick<ChunkStore, 'removeExcept'>): void {
  const files = readManifest(folder).values()
  store.removeExcept(new Set([...files].flatMap(({chunks}) => chunks.map(([hash]) => hash))))
}
