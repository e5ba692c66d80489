import { capabilitiesWithout, fullProvider } from '@/testing/fixtures';
import { reminderText } from './reminder-text';

const config = { provider: fullProvider };
const yearly = { interval: 'yearly', trialDays: 0 };

describe('reminderText', () => {
  it.each([
    [
      'a trial',
      { interval: 'monthly', trialDays: 7 },
      'We write to you 3 days before the trial ends.',
    ],
    ['a trial without time for a reminder', { interval: 'yearly', trialDays: 3 }, ''],
    ['a yearly plan', yearly, 'We write to you 14 days before.'],
    ['a monthly plan', { interval: 'monthly', trialDays: 0 }, ''],
  ])('describes the reminder of %s', (_, plan, text) => {
    expect(reminderText(plan, config)).toBe(text);
  });

  it('is empty without billing emails and for customers who pay invoices', () => {
    const withoutEmails = { ...fullProvider, capabilities: capabilitiesWithout('billing_emails') };
    expect(reminderText(yearly, { provider: withoutEmails })).toBe('');
    expect(reminderText(yearly, { provider: { ...fullProvider, entry: 'invoice' } })).toBe('');
  });
});
