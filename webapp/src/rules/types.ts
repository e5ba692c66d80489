// The parts of the responses that the rules need, under the names of the responses.

export type Interval = 'monthly' | 'yearly';

/** Identifies a price of the price table. */
export interface PriceRef {
  product: string;
  interval: Interval;
  currency: string;
}

/** A current or past license. `raw.metadata.name` is the plan's id. */
export interface License {
  interval: string;
  /** Empty when the server does not report it. */
  currency: string;
  isDev: boolean;
  /** Whether only an operator can change the plan. */
  managed?: boolean;
  raw: { status: string; metadata: { name: string; interval: string } };
}

export function isInterval(text: string): text is Interval {
  return text === 'monthly' || text === 'yearly';
}
