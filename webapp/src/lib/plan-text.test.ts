import { expect, it } from 'vitest';
import type { Billing } from '@/api';
import { aCard } from '@/testing/card-provider';
import { aConfig } from '@/testing/fixtures';
import { nextChargeText } from './plan-text';

const next = { amount: 81600, currency: 'AUD', at: '2027-11-21T00:00:00Z' };

it.each([
  ['a card', aCard('3155'), ' to Visa\u00a0••••\u00a03155.'],
  [
    'another method',
    { ...aCard('3456'), label: 'BECS Direct Debit •••• 3456' },
    ' to BECS Direct Debit\u00a0••••\u00a03456.',
  ],
  ['a method without digits', { ...aCard(''), label: 'PayPal account' }, ' to PayPal account.'],
])('keeps the digits of %s on one line with the dots', (_, card, end) => {
  const billing: Billing = { subscription: null, next, credit: null, card, end: null };
  expect(nextChargeText(billing, aConfig()).endsWith(end)).toBe(true);
});
