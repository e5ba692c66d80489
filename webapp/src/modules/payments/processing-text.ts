import type { Config, ProcessingPayment } from '@/api';
import { amountText } from '@/modules/billing/amount-text';
import { methodInSentence } from '@/modules/billing/method-text';
import { dateText, planName } from '@/modules/billing/plan-text';
import type { ScreenConfig } from '@/modules/config/config-store';

/** Returns '$816 AUD from bank account •••• 6819, expected by 28 November 2026.' */
export function processingText(payment: ProcessingPayment, config: ScreenConfig): string {
  const { method, expectedBy } = payment;
  const source = method ? ` from ${methodInSentence(method)}` : '';
  const deadline = expectedBy ? `, expected by ${dateText(expectedBy, config.timeZone)}` : '';
  return `${amountText(config, payment)}${source}${deadline}.`;
}

/** Describes the effect on the plan when the payment has arrived. */
export function arrivalText({ kind, priceId }: ProcessingPayment, config: Config): string {
  const plan = planName(priceId, config);
  switch (kind) {
    case 'first_payment':
      return `Your ${plan} plan starts when it has arrived.`;
    case 'plan_change':
      return `Your plan changes to ${plan} when it has arrived.`;
    case 'owed':
      return 'You can subscribe again when it has arrived.';
    case 'overdue':
    case 'renewal':
      return `You keep ${plan}.`;
  }
}
