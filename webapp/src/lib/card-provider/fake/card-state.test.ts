import { cardData, faultyFields, firstFault } from './card-state';

const now = new Date(2026, 0, 1);
const good = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' };

describe('a card that is typed', () => {
  it('is complete when nothing is the matter with any field', () => {
    expect(firstFault(good, now)).toBeNull();
    expect(cardData(good)).toEqual({
      number: '4242424242424242',
      exp_month: 12,
      exp_year: 2034,
      cvc: '123',
    });
  });

  it('names the first fault in the order of the fields', () => {
    expect(firstFault({ number: '', expiry: '', cvc: '' }, now)?.name).toBe('number');
    expect(firstFault({ ...good, expiry: '1', cvc: '' }, now)?.name).toBe('expiry');
    expect(firstFault({ ...good, cvc: '12' }, now)).toEqual({
      name: 'cvc',
      error: {
        type: 'validation_error',
        code: 'incomplete_cvc',
        message: "Your card's security code is incomplete.",
      },
    });
  });

  it('wants four digits of security code from American Express', () => {
    const amex = { ...good, number: '3782 822463 10005' };
    expect(firstFault({ ...amex, cvc: '123' }, now)?.name).toBe('cvc');
    expect(firstFault({ ...amex, cvc: '1234' }, now)).toBeNull();
  });

  it('hands on the digits its brand has, when the number was changed after the code', () => {
    expect(cardData({ ...good, cvc: '1234' }).cvc).toBe('123');
  });

  it('reports an incomplete field only after it lost the focus', () => {
    const typing = { number: '4242', expiry: '01 / 20', cvc: '' };
    expect(faultyFields(typing, now, new Set())).toEqual(['expiry']);
    expect(faultyFields(typing, now, new Set(['number', 'cvc']))).toEqual([
      'number',
      'expiry',
      'cvc',
    ]);
  });
});
