import type { SubscriptionStatus } from '@/api';
import { type Offer, offerOf } from '@/modules/billing/offer';
import { longDate } from '@/modules/session/dates';
import { aConfig, capabilitiesWithout, fullProvider } from '@/testing/fixtures';
import { aQuote, aud } from '@/testing/invoice-fixtures';
import { type ConfirmedPurchase, describePurchase } from './purchase-text';

const professional = { product: 'professional', interval: 'yearly', currency: 'AUD' };
const trialEnd = '2026-12-03T01:00:00Z';
const date = longDate(new Date(trialEnd), undefined);
const next = { ...aud(81600), at: trialEnd };
const trialQuote = aQuote({ dueNow: aud(0), lines: [], tax: aud(0), next });

/** Describes the purchase of Professional, by default a plan change on a server with quotes and emails. */
function describeText(
  purchase: Partial<ConfirmedPurchase>,
  status: SubscriptionStatus | null,
  { provider = fullProvider, unreachableEmails = undefined as string[] | undefined } = {},
): string {
  const config = aConfig({ provider });
  const offer = offerOf(config, professional) as Offer;
  if (!offer.price) throw new Error('no price');
  const { title, text } = describePurchase(
    { offer: { ...offer, price: offer.price }, quote: null, isNew: false, ...purchase },
    status,
    config,
    { email: 'ada@clinic.example', unreachableEmails },
  );
  return `${title}. ${text}`;
}

describe('describePurchase', () => {
  it.each<[string, Partial<ConfirmedPurchase>, SubscriptionStatus | null, string]>([
    [
      'the end of a trial and the first charge',
      { isNew: true, quote: trialQuote },
      'trialing',
      `Your trial has started. Free until ${date}, then $816 AUD. We email you a confirmation.`,
    ],
    [
      'the end of a trial that an earlier attempt started',
      { isNew: true, trialEndsAt: new Date(trialEnd) },
      'trialing',
      `Your trial has started. Free until ${date}, then $816 AUD. We email you a confirmation.`,
    ],
    [
      'no charge after a trial if credit covers it',
      { isNew: true, quote: aQuote({ dueNow: aud(0), next: { ...aud(0), at: trialEnd } }) },
      'trialing',
      `Your trial has started. Free until ${date}. We email you a confirmation.`,
    ],
    [
      'the paid amount and the next charge',
      { quote: aQuote({ next }) },
      'active',
      `You paid $342.10 AUD. Professional is your plan now. Next charge: $816.00 AUD on ${date}. We email you the receipt.`,
    ],
    [
      'the paid amount after the customer has confirmed the payment at their bank',
      { isNew: true, quote: aQuote({ dueNow: aud(81600), next: null }) },
      'incomplete',
      'You paid $816 AUD. Professional is your plan now. We email you the receipt.',
    ],
    [
      'that a change is free of charge',
      { quote: trialQuote },
      'active',
      `Your subscription is updated. Professional is your plan now. Nothing was charged. Next charge: $816 AUD on ${date}. We email you a confirmation.`,
    ],
    [
      'when a scheduled change is made',
      { quote: trialQuote, changeTimeText: `on ${date}` },
      'trialing',
      `Your plan change is scheduled. Your plan changes to Professional on ${date}. We email you a confirmation.`,
    ],
    [
      'no amount if the response was lost',
      { quote: aQuote() },
      null,
      'Your subscription is updated. Professional is your plan now.',
    ],
  ])('reports %s', (_, purchase, status, text) => {
    expect(describeText(purchase, status)).toBe(text);
  });

  it('reports only what a server without capabilities responds', () => {
    const server = { provider: { kind: 'acme', entry: 'card_field' } as const };
    expect(describeText({ isNew: true }, 'trialing', server)).toBe(
      'Your trial has started. Free for 7 days, then $816 AUD.',
    );
    expect(describeText({}, 'trialing', server)).toBe(
      'Your subscription is updated. Professional is your plan now.',
    );
  });

  it('announces no email that the server does not send', () => {
    const capabilities = capabilitiesWithout('billing_emails');
    const purchase = { quote: aQuote() };
    for (const server of [
      { provider: { ...fullProvider, capabilities } },
      { unreachableEmails: ['ada@clinic.example'] },
    ]) {
      expect(describeText(purchase, 'active', server)).not.toContain('email');
    }
    expect(
      describeText(purchase, 'active', { unreachableEmails: ['billing@clinic.example'] }),
    ).toContain('email');
  });

  it('reports no payment for customers who pay invoices', () => {
    const server = { provider: { ...fullProvider, entry: 'invoice' as const } };
    expect(describeText({ quote: aQuote() }, 'active', server)).toBe(
      'Your subscription is updated. Professional is your plan now.',
    );
  });
});
