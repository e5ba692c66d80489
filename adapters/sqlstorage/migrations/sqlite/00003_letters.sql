-- +goose Up

-- The outbox. A letter is hidden until due_at.
CREATE TABLE letters (
    id         INTEGER   NOT NULL PRIMARY KEY AUTOINCREMENT,
    recipient  TEXT      NOT NULL,
    subject    TEXT      NOT NULL,
    text       TEXT      NOT NULL,
    html       TEXT      NOT NULL,
    attempts   INTEGER   NOT NULL,
    created_at TIMESTAMP NOT NULL,
    due_at     TIMESTAMP NOT NULL
);

-- Holds all a claim looks at, in its order, so that a long queue costs no more than a short one.
CREATE INDEX letters_in_order ON letters (created_at, id, due_at);
