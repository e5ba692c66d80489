import { type Config, defaultCardIdOf, type License, type OpenPayment } from '@/api';
import { amountText } from '@/modules/billing/amount-text';
import { hasPriceId } from '@/modules/billing/offer';
import { changedPlanName, licensePlanName, planIdOf, planName } from '@/modules/billing/plan-text';
import { can } from '@/modules/config/capabilities';
import type { ScreenConfig } from '@/modules/config/config-store';
import { longDateOf, type TimeZone } from '@/modules/session/dates';
import type { SignedInSession } from '@/modules/session/session-store';
import { keptPlansText, keptPlanText, unchangedText } from './open-payment-text';
import { isNewFailure } from './page-visit';

/** The texts and next steps that the page shows once a payment is not open any more. */
export interface OpenPaymentNotice {
  title: string;
  text: string;
  /** Whether the next step is to choose a plan. */
  needsNewPlan?: boolean;
  /** Whether the requested payment was not made. */
  isUnpaid?: boolean;
  /** Whether an invoice was paid. */
  hasPaidInvoice?: boolean;
  /** Whether the next step is to contact us. */
  needsContact?: boolean;
  /** Whether the next step is to save a payment method. */
  needsSavedMethod?: boolean;
}

/** Returns the notice after a payment, or after a plan change was canceled. */
export function resultNotice(
  kind: 'paid' | 'canceled',
  payment: OpenPayment,
  license: License | null,
  config: ScreenConfig,
): OpenPaymentNotice {
  if (kind === 'canceled') {
    return { title: 'The change was dropped', text: keptPlansText(license, config) };
  }
  const paidText = `${amountText(config, payment)} was paid.`;
  const plan = planName(payment.priceId, config);
  switch (payment.kind) {
    case 'first_payment':
      return {
        title: 'Your subscription has started',
        text: `${paidText} ${plan} is your plan now.`,
        hasPaidInvoice: true,
      };
    case 'overdue':
      return {
        title: 'Your invoice is paid',
        text: `${paidText} You keep ${plan}.`,
        hasPaidInvoice: true,
      };
    case 'owed':
      return {
        title: 'Your invoice is paid',
        text: paidText,
        needsNewPlan: license === null,
        hasPaidInvoice: true,
      };
    case 'plan_change':
      return {
        title: 'Your plan has changed',
        text: `${paidText} ${paidPlanText(payment.priceId, config)}`,
        hasPaidInvoice: true,
      };
    case 'authentication':
      return { title: 'Your card is approved', text: firstPaymentText(license, config.timeZone) };
  }
}

/** Names the plan after a change with its interval, because the earlier plan is not known any more. */
const paidPlanText = (priceId: string, config: Config): string =>
  `Your plan is ${changedPlanName(priceId, planIdOf(priceId), config)} now.`;

/** Returns the notice after an attempt that failed because the payment is not open any more. */
export function closedNotice(
  payment: OpenPayment,
  license: License | null,
  config: ScreenConfig,
): OpenPaymentNotice {
  return {
    title: 'This payment is no longer open',
    text: `Nothing was paid. ${closedReason(payment, license, config)}`.trim(),
    needsNewPlan: license === null,
    isUnpaid: true,
  };
}

function closedReason(payment: OpenPayment, license: License | null, config: ScreenConfig): string {
  const plan = planName(payment.priceId, config);
  switch (payment.kind) {
    case 'plan_change':
      return license && hasPriceId(license, payment.priceId)
        ? `${plan} is your plan already.`
        : `Your change to ${changedPlanName(payment.priceId, license?.raw.metadata.name, config)} has expired or was dropped. ${unchangedText(license, config)}`;
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

/** The notice for a customer without an open payment. */
const nothingToPayNotice: OpenPaymentNotice = {
  title: 'Nothing to pay',
  text: 'No payment of yours is open, and no card waits for your approval.',
};

/** The text about an overdue plan without an invoice that can be paid: it is a draft or was cancelled. */
export const noPayableInvoiceText =
  'Your plan is overdue, but no invoice of it can be paid here at the moment. Look again in an hour, or contact us.';

/** Returns the notice for a customer without an open payment whose plan may be overdue. */
export const noOpenPaymentNotice = (license: License | null): OpenPaymentNotice =>
  license?.raw.status === 'past_due'
    ? {
        title: 'No invoice can be paid now',
        text: noPayableInvoiceText,
        isUnpaid: true,
        needsContact: true,
      }
    : nothingToPayNotice;

/** Whether a customer on a trial still has to save a payment method on the provider's page. */
export const lacksMethod = ({ user, customer }: SignedInSession, config: Config): boolean =>
  user.license?.raw.status === 'trialing' &&
  can(config, 'method_page') &&
  customer !== null &&
  defaultCardIdOf(customer) === null;

/** Returns the notice after the return from the provider's page when nothing is left to pay. */
export function returnNotice(session: SignedInSession, config: ScreenConfig): OpenPaymentNotice {
  const { license } = session.user;
  if (license?.raw.status === 'trialing') {
    const { methodRefusal } = session.user;
    return trialNotice(license, lacksMethod(session, config), config.timeZone, methodRefusal);
  }
  if (!license || license.raw.status === 'past_due') return noOpenPaymentNotice(license);
  return {
    title: 'Your payment is complete',
    text: `${licensePlanName(license, config)} is your plan.`,
  };
}

function trialNotice(
  license: License,
  needsSavedMethod: boolean,
  timeZone: TimeZone,
  refusal: string | undefined,
): OpenPaymentNotice {
  const title = 'Your free trial has started';
  if (!needsSavedMethod) return { title, text: firstPaymentText(license, timeZone) };
  const reason = refusal || 'You have not saved a payment method yet.';
  const text = `${reason} Your trial goes on without one.`;
  return {
    title,
    text: `${text} Your first payment is due ${trialEnd(license, timeZone)}.`,
    needsSavedMethod,
  };
}

/** Returns the notice after the return from the provider's page when the payment is still open. */
export const unpaidNotice = (payment: OpenPayment): OpenPaymentNotice =>
  payment.reason && isNewFailure(payment)
    ? { title: 'This is not paid yet', text: `${payment.reason} Nothing was charged.` }
    : {
        title: 'Your payment has not arrived yet',
        text: 'If you have just paid, please wait a few minutes and look at your dashboard before you pay again.',
      };

/** Describes the first payment after a trial. */
const firstPaymentText = (license: License | null, timeZone: TimeZone): string =>
  `Nothing was charged. Your first payment is ${trialEnd(license, timeZone)}.`;

function trialEnd(license: License | null, timeZone: TimeZone): string {
  const end = license?.raw.trial_end;
  return end ? `on ${longDateOf(end, timeZone)}` : 'when your trial ends';
}
