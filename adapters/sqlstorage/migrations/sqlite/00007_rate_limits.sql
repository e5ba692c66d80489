-- +goose Up

-- The counters of rate limits. used_until is the time, in Unix microseconds, at which all tries of a key are
-- available again.
CREATE TABLE rate_limits (
    key        TEXT    NOT NULL PRIMARY KEY,
    used_until INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX rate_limits_used_until ON rate_limits (used_until);
