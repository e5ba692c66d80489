import { aConfig, aLicense, anOpenPayment } from '@/testing/fixtures';
import { closedNotice, resultNotice } from './open-payment-notices';
import { keptPlanText, openPaymentText } from './open-payment-text';

const config = aConfig();
const license = aLicense();
const trial = {
  ...license,
  raw: { ...license.raw, status: 'trialing' as const, trial_end: 1.8e9 },
};

it.each([
  ['that renews', license, /^You keep Standard\.$/],
  [
    'that ends',
    { ...license, ends_at: '2026-12-05T01:00:00Z' },
    /^You keep Standard until .*5.*\.$/,
  ],
  ['on trial', trial, /^You keep your Standard trial until .*2027\.$/],
])('names an end of a plan %s only if the plan really ends then', (_, kept, text) => {
  expect(keptPlanText(kept, config)).toMatch(text);
});

it('names the interval in each text about a change of the interval only', () => {
  const payment = anOpenPayment({ kind: 'plan_change', priceId: 'standard_monthly' });
  expect(openPaymentText(payment, license, config).text).toContain('changes to Standard, monthly ');
  expect(closedNotice(payment, license, config).text).toContain(
    'Your change to Standard, monthly ',
  );
  expect(resultNotice('paid', payment, license, config).text).toContain(
    'is Standard, monthly now.',
  );
});

it('omits the interval in a text about a change to another plan', () => {
  const payment = anOpenPayment({ kind: 'plan_change', priceId: 'professional_yearly' });
  expect(openPaymentText(payment, license, config).text).toContain('changes to Professional when');
});
