-- +goose Up

-- A pause of the automatic charges, as JSON. NULL without a pause.
ALTER TABLE subscriptions ADD COLUMN pause text;
