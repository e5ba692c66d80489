-- +goose Up

-- The index has the columns of the query that claims emails, in its order, so that the cost of the query does not depend
-- on the length of the queue. Emails about accounts precede notices.
CREATE INDEX letters_by_urgency ON letters ((notice_kind IS NOT NULL), created_at, id, due_at);
