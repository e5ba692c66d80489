-- +goose Up

-- Keys that all servers on this database share. They are generated at their first use.
CREATE TABLE secrets (
    name  text  COLLATE "C" NOT NULL PRIMARY KEY,
    value bytea NOT NULL
);
