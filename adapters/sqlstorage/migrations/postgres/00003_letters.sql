-- +goose Up

-- The outbox of emails. A row is not claimed before due_at.
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

-- The index has the columns of the query that claims emails, in its order, so that the cost of the query does not depend
-- on the length of the queue.
CREATE INDEX letters_in_order ON letters (created_at, id, due_at);
