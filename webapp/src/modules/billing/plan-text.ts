import type { BilledSubscription, Billing, Config, License, Money, PaidMethod } from '@/api';
import { longDate } from '@/modules/session/dates';
import { brandName, inSentence, maskedNumber } from './card-text';
import { amountText, perInterval } from './offer';

/** 'Professional, yearly'. */
export function planText(
  { priceId, interval }: Pick<BilledSubscription, 'priceId' | 'interval'>,
  config: Config,
): string {
  return `${planName(priceId, config)}, ${interval}`;
}

/** 'Yearly, $816 AUD per year'. */
export function planPriceText(
  { interval, amount, currency }: BilledSubscription,
  config: Config,
): string {
  const name = interval === 'yearly' ? 'Yearly' : 'Monthly';
  if (amount === null) return name;
  return `${name}, ${amountText(config, { amount, currency })} ${perInterval(interval)}`;
}

/** The next charge while the cardholder's bank has not approved the card of a trial. */
export function unapprovedText({ next, card }: Billing, config: Config): string {
  const missing = `our bank has not approved ${card ? methodInSentence(card) : 'your card'} yet.`;
  if (!next) return `Y${missing}`;
  return `${amountText(config, next)} is due on ${dateText(next.at)}, but y${missing}`;
}

/** 'Visa •••• 4242' with spaces at which no line ends; the label of another method. */
export const methodText = (card: PaidMethod): string =>
  (card.label ?? `${brandName(card)} ${maskedNumber(card)}`).replace(/ ?•••• /, (dots) =>
    dots.replaceAll(' ', '\u00a0'),
  );

/** The same within a sentence: 'bank account •••• 6819'. */
export const methodInSentence = (card: PaidMethod): string => inSentence(methodText(card), card);

/**
 * 'Your invoice of $816 AUD is due on 5 December 2026.', or '$516 AUD of your invoice of …' after a part payment or
 * credit; empty without an invoice to transfer.
 */
function invoicedText(invoiced: Billing['invoiced'], config: Config): string {
  if (!invoiced) return '';
  const invoice = `our invoice of ${invoiceTotal(invoiced, config)}`;
  const rest = amountText(config, invoiced);
  const subject = isTotal(invoiced) ? `Y${invoice}` : `${rest} of y${invoice}`;
  return `${subject} is due on ${dateText(invoiced.at, invoiced.timeZone)}.`;
}

type Invoiced = NonNullable<Billing['invoiced']>;

const isTotal = ({ amount, total }: Invoiced): boolean => (total ?? amount) === amount;

/** The total of the invoice; what remains to be paid if the server does not report the total. */
const invoiceTotal = (invoiced: Invoiced, config: Config): string =>
  amountText(config, { ...invoiced, amount: invoiced.total ?? invoiced.amount });

/**
 * Describes the invoice of a plan that ends. One that was issued in a trial is for the time after it,
 * and is cancelled.
 */
export function invoicedAtEndText(
  invoiced: Billing['invoiced'],
  trial: boolean,
  config: Config,
): string {
  return invoiced && trial
    ? `Your invoice of ${invoiceTotal(invoiced, config)} is cancelled then, and need not be paid.`
    : invoicedText(invoiced, config);
}

/** Where the details for a transfer appear while an order is being checked. */
export const orderedInvoiceText =
  'The account and the reference for your transfer are on your dashboard as soon as it is approved.';

/** '$816 AUD on 28 November 2026'. */
export const dueText = (
  charge: Money & { at: string; timeZone?: string },
  config: Config,
): string => `${amountText(config, charge)} on ${dateText(charge.at, charge.timeZone)}`;

/** The long date of a time in a response, in the organisation's time zone unless another one is given. */
export const dateText = (time: string, zone?: string): string => longDate(new Date(time), zone);

/** The display name of the plan that a price belongs to. */
export const planName = (priceId: string, config: Plans): string =>
  displayName(priceId.slice(0, priceId.lastIndexOf('_')), config);

/** The display name of the plan of a license. */
export const licensedPlan = ({ raw }: License, config: Plans): string =>
  displayName(raw.metadata.name, config);

/** What a license costs its organisation, '$816 AUD'; null when the server does not report it. */
export const licensePriceText = ({ price, currency }: License, config: Config): string | null =>
  price && currency ? amountText(config, { amount: price.amount, currency }) : null;

type Plans = Pick<Config, 'catalogue'>;

/** The display name of a plan; its id when the plan is no longer sold. */
export const displayName = (product: string, { catalogue }: Plans): string =>
  catalogue.plans.find(({ id }) => id === product)?.displayName ?? product;

/** The specified label of a trial, and plain words for other statuses. */
const statusTexts: Record<string, string> = {
  trialing: 'in-trial',
  past_due: 'payment overdue',
  canceled: 'ended',
  unpaid: 'ended',
  incomplete_expired: 'ended',
};

/** The label of a license status; an unknown status with spaces in place of its underscores. */
export function statusText(status: string): string {
  return statusTexts[status] ?? status.replaceAll('_', ' ');
}
