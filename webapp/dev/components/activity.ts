import type { Activity, ActivityPage, listActivity as list } from '../../src/api/activity';

/** Replaces src/api/activity on this page. Returns example data in two pages and sends no request. */
export type * from '../../src/api/activity';
export const listActivity: typeof list = async (before): Promise<ActivityPage> =>
  before === undefined
    ? { data: activities.slice(0, 4), hasMore: true }
    : { data: activities.slice(4), hasMore: false };

const amount = { amount: 81_600, currency: 'aud' } as const;

const activities: Activity[] = [
  { kind: 'operator.lifted_hold', actor: 'support' } as const,
  { kind: 'payment.returned', actor: 'provider', amount } as const,
  { kind: 'member.role_changed', actor: 'member', role: 'billing' } as const,
  { kind: 'plan.changed', actor: 'member', priceId: 'professional_yearly' } as const,
  { kind: 'payment.received', actor: 'provider', amount } as const,
  { kind: 'invoice.issued', actor: 'provider', amount, number: 'K7Q2-0001' } as const,
].map((activity, index) => ({
  id: String(9 - index),
  at: `2026-11-2${9 - index}T10:00:00Z`,
  name: 'Ada Byron',
  member: 'Sam Roe',
  ...activity,
}));
