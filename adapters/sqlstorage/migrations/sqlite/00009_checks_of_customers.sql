-- +goose Up

-- Customers without a live subscription are checked too, because one may have been created manually at the
-- provider. Existing ones are checked now.
UPDATE organisations SET check_at = created_at WHERE customer_id IS NOT NULL AND check_at IS NULL;
