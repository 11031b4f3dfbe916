-- what tables of older versions lack; instances of older versions go on working with the upgraded table
ALTER TABLE lock_lease ADD COLUMN IF NOT EXISTS told_below BIGINT NOT NULL DEFAULT 0;
ALTER TABLE lock_lease ADD COLUMN IF NOT EXISTS written_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE lock_lease ADD COLUMN IF NOT EXISTS holder VARCHAR(200);
