-- +goose Up

-- How often something was tried: until when a key's limit is not whole again, in microseconds of
-- Unix time. Unlogged, because a crash may well forget it.
CREATE UNLOGGED TABLE rate_limits (
    key        text   COLLATE "C" NOT NULL PRIMARY KEY,
    used_until bigint NOT NULL
);

CREATE INDEX rate_limits_used_until ON rate_limits (used_until);
