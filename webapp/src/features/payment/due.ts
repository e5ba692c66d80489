import type { Offer, Price } from '@/lib/offer';
import { type Due, dueOf, trialDays } from '@/rules/trial';

/** What a new subscription costs, and when. */
export interface Charge extends Due {
  /** How long it is free first; 0 when it starts now. */
  trialDays: number;
}

/** The first charge for an offer that has a price, if it were subscribed to now. */
export function chargeOf(
  { plan }: Offer,
  { amount }: Price,
  about: { trialUsed: boolean; now: Date },
): Charge {
  const days = trialDays({
    trialPeriodDays: plan.trialPeriodDays,
    trialUsed: about.trialUsed,
    noTrial: false,
  });
  return { ...dueOf(amount, days, about.now), trialDays: days };
}

/** The specification's text about when the card is charged. */
export function chargeText({ trialDays: days }: Charge): string {
  return days > 0
    ? 'Your card will be charged after the free trial period.'
    : 'Your subscription will start now.';
}
