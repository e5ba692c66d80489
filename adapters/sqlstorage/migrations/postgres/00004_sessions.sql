-- +goose Up

CREATE TABLE sessions (
    token  text        COLLATE "C" NOT NULL PRIMARY KEY,
    data   bytea       NOT NULL,
    expiry timestamptz NOT NULL
);

CREATE INDEX sessions_expiry ON sessions (expiry);
