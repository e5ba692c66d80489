import type { Billing, Config, InvoiceLine, Money, PriceQuote } from '@/api';
import { type AmountFormat, amountFormat } from '@/modules/billing/amount-text';
import type { ScreenConfig } from '@/modules/config/config-store';
import { mediumDate } from '@/modules/session/date-times';
import { longDate, type TimeZone } from '@/modules/session/dates';
import type { Success } from './payment-types';

type Currencies = Pick<Config, 'currencies'>;

/** A line of an invoice or quote: description and amount. */
type Row = readonly [label: string, amount: string];

/** Returns the description and the amount of a line, such as 'Professional until 21 Nov 2027' and '$664.90'. */
function lineRow(
  line: InvoiceLine,
  currency: string,
  format: AmountFormat,
  timeZone: TimeZone,
): Row {
  const { end } = line.period;
  const label =
    line.amount > 0 && end
      ? `${line.description} until ${mediumDate(new Date(end), timeZone)}`
      : line.description;
  return [label, format.symbolText({ amount: line.amount, currency })];
}

/** Returns the format of the amounts of a quote, and of the previous quote that is compared with it. */
export function quoteFormat(
  quote: PriceQuote,
  previousQuote: PriceQuote | null,
  config: Currencies,
): AmountFormat {
  const amounts = [quote, previousQuote].flatMap((shownQuote) => {
    if (!shownQuote) return [];
    const { dueNow, lines, tax, creditBefore, creditAfter } = shownQuote;
    const lineAmounts = lines.map(({ amount }) => ({ ...dueNow, amount }));
    const creditChange = { ...dueNow, amount: creditAfter.amount - creditBefore.amount };
    const shownTax = dueNow.amount > 0 ? tax : null;
    return [dueNow, ...lineAmounts, shownTax, creditChange, creditAfter, nextCharge(shownQuote)];
  });
  return amountFormat(config, amounts);
}

/**
 * Returns the first charge that the credit does not cover. If the server does not report that charge, returns the next one,
 * which may have the amount 0; null without a next charge.
 */
export const nextCharge = ({
  next,
  afterCredit,
}: Pick<Billing | PriceQuote, 'next' | 'afterCredit'>): Billing['next'] =>
  next?.amount === 0 && afterCredit ? afterCredit : (next ?? null);

/**
 * Returns the lines of a quote and the deducted credit; their sum is `dueNow`. Returns no rows if there is only one
 * line and no credit.
 */
export function dueRows(quote: PriceQuote, format: AmountFormat, timeZone: TimeZone): Row[] {
  const { currency } = quote.dueNow;
  const rows = quote.lines.map((line) => lineRow(line, currency, format, timeZone));
  const creditChange = quote.creditAfter.amount - quote.creditBefore.amount;
  if (creditChange === 0) return rows.length > 1 ? rows : [];
  const changeText = format.symbolText({ amount: creditChange, currency });
  return [...rows, [creditLabel(quote, creditChange), changeText]];
}

function creditLabel({ creditBefore, creditAfter }: PriceQuote, creditChange: number): string {
  if (creditChange > 0) return creditBefore.amount < 0 ? 'Carried over' : 'Kept as credit';
  return creditAfter.amount < 0 ? 'Added to your next charge' : 'Your credit';
}

interface CreditTextOptions {
  /** Whether there is no next charge, because the plan ends or has ended. */
  planEnds?: boolean;
  /** The format of the amounts shown next to the text. By default, the credit sets the decimals. */
  format?: AmountFormat;
}

/** Describes the credit or debt that is carried over to the next charge; null for none. */
export function creditText(
  credit: Money | null,
  config: Currencies,
  { planEnds = false, format = amountFormat(config, [credit]) }: CreditTextOptions = {},
): string | null {
  if (!credit || credit.amount === 0) return null;
  const amount = format.amountText({ ...credit, amount: Math.abs(credit.amount) });
  if (planEnds) {
    return credit.amount > 0
      ? `Your credit of ${amount} is kept and used when you subscribe again.`
      : `${amount} is added to your first payment when you subscribe again.`;
  }
  return credit.amount > 0
    ? `Your credit of ${amount} is used for your next charges.`
    : `${amount} is added to your next charge.`;
}

/** Returns the amount and time of the first charge of a quote. */
function firstCharge(
  quote: PriceQuote,
  format: AmountFormat,
  timeZone: TimeZone,
): [string, string] {
  const { dueNow } = quote;
  const next = nextCharge(quote);
  return dueNow.amount === 0 && next && next.amount > 0
    ? [format.amountText(next), `on ${longDate(new Date(next.at), timeZone)}`]
    : [format.amountText(dueNow), 'now'];
}

/**
 * Describes the first charge of a quote and its difference from the previous quote: '$342.00 AUD is due now instead of
 * $342.10 AUD.', or 'The next charge is …' if only that differs.
 */
export function quoteChangeText(
  quote: PriceQuote,
  previousQuote: PriceQuote | null,
  config: Currencies & Pick<ScreenConfig, 'timeZone'>,
): string {
  const format = quoteFormat(quote, previousQuote, config);
  const [amount, when] = firstCharge(quote, format, config.timeZone);
  const [previousAmount] = previousQuote
    ? firstCharge(previousQuote, format, config.timeZone)
    : [amount];
  if (previousAmount !== amount) return `${amount} is due ${when} instead of ${previousAmount}.`;
  const nextAmount = nextChargeText(quote, format);
  const previousNextAmount = previousQuote && nextChargeText(previousQuote, format);
  return nextAmount && previousNextAmount && nextAmount !== previousNextAmount
    ? `The next charge is ${nextAmount} instead of ${previousNextAmount}.`
    : `${amount} is due ${when}.`;
}

function nextChargeText(quote: PriceQuote, format: AmountFormat): string | null {
  const next = nextCharge(quote);
  return next && next.amount > 0 ? format.amountText(next) : null;
}

/** Whether two quotes charge different amounts now or next. The quote of an open invoice has no next charge. */
export function amountsDiffer(a: PriceQuote, b: PriceQuote): boolean {
  if (a.dueNow.amount !== b.dueNow.amount) return true;
  const [aNext, bNext] = [nextCharge(a), nextCharge(b)];
  return Boolean(aNext && bNext && aNext.amount !== bNext.amount);
}

/**
 * States the difference between the charge and its quote: 'You were charged $332.10 AUD instead of the quoted $342.10
 * AUD.', or 'Your invoice is …' if it is not paid yet; undefined if the quoted amount was charged.
 */
export function chargeDifferenceText(
  { kind, next, chargeDifference }: Success,
  config: Currencies,
): string | undefined {
  if (!chargeDifference) return undefined;
  const { charged, quoted } = chargeDifference;
  const { amountText } = amountFormat(config, [charged, quoted]);
  const subject = kind === 'processing' || next ? 'Your invoice is' : 'You were charged';
  return `${subject} ${amountText(charged)} instead of the quoted ${amountText(quoted)}.`;
}
