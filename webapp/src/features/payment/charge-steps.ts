import type { Charge, Money, PriceQuote } from '@/api';
import type { Step } from '@/components/Steps';
import { amountText } from '@/modules/billing/amount-text';
import type { PricedOffer } from '@/modules/billing/offer';
import { paysInvoices } from '@/modules/config/capabilities';
import type { ScreenConfig } from '@/modules/config/config-store';
import { nextCharge } from '@/modules/payments/quote-text';
import { longDate } from '@/modules/session/dates';
import type { Trial } from './trial';

export interface QuotedPurchase {
  offer: PricedOffer;
  trial: Trial | null;
  /** Whether a failed attempt to subscribe has started the trial. */
  hasTrialStarted: boolean;
  /** Null while it loads, and for a server without quotes. */
  quote: PriceQuote | null;
}

/** The charges of a purchase, of which the first is today's. */
type ChargeSteps = [Step, ...Step[]];

/** Returns the step of today and the steps of the charges that follow. */
export function chargeSteps(purchase: QuotedPurchase, config: ScreenConfig): ChargeSteps {
  const { offer, trial, quote } = purchase;
  const period = periodOf(offer);
  if (paysInvoices(config)) {
    const time = trial ? `the time after ${trial.days} days free` : `one ${period}`;
    const text = `First invoice, for ${time}`;
    return quote?.approvalDueDays === undefined
      ? immediateSteps(purchase, config, { title: 'Today', text }, 'Next invoice')
      : orderSteps(quote, quote.approvalDueDays, text, config);
  }
  if (trial) return trialSteps({ ...purchase, trial }, config);
  const today = { title: 'Due today', text: `First charge, for one ${period}` };
  return immediateSteps(purchase, config, today, 'Next charge');
}

/** Returns the steps of an order, which has no dates until it is approved. */
const orderSteps = (
  { dueNow }: PriceQuote,
  dueDays: number,
  text: string,
  config: ScreenConfig,
): ChargeSteps => [
  {
    title: 'After your order',
    text: 'We check it. Your plan starts with the approval.',
    status: 'current',
  },
  {
    title: `Invoice after approval, due ${dueDays} days later`,
    text,
    amount: amountText(config, dueNow),
  },
];

/** Returns the steps of a subscription that starts with a trial and is charged after it. */
function trialSteps(
  { offer, trial, hasTrialStarted, quote }: QuotedPurchase & { trial: Trial },
  config: ScreenConfig,
): ChargeSteps {
  const price = listPrice(offer);
  const next = quote?.next;
  const trialEnd = next ? new Date(next.at) : trial.endsAt;
  const today: Step = {
    title: 'Due today',
    text: `Your ${trial.days}-day free trial ${hasTrialStarted ? 'has started' : 'starts'}`,
    amount: amountText(config, quote?.dueNow ?? { ...price, amount: 0 }),
    status: 'current',
  };
  const end = {
    title: trialEnd ? longDate(trialEnd, config.timeZone) : 'When your trial ends',
    amount: chargeText(next ?? price, config),
  };
  if (next?.amount !== 0) {
    return [
      today,
      { ...end, text: 'Trial ends, first charge' },
      renewalStep(offer, quote?.afterNext, config),
    ];
  }
  const creditStep = { ...end, text: 'Trial ends, your credit pays' };
  const { afterCredit } = quote ?? {};
  return afterCredit
    ? [today, creditStep, chargeStep(afterCredit, 'First charge after your credit', config)]
    : [today, creditStep];
}

/** Returns the steps of a subscription that is charged or invoiced immediately. */
function immediateSteps(
  { offer, quote }: QuotedPurchase,
  config: ScreenConfig,
  today: Pick<Step, 'title' | 'text'>,
  nextText: string,
): ChargeSteps {
  const price = listPrice(offer);
  const next = quote && nextCharge(quote);
  return [
    { ...today, amount: amountText(config, quote?.dueNow ?? price), status: 'current' },
    next
      ? chargeStep(next, nextText, config)
      : { title: `Every ${periodOf(offer)}`, text: nextText, amount: amountText(config, price) },
  ];
}

const periodOf = ({ priceRef }: PricedOffer) => (priceRef.interval === 'yearly' ? 'year' : 'month');

const listPrice = ({ price, priceRef }: PricedOffer): Money => ({
  amount: price.amount,
  currency: priceRef.currency,
});

const chargeStep = (charge: Charge, text: string, config: ScreenConfig): Step => ({
  title: longDate(new Date(charge.at), config.timeZone),
  text,
  amount: chargeText(charge, config),
});

const chargeText = (charge: Money, config: ScreenConfig): string =>
  charge.amount === 0 ? 'No charge' : amountText(config, charge);

/** Returns the step of the renewal after the first charge. Without `renewal` its date is unknown. */
function renewalStep(offer: PricedOffer, renewal: Charge | undefined, config: ScreenConfig): Step {
  const period = periodOf(offer);
  return renewal
    ? chargeStep(renewal, `Renews every ${period} at this price`, config)
    : {
        title: `Every ${period}`,
        text: 'Renews at this price',
        amount: amountText(config, listPrice(offer)),
      };
}
