-- +goose Up

-- No email is sent about events before this time. It is now for existing organisations, and NULL for later ones.
ALTER TABLE organisations ADD COLUMN notices_since TIMESTAMP;
UPDATE organisations SET notices_since = CURRENT_TIMESTAMP;
