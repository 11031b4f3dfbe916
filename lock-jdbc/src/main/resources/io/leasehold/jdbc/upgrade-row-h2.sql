-- what tables of older versions lack; instances of older versions go on working with the upgraded table
ALTER TABLE lock_row_fence ADD COLUMN IF NOT EXISTS written_at BIGINT DEFAULT 0 NOT NULL;
ALTER TABLE lock_row_fence ADD COLUMN IF NOT EXISTS holder VARCHAR(200);
