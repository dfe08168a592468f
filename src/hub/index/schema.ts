/** The version of the tables and of the parsers that fill them; an index of another version is rebuilt. */
export const SCHEMA_VERSION = 5

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
 * The id of an item or a message is the number of its run and its own number, so that one range of ids is one run.
 * `items.line` counts the lines up to an item; `items.complete` has the events that `items.json` cuts.
 */
export const SCHEMA: string = `
  CREATE TABLE runs (
    no INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    last_seq INTEGER NOT NULL DEFAULT 0,
    last_item INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER,
    is_over INTEGER,
    is_complete INTEGER,
    cost_usd REAL,
    agent TEXT,
    verdict TEXT,
    work_order_id TEXT,
    stamp TEXT,
    search_text TEXT,
    entry TEXT
  );
  CREATE INDEX runs_by_start ON runs (started_at DESC, run_id DESC);
  CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    line INTEGER NOT NULL,
    json TEXT NOT NULL,
    complete TEXT
  );
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    json TEXT NOT NULL,
    thinking TEXT
  );
  CREATE VIRTUAL TABLE search USING fts5 (
    text, type, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  PRAGMA user_version = ${SCHEMA_VERSION};
`

/** How many items and messages a run may have, so that an id fits into 53 bits. */
const MAX_NUMBER = 2 ** 27

/** The id of an item or a message. */
export function toId(run: number, number: number): number {
  if (number >= MAX_NUMBER) throw new RangeError(`a run has at most ${MAX_NUMBER - 1} messages`)
  return run * MAX_NUMBER + number
}

/** The id of the last item or message that a run can have. */
export function toLastId(run: number): number {
  return toId(run, MAX_NUMBER - 1)
}

/** The number of the run of an id. */
export function toRunNumber(id: number): number {
  return Math.floor(id / MAX_NUMBER)
}

/** The number of an item or a message within its run. */
export function toNumber(id: number): number {
  return id % MAX_NUMBER
}
