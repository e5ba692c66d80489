-- +goose Up

-- Has the columns of the claim's query in its order, so that its cost does not depend on the length of the queue.
-- Emails about accounts precede notices.
CREATE INDEX letters_by_urgency ON letters ((notice_kind IS NOT NULL), created_at, id, due_at);
