/**
 * The shapes the rules decide by: the parts they need of what the server sends (config.json, the
 * user's detail, the customer, a subscription), under the wire's own names.
 */

export type Interval = 'monthly' | 'yearly';

/** One amount of the price table: a plan's id, how often it is paid, and in what. */
export interface PriceRef {
  product: string;
  interval: Interval;
  currency: string;
}

/** What an organisation may use, or used to. `raw.metadata.name` is the plan's id. */
export interface License {
  interval: string;
  currency: string;
  isDev: boolean;
  raw: { status: string; metadata: { name: string; interval: string } };
}

export function isInterval(text: string): text is Interval {
  return text === 'monthly' || text === 'yearly';
}
