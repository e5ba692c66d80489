import type { BilledSubscription, Billing, Config, OpenPayment } from '@/api';
import { amountText } from '@/modules/billing/amount-text';
import { methodText } from '@/modules/billing/card-text';
import {
  changedPlanName,
  dateText,
  invoiceAtEndText,
  planIdOf,
  planName,
} from '@/modules/billing/plan-text';
import { can } from '@/modules/config/capabilities';

/** Returns the effects of ending a plan, each as a sentence. */
export function endEffects(
  { end, invoiced }: { end: NonNullable<Billing['end']>; invoiced?: Billing['invoiced'] },
  subscription: BilledSubscription,
  openPayment: OpenPayment | null,
  config: Config,
): string[] {
  const plan = planName(subscription.priceId, config);
  const canceledChange = subscription.scheduled ?? subscription.pending;
  const invoiceEffect =
    end.kind === 'period_end' &&
    invoiceAtEndText(invoiced, subscription.status === 'trialing', config);
  const amount = openPayment ? amountText(config, openPayment) : 'the open amount';
  return [
    ...effectsOfKind(end, subscription, plan, amount),
    ...(invoiceEffect ? [invoiceEffect] : []),
    ...(canceledChange
      ? [
          `Your change to ${changedPlanName(canceledChange.priceId, planIdOf(subscription.priceId), config)} is dropped.`,
        ]
      : []),
  ];
}

/** Returns what the customer keeps after the plan has ended, each as a sentence. */
export function keptItems(
  { end, card }: Pick<Billing, 'end' | 'card'>,
  { priceId }: BilledSubscription,
  config: Config,
): string[] {
  const records = [
    ...(can(config, 'invoices') ? ['invoices'] : []),
    ...(can(config, 'billing_details') ? ['billing details'] : []),
  ];
  return [
    ...(end?.kind === 'period_end'
      ? [`You can resume ${planName(priceId, config)} until it ends.`]
      : []),
    ...(records.length > 0 ? [`Your ${records.join(' and ')} stay here.`] : []),
    ...(card ? [`${methodText(card)} stays saved.`] : []),
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
