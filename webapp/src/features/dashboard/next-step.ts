import type { BilledSubscription, Billing, Money } from '@/api';
import { type AmountFormat, amountFormat, amountText } from '@/modules/billing/amount-text';
import { methodInSentence } from '@/modules/billing/method-text';
import {
  changedPlanName,
  dateText,
  invoiceAtEndText,
  planIdOf,
  planText,
  unapprovedCardText,
} from '@/modules/billing/plan-text';
import { reminderText } from '@/modules/billing/reminder-text';
import { transferReportText } from '@/modules/billing/transfer-report-text';
import { paysInvoices } from '@/modules/config/capabilities';
import type { ScreenConfig } from '@/modules/config/config-store';
import { returnedText } from '@/modules/payments/failed-attempt';
import { noPayableInvoiceText } from '@/modules/payments/open-payment-notices';
import {
  approvalText,
  automaticAttempt,
  openPaymentOfKind,
} from '@/modules/payments/open-payment-text';
import { creditText } from '@/modules/payments/quote-text';
import { serverTime } from '@/modules/session/dates';
import type { User } from '@/modules/session/session-store';

/** The next charge or another event of a plan, which may be overdue. */
export interface NextStep {
  title: string;
  /** The amount that is due or will be charged. */
  amount?: Money;
  /** The format of the amounts of the step; by default that of `amount` alone. */
  format?: AmountFormat;
  text: string;
  /** The lines that add up to the amount. */
  lines?: [label: string, amount: string][];
  /** The email that announces the event. */
  reminder?: string;
}

interface PlanInput {
  subscription: BilledSubscription;
  billing: Billing;
  config: ScreenConfig;
  user: Pick<User, 'openPayment' | 'processing' | 'now' | 'next'>;
}

/** Returns the next events of a plan in chronological order, followed by its credit. */
export function nextSteps(plan: PlanInput): NextStep[] {
  const steps = eventSteps(plan);
  const credit = creditStep(plan, steps);
  return credit ? [...steps, credit] : steps;
}

function eventSteps(plan: PlanInput): NextStep[] {
  const { subscription, billing, config, user } = plan;
  const { status, endsAt } = subscription;
  if (endsAt && !renewsBefore(endsAt, plan)) return [endStep(endsAt, plan)];
  if (status === 'past_due') return user.processing ? [] : [overdueStep(plan)];
  const pause = pauseStep(plan);
  if (openPaymentOfKind(user.openPayment, 'authentication') && billing.next?.amount !== 0) {
    const text = unapprovedCardText(billing, config);
    return [invoiceStep(plan), pause, { title: 'Not approved yet', text }].filter(isStep);
  }
  const end = endsAt ? laterEndStep(endsAt, config) : null;
  return [invoiceStep(plan), pause, chargeStep(plan), end].filter(isStep);
}

const isStep = (step: NextStep | null): step is NextStep => step !== null;

function endStep(endsAt: string, { subscription, billing, config }: PlanInput): NextStep {
  const isTrial = subscription.status === 'trialing';
  const invoiceText = invoiceAtEndText(billing.invoiced, isTrial, config);
  const text = `It ends on ${dateText(endsAt, config.timeZone)}. Nothing is charged after that. ${invoiceText}`;
  return { title: 'Your plan ends', text: text.trim() };
}

/** Whether the plan renews at least once before its end, which an operator can set to a later date. */
const renewsBefore = (endsAt: string, { subscription: { periodEnd } }: PlanInput): boolean =>
  periodEnd !== null && Date.parse(periodEnd) < Date.parse(endsAt);

/** Returns the step for an end after the next renewal. */
const laterEndStep = (endsAt: string, { timeZone }: ScreenConfig): NextStep => ({
  title: 'Your plan ends',
  text: `It renews until then, and ends on ${dateText(endsAt, timeZone)}. Nothing is charged after that.`,
});

function overdueStep({ subscription, config, user }: PlanInput): NextStep {
  const payment = openPaymentOfKind(user.openPayment, 'overdue');
  const { planEndsAt } = subscription;
  const endText = planEndsAt
    ? `Without the payment your plan ends on ${dateText(planEndsAt, config.timeZone)}.`
    : '';
  if (!payment) {
    return { title: 'Payment overdue', text: `${noPayableInvoiceText} ${endText}`.trim() };
  }
  if (payment.approval) {
    const text = `${approvalText(payment, config)} ${endText}`.trim();
    return { title: 'Payment to approve', text };
  }
  const attempt = automaticAttempt(payment);
  const attemptText = attempt ? `We try again on ${dateText(attempt, config.timeZone)}.` : '';
  const reason = payment.returned ? returnedText(payment, config.timeZone) : payment.reason;
  const reportText = transferReportText(user.next, payment.invoiceId, config.timeZone);
  const text = [reason, reportText, attemptText, endText].filter(Boolean).join(' ');
  return { title: 'Payment overdue', amount: payment, text };
}

/**
 * Returns the step for the credit, without the part that the lines of the next charge show; null if no credit is left.
 */
function creditStep(
  { billing, subscription, config }: PlanInput,
  steps: NextStep[],
): NextStep | null {
  const { credit, next } = billing;
  const lines = steps.find(({ lines }) => lines && lines.length > 0)?.lines;
  if (!next || !lines || !credit) {
    const text = creditText(credit, config, { planEnds: Boolean(subscription.endsAt) });
    return text ? { title: 'Credit', text } : null;
  }
  const remainder = credit.amount - (chargedPrice(subscription, next.at).amount ?? 0);
  if (remainder <= 0 || next.amount !== 0) return null;
  return {
    title: 'Credit',
    text: `${amountText(config, { ...credit, amount: remainder })} is left after that.`,
  };
}

/** Returns the step for the invoice that is to be paid by bank transfer, or null if there is none. */
function invoiceStep({ billing: { invoiced }, config, user }: PlanInput): NextStep | null {
  if (!invoiced) return null;
  const total = { ...invoiced, amount: invoiced.total ?? invoiced.amount };
  const format = amountFormat(config, [invoiced, total]);
  const partText =
    total.amount === invoiced.amount ? '' : `of your invoice of ${format.amountText(total)}, `;
  const zone = invoiced.timeZone ?? config.timeZone;
  const reportText = transferReportText(user.next, user.next?.invoice ?? '', zone);
  const dueText = `${partText}due on ${dateText(invoiced.at, zone)}`;
  const text = reportText ? `${dueText}. ${reportText}` : dueText;
  return { title: 'To be paid', amount: invoiced, format, text };
}

/**
 * Returns the step that says until when the payments are paused, and whether the pause stops the next charge; null without
 * a pause.
 */
function pauseStep({ subscription: { pause }, billing, config }: PlanInput): NextStep | null {
  if (!pause) return null;
  const untilText = pause.until ? ` until ${dateText(pause.until, config.timeZone)}` : '';
  const effectText = billing.next ? '' : ' Nothing is charged until they resume.';
  return { title: 'Payments paused', text: `Your payments are paused${untilText}.${effectText}` };
}

function chargeStep(plan: PlanInput): NextStep | null {
  const { billing, config } = plan;
  const { next, afterCredit, card, credit } = billing;
  if (!next) return null;
  const format = chargeFormat(plan, next);
  const lines = chargeLines(plan, next, format);
  if (next.amount === 0) {
    const reason = credit && credit.amount > 0 ? ': your credit pays for the next period' : '';
    return {
      title: 'No charge next',
      text: afterCredit
        ? `Your credit pays until ${dateText(afterCredit.at, config.timeZone)}, then ${amountText(config, afterCredit)}.`
        : `Nothing is charged on ${dateText(next.at, config.timeZone)}${reason}.`,
      lines,
      ...(afterCredit && { reminder: chargeReminder(plan, afterCredit.at, true) }),
    };
  }
  const isInvoice = paysInvoices(config) || next.dueAt !== undefined;
  const dueText = next.dueAt ? ` by email, due on ${dateText(next.dueAt, config.timeZone)}` : '';
  const method = card && !isInvoice ? ` from ${methodInSentence(card)}` : '';
  return {
    title: isInvoice ? 'Next invoice' : 'Next charge',
    amount: next,
    format,
    text: `on ${dateText(next.at, config.timeZone)}${method}${dueText}`,
    lines,
    reminder: chargeReminder(plan, next.at),
  };
}

function chargeReminder(
  { subscription, config, user }: PlanInput,
  chargedAt: string,
  isAfterCredit = false,
): string {
  const { interval, status, pause } = subscription;
  if (pause) return '';
  const daysLeft = (Date.parse(chargedAt) - serverTime(user)) / (24 * 60 * 60 * 1000);
  const nextInterval = chargedPrice(subscription, chargedAt).priceId.endsWith('_yearly')
    ? 'yearly'
    : undefined;
  const isTrial = status === 'trialing' && !isAfterCredit;
  return reminderText({ interval, nextInterval, isTrial, isAfterCredit, daysLeft }, config);
}

type Charge = NonNullable<Billing['next']>;

/** Returns the price that is charged at a time: the current one, or the scheduled one from the date of the change. */
function chargedPrice(subscription: BilledSubscription, at: string) {
  const { scheduled } = subscription;
  return scheduled && Date.parse(scheduled.at) <= Date.parse(at) ? scheduled : subscription;
}

/** Returns the format of the next charge and its lines. */
function chargeFormat({ subscription, billing, config }: PlanInput, next: Charge): AmountFormat {
  const { amount } = chargedPrice(subscription, next.at);
  const price = amount === null ? null : { ...next, amount };
  return amountFormat(config, [next, price, billing.credit]);
}

/**
 * Returns the lines of the next charge: the price of the period and the credit. Empty if the price is the whole charge, or
 * if the charge has a part that the server does not report, such as a discount.
 */
function chargeLines(
  { subscription, billing, config }: PlanInput,
  next: Charge,
  { symbolText }: AmountFormat,
): NextStep['lines'] {
  const { status, trialEnd } = subscription;
  const { amount, priceId } = chargedPrice(subscription, next.at);
  const credit = billing.credit?.amount ?? 0;
  if (amount === null || next.amount !== Math.max(amount - credit, 0)) return [];
  const format = (minor: number) => symbolText({ ...next, amount: minor });
  const priceLine: [string, string] = [
    priceId === subscription.priceId
      ? planText(subscription, config)
      : changedPlanName(priceId, planIdOf(priceId), config),
    format(amount),
  ];
  if (credit !== 0) {
    return [
      priceLine,
      credit > 0
        ? ['Your credit', format(-Math.min(credit, amount))]
        : ['From earlier', format(-credit)],
    ];
  }
  return status === 'trialing' && trialEnd
    ? [[`Free trial until ${dateText(trialEnd, config.timeZone)}`, format(0)], priceLine]
    : [];
}
