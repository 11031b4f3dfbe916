-- one row for each lock, to be locked
CREATE TABLE IF NOT EXISTS lock_row (
    key_hash   BYTEA        NOT NULL PRIMARY KEY, -- SHA-256 of lock_key
    lock_key   VARCHAR(512) NOT NULL              -- for people: namespace and key
);
-- the fencing tokens of the same locks, written while the rows above stay locked
CREATE TABLE IF NOT EXISTS lock_row_fence (
    key_hash   BYTEA        NOT NULL PRIMARY KEY,
    lock_key   VARCHAR(512) NOT NULL,
    token      VARCHAR(33)  NOT NULL,             -- who locked the row last; with a hyphen for its first digit once it is released
    holder     VARCHAR(200),                      -- for people: the process that took it last
    fence      BIGINT       NOT NULL,             -- the first fencing token of the last grant; never lowered
    fences     INTEGER      NOT NULL,             -- how many fencing tokens that grant reserved
    expires_at BIGINT       NOT NULL,             -- until when its holder renewed it, for those who wait
    written_at BIGINT       NOT NULL DEFAULT 0    -- when that was written
) WITH (fillfactor = 50);
