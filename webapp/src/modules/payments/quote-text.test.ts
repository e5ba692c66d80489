import { aConfig } from '@/testing/fixtures';
import { aQuote, aud } from '@/testing/invoice-fixtures';
import { quoteChangeText } from './quote-text';

const next = (amount: number) => ({ ...aud(amount), at: '2027-11-21T12:00:00Z' });

describe('quoteChangeText', () => {
  it.each([
    ['$342.00 AUD is due now instead of $342.10 AUD.', { dueNow: aud(34200) }],
    ['The next charge is $840.00 AUD instead of $816.00 AUD.', { next: next(84000) }],
    ['$342.10 AUD is due now.', {}],
  ])('is "%s" if the new quote differs by %j', (text, changes) => {
    expect(quoteChangeText(aQuote(changes), aQuote(), aConfig())).toBe(text);
  });

  it('has the date of the first charge if the quote is for a trial', () => {
    const nothingDue = { dueNow: aud(0), lines: [], tax: aud(0) };
    const previousQuote = aQuote({ ...nothingDue, next: next(81600) });
    const quote = aQuote({ ...nothingDue, next: next(84000) });
    expect(quoteChangeText(quote, previousQuote, aConfig())).toMatch(
      /^\$840 AUD is due on .*2027 instead of \$816 AUD\.$/,
    );
  });
});
