CREATE TABLE payouts (
  payout_id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  amount INTEGER NOT NULL,
  paid_at TEXT
);
