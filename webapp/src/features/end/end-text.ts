import type { BilledSubscription, Billing, Config, OpenPayment } from '@/api';
import { amountText } from '@/modules/billing/amount-text';
import { dateText, invoiceAtEndText, planName } from '@/modules/billing/plan-text';

/** Returns the effects of ending a plan, each as a sentence. */
export function endEffects(
  { end, invoiced }: { end: NonNullable<Billing['end']>; invoiced?: Billing['invoiced'] },
  subscription: BilledSubscription,
  openPayment: OpenPayment | null,
  config: Config,
): string[] {
  const plan = planName(subscription.priceId, config);
  const droppedChange = subscription.scheduled ?? subscription.pending;
  const invoiceEffect =
    end.kind === 'period_end' &&
    invoiceAtEndText(invoiced, subscription.status === 'trialing', config);
  const amount = openPayment ? amountText(config, openPayment) : 'the open amount';
  return [
    ...effectsOfKind(end, subscription, plan, amount),
    ...(invoiceEffect ? [invoiceEffect] : []),
    ...(droppedChange
      ? [`Your change to ${planName(droppedChange.priceId, config)} is dropped.`]
      : []),
  ];
}

function effectsOfKind(
  { kind, at }: NonNullable<Billing['end']>,
  { status, periodEnd, trialEnd }: BilledSubscription,
  plan: string,
  amount: string,
): string[] {
  switch (kind) {
    case 'period_end': {
      const isTrial = status === 'trialing';
      const date = at ?? (isTrial ? trialEnd : periodEnd);
      const untilText = date ? ` until ${dateText(date)}` : '';
      return isTrial
        ? [`You keep your ${plan} trial${untilText}.`, 'Nothing is charged.']
        : [`You keep ${plan}${untilText}.`, 'Nothing is charged after that.'];
    }
    case 'now_void':
      return [
        `${plan} ends at once.`,
        `Your overdue bill of ${amount} is cancelled: you owe nothing.`,
        'This is possible once in 12 months.',
      ];
    case 'now_owed':
      return [
        `${plan} ends at once.`,
        `Your overdue bill of ${amount} stays owed. You can pay it at any time, and must pay it before you subscribe again.`,
      ];
  }
}
