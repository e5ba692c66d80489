-- +goose Up

-- The schema that the SQLite store of scs requires: expiry is a Julian day.
CREATE TABLE sessions (
    token  TEXT NOT NULL PRIMARY KEY,
    data   BLOB NOT NULL,
    expiry REAL NOT NULL
);

CREATE INDEX sessions_expiry ON sessions (expiry);
