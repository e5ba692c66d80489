import { dateText } from '@/modules/billing/plan-text';
import { aConfig, aProcessingPayment } from '@/testing/fixtures';
import { arrivalText, processingText } from './processing-text';

it('names the amount, the method and the expected day', () => {
  const day = dateText('2026-11-28T12:00:00Z');
  expect(processingText(aProcessingPayment(), aConfig())).toBe(
    `$816 AUD from bank account\u00a0••••\u00a06819, expected by ${day}.`,
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
] as const)('says what follows a payment of the kind %s', (kind, text) => {
  expect(arrivalText(aProcessingPayment({ kind }), aConfig())).toBe(text);
});
