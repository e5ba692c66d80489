-- +goose Up

-- The addresses that a mail server has refused permanently, until they are confirmed again.
CREATE TABLE unreachable_emails (
    email TEXT      NOT NULL PRIMARY KEY,
    since TIMESTAMP NOT NULL
);
