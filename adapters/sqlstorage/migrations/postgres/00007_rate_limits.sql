-- +goose Up

-- The counters of rate limits. used_until is the time, in Unix microseconds, at which all tries of a key are
-- available again. The table is unlogged, because the counters need not survive a crash.
CREATE UNLOGGED TABLE rate_limits (
    key        text   COLLATE "C" NOT NULL PRIMARY KEY,
    used_until bigint NOT NULL
);

CREATE INDEX rate_limits_used_until ON rate_limits (used_until);
