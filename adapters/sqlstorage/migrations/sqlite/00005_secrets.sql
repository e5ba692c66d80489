-- +goose Up

-- Keys that every server on this database must share. They are made on first use.
CREATE TABLE secrets (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
);
