-- +goose Up

-- How often something was tried: until when a key's limit is not whole again, in microseconds of
-- Unix time.
CREATE TABLE rate_limits (
    key        TEXT    NOT NULL PRIMARY KEY,
    used_until INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX rate_limits_used_until ON rate_limits (used_until);
