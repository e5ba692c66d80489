import type { License, OpenPayment, ProcessingPayment } from '@/api';
import type { Badge } from '@/components/Badge';
import { statusText } from '@/modules/billing/plan-text';
import { ownValue } from '@/rules/own-value';
import { needsApproval } from './open-payment-text';

/** The text and the tone of a plan's badge. */
export interface PlanBadge {
  label: string;
  tone: NonNullable<Parameters<typeof Badge>[0]['tone']>;
}

/** A license or a subscription with its payments. */
interface PlanState {
  status: License['raw']['status'];
  /** When the plan ends at the customer's request; null if it renews. */
  endsAt?: string | null;
  openPayment?: OpenPayment | null;
  processingPayment?: ProcessingPayment | null;
}

const tones: Record<string, PlanBadge['tone']> = {
  trialing: 'brand',
  active: 'success',
  past_due: 'danger',
  unpaid: 'danger',
};

/**
 * Returns the badge of a plan. A processing payment takes precedence, then a payment that needs approval, then the
 * requested end, then the status.
 */
export function planBadge({
  status,
  endsAt,
  openPayment,
  processingPayment,
}: PlanState): PlanBadge {
  if (processingPayment?.kind === 'overdue') {
    return { label: 'payment on its way', tone: 'attention' };
  }
  if (needsApproval(openPayment)) return { label: 'to be approved', tone: 'attention' };
  if (endsAt) return { label: 'ending', tone: 'attention' };
  return { label: statusText(status), tone: ownValue(tones, status) ?? 'neutral' };
}
