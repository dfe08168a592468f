import type {RunEntry} from './store.ts'
import type {Chunk} from './chunk.ts'

/** One change of the index. */
export type Change =
  | {type: 'append'; runId: string; chunk: Chunk}
  | {type: 'put'; entry: RunEntry}
  | {type: 'remove'; runId: string}
