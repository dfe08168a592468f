CREATE TABLE disputes (
  dispute_id TEXT PRIMARY KEY,
  payment_id TEXT NOT NULL,
  opened_at TEXT NOT NULL
);
