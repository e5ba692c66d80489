import { type Config, defaultCardIdOf, type License, type OpenPayment } from '@/api';
import { amountText, hasPriceId } from '@/modules/billing/offer';
import { licensedPlan, planName, planText } from '@/modules/billing/plan-text';
import { can } from '@/modules/config/capabilities';
import { longDate, longDateOf, longDateTime } from '@/modules/session/dates';
import type { SignedInSession } from '@/modules/session/session-store';
import type { OpenPaymentState } from './use-open-payment';

/** Returns the open payment if it is of this kind, else null. */
export const openOfKind = (
  open: OpenPayment | null | undefined,
  kind: OpenPayment['kind'],
): OpenPayment | null => (open?.kind === kind ? open : null);

/** Whether the payment of a license waits for the approval of the customer's bank, and is not merely overdue. */
export const needsApproval = (open: OpenPayment | null | undefined): boolean =>
  openOfKind(open, 'overdue')?.approval === true;

/** The displayed texts of an open payment. */
export interface OpenPaymentText {
  /** The heading of the screen that pays it. */
  title: string;
  /** The purpose of the payment and its consequence for the plan. */
  text: string;
  /** The label of the one button. */
  button: string;
  /** Label and text of the figures, in order; the amount is first. */
  facts: [label: string, text: string][];
}

/** Returns the texts for an open payment. */
export function openPaymentText(
  open: OpenPayment,
  license: License | null,
  config: Config,
): OpenPaymentText {
  const amount = amountText(config, open);
  const button = open.approval ? `Approve and pay ${amount}` : `Pay ${amount}`;
  const plan = planName(open.priceId, config);
  const facts: OpenPaymentText['facts'] = [
    ['Amount due', amount],
    ...dateFact('Open since', open.since, (date) => longDate(date, open.timeZone)),
    ...dateFact('Next automatic attempt', automaticAttempt(open), longDate),
    ...dateFact('Open until', open.expiresAt, longDateTime),
    ...dateFact('Plan ends without payment', planEnd(open, license), longDate),
  ];
  switch (open.kind) {
    case 'first_payment':
      return {
        title: 'Finish your first payment',
        text: `Your ${plan} subscription starts when this payment goes through.`,
        button,
        facts,
      };
    case 'overdue':
      return open.approval
        ? {
            title: 'Approve your payment',
            text: `${approvalText(open, config)} Approve it to keep your plan.`,
            button,
            facts,
          }
        : {
            title: 'Pay your overdue bill',
            text: `The last payment for ${plan} did not go through. Pay it to keep your plan.`,
            button,
            facts,
          };
    case 'plan_change':
      return {
        title: 'Finish your plan change',
        text: `${unchangedText(license, config)} Your plan changes to ${plan} when this payment goes through.`,
        button,
        facts,
      };
    case 'owed':
      return {
        title: 'Pay your last bill',
        text: `Your ${plan} plan has ended, and its last bill is not paid. ${owedText(license)}`,
        button,
        facts,
      };
    case 'authentication':
      return {
        title: 'Approve your card',
        text: `Your bank has not approved your card yet. ${trialEndText(license)}`,
        button: 'Approve this card',
        facts: [['Due today', amount], ...facts.slice(1)],
      };
  }
}

/** 'Your bank wants you to approve the payment of $816 AUD for Professional.' */
export const approvalText = (open: OpenPayment, config: Config): string =>
  `Your bank wants you to approve the payment of ${amountText(config, open)} for ${planName(open.priceId, config)}.`;

/** When the provider charges it again; null for one that needs an approval, which no automatic attempt replaces. */
export const automaticAttempt = ({ approval, nextAttemptAt }: OpenPayment): string | null =>
  approval ? null : nextAttemptAt;

/** The purpose of an invoice that is paid by transfer; empty before it is due. */
export function invoiceText(
  open: OpenPayment | null | undefined,
  license: License | null,
  config: Config,
): string {
  if (open?.kind === 'owed') return openPaymentText(open, license, config).text;
  if (open?.kind !== 'overdue') return '';
  const end = planEnd(open, license);
  const plan = planName(open.priceId, config);
  return `Your invoice for ${plan} is overdue. ${
    end ? `Without the payment your plan ends on ${longDate(new Date(end))}.` : ''
  }`.trim();
}

/** The effect of paying the bill of a former plan. */
const owedText = (license: License | null): string =>
  license ? 'Your current plan does not change.' : 'Pay it, then you can subscribe again.';

/** 'Your plan has not changed. You keep Standard until 21 November 2027.' */
export function unchangedText(license: License | null, config: Config): string {
  return `Your plan has not changed. ${keptPlansText(license, config)}`.trim();
}

/** The plan that the customer keeps, and the scheduled change that stays because a change now was not made. */
function keptPlansText(license: License | null, config: Config): string {
  const scheduled = license?.pending_change?.replaces ?? license?.scheduled_change;
  const then = scheduled ? ` Then it changes to ${planText(scheduled, config)}, as scheduled.` : '';
  return `${keptPlanText(license, config)}${then}`;
}

/** The plan that the customer keeps, and until when it is paid; empty without a license. */
export function keptPlanText(license: License | null, config: Config): string {
  if (!license) return '';
  const { status, trial_end, current_period_end } = license.raw;
  const plan = licensedPlan(license, config);
  const trial = status === 'trialing' ? trial_end : null;
  const end = trial ?? current_period_end;
  const kept = trial ? `your ${plan} trial` : plan;
  return `You keep ${kept}${end ? ` until ${longDateOf(end)}` : ''}.`;
}

/** Returns when an overdue plan ends without payment; null when the provider does not report it. */
export function planEnd({ kind }: OpenPayment, license: License | null): string | null {
  return (kind === 'overdue' && license?.plan_ends_at) || null;
}

function trialEndText(license: License | null): string {
  const end = license?.raw.trial_end;
  return end
    ? `Approve it, so that your first payment can be made when your trial ends on ${longDateOf(end)}.`
    : 'Approve it, so that your first payment can be made when your trial ends.';
}

function dateFact(
  label: string,
  time: string | null,
  format: (date: Date) => string,
): OpenPaymentText['facts'] {
  return time ? [[label, format(new Date(time))]] : [];
}

/** The displayed texts when nothing is left to pay. */
export interface OpenPaymentNotice {
  title: string;
  text: string;
  /** Whether the next step is to choose a plan. */
  subscribeAgain?: boolean;
  /** Whether the requested payment was not made. */
  unpaid?: boolean;
  /** Whether an invoice was paid. */
  invoicePaid?: boolean;
  /** Whether the next step is to save a payment method. */
  addMethod?: boolean;
}

/** Returns the texts after a payment, or after a plan change was dropped. */
export function resultText(
  kind: 'paid' | 'dropped',
  open: OpenPayment,
  license: License | null,
  config: Config,
): OpenPaymentNotice {
  if (kind === 'dropped') {
    return { title: 'The change was dropped', text: keptPlansText(license, config) };
  }
  const paid = `${amountText(config, open)} was paid.`;
  const plan = planName(open.priceId, config);
  switch (open.kind) {
    case 'first_payment':
      return {
        title: 'Your subscription has started',
        text: `${paid} ${plan} is your plan now.`,
        invoicePaid: true,
      };
    case 'overdue':
      return {
        title: 'Your bill is paid',
        text: `${paid} You keep ${plan}.`,
        invoicePaid: true,
      };
    case 'owed':
      return {
        title: 'Your bill is paid',
        text: paid,
        subscribeAgain: license === null,
        invoicePaid: true,
      };
    case 'plan_change':
      return {
        title: 'Your plan has changed',
        text: `${paid} ${plan} is your plan now.`,
        invoicePaid: true,
      };
    case 'authentication':
      return { title: 'Your card is approved', text: approvedText(license) };
  }
}

/** Returns the texts after an attempt that failed because the payment is not open any more. */
export function closedText(
  open: OpenPayment,
  license: License | null,
  config: Config,
): OpenPaymentNotice {
  return {
    title: 'This payment is no longer open',
    text: `Nothing was paid. ${closedReason(open, license, config)}`.trim(),
    subscribeAgain: license === null,
    unpaid: true,
  };
}

function closedReason(open: OpenPayment, license: License | null, config: Config): string {
  const plan = planName(open.priceId, config);
  switch (open.kind) {
    case 'plan_change':
      return license && hasPriceId(license, open.priceId)
        ? `${plan} is your plan already.`
        : `Your change to ${plan} has expired or was dropped. ${unchangedText(license, config)}`;
    case 'first_payment':
      return license
        ? keptPlanText(license, config)
        : `The time for the first payment of ${plan} is over.`;
    case 'overdue':
    case 'owed':
      return license ? keptPlanText(license, config) : `Your ${plan} plan has ended.`;
    case 'authentication':
      return keptPlanText(license, config);
  }
}

/** The texts without an open payment. */
export const nothingToPay: OpenPaymentNotice = {
  title: 'Nothing to pay',
  text: 'No payment of yours is open, and no card waits for your approval.',
};

/** Whether a trial has no payment method yet, which its customer saves on the provider's page. */
export const lacksMethod = ({ user, customer }: SignedInSession, config: Config): boolean =>
  user.license?.raw.status === 'trialing' &&
  can(config, 'method_page') &&
  customer !== null &&
  defaultCardIdOf(customer) === null;

/** Returns the texts after the return from the provider's page when nothing is left to pay. */
export function returnedText(session: SignedInSession, config: Config): OpenPaymentNotice {
  const { license } = session.user;
  if (license?.raw.status === 'trialing') return trialText(license, lacksMethod(session, config));
  if (!license) return nothingToPay;
  return {
    title: 'Your payment is complete',
    text: `${licensedPlan(license, config)} is your plan.`,
  };
}

function trialText({ raw: { trial_end } }: License, noMethod: boolean): OpenPaymentNotice {
  const title = 'Your free trial has started';
  const end = trial_end ? `on ${longDateOf(trial_end)}` : 'when your trial ends';
  if (!noMethod) {
    return { title, text: `Nothing was charged. Your first payment is ${end}.` };
  }
  return {
    title,
    text: `You have not saved a payment method yet. Your trial goes on without one. Your first payment is due ${end}.`,
    addMethod: true,
  };
}

/** Returns the texts after the return from the provider's page when the payment is still open. */
export const unpaidText = ({ reason }: OpenPayment): OpenPaymentNotice =>
  reason
    ? { title: 'This is not paid yet', text: `${reason} Nothing was charged.` }
    : {
        title: 'Your payment has not arrived yet',
        text: 'If you have just paid, please wait a few minutes and look at your dashboard before you pay again.',
      };

function approvedText(license: License | null): string {
  const end = license?.raw.trial_end;
  return end
    ? `Nothing was charged. Your first payment is on ${longDateOf(end)}.`
    : 'Nothing was charged. Your first payment is when your trial ends.';
}

/** Returns the consequence of a failed attempt for the customer's money and plan. */
export function consequenceText(
  state: OpenPaymentState,
  open: OpenPayment,
  license: License | null,
  config: Config,
): string {
  if (state.kind === 'failed' && state.failure.quote) {
    return `${amountText(config, open)} is open now.`; // the message says that nothing was charged
  }
  switch (open.kind) {
    case 'overdue': {
      const attempt = automaticAttempt(open);
      return attempt
        ? `Your bill is still open. We try again on ${longDate(new Date(attempt))}.`
        : 'Your bill is still open.';
    }
    case 'owed':
      return 'Your bill is still open.';
    case 'plan_change':
      return unchangedText(license, config);
    case 'first_payment':
    case 'authentication':
      return 'Nothing was charged.';
  }
}
