-- what tables of older versions lack; instances of older versions go on working with the upgraded table;
-- a statement is refused if the table has its column already
ALTER TABLE lock_lease ADD COLUMN written_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE lock_lease ADD COLUMN holder VARCHAR(200) CHARACTER SET utf8mb4;
