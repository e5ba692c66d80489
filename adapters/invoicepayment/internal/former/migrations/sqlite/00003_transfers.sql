-- +goose Up

-- Transfers that an operator recorded. The reference keeps one from being recorded twice.
CREATE TABLE invoice_transfers (
    reference   TEXT   NOT NULL PRIMARY KEY,
    invoice_id  TEXT   NOT NULL REFERENCES invoice_invoices (id),
    amount      BIGINT NOT NULL, -- received; negative when it was sent to the customer
    applied     BIGINT NOT NULL, -- the part that changed what is paid for the invoice; the rest changed the credit
    recorded_at BIGINT NOT NULL
);

CREATE INDEX invoice_transfers_of_invoice ON invoice_transfers (invoice_id);

INSERT INTO invoice_transfers (reference, invoice_id, amount, applied, recorded_at)
SELECT CASE WHEN (SELECT COUNT(*) FROM invoice_payments other WHERE other.reference = p.reference) > 1
            THEN p.reference || ' ' || p.invoice_id ELSE p.reference END,
       invoice_id, amount, amount, received_at
FROM invoice_payments p;

DROP TABLE invoice_payments;
