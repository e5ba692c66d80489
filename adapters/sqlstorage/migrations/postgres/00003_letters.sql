-- +goose Up

-- The outbox. A letter is hidden until due_at.
CREATE TABLE letters (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recipient  text        NOT NULL,
    subject    text        NOT NULL,
    text       text        NOT NULL,
    html       text        NOT NULL,
    attempts   integer     NOT NULL,
    created_at timestamptz NOT NULL,
    due_at     timestamptz NOT NULL
);

-- Holds all a claim looks at, in its order, so that a long queue costs no more than a short one.
CREATE INDEX letters_in_order ON letters (created_at, id, due_at);
