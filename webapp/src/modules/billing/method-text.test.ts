import { aCard } from '@/testing/card-provider';
import { kindNoun, methodNameInSentence, methodNoun, methodText } from './method-text';

const bankAccount = {
  ...aCard('6819'),
  kind: 'bank_debit',
  label: 'Bank account •••• 6819',
} as const;

it.each([
  ['Visa ending in 4242', aCard('4242'), 'card', 'card'],
  ['bank account •••• 6819', bankAccount, 'bank account', 'payment method'],
  [
    'BECS Direct Debit •••• 3456',
    { ...bankAccount, label: 'BECS Direct Debit •••• 3456' },
    'bank account',
    'payment method',
  ],
  [
    'PayPal',
    { ...bankAccount, kind: 'other', label: 'paypal' } as const,
    'payment method',
    'payment method',
  ],
])(
  'returns the name "%s" and the nouns for use within a sentence',
  (name, card, noun, defaultNoun) => {
    expect(methodNameInSentence(card)).toBe(name);
    expect(kindNoun(card)).toBe(noun);
    expect(methodNoun(card)).toBe(defaultNoun);
  },
);

it.each([
  ['a card', aCard('3155'), 'Visa\u00a0••••\u00a03155'],
  [
    'another method',
    { ...aCard('3456'), label: 'BECS Direct Debit •••• 3456' },
    'BECS Direct Debit\u00a0••••\u00a03456',
  ],
  [
    'a card of a brand with two words',
    { card: { ...aCard('4242').card, brand: 'cartes_bancaires' } },
    'Cartes Bancaires\u00a0••••\u00a04242',
  ],
  ['a method of an unknown type', { ...aCard(''), label: 'shiny_pay' }, 'Shiny pay'],
  ['a method without digits', { ...aCard(''), label: 'PayPal account' }, 'PayPal account'],
])('methodText keeps the dots and the digits of %s on one line', (_, card, text) => {
  expect(methodText(card)).toBe(text);
});
