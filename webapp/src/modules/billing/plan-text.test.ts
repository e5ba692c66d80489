import { expect, it } from 'vitest';
import { aCard } from '@/testing/card-provider';
import { methodText } from './plan-text';

it.each([
  ['a card', aCard('3155'), 'Visa\u00a0••••\u00a03155'],
  [
    'another method',
    { ...aCard('3456'), label: 'BECS Direct Debit •••• 3456' },
    'BECS Direct Debit\u00a0••••\u00a03456',
  ],
  ['a method without digits', { ...aCard(''), label: 'PayPal account' }, 'PayPal account'],
])('methodText keeps the dots and the digits of %s on one line', (_, card, text) => {
  expect(methodText(card)).toBe(text);
});
