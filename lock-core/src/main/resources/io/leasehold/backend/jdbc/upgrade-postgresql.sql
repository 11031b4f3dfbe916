-- what a table of an older version lacks
ALTER TABLE lock_lease ADD COLUMN IF NOT EXISTS told_below BIGINT NOT NULL DEFAULT 0;
