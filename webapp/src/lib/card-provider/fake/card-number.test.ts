import { brandOf } from './brand';
import { checkNumber, formatNumber, numberDigits } from './card-number';

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
  ])('knows %s as %s', (digits, name) => expect(brandOf(digits).name).toBe(name));
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
  ])('shows %s as "%s"', (typed, shown) => expect(formatNumber(typed)).toBe(shown));

  it('changes nothing that is formatted already', () => {
    expect(formatNumber('3782 822463 10005')).toBe('3782 822463 10005');
  });
});

describe('checkNumber', () => {
  it.each(['4242424242424242', '4000002500003155', '378282246310005', '6200000000000005'])(
    'takes %s',
    (typed) => expect(checkNumber(typed)).toBeNull(),
  );

  it.each(['', '4242', '424242424242424', '37828224631000'])('waits for the rest of %s', (typed) =>
    expect(checkNumber(typed)).toEqual({
      kind: 'incomplete',
      code: 'incomplete_number',
      message: 'Your card number is incomplete.',
    }),
  );

  it('refuses a number whose check digit is wrong', () => {
    expect(checkNumber('4242424242424241')).toEqual({
      kind: 'wrong',
      code: 'invalid_number',
      message: 'Your card number is invalid.',
    });
  });

  it('reads no more digits than a card has', () => {
    expect(numberDigits('42424242424242424242')).toBe('4242424242424242');
  });
});
