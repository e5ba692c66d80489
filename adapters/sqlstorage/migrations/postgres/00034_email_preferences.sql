-- +goose Up

-- The link in the List-Unsubscribe header; '' for an email that recipients can't turn off.
ALTER TABLE letters ADD COLUMN unsubscribe text NOT NULL DEFAULT '';

-- The kinds of notices that a recipient has turned off.
CREATE TABLE declined_notices (
    organisation_id text COLLATE "C" NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    email           text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    PRIMARY KEY (organisation_id, email, kind)
);
