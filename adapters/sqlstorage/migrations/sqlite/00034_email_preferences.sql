-- +goose Up

-- The link in the List-Unsubscribe header; '' for an email that recipients can't turn off.
ALTER TABLE letters ADD COLUMN unsubscribe TEXT NOT NULL DEFAULT '';

-- The kinds of notices that a recipient has turned off.
CREATE TABLE declined_notices (
    organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    email           TEXT NOT NULL,
    kind            TEXT NOT NULL,
    PRIMARY KEY (organisation_id, email, kind)
);
