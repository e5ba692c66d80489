-- +goose Up

-- Events before this time are not reported by email. It is set for the organisations of a version that did not send
-- these emails, and NULL for later ones.
ALTER TABLE organisations ADD COLUMN notices_since TIMESTAMP;
UPDATE organisations SET notices_since = CURRENT_TIMESTAMP;
