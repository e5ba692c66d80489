import type { Config, InvoiceLine, Money, PriceQuote } from '@/api';
import { amountText, symbolText } from '@/modules/billing/amount-text';
import { longDate, mediumDate } from '@/modules/session/dates';
import type { Success } from './payment-types';

type Currencies = Pick<Config, 'currencies'>;

/** A line of an invoice or quote: description and amount. */
type Row = readonly [label: string, amount: string];

/** Returns 'Professional until 21 Nov 2027' and '$664.90'. */
export function lineRow(line: InvoiceLine, currency: string, config: Currencies): Row {
  const { end } = line.period;
  const label =
    line.amount > 0 && end
      ? `${line.description} until ${mediumDate(new Date(end))}`
      : line.description;
  return [label, symbolText(config, { amount: line.amount, currency })];
}

/**
 * Returns the lines of a quote and the deducted credit; their sum is `dueNow`. Returns no rows if there is only one
 * line and no credit.
 */
export function dueRows(quote: PriceQuote, config: Currencies): Row[] {
  const { currency } = quote.dueNow;
  const rows = quote.lines.map((line) => lineRow(line, currency, config));
  const amount = quote.creditAfter.amount - quote.creditBefore.amount;
  if (amount === 0) return rows.length > 1 ? rows : [];
  return [...rows, [creditLabel(quote, amount), symbolText(config, { amount, currency })]];
}

function creditLabel({ creditBefore, creditAfter }: PriceQuote, amount: number): string {
  if (amount > 0) return creditBefore.amount < 0 ? 'Carried over' : 'Kept as credit';
  return creditAfter.amount < 0 ? 'Added to your next payment' : 'Your credit';
}

/**
 * Describes the credit or debt that is carried over to the next payment; null for none. With `planEnds` there is no
 * next payment, because the plan ends or has ended.
 */
export function creditText(
  credit: Money | null,
  config: Currencies,
  planEnds: boolean = false,
): string | null {
  if (!credit || credit.amount === 0) return null;
  const amount = amountText(config, { ...credit, amount: Math.abs(credit.amount) });
  if (planEnds) {
    return credit.amount > 0
      ? `Your credit of ${amount} is kept and used when you subscribe again.`
      : `${amount} is added to your first payment when you subscribe again.`;
  }
  return credit.amount > 0
    ? `${amount} of credit pays for what comes next.`
    : `${amount} is added to your next payment.`;
}

/** Returns the amount and time of the first charge of a quote. */
function firstCharge({ dueNow, next }: PriceQuote, config: Currencies): [string, string] {
  return dueNow.amount === 0 && next
    ? [amountText(config, next), `on ${longDate(new Date(next.at))}`]
    : [amountText(config, dueNow), 'now'];
}

/**
 * Describes the first charge of a quote and its difference from the previous quote: '$342 AUD is due now instead of
 * $342.10 AUD.', or 'The next charge is …' if only that differs.
 */
export function quoteChangeText(
  quote: PriceQuote,
  previousQuote: PriceQuote | null,
  config: Currencies,
): string {
  const [amount, when] = firstCharge(quote, config);
  const [previousAmount] = previousQuote ? firstCharge(previousQuote, config) : [amount];
  if (previousAmount !== amount) return `${amount} is due ${when} instead of ${previousAmount}.`;
  const nextAmount = nextChargeText(quote, config);
  const previousNextAmount = previousQuote && nextChargeText(previousQuote, config);
  return nextAmount && previousNextAmount && nextAmount !== previousNextAmount
    ? `The next charge is ${nextAmount} instead of ${previousNextAmount}.`
    : `${amount} is due ${when}.`;
}

const nextChargeText = ({ next }: PriceQuote, config: Currencies): string | null =>
  next && amountText(config, next);

/** Whether two quotes charge different amounts now or next. The quote of an open invoice has no next charge. */
export const amountsDiffer = (a: PriceQuote, b: PriceQuote): boolean =>
  a.dueNow.amount !== b.dueNow.amount ||
  Boolean(a.next && b.next && a.next.amount !== b.next.amount);

/**
 * Returns 'You were charged $332.10 AUD instead of the quoted $342.10 AUD.', or 'Your invoice is …' while it is not paid
 * yet; undefined when the quoted amount was charged.
 */
export function chargeDifferenceText(
  { kind, next, chargeDifference }: Success,
  config: Currencies,
): string | undefined {
  if (!chargeDifference) return undefined;
  const chargedAmount = amountText(config, chargeDifference.charged);
  const quotedAmount = amountText(config, chargeDifference.quoted);
  const subject = kind === 'processing' || next ? 'Your invoice is' : 'You were charged';
  return `${subject} ${chargedAmount} instead of the quoted ${quotedAmount}.`;
}
