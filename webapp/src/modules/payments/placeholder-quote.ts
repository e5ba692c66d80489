import type { Config, InvoiceLine, PriceQuote } from '@/api';

/** The amounts of a placeholder. */
interface PlaceholderAmounts {
  currency: string;
  /** The amount due now, in minor units. */
  due: number;
  /** The next charge; null for none. */
  next: number | null;
  lines?: InvoiceLine[];
  /** The amount that is kept as credit. */
  credit?: number;
}

/**
 * Returns a placeholder for a quote that is loading. It has the rows that the quote is expected to have, so that the
 * layout does not shift. Its amounts are invisible.
 */
export function placeholderQuote(
  { currency, due, next, lines = [], credit = 0 }: PlaceholderAmounts,
  { catalogue }: Pick<Config, 'catalogue'>,
): PriceQuote {
  const money = (amount: number) => ({ amount, currency });
  const now = new Date().toISOString();
  return {
    quote: '',
    expiresAt: now,
    dueNow: money(due),
    lines,
    tax: money(catalogue.taxes?.[currency] ? due : 0),
    creditBefore: money(0),
    creditAfter: money(credit),
    next: next === null ? null : { ...money(next), at: now },
    endsTrial: false,
  };
}
