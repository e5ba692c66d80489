-- +goose Up

-- The addresses that a mail server has refused permanently, until they are confirmed again.
CREATE TABLE unreachable_emails (
    email text        COLLATE "C" NOT NULL PRIMARY KEY,
    since timestamptz             NOT NULL
);
