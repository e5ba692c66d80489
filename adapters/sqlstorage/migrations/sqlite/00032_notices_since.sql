-- +goose Up

-- No email is sent about events before this time. Existing organisations get the time of the migration, later ones NULL.
ALTER TABLE organisations ADD COLUMN notices_since TIMESTAMP;
UPDATE organisations SET notices_since = CURRENT_TIMESTAMP;
