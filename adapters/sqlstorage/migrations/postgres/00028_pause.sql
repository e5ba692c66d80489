-- +goose Up

-- A pause of the automatic charges, as JSON. NULL without one.
ALTER TABLE subscriptions ADD COLUMN pause text;
