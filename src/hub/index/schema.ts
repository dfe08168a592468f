/** The version of the tables and of the parsers that fill them; an index of another version is rebuilt. */
export const SCHEMA_VERSION = 7

/** Settings for one process, one connection and little memory. */
export const SETTINGS = `
  PRAGMA page_size = 32768;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -4000;
  PRAGMA mmap_size = 0;
  PRAGMA wal_autocheckpoint = 500;
  PRAGMA journal_size_limit = 16777216;
`

/**
 * A row of `batches` has the items and messages of a run that were added together: a row for each would double the time
 * of writing. Rows of all runs are in the order in which they arrive: sorted by run, each commit would change a page of
 * the file for every live run. `search` has a row for each message.
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
    kind TEXT,
    cwd TEXT,
    is_estimate INTEGER,
    is_waiting INTEGER,
    verdict TEXT,
    work_order_id TEXT,
    stamp TEXT,
    search_text TEXT,
    entry TEXT
  );
  CREATE INDEX runs_by_start ON runs (started_at DESC, run_id DESC);
  CREATE TABLE batches (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    last_item INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    items TEXT NOT NULL,
    complete TEXT NOT NULL,
    messages TEXT NOT NULL
  );
  CREATE INDEX batches_by_item ON batches (run, last_item);
  CREATE INDEX batches_by_seq ON batches (run, last_seq);
  CREATE VIRTUAL TABLE search USING fts5 (
    text, type, run, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  PRAGMA user_version = ${SCHEMA_VERSION};
`
