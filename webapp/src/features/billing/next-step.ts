import type { BilledSubscription, Billing, Config, Money } from '@/api';
import { amountText, symbolText } from '@/modules/billing/offer';
import {
  dateText,
  invoicedAtEndText,
  methodInSentence,
  planText,
  unapprovedText,
} from '@/modules/billing/plan-text';
import { paysInvoices } from '@/modules/config/capabilities';
import { approvalText, openOfKind } from '@/modules/payments/open-payment-text';
import { creditText } from '@/modules/payments/quote-text';
import type { User } from '@/modules/session/session-store';

/** A charge or another event that comes next, or is overdue. */
export interface NextStep {
  title: string;
  /** What is or will be charged. */
  amount?: Money;
  text: string;
  /** The lines that add up to the amount: label and amount. */
  lines?: [label: string, amount: string][];
}

interface Plan {
  subscription: BilledSubscription;
  billing: Billing;
  config: Config;
  user: Pick<User, 'openPayment' | 'processing'>;
}

/** Returns what comes next for a plan, the first thing first, and its credit; empty if nothing is known. */
export function nextSteps(plan: Plan): NextStep[] {
  const steps = stepsOf(plan);
  const credit = creditStep(plan, steps);
  return credit ? [...steps, credit] : steps;
}

function stepsOf(plan: Plan): NextStep[] {
  const { subscription, billing, config, user } = plan;
  const { status, endsAt } = subscription;
  if (endsAt) return [endStep(endsAt, plan)];
  if (status === 'past_due') return user.processing ? [] : [overdueStep(plan)];
  const paused = pauseStep(subscription.pause, billing.next);
  if (openOfKind(user.openPayment, 'authentication')) {
    const text = unapprovedText(billing, config);
    return [invoiceStep(plan), paused, { title: 'Not approved yet', text }].filter(isStep);
  }
  return [invoiceStep(plan), paused, chargeStep(plan)].filter(isStep);
}

const isStep = (step: NextStep | null): step is NextStep => step !== null;

function endStep(endsAt: string, { subscription, billing, config }: Plan): NextStep {
  const trial = subscription.status === 'trialing';
  const invoiced = invoicedAtEndText(billing.invoiced, trial, config);
  const text = `It ends on ${dateText(endsAt)}. Nothing is charged after that. ${invoiced}`;
  return { title: 'Your plan ends', text: text.trim() };
}

function overdueStep({ subscription, config, user }: Plan): NextStep {
  const open = openOfKind(user.openPayment, 'overdue');
  const { planEndsAt } = subscription;
  const end = planEndsAt ? `Without it your plan ends on ${dateText(planEndsAt)}.` : '';
  if (!open) return { title: 'Payment overdue', text: `A payment is overdue. ${end}`.trim() };
  return open.approval
    ? { title: 'Payment to approve', text: `${approvalText(open, config)} ${end}`.trim() }
    : { title: 'Payment overdue', amount: open, text: end };
}

/** The credit as far as the lines of the next charge don't say it. */
function creditStep({ billing, subscription, config }: Plan, steps: NextStep[]): NextStep | null {
  const { credit, next } = billing;
  const lines = steps.find(({ lines }) => lines && lines.length > 0)?.lines;
  if (!lines || !credit) {
    const text = creditText(credit, config, Boolean(subscription.endsAt));
    return text ? { title: 'Credit', text } : null;
  }
  const price = (subscription.scheduled ?? subscription).amount ?? 0;
  const left = credit.amount - price;
  if (left <= 0 || next?.amount !== 0) return null;
  return {
    title: 'Credit',
    text: `${amountText(config, { ...credit, amount: left })} is left after that.`,
  };
}

/** The invoice that is to be paid by transfer. */
function invoiceStep({ billing: { invoiced }, config }: Plan): NextStep | null {
  if (!invoiced) return null;
  const total = invoiced.total ?? invoiced.amount;
  const whole =
    total === invoiced.amount
      ? ''
      : `of your invoice of ${amountText(config, { ...invoiced, amount: total })}, `;
  const text = `${whole}due on ${dateText(invoiced.at, invoiced.timeZone)}`;
  return { title: 'To be paid', amount: invoiced, text };
}

/** 'Your payments are paused until 21 November 2027.', and that nothing is charged if that is so. */
function pauseStep(pause: BilledSubscription['pause'], next: Billing['next']): NextStep | null {
  if (!pause) return null;
  const until = pause.until ? ` until ${dateText(pause.until)}` : '';
  const isPausedAtCharge = next ? '' : ' Nothing is charged until they resume.';
  return { title: 'Payments paused', text: `Your payments are paused${until}.${isPausedAtCharge}` };
}

function chargeStep(plan: Plan): NextStep | null {
  const { billing, config } = plan;
  const { next, card, credit } = billing;
  if (!next) return null;
  const lines = linesOf(plan, next);
  if (next.amount === 0) {
    const why = credit && credit.amount > 0 ? ': your credit pays for the next period' : '';
    return {
      title: 'No charge next',
      text: `Nothing is charged on ${dateText(next.at)}${why}.`,
      lines,
    };
  }
  const isInvoice = paysInvoices(config);
  const to = card && !isInvoice ? ` to ${methodInSentence(card)}` : '';
  return {
    title: isInvoice ? 'Next invoice' : 'Next charge',
    amount: next,
    text: `on ${dateText(next.at)}${to}`,
    lines,
  };
}

/**
 * Returns the lines of the next charge: the price of the period and the credit. Empty when the price alone
 * says it, and when something unknown here, such as a discount, is part of it.
 */
function linesOf({ subscription, billing, config }: Plan, next: Money): NextStep['lines'] {
  const { scheduled, status, trialEnd, interval } = subscription;
  const { amount, priceId } = scheduled ?? subscription;
  const credit = billing.credit?.amount ?? 0;
  if (amount === null || next.amount !== Math.max(amount - credit, 0)) return [];
  const text = (minor: number) => symbolText(config, { ...next, amount: minor });
  const price: [string, string] = [planText({ priceId, interval }, config), text(amount)];
  if (credit !== 0) {
    return [
      price,
      credit > 0
        ? ['Your credit', text(-Math.min(credit, amount))]
        : ['From earlier', text(-credit)],
    ];
  }
  return status === 'trialing' && trialEnd
    ? [[`Free trial until ${dateText(trialEnd)}`, text(0)], price]
    : [];
}
