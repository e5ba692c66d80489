-- +goose Up

-- The addresses that their mail server has refused permanently, until their owners confirm them again.
CREATE TABLE unreachable_emails (
    email text        COLLATE "C" NOT NULL PRIMARY KEY,
    since timestamptz             NOT NULL
);
