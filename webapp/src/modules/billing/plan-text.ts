import type { BilledSubscription, Billing, Config, Interval, License } from '@/api';
import type { ScreenConfig } from '@/modules/config/config-store';
import { longDate, type TimeZone } from '@/modules/session/dates';
import { ownValue } from '@/rules/own-value';
import { amountText, perInterval } from './amount-text';
import { methodInSentence } from './method-text';

/** Returns 'Professional, yearly'. */
export function planText(
  { priceId, interval }: Pick<BilledSubscription, 'priceId' | 'interval'>,
  config: Config,
): string {
  return [planName(priceId, config), interval].filter(Boolean).join(', ');
}

/** Returns 'Yearly, $816 AUD per year', without the price if the server does not report it. */
export function planPriceText(
  { interval, amount, currency }: BilledSubscription,
  config: Config,
): string {
  const price = amount === null ? '' : amountText(config, { amount, currency });
  if (!interval) return price && `${price} per period`;
  const name = interval === 'yearly' ? 'Yearly' : 'Monthly';
  return price ? `${name}, ${price} ${perInterval(interval)}` : name;
}

/** Describes the next charge while the cardholder's bank has not approved the card of a trial. */
export function unapprovedCardText({ next, card }: Billing, config: ScreenConfig): string {
  const method = card ? methodInSentence(card) : 'your card';
  if (!next) return `Your bank has not approved ${method} yet.`;
  const charge = `${amountText(config, next)} is due on ${dateText(next.at, config.timeZone)}`;
  return `${charge}, but your bank has not approved ${method} yet.`;
}

/**
 * Describes the invoice of a plan that ends: 'Your invoice of $816 AUD is due on 5 December 2026.', or '$516 AUD of your
 * invoice of …' after a part payment or credit; empty without an invoice. An invoice of a trial is cancelled, because it is
 * for the time after the trial.
 */
export function invoiceAtEndText(
  invoice: Billing['invoiced'],
  isTrial: boolean,
  config: ScreenConfig,
): string {
  if (!invoice) return '';
  const { amount, total, at, timeZone = config.timeZone } = invoice;
  const reportedTotal = total ?? amount;
  const totalText = amountText(config, { ...invoice, amount: reportedTotal });
  if (isTrial) return `Your invoice of ${totalText} is cancelled then, and need not be paid.`;
  const subject =
    amount === reportedTotal
      ? `Your invoice of ${totalText}`
      : `${amountText(config, invoice)} of your invoice of ${totalText}`;
  return `${subject} is due on ${dateText(at, timeZone)}.`;
}

/** The text about the details of the transfer, for a customer whose order is not approved yet. */
export const transferDetailsText =
  'The account and the reference for your transfer are on your dashboard as soon as it is approved.';

/** Returns the long date of a time in a response. */
export const dateText = (time: string, timeZone: TimeZone): string =>
  longDate(new Date(time), timeZone);

/** Returns the display name of the plan that a price belongs to. */
export const planName = (priceId: string, config: Plans): string =>
  planDisplayName(planIdOf(priceId), config);

/**
 * Returns the name of the plan after a change: 'Professional', or 'Professional, yearly' if only the interval changes.
 * `currentPlan` is the id of the current plan.
 */
export function changedPlanName(
  priceId: string,
  currentPlan: string | undefined,
  config: Plans,
): string {
  const plan = planIdOf(priceId);
  const name = planDisplayName(plan, config);
  return plan === currentPlan ? `${name}, ${priceId.slice(plan.length + 1)}` : name;
}

/** Returns the id of the plan that a price belongs to. */
export const planIdOf = (priceId: string): string => priceId.slice(0, priceId.lastIndexOf('_'));

/** Returns the interval of a price. */
export const intervalOf = (priceId: string): Interval =>
  priceId.endsWith('_yearly') ? 'yearly' : 'monthly';

/** Returns the display name of the plan of a license. */
export const licensePlanName = ({ raw }: License, config: Plans): string =>
  planDisplayName(raw.metadata.name, config);

/** Returns the price of a license, '$816 AUD', or null if the server does not report it. */
export const licensePriceText = ({ price, currency }: License, config: Config): string | null =>
  price && currency ? amountText(config, { amount: price.amount, currency }) : null;

type Plans = Pick<Config, 'catalogue'>;

/** Returns the display name of the plan with this id, or the id when the plan is no longer sold. */
export const planDisplayName = (planId: string, { catalogue }: Plans): string =>
  catalogue.plans.find(({ id }) => id === planId)?.displayName ?? planId;

/** The labels of statuses. The specification defines the label of a trial. */
const statusTexts: Record<string, string> = {
  trialing: 'in-trial',
  past_due: 'payment overdue',
  canceled: 'ended',
  unpaid: 'ended',
  incomplete_expired: 'ended',
};

/** Returns the label of a license status, or the status with spaces in place of underscores. */
export function statusText(status: string): string {
  return ownValue(statusTexts, status) ?? status.replaceAll('_', ' ');
}
