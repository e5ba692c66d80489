-- +goose Up

-- The billing details as JSON, '' until they are edited for the first time, and the id of the provider's
-- customer to which they were sent, '' for none.
ALTER TABLE organisations ADD COLUMN billing_details TEXT NOT NULL DEFAULT '';
ALTER TABLE organisations ADD COLUMN details_sent_to TEXT NOT NULL DEFAULT '';
