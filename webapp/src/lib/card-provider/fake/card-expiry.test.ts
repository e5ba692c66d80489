import { checkExpiry, expiryOf, formatExpiry } from './card-expiry';

const now = new Date(2026, 4, 31, 23, 59);

describe('formatExpiry', () => {
  it.each([
    ['', ''],
    ['1', '1'],
    ['0', '0'],
    ['12', '12 / '],
    ['123', '12 / 3'],
    ['1234', '12 / 34'],
    ['12/34', '12 / 34'],
    ['12 / 34', '12 / 34'],
    ['12/2034', '12 / 34'],
    ['3-2031', '03 / 31'],
    ['5', '05 / '],
    ['13', '01 / 3'],
    ['12345', '12 / 34'],
  ])('shows "%s" as "%s"', (typed, shown) => expect(formatExpiry(typed)).toBe(shown));
});

describe('checkExpiry', () => {
  it('accepts a card until the last day of its month', () => {
    expect(checkExpiry('05 / 26', now)).toBeNull();
    expect(checkExpiry('01 / 27', now)).toBeNull();
  });

  it.each(['04 / 26', '12 / 25', '01 / 00'])('refuses %s', (typed) => {
    expect(checkExpiry(typed, now)?.message).toBe("Your card's expiration date is in the past.");
  });

  it.each(['', '1', '12 / ', '12 / 3', '00 / 30'])('waits for the rest of "%s"', (typed) => {
    expect(checkExpiry(typed, now)).toMatchObject({
      kind: 'incomplete',
      message: "Your card's expiration date is incomplete.",
    });
  });

  it('returns month and year', () => {
    expect(expiryOf('03 / 31')).toEqual({ month: 3, year: 2031 });
  });
});
