import type { Plan, UserDetail } from '@/api';

/** The trial at the start of a new subscription. */
export interface Trial {
  days: number;
  /** The time of the first charge; null when the server does not report it. */
  endsAt: Date | null;
}

/**
 * Returns the trial that the server offers with a plan, or null for none. When the server does not report trials, the
 * plan's trial period applies.
 */
export function trialOf(plan: Plan, { trials }: Pick<UserDetail, 'trials'>): Trial | null {
  if (!trials) {
    const days = plan.trialPeriodDays;
    return days > 0 ? { days, endsAt: null } : null;
  }
  const trial = trials[plan.id];
  return trial ? { days: trial.days, endsAt: new Date(trial.endsAt) } : null;
}

/** Returns the specification's text about when the card is charged. */
export const chargeTimeText = (trial: Trial | null): string =>
  trial
    ? 'Your card will be charged after the free trial period.'
    : 'Your subscription will start now.';
