import type { BilledSubscription, Billing, Config, OpenPayment, ProcessingPayment } from '@/api';
import { amountText } from '@/modules/billing/amount-text';
import { methodText } from '@/modules/billing/method-text';
import {
  changedPlanName,
  dateText,
  invoiceAtEndText,
  planIdOf,
  planName,
} from '@/modules/billing/plan-text';
import { can } from '@/modules/config/capabilities';
import type { ScreenConfig } from '@/modules/config/config-store';
import { processingText } from '@/modules/payments/processing-text';
import type { TimeZone } from '@/modules/session/dates';

/** Returns the effects of ending a plan, each as a sentence. */
export function endEffects(
  { end, invoiced }: { end: NonNullable<Billing['end']>; invoiced?: Billing['invoiced'] },
  subscription: BilledSubscription,
  openPayment: OpenPayment | null,
  config: ScreenConfig,
  processing: ProcessingPayment | null = null,
): string[] {
  const plan = planName(subscription.priceId, config);
  const canceledChange = subscription.scheduled ?? subscription.pending;
  const invoiceEffect =
    end.kind === 'period_end' &&
    invoiceAtEndText(invoiced, subscription.status === 'trialing', config);
  const amount = openPayment ? amountText(config, openPayment) : 'the open amount';
  return [
    ...(processing && end.kind === 'now_owed'
      ? [`${plan} ends at once.`]
      : effectsOfKind(end, subscription, plan, amount, config.timeZone)),
    ...(processing ? processingEffects(processing, config) : []),
    ...(invoiceEffect ? [invoiceEffect] : []),
    ...(canceledChange
      ? [
          `Your change to ${changedPlanName(canceledChange.priceId, planIdOf(subscription.priceId), config)} is dropped.`,
        ]
      : []),
  ];
}

/** Returns texts about a processing payment. The end of the plan does not stop such a payment. */
const processingEffects = (payment: ProcessingPayment, config: ScreenConfig): string[] => [
  `Your payment is on its way and is not stopped: ${processingText(payment, config)}`,
  'Your invoice is paid when it has arrived. If it fails, the invoice stays owed.',
];

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
  timeZone: TimeZone,
): string[] {
  switch (kind) {
    case 'period_end': {
      const isTrial = status === 'trialing';
      const date = at ?? (isTrial ? trialEnd : periodEnd);
      const untilText = date ? ` until ${dateText(date, timeZone)}` : '';
      return isTrial
        ? [`You keep your ${plan} trial${untilText}.`, 'Nothing is charged.']
        : [`You keep ${plan}${untilText}.`, 'Nothing is charged after that.'];
    }
    case 'now_void':
      return [
        `${plan} ends at once.`,
        `Your overdue invoice of ${amount} is cancelled: you owe nothing.`,
        'This is possible once in 12 months.',
      ];
    case 'now_owed':
      return [
        `${plan} ends at once.`,
        `Your overdue invoice of ${amount} stays owed. You can pay it at any time, and must pay it before you subscribe again.`,
      ];
  }
}
