import { formatCurrency } from './currency-format';
import { formatDate } from './date-format';
import { isoDate } from './iso-date';
import { countryNames, textOrder } from './names';

const date = new Date('2026-11-27T23:30:00Z');
const long = { dateStyle: 'long', timeZone: 'Australia/Sydney' } as const;

/** Makes all constructors of Intl throw, or removes them. */
const breakIntl = (Constructor: unknown) =>
  vi.stubGlobal('Intl', {
    DateTimeFormat: Constructor,
    NumberFormat: Constructor,
    DisplayNames: Constructor,
    Collator: Constructor,
  });

it.each([
  ['en-US@posix', ['en-US@posix'], 'November 28, 2026'],
  ['en_GB.UTF-8', ['en_GB.UTF-8'], '28 November 2026'],
  ['C', ['C'], '28 November 2026'],
  ['an empty locale', [''], '28 November 2026'],
  ['a malformed English locale before a valid one', ['en-!', 'en-US'], 'November 28, 2026'],
  ['no locales', [], '28 November 2026'],
  ['undefined', undefined, '28 November 2026'],
])('formatDate formats a date when the browser reports %s', (_, languages, text) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages as string[]);
  vi.spyOn(navigator, 'language', 'get').mockReturnValue(languages?.[0] as string);

  expect(formatDate(date, long)).toBe(text);
});

describe.each([
  ['lacks its constructors', undefined],
  [
    'refuses every locale',
    class {
      constructor() {
        throw new RangeError('Incorrect locale information provided');
      }
    },
  ],
])('when Intl %s', (_, Constructor) => {
  beforeEach(() => breakIntl(Constructor));

  it('dates and times are written in UTC', () => {
    expect(formatDate(date, long)).toBe('2026-11-27');
    expect(formatDate(date, { hour: 'numeric', minute: '2-digit' })).toBe('23:30 UTC');
    expect(isoDate(date, 'Australia/Sydney')).toBe('2026-11-27');
  });

  it.each([
    ['aud', '81600', 'AUD\u00a0816.00'],
    ['JPY', '81600', 'JPY\u00a081600'],
    ['KWD', '81600', 'KWD\u00a081.600'],
  ])('an amount in %s has the decimals of the currency', (code, minor, text) => {
    const decimalOf = (digits: number) =>
      `${minor.slice(0, minor.length - digits)}.${minor.slice(minor.length - digits)}`;

    expect(formatCurrency(code, decimalOf as never)).toBe(text);
  });

  it('countries have their codes as names, and texts are compared without case and accents', () => {
    expect(countryNames()('AU')).toBe('AU');
    const compare = textOrder();
    expect(compare('Île-de-France', 'ile-de-france')).toBe(0);
    expect(['b', 'Á', 'c'].toSorted(compare)).toEqual(['Á', 'b', 'c']);
  });
});
