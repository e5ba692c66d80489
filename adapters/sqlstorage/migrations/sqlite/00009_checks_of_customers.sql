-- +goose Up

-- Customers who have nothing, or nothing any more, are asked about as well: something may have been
-- sold to them by hand. Those that are there already are asked about at once.
UPDATE organisations SET check_at = created_at WHERE customer_id IS NOT NULL AND check_at IS NULL;
