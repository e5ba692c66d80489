import type { PriceQuote, SubscriptionStatus } from '@/api';
import { amountFormat, amountText } from '@/modules/billing/amount-text';
import type { PricedOffer } from '@/modules/billing/offer';
import { can, paysInvoices } from '@/modules/config/capabilities';
import type { ScreenConfig } from '@/modules/config/config-store';
import { longDate } from '@/modules/session/dates';
import type { PurchaseTexts } from '@/modules/session/purchase-notice';
import type { User } from '@/modules/session/session-store';

/** A purchase or plan change as it was confirmed. */
export interface ConfirmedPurchase {
  offer: PricedOffer;
  /** The accepted quote; null for a server without quotes. */
  quote: PriceQuote | null;
  /** Whether a subscription starts. Otherwise the plan changes. */
  isNew: boolean;
  /** Whether only the interval of the plan changes. */
  changesInterval?: boolean;
  /** When the trial of a new subscription ends, if the server reported it. */
  trialEndsAt?: Date | null;
  /** When the plan changes if that is not now: 'on 3 December 2026'. */
  changeTimeText?: string;
}

/**
 * Describes a purchase or plan change that succeeded, its next charge, and the email that is sent. `status` is the status
 * of the subscription; null if the response was lost. The texts contain only amounts that the customer has confirmed, and
 * name an email only if the server sends it.
 */
export function describePurchase(
  purchase: ConfirmedPurchase,
  status: SubscriptionStatus | null,
  config: ScreenConfig,
  user: Pick<User, 'email' | 'unreachableEmails'>,
): PurchaseTexts {
  const { offer, quote, isNew, changeTimeText } = purchase;
  const plan = purchase.changesInterval
    ? `${offer.plan.displayName}, ${offer.priceRef.interval}`
    : offer.plan.displayName;
  const isEmailSent =
    can(config, 'billing_emails') && !user.unreachableEmails?.includes(user.email);
  const emailText = (subject: string) => (isEmailSent ? `We email you ${subject}.` : '');
  const describe = (title: string, ...sentences: string[]) => ({
    title,
    text: sentences.filter(Boolean).join(' '),
  });
  if (changeTimeText) {
    const text = `Your plan changes to ${plan} ${changeTimeText}.`;
    return describe('Your plan change is scheduled', text, emailText('a confirmation'));
  }
  if (isNew && status === 'trialing') {
    return describe(
      'Your trial has started',
      trialText(purchase, config),
      emailText('a confirmation'),
    );
  }
  const planNow = purchase.changesInterval
    ? `Your plan is ${plan} now.`
    : `${plan} is your plan now.`;
  if (!quote || !status || paysInvoices(config)) {
    return describe('Your subscription is updated', planNow);
  }
  const { dueNow, next } = quote;
  const format = amountFormat(config, [dueNow, next]);
  const nextText =
    next && next.amount > 0
      ? `Next charge: ${format.amountText(next)} on ${longDate(new Date(next.at), config.timeZone)}.`
      : '';
  return dueNow.amount > 0
    ? describe(`You paid ${format.amountText(dueNow)}`, planNow, nextText, emailText('the receipt'))
    : describe(
        'Your subscription is updated',
        `${planNow} Nothing was charged.`,
        nextText,
        isNew ? '' : emailText('a confirmation'),
      );
}

/** Returns 'Free until 3 December 2026, then $816 AUD.' */
function trialText({ offer, quote, trialEndsAt }: ConfirmedPurchase, config: ScreenConfig): string {
  const { plan, priceRef, price } = offer;
  const next = quote?.next;
  const end = next ? new Date(next.at) : trialEndsAt;
  const charge = next ?? { amount: price.amount, currency: priceRef.currency };
  const period = end
    ? `until ${longDate(end, config.timeZone)}`
    : `for ${plan.trialPeriodDays} days`;
  return charge.amount > 0
    ? `Free ${period}, then ${amountText(config, charge)}.`
    : `Free ${period}.`;
}
