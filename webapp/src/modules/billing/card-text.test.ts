import { aCard } from '@/testing/card-provider';
import { cardNameInSentence, kindNoun, methodNoun } from './card-text';

const account = { ...aCard('6819'), kind: 'bank_debit', label: 'Bank account •••• 6819' } as const;

it.each([
  [aCard('4242'), 'Visa ending in 4242', 'card', 'card'],
  [account, 'bank account •••• 6819', 'bank account', 'payment method'],
  [
    { ...account, label: 'BECS Direct Debit •••• 3456' },
    'BECS Direct Debit •••• 3456',
    'bank account',
    'payment method',
  ],
  [
    { ...account, kind: 'other', label: 'PayPal' } as const,
    'PayPal',
    'payment method',
    'payment method',
  ],
])('names a method by its kind within a sentence', (card, name, noun, asDefault) => {
  expect([cardNameInSentence(card), kindNoun(card), methodNoun(card)]).toEqual([
    name,
    noun,
    asDefault,
  ]);
});
