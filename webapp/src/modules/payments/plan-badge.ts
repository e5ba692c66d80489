import type { License, OpenPayment, ProcessingPayment } from '@/api';
import type { Badge } from '@/components/Badge';
import { statusText } from '@/modules/billing/plan-text';
import { needsApproval } from './open-payment-text';

/** The label (`status`) and the tone of a plan's badge. */
export interface PlanBadge {
  status: string;
  tone: NonNullable<Parameters<typeof Badge>[0]['tone']>;
}

/** A license or a subscription with its payments. */
interface PlanState {
  status: License['raw']['status'];
  /** When the plan ends by request; null if it goes on. */
  endsAt?: string | null;
  open?: OpenPayment | null;
  processing?: ProcessingPayment | null;
}

const tones: Record<string, PlanBadge['tone']> = {
  trialing: 'brand',
  active: 'success',
  past_due: 'danger',
  unpaid: 'danger',
};

/** Returns the badge of a plan: a payment on its way or to be approved, a planned end, or its status. */
export function planBadge({ status, endsAt, open, processing }: PlanState): PlanBadge {
  if (processing?.kind === 'overdue') return { status: 'payment on its way', tone: 'attention' };
  if (needsApproval(open)) return { status: 'to be approved', tone: 'attention' };
  if (endsAt) return { status: 'ending', tone: 'attention' };
  return { status: statusText(status), tone: tones[status] ?? 'neutral' };
}
