import { aConfig } from '@/testing/fixtures';
import { aQuote } from '@/testing/invoice-fixtures';
import { changedText } from './quote-text';

const aud = (amount: number) => ({ amount, currency: 'AUD' });
const next = (amount: number) => ({ ...aud(amount), at: '2027-11-21T12:00:00Z' });

describe('changedText', () => {
  it.each([
    ['the amount due now', { dueNow: aud(34200) }, '$342 AUD is due now instead of $342.10 AUD.'],
    ['the next charge', { next: next(84000) }, 'The next charge is $840 AUD instead of $816 AUD.'],
    ['nothing', {}, '$342.10 AUD is due now.'],
  ])('describes a change of %s', (_, changes, text) => {
    expect(changedText(aQuote(changes), aQuote(), aConfig())).toBe(text);
  });

  it('describes a change of the first charge, with its date, for a quote with a trial', () => {
    const previous = aQuote({ dueNow: aud(0), next: next(81600) });
    const quote = aQuote({ dueNow: aud(0), next: next(84000) });
    expect(changedText(quote, previous, aConfig())).toMatch(
      /^\$840 AUD is due on .*2027 instead of \$816 AUD\.$/,
    );
  });
});
