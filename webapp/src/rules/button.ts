import type { PlansPageMode } from './plans-page';
import type { Interval, License } from './types';

/** The action of a plan's button. */
export type Action = 'none' | 'start' | 'update' | 'contact';

/** The button of a plan on the plans page. */
export interface PlanButton {
  label: string;
  /** Whether the action is "none". */
  disabled: boolean;
  action: Action;
}

/** The state that determines the button of a plan. */
interface PlanState {
  mode: PlansPageMode;
  /** `trialPeriodDays` is 0 for a plan without a trial; if it is absent, the plan has a trial. */
  plan: { id: string; disabled: boolean; trialPeriodDays?: number };
  /** Whether the plan has a price for the displayed interval and currency. */
  hasPrice: boolean;
  interval: Interval;
  /** The current license, not a past one. */
  license: License | null;
  /** Whether the organisation has had its only trial. */
  trialUsed?: boolean;
  /** Whether an order of the organisation waits for approval. No other plan can be bought while it waits. */
  hasOrder?: boolean;
}

/**
 * Returns the button of a plan. It leads to the sales team if the plan has no price for the displayed interval and currency,
 * or if only an operator can change the current plan.
 */
export function planButton(input: PlanState): PlanButton {
  const [label, enabledAction] = labelAndAction(input);
  const isEnabled = input.mode === 'new' || input.mode === 'update';
  const action = isEnabled ? enabledAction : 'none';
  return { label, disabled: action === 'none', action };
}

/** Returns the label, and the action that the button has in a mode that enables it. */
function labelAndAction({
  mode,
  plan,
  hasPrice,
  interval,
  license,
  trialUsed,
  hasOrder,
}: PlanState): [string, Action] {
  if (plan.disabled || !hasPrice) return ['Contact us', 'contact'];
  if (license?.raw.metadata.name === plan.id && license.interval === interval) {
    return ['Your current plan', 'none'];
  }
  if (license?.managed) return ['Contact us', 'contact'];
  const action = mode === 'update' || license || trialUsed ? 'update' : 'start';
  if (hasOrder) return ['See your order', action];
  if (action === 'update') return ['Update your plan', action];
  return [plan.trialPeriodDays === 0 ? 'Subscribe' : 'Start your free trial', action];
}
