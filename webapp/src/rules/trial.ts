const day = 24 * 60 * 60 * 1000;

/**
 * How many days a new subscription to a plan is free. An organisation has one trial, ever, over
 * all plans; `noTrial`, a client's wish, can only take it away.
 */
export function trialDays(input: {
  trialPeriodDays: number;
  trialUsed: boolean;
  noTrial: boolean;
}): number {
  return input.noTrial || input.trialUsed ? 0 : Math.max(input.trialPeriodDays, 0);
}

/** The first charge of a new subscription. */
export interface Due {
  /** In whole minor units. */
  amount: number;
  /** When it is charged; null means now. */
  at: Date | null;
}

/**
 * The total due: the price, now or once the trial ends. A trial's day has 24 hours, as it has at
 * the payment provider, whatever the clocks on the wall do meanwhile.
 */
export function dueOf(price: number, days: number, now: Date): Due {
  return { amount: price, at: days > 0 ? new Date(now.getTime() + days * day) : null };
}
