import {
  brandOf,
  cardData,
  expiryError,
  expiryOf,
  firstInvalidField,
  formatExpiry,
  formatNumber,
  invalidFields,
  numberDigits,
  numberError,
} from './card';

describe('brandOf', () => {
  it.each([
    ['', 'unknown'],
    ['4242', 'visa'],
    ['5555', 'mastercard'],
    ['2221', 'mastercard'],
    ['2720', 'mastercard'],
    ['2721', 'unknown'],
    ['378282', 'amex'],
    ['3056', 'diners'],
    ['38', 'diners'],
    ['3566', 'jcb'],
    ['6011', 'discover'],
    ['6200', 'unionpay'],
    ['9', 'unknown'],
  ])('recognises %s as %s', (digits, name) => expect(brandOf(digits).name).toBe(name));
});

describe('formatNumber', () => {
  it.each([
    ['4', '4'],
    ['42424', '4242 4'],
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242 4242-4242x4242 99', '4242 4242 4242 4242'],
    ['378282246310005', '3782 822463 10005'],
    ['6200000000000000003', '6200 0000 0000 0000 003'],
    ['abc', ''],
  ])('formats %s as "%s"', (typed, formatted) => expect(formatNumber(typed)).toBe(formatted));

  it('keeps formatted input unchanged', () => {
    expect(formatNumber('3782 822463 10005')).toBe('3782 822463 10005');
  });
});

describe('numberError', () => {
  it.each(['4242424242424242', '4000002500003155', '378282246310005', '6200000000000005'])(
    'accepts %s',
    (typed) => expect(numberError(typed)).toBeNull(),
  );

  it.each(['', '4242', '424242424242424', '37828224631000'])('reports %s as incomplete', (typed) =>
    expect(numberError(typed)).toEqual({
      kind: 'incomplete',
      message: 'Your card number is incomplete.',
    }),
  );

  it('rejects a wrong check digit', () => {
    expect(numberError('4242424242424241')).toEqual({
      kind: 'wrong',
      message: 'Your card number is invalid.',
    });
  });
});

it('numberDigits drops digits beyond the length of a card number', () => {
  expect(numberDigits('42424242424242424242')).toBe('4242424242424242');
});

const lastDayOfMay = new Date(2026, 4, 31, 23, 59);

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
  ])('formats "%s" as "%s"', (typed, formatted) => expect(formatExpiry(typed)).toBe(formatted));
});

describe('expiryError', () => {
  it('accepts a card until the last day of its month', () => {
    expect(expiryError('05 / 26', lastDayOfMay)).toBeNull();
    expect(expiryError('01 / 27', lastDayOfMay)).toBeNull();
  });

  it.each(['04 / 26', '12 / 25', '01 / 00'])('rejects %s', (typed) => {
    expect(expiryError(typed, lastDayOfMay)?.message).toBe(
      "Your card's expiration date is in the past.",
    );
  });

  it.each(['', '1', '12 / ', '12 / 3', '00 / 30'])('reports "%s" as incomplete', (typed) => {
    expect(expiryError(typed, lastDayOfMay)).toMatchObject({
      kind: 'incomplete',
      message: "Your card's expiration date is incomplete.",
    });
  });
});

it('expiryOf returns month and year', () => {
  expect(expiryOf('03 / 31')).toEqual({ month: 3, year: 2031 });
});

const now = new Date(2026, 0, 1);
const validCard = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' };

describe('the fields of a card', () => {
  it('have no error and return the card when all are valid', () => {
    expect(firstInvalidField(validCard, now)).toBeNull();
    expect(cardData(validCard)).toEqual({
      number: '4242424242424242',
      exp_month: 12,
      exp_year: 2034,
      cvc: '123',
    });
  });

  it('report the first invalid field in the order of the form', () => {
    expect(firstInvalidField({ number: '', expiry: '', cvc: '' }, now)?.name).toBe('number');
    expect(firstInvalidField({ ...validCard, expiry: '1', cvc: '' }, now)?.name).toBe('expiry');
    expect(firstInvalidField({ ...validCard, cvc: '12' }, now)).toEqual({
      name: 'cvc',
      message: "Your card's security code is incomplete.",
    });
  });

  it('require four digits of security code for American Express', () => {
    const amex = { ...validCard, number: '3782 822463 10005' };
    expect(firstInvalidField({ ...amex, cvc: '123' }, now)?.name).toBe('cvc');
    expect(firstInvalidField({ ...amex, cvc: '1234' }, now)).toBeNull();
  });

  it('cut a security code that is too long for the brand of the card', () => {
    expect(cardData({ ...validCard, cvc: '1234' }).cvc).toBe('123');
  });

  it('report an incomplete field only after it has lost the focus', () => {
    const typing = { number: '4242', expiry: '01 / 20', cvc: '' };
    expect(invalidFields(typing, now, new Set())).toEqual(['expiry']);
    expect(invalidFields(typing, now, new Set(['number', 'cvc']))).toEqual([
      'number',
      'expiry',
      'cvc',
    ]);
  });
});
