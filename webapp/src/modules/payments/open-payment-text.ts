import type { License, OpenPayment } from '@/api';
import { amountText } from '@/modules/billing/amount-text';
import { openPaymentFormat } from '@/modules/billing/invoice-text';
import {
  changedPlanName,
  dateText,
  licensePlanName,
  planName,
  planText,
} from '@/modules/billing/plan-text';
import type { ScreenConfig } from '@/modules/config/config-store';
import { longDateTime } from '@/modules/session/date-times';
import { longDate, longDateOf, type TimeZone } from '@/modules/session/dates';
import type { OpenPaymentState } from './use-open-payment-actions';

/** Returns the open payment if it is of this kind, else null. */
export const openPaymentOfKind = (
  payment: OpenPayment | null | undefined,
  kind: OpenPayment['kind'],
): OpenPayment | null => (payment?.kind === kind ? payment : null);

/** Whether the overdue payment of a license waits for the approval of the customer's bank. */
export const needsApproval = (payment: OpenPayment | null | undefined): boolean =>
  openPaymentOfKind(payment, 'overdue')?.approval === true;

/** The texts of the screen that pays an open payment. */
interface OpenPaymentText {
  /** The heading. */
  title: string;
  /** The purpose of the payment and its consequence for the plan. */
  text: string;
  /** The label of the button that pays. */
  button: string;
  /** Amounts and dates with their labels. The amount is first. */
  details: [label: string, text: string][];
}

/** Returns the texts for an open payment. */
export function openPaymentText(
  payment: OpenPayment,
  license: License | null,
  config: ScreenConfig,
): OpenPaymentText {
  const { timeZone } = config;
  const amount = openPaymentFormat(payment, config).amountText(payment);
  const isAuthentication = payment.kind === 'authentication';
  return {
    ...titleAndText(payment, license, config),
    button: isAuthentication
      ? 'Approve this card'
      : `${payment.approval ? 'Approve and pay' : 'Pay'} ${amount}`,
    details: [
      [isAuthentication ? 'Due today' : 'Amount due', amount],
      ...dateDetail('Open since', payment.since, longDate, payment.timeZone ?? timeZone),
      ...dateDetail('Next automatic attempt', automaticAttempt(payment), longDate, timeZone),
      ...dateDetail('Open until', payment.expiresAt, longDateTime, timeZone),
      ...dateDetail('Plan ends without payment', planEnd(payment, license), longDate, timeZone),
    ],
  };
}

function titleAndText(
  payment: OpenPayment,
  license: License | null,
  config: ScreenConfig,
): Pick<OpenPaymentText, 'title' | 'text'> {
  const plan = planName(payment.priceId, config);
  switch (payment.kind) {
    case 'first_payment':
      return {
        title: 'Finish your first payment',
        text: `Your ${plan} subscription starts when this payment goes through.`,
      };
    case 'overdue':
      return payment.approval
        ? {
            title: 'Approve your payment',
            text: `${approvalText(payment, config)} Approve it to keep your plan.`,
          }
        : {
            title: 'Pay your overdue invoice',
            text: payment.returned
              ? `Your bank returned the last payment for ${plan}. Pay again to keep your plan.`
              : `The last payment for ${plan} did not go through. Pay it to keep your plan.`,
          };
    case 'plan_change':
      return {
        title: 'Finish your plan change',
        text: `${unchangedText(license, config)} Your plan changes to ${changedPlanName(payment.priceId, license?.raw.metadata.name, config)} when this payment goes through.`,
      };
    case 'owed':
      return {
        title: 'Pay your last invoice',
        text: `Your ${plan} plan has ended, and its last invoice is not paid. ${owedText(license)}`,
      };
    case 'authentication':
      return {
        title: 'Approve your card',
        text: `Your bank has not approved your card yet. ${trialEndText(license, config.timeZone)}`,
      };
  }
}

/** Returns 'Your bank wants you to approve the payment of $816 AUD for Professional.' */
export const approvalText = (payment: OpenPayment, config: ScreenConfig): string =>
  `Your bank wants you to approve the payment of ${amountText(config, payment)} for ${planName(payment.priceId, config)}.`;

/** Returns when the provider charges the payment again, or null if only an approval can make it succeed. */
export const automaticAttempt = ({ approval, nextAttemptAt }: OpenPayment): string | null =>
  approval ? null : nextAttemptAt;

/** Returns the purpose of an invoice that is paid by transfer. */
export function invoiceText(
  payment: OpenPayment | null | undefined,
  license: License | null,
  config: ScreenConfig,
): string {
  if (payment?.kind === 'owed') return titleAndText(payment, license, config).text;
  if (payment?.kind === 'plan_change') {
    return `Your plan changes to ${changedPlanName(payment.priceId, license?.raw.metadata.name, config)} when this invoice is paid.`;
  }
  if (payment?.kind !== 'overdue') {
    const period = license?.interval ? `, ${license.interval}` : '';
    return license ? `This invoice pays for ${licensePlanName(license, config)}${period}.` : '';
  }
  const text = `Your invoice for ${planName(payment.priceId, config)} is overdue.`;
  const end = planEnd(payment, license);
  return end
    ? `${text} Without the payment your plan ends on ${longDate(new Date(end), config.timeZone)}.`
    : text;
}

/** Returns the effect of paying the last invoice of a former plan. */
const owedText = (license: License | null): string =>
  license ? 'Your current plan does not change.' : 'Pay it, then you can subscribe again.';

/** Returns the label of the button that cancels a pending change: 'Keep Professional monthly'. */
export const keepPlanLabel = (license: License | null, config: ScreenConfig): string =>
  license
    ? ['Keep', licensePlanName(license, config), license.interval].filter(Boolean).join(' ')
    : 'Drop the change';

/** Returns 'Your plan has not changed. You keep Standard.' */
export function unchangedText(license: License | null, config: ScreenConfig): string {
  return `Your plan has not changed. ${keptPlansText(license, config)}`.trim();
}

/** Describes the plan that the customer keeps because a change was not made, and the scheduled change that remains. */
export function keptPlansText(license: License | null, config: ScreenConfig): string {
  const scheduledChange = license?.pending_change?.replaces ?? license?.scheduled_change;
  const keptText = keptPlanText(license, config);
  return scheduledChange
    ? `${keptText} Then it changes to ${planText(scheduledChange, config)}, as scheduled.`
    : keptText;
}

/**
 * Describes the plan that the customer keeps; empty without a license. `end` is the date of its end, by default that of the
 * trial or of a plan that does not renew.
 */
export function keptPlanText(
  license: License | null,
  config: ScreenConfig,
  end = license && endDateText(license, config.timeZone),
): string {
  if (!license) return '';
  const plan = licensePlanName(license, config);
  const keptPlan = trialEndOf(license) ? `your ${plan} trial` : plan;
  return end ? `You keep ${keptPlan} until ${end}.` : `You keep ${keptPlan}.`;
}

const trialEndOf = ({ raw }: License): number | null =>
  raw.status === 'trialing' ? (raw.trial_end ?? null) : null;

/** Returns the date on which the trial or the plan ends, or on which another plan follows; null if the plan renews. */
function endDateText(license: License, timeZone: TimeZone): string | null {
  const trialEnd = trialEndOf(license);
  if (trialEnd) return longDateOf(trialEnd, timeZone);
  const scheduledChange = license.pending_change?.replaces ?? license.scheduled_change;
  const end = scheduledChange?.at ?? license.ends_at;
  return end ? dateText(end, timeZone) : null;
}

/** Returns when an overdue plan ends without payment, or null when the provider does not report it. */
function planEnd({ kind }: OpenPayment, license: License | null): string | null {
  return (kind === 'overdue' && license?.plan_ends_at) || null;
}

function trialEndText(license: License | null, timeZone: TimeZone): string {
  const end = license?.raw.trial_end;
  return end
    ? `Approve it, so that your first payment can be made when your trial ends on ${longDateOf(end, timeZone)}.`
    : 'Approve it, so that your first payment can be made when your trial ends.';
}

/** Returns the row of a date; no row without a time. */
function dateDetail(
  label: string,
  time: string | null,
  format: (date: Date, timeZone: TimeZone) => string,
  timeZone: TimeZone,
): OpenPaymentText['details'] {
  return time ? [[label, format(new Date(time), timeZone)]] : [];
}

/** Returns the consequence of a failed attempt for the customer's money and plan. */
export function consequenceText(
  state: OpenPaymentState,
  payment: OpenPayment,
  license: License | null,
  config: ScreenConfig,
): string {
  if (state.kind === 'failed' && state.failure.openInvoice) {
    return `${amountText(config, payment)} is open now.`; // the message says that nothing was charged
  }
  switch (payment.kind) {
    case 'overdue': {
      const attempt = automaticAttempt(payment);
      return attempt
        ? `Your invoice is still open. We try again on ${longDate(new Date(attempt), config.timeZone)}.`
        : 'Your invoice is still open.';
    }
    case 'owed':
      return 'Your invoice is still open.';
    case 'plan_change':
      return unchangedText(license, config);
    case 'first_payment':
    case 'authentication':
      return 'Nothing was charged.';
  }
}
