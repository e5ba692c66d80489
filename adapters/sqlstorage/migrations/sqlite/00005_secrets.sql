-- +goose Up

-- Keys that all servers on this database share. They are generated at their first use.
CREATE TABLE secrets (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
);
