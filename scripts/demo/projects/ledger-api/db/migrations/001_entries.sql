CREATE TABLE entries (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  memo TEXT
);
