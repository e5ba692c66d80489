-- +goose Up

-- Contains all that a claim reads, in its order, so that a long queue costs no more than a short one. Emails about
-- accounts precede notices.
CREATE INDEX letters_by_urgency ON letters ((notice_kind IS NOT NULL), created_at, id, due_at);
