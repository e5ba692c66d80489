-- +goose Up

-- The IANA time zone in which the dates of the invoice are written, '' until the next sync.
ALTER TABLE invoices ADD COLUMN time_zone text COLLATE "C" NOT NULL DEFAULT '';
