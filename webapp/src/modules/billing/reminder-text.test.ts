import { capabilitiesWithout, fullProvider } from '@/testing/fixtures';
import reminderVectors from '@/testing/reminder-vectors';
import { runVectors } from '@/testing/run-vectors';
import { reminderDays, reminderText } from './reminder-text';

const config = { provider: fullProvider };
const yearly = { interval: 'yearly', isTrial: false, daysLeft: 365 };
const trial = { interval: 'monthly', isTrial: true, daysLeft: 7 };

describe('reminderDays', () => runVectors(reminderVectors, reminderDays));

describe('reminderText', () => {
  it.each([
    ['a trial', trial, 'We write to you 3 days before the trial ends.'],
    ['the last days of a trial', { ...trial, daysLeft: 3 }, ''],
    ['a yearly plan', yearly, 'We write to you 14 days before.'],
    ['the last weeks of a yearly plan', { ...yearly, daysLeft: 14 }, ''],
    [
      'a monthly plan that credit pays',
      { ...yearly, interval: 'monthly', isAfterCredit: true },
      'We write to you 14 days before.',
    ],
    ['a monthly plan', { ...yearly, interval: 'monthly', daysLeft: 30 }, ''],
  ])('describes the reminder of %s', (_, plan, text) => {
    expect(reminderText(plan, config)).toBe(text);
  });

  it('is empty without billing emails and for customers who pay invoices', () => {
    const withoutEmails = {
      ...fullProvider,
      capabilities: capabilitiesWithout('charge_reminders'),
    };
    expect(reminderText(yearly, { provider: withoutEmails })).toBe('');
    expect(reminderText(yearly, { provider: { ...fullProvider, entry: 'invoice' } })).toBe('');
  });
});
