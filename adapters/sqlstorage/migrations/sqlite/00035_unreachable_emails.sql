-- +goose Up

-- The addresses that their mail server has refused permanently, until their owners confirm them again.
CREATE TABLE unreachable_emails (
    email TEXT      NOT NULL PRIMARY KEY,
    since TIMESTAMP NOT NULL
);
