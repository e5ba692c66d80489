-- +goose Up

-- Keys that every server on this database must share. They are made on first use.
CREATE TABLE secrets (
    name  text  COLLATE "C" NOT NULL PRIMARY KEY,
    value bytea NOT NULL
);
