import type { ChangeTiming, License, OpenPayment } from '@/api';
import { amountText, type Price } from '@/modules/billing/amount-text';
import { isPriceOfLicense } from '@/modules/billing/license';
import type { Offer } from '@/modules/billing/offer';
import type { ScreenConfig } from '@/modules/config/config-store';
import { longDateTime } from '@/modules/session/date-times';
import { longDateOf, type TimeZone } from '@/modules/session/dates';
import { renewalTime } from './change-timings';

/** The description of a charge. It contains only amounts that are certain. */
export interface ChargeText {
  /** The amount due now, or its description. */
  due: string;
  /** An explanation of `due`. */
  detail: string;
}

interface ChargeInput {
  target: { priceRef: Offer['priceRef']; price: Price; priceText: string; trialDays: number };
  /** The current plan in the catalogue; null if the catalogue does not have it. */
  currentOffer: Offer | null;
  /** The current license; null when the last one has ended. */
  license: License | null;
  /** Whether a new subscription is known to have no trial. */
  noTrial: boolean;
  timing: ChangeTiming;
  /** Whether customers pay invoices by transfer. */
  paysInvoices: boolean;
  /** The noun for the payment method, such as 'card', for customers who do not pay invoices. */
  methodNoun: string;
  /** Whether an open payment has to be made before the change. */
  mustPayFirst: boolean;
  timeZone: TimeZone;
}

/**
 * Returns the description of a charge without a quote. The payment provider computes the credit for the rest of a
 * period to the second, so the credit is described without an amount.
 */
export function describeCharge({
  target,
  currentOffer,
  license,
  noTrial,
  timing,
  paysInvoices,
  methodNoun,
  mustPayFirst,
  timeZone,
}: ChargeInput): ChargeText {
  const price = target.priceText;
  if (!license) return firstChargeText(price, target.trialDays, noTrial);
  if (isPriceOfLicense(target.priceRef, license)) {
    return { due: 'Nothing now', detail: 'This is your plan already.' };
  }
  if (timing === 'renewal') return renewalChargeText(price, license, timeZone);
  switch (license.raw.status) {
    case 'trialing':
      return {
        due: price,
        detail: paysInvoices
          ? invoicedOnConfirmText
          : `Your ${methodNoun} is charged as soon as you confirm.`,
      };
    case 'past_due':
      return overdueChargeText(mustPayFirst, paysInvoices);
    default:
      return differenceChargeText(target, currentOffer, license, timeZone);
  }
}

/** The text about a change that is made now, for a customer who pays invoices. */
export const invoicedOnConfirmText = 'You receive an invoice as soon as you confirm.';

/** Returns the description of the charge of a pending change. */
export function pendingChargeText(
  { amount, currency, expiresAt }: OpenPayment,
  config: Pick<ScreenConfig, 'currencies' | 'timeZone'>,
): ChargeText {
  return {
    due: amountText(config, { amount, currency }),
    detail: expiresAt
      ? `It can be paid until ${longDateTime(new Date(expiresAt), config.timeZone)}.`
      : 'The change waits for this payment.',
  };
}

const renewalChargeText = (price: string, license: License, timeZone: TimeZone): ChargeText => ({
  due: 'Nothing now',
  detail: `${price} is charged ${renewalText(license, timeZone)}.`,
});

/** Returns the time of the renewal or the end of the trial, 'on 3 December 2026'. */
export function renewalText(license: License | null, timeZone: TimeZone): string {
  const renewal = license && renewalTime(license);
  return renewal ? `on ${longDateOf(renewal, timeZone)}` : 'when your plan renews';
}

/** Describes the charge of a change while an invoice is overdue. Some servers require its payment before the change. */
function overdueChargeText(mustPayFirst: boolean, paysInvoices: boolean): ChargeText {
  const overdueText = `Your ${paysInvoices ? 'invoice is overdue' : 'last invoice is not paid'}.`;
  return mustPayFirst
    ? {
        due: 'What is still open',
        detail: `${overdueText} The plan can be changed once it is paid.`,
      }
    : { due: 'The difference in price', detail: `${overdueText} It is still due as well.` };
}

function firstChargeText(price: string, trialDays: number, noTrial: boolean): ChargeText {
  if (noTrial || trialDays === 0) {
    return { due: price, detail: 'Your subscription will start now.' };
  }
  return {
    due: price,
    detail: `Charged now, or after ${trialDays} days if your organisation has not had its free trial yet.`,
  };
}

/** Describes the charge of a change within a paid period. */
function differenceChargeText(
  target: ChargeInput['target'],
  currentOffer: Offer | null,
  license: License,
  timeZone: TimeZone,
): ChargeText {
  const end = license.raw.current_period_end;
  const unusedTime =
    end === null
      ? 'the rest of your current period'
      : `the time until ${longDateOf(end, timeZone)}`;
  if (target.priceRef.interval !== license.interval) {
    return {
      due: `${target.priceText} less your unused time`,
      detail: `What you have paid for ${unusedTime} is taken off, and a new period starts today. The rest is used for your next charges.`,
    };
  }
  if (currentOffer?.price && currentOffer.price.amount > target.price.amount) {
    return {
      due: 'Nothing now',
      detail: `What you have paid too much for ${unusedTime} is kept as credit for your next charges.`,
    };
  }
  return { due: 'The difference in price', detail: `You pay it now, for ${unusedTime}.` };
}
