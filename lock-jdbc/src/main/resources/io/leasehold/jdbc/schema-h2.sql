-- one row for each lock
CREATE TABLE IF NOT EXISTS lock_lease (
    key_hash   BINARY(32)   NOT NULL PRIMARY KEY, -- SHA-256 of lock_key
    lock_key   VARCHAR(512) NOT NULL,             -- for people: namespace and key
    token      VARCHAR(33)  NOT NULL,             -- whose lease it is; with a hyphen for its first digit once it is released
    holder     VARCHAR(200),                      -- for people: the process that took it last
    fence      BIGINT       NOT NULL,             -- the first fencing token of the last grant; never lowered
    fences     INTEGER      NOT NULL,             -- how many fencing tokens that grant reserved
    expires_at BIGINT       NOT NULL,             -- end of the lease in microseconds since 1970, database time
    written_at BIGINT       DEFAULT 0 NOT NULL    -- when that was written; a time to come shows that the clock was set back
);
