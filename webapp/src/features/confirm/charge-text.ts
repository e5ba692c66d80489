import type { Config, License, OpenPayment, When } from '@/api';
import { isPriceOfLicense } from '@/modules/billing/license';
import { amountText, type Offer, type Price, priceText } from '@/modules/billing/offer';
import { longDateOf, longDateTime } from '@/modules/session/dates';

/** The charge of a confirmation. It contains amounts only when they are certain. */
export interface ChargeText {
  /** The amount due now, or its description. */
  due: string;
  /** An explanation of `due`. */
  detail: string;
}

interface Change {
  to: { ref: Offer['ref']; price: Price; trialDays: number };
  from: Offer | null;
  /** The current license; null when the last one has ended. */
  license: License | null;
  /** Without a current license: whether the trial is known to be used. */
  noTrial: boolean;
  when: When;
  /** Whether customers pay invoices by transfer. */
  byInvoice: boolean;
  /** Whether an open payment has to be made before the change. */
  payFirst: boolean;
}

/**
 * Returns the text about the charge, for use without a quote. The credit for the rest of a period is computed
 * by the payment provider to the second, so it is described without an amount.
 */
export function describeCharge({
  to,
  from,
  license,
  noTrial,
  when,
  byInvoice,
  payFirst,
}: Change): ChargeText {
  const price = priceText(to.price);
  if (!license) return firstCharge(price, to.trialDays, noTrial);
  if (isPriceOfLicense(to.ref, license))
    return { due: 'Nothing now', detail: 'This is your plan already.' };
  if (when === 'renewal') return renewalCharge(price, license);
  switch (license.raw.status) {
    case 'trialing':
      return { due: price, detail: atOnceText(byInvoice) };
    case 'past_due':
      return overdueCharge(payFirst, byInvoice);
    default:
      return differenceCharge(to, from, license);
  }
}

/** The consequence of confirming a change that ends a trial. */
export const atOnceText = (byInvoice: boolean): string =>
  byInvoice
    ? 'You receive an invoice as soon as you confirm.'
    : 'Your card is charged as soon as you confirm.';

/** The charge of a change that waits for its payment. */
export function pendingCharge(
  { amount, currency, expiresAt }: OpenPayment,
  config: Pick<Config, 'currencies'>,
): ChargeText {
  return {
    due: amountText(config, { amount, currency }),
    detail: expiresAt
      ? `It can be paid until ${longDateTime(new Date(expiresAt))}.`
      : 'The change waits for this payment.',
  };
}

function renewalCharge(price: string, { raw }: License): ChargeText {
  const at = (raw.status === 'trialing' ? raw.trial_end : null) ?? raw.current_period_end;
  return {
    due: 'Nothing now',
    detail: `${price} is charged ${at ? `on ${longDateOf(at)}` : 'when your plan renews'}.`,
  };
}

/** The text about a change with an open bill, which not every server requires to be paid first. */
function overdueCharge(payFirst: boolean, byInvoice: boolean): ChargeText {
  const bill = byInvoice ? 'Your invoice is overdue.' : 'Your last payment did not go through.';
  return payFirst
    ? {
        due: 'What is still open',
        detail: `${bill} The plan can be changed once it is ${byInvoice ? 'paid' : 'made'}.`,
      }
    : { due: 'The difference in price', detail: `${bill} It is still due as well.` };
}

function firstCharge(price: string, days: number, noTrial: boolean): ChargeText {
  if (noTrial || days === 0) return { due: price, detail: 'Your subscription will start now.' };
  return {
    due: price,
    detail: `Charged now, or after ${days} days if your organisation has not had its free trial yet.`,
  };
}

function differenceCharge(to: Change['to'], from: Offer | null, license: License): ChargeText {
  const end = license.raw.current_period_end;
  const rest =
    end === null ? 'the rest of your current period' : `the time until ${longDateOf(end)}`;
  if (to.ref.interval !== license.interval) {
    return {
      due: `${priceText(to.price)} less your unused time`,
      detail: `What you have paid for ${rest} is taken off, and a new period starts today. Whatever is left over pays for what comes next.`,
    };
  }
  if (from?.price && from.price.amount > to.price.amount) {
    return {
      due: 'Nothing now',
      detail: `What you have paid too much for ${rest} is kept as credit for your next payments.`,
    };
  }
  return { due: 'The difference in price', detail: `You pay it now, for ${rest}.` };
}
