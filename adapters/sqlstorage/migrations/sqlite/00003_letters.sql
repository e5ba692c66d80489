-- +goose Up

-- The outbox of emails. A row is not claimed before due_at.
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

-- The index has the columns of the query that claims emails, in its order, so that the cost of the query does not depend
-- on the length of the queue.
CREATE INDEX letters_in_order ON letters (created_at, id, due_at);
