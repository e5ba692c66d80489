-- +goose Up

-- The billing details as JSON, '' until they are edited for the first time, and the id of the provider's
-- customer to which they were sent, '' for none.
ALTER TABLE organisations ADD COLUMN billing_details text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE organisations ADD COLUMN details_sent_to text COLLATE "C" NOT NULL DEFAULT '';
