import { dateText } from '@/modules/billing/plan-text';
import { aConfig, aProcessingPayment } from '@/testing/fixtures';
import { arrivalText, processingText } from './processing-text';

it('processingText has the amount, the method and the expected date', () => {
  const date = dateText('2026-11-28T12:00:00Z', undefined);
  expect(processingText(aProcessingPayment(), aConfig())).toBe(
    `$816 AUD from bank account\u00a0••••\u00a06819, expected by ${date}.`,
  );
  expect(processingText(aProcessingPayment({ method: null, expectedBy: null }), aConfig())).toBe(
    '$816 AUD.',
  );
});

it.each([
  ['first_payment', 'Your Professional plan starts when it has arrived.'],
  ['plan_change', 'Your plan changes to Professional when it has arrived.'],
  ['owed', 'You can subscribe again when it has arrived.'],
  ['overdue', 'You keep Professional.'],
  ['renewal', 'You keep Professional.'],
] as const)('arrivalText describes the effect of a payment of the kind %s', (kind, text) => {
  expect(arrivalText(aProcessingPayment({ kind }), aConfig())).toBe(text);
});
