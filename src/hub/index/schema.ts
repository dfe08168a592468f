import {hash} from './checksum.ts'

/** The version of the tables; an index of another version is rebuilt. */
export const SCHEMA_VERSION = 4

/** The full-text index has prefixes of two letters and of this many. */
export const LONG_PREFIX_LENGTH = 3

/** Settings for one process, one connection and little memory. */
export const SETTINGS = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -4000;
  PRAGMA mmap_size = 0;
  PRAGMA journal_size_limit = 8388608;
`

/**
 * Messages of a run are stored in chunks. Derived data comes later: `facts_seq` and `searchable_seq` of a run are its
 * progress. The row id of a searchable text encodes its time, so that the newest come first without sorting;
 * `search_rows` maps it to the message. The text is only in the full-text index, with one word for the run and one for
 * the type.
 */
export const SCHEMA: string = `
  CREATE TABLE runs (
    no INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    last_seq INTEGER NOT NULL DEFAULT 0,
    facts_seq INTEGER NOT NULL DEFAULT 0,
    searchable_seq INTEGER NOT NULL DEFAULT 0,
    messages INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER,
    is_over INTEGER,
    is_complete INTEGER,
    cost_usd REAL,
    agent TEXT,
    verdict TEXT,
    work_order_id TEXT,
    stamp TEXT,
    search_text TEXT,
    checksum INTEGER,
    entry TEXT
  );
  CREATE INDEX runs_by_start ON runs (started_at DESC, run_id DESC);
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    types INTEGER NOT NULL,
    at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    json TEXT NOT NULL
  );
  CREATE UNIQUE INDEX chunks_by_seq ON chunks (run, last_seq, types, size);
  CREATE TABLE search_rows (id INTEGER PRIMARY KEY, message INTEGER NOT NULL);
  CREATE VIRTUAL TABLE found USING fts5 (
    text, run, type,
    content = '', contentless_delete = 1, prefix = '2 ${LONG_PREFIX_LENGTH}', tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TABLE tools (
    run INTEGER NOT NULL,
    use_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    tool TEXT,
    success INTEGER,
    duration_ms REAL,
    PRIMARY KEY (run, use_id)
  ) WITHOUT ROWID;
  CREATE INDEX tools_by_duration ON tools (tool, duration_ms) WHERE duration_ms IS NOT NULL;
  CREATE TABLE files (
    run INTEGER NOT NULL,
    path TEXT NOT NULL,
    seq INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    action TEXT NOT NULL,
    size INTEGER,
    uncertain INTEGER NOT NULL,
    PRIMARY KEY (run, path)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${SCHEMA_VERSION};
`

/** How many messages a run may have, so that run and message number fit into 53 bits. */
export const MAX_MESSAGES: number = 2 ** 27

/** The id of a message. */
export function toMessageId(run: number, seq: number): number {
  return run * MAX_MESSAGES + seq
}

/** The seq of a message. */
export function toSeq(id: number): number {
  return id % MAX_MESSAGES
}

/** The number of the run of a message. */
export function toRunNumber(id: number): number {
  return Math.floor(id / MAX_MESSAGES)
}

/** The word for a run in the full-text index. */
export function toRunWord(run: number): string {
  return `r${run}`
}

/** The word for a type in the full-text index. */
export function toTypeWord(type: string): string {
  return `t${(hash(0, type) >>> 0).toString(36)}`
}
