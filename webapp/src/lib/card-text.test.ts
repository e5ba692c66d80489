import { expect, it } from 'vitest';
import { aCard } from '@/testing/card-provider';
import { maskedNumber } from './card-text';

it.each([
  ['a card', aCard('3155'), '••••\u00a03155'],
  [
    'another method',
    { ...aCard('3456'), label: 'BECS Direct Debit •••• 3456' },
    'BECS Direct Debit ••••\u00a03456',
  ],
  ['a method without digits', { ...aCard(''), label: 'PayPal' }, 'PayPal'],
])('keeps the digits of %s beside the dots', (_, card, expected) => {
  expect(maskedNumber(card)).toBe(expected);
});
