import type { Invoice, PriceQuote } from '@/api';

export { default as invoiceStatusVectors } from '../../../testdata/vectors/invoice-status.json';
export { default as paymentRowVectors } from '../../../testdata/vectors/payment-rows.json';

/** Returns an amount of Australian dollars, in cents. */
export const aud = (amount: number) => ({ amount, currency: 'AUD' });

/** Returns an invoice of $816 that was paid in full. */
export const anInvoice = (changes: Partial<Invoice> = {}): Invoice => ({
  id: 'in_1',
  number: 'VISION-0001',
  status: 'paid',
  createdAt: '2026-11-28T10:00:00Z',
  dueAt: null,
  paidAt: '2026-11-28T10:00:00Z',
  description: 'Professional',
  lines: [
    {
      description: 'Professional',
      amount: 81600,
      period: { start: '2026-11-28T10:00:00Z', end: '2027-11-28T10:00:00Z' },
    },
  ],
  tax: aud(7418),
  total: aud(81600),
  amountDue: aud(81600),
  amountPaid: aud(81600),
  hasPdf: true,
  ...changes,
});

/** Returns a quote for a change from Standard to Professional in the middle of a year. */
export const aQuote = (changes: Partial<PriceQuote> = {}): PriceQuote => ({
  quote: 'signed_1',
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  dueNow: aud(34210),
  lines: [
    {
      description: 'Professional',
      amount: 66490,
      period: { start: '2027-01-29T00:00:00Z', end: '2027-11-21T00:00:00Z' },
    },
    {
      description: 'Unused time on Standard',
      amount: -32280,
      period: { start: '2027-01-29T00:00:00Z', end: '2027-11-21T00:00:00Z' },
    },
  ],
  tax: aud(3110),
  creditBefore: aud(0),
  creditAfter: aud(0),
  next: { ...aud(81600), at: '2027-11-21T00:00:00Z' },
  endsTrial: false,
  ...changes,
});
