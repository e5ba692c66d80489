import { payloadOf } from './registration-payload';

const form = {
  firstName: ' Ada ',
  lastName: 'King  Byron',
  org: ' Byron Clinic',
  email: ' Ada@Clinic.Example ',
  password: ' Secret 123 ',
  password_repeat: ' Secret 123 ',
  country: 'AU',
  state: 'New South Wales',
  line1: '1 High Street',
  line2: '',
  district: 'Sydney',
  pincode: '2000',
  contact: ' +61 2 5550 0101 ',
};
const choice = { product: 'professional', interval: 'yearly', currency: 'aud' };

describe('payloadOf', () => {
  it('nests the address, keeps the password unchanged and omits the repeated one', () => {
    expect(payloadOf(form, choice)).toEqual({
      firstName: 'Ada',
      lastName: 'King Byron',
      org: 'Byron Clinic',
      email: 'ada@clinic.example',
      password: ' Secret 123 ',
      contact: '+61 2 5550 0101',
      billing_address: {
        line1: '1 High Street',
        line2: '',
        country: 'AU',
        state: 'New South Wales',
        postal_code: '2000',
        city: 'Sydney',
      },
      metadata: { currency: 'AUD' },
      product: 'professional',
      interval: 'yearly',
    });
  });

  it('removes invisible characters from all texts except the password', () => {
    const pastedForm = Object.fromEntries(
      Object.entries(form).map(([field, text]) => [field, `\u202e\ufeff${text}\u202c\u0007`]),
    ) as typeof form;
    const { email, country } = form; // invisible characters would make both invalid

    expect(payloadOf({ ...pastedForm, email, country }, choice)).toEqual({
      ...payloadOf(form, choice),
      password: pastedForm.password,
    });
  });

  it('omits an empty currency, and a plan with an unknown interval', () => {
    expect(payloadOf(form, { ...choice, currency: '' })).not.toHaveProperty('metadata');
    const payload = payloadOf(form, { ...choice, interval: 'weekly' });
    expect(payload).not.toHaveProperty('product');
    expect(payload).not.toHaveProperty('interval');
  });

  it('normalises what was pasted', () => {
    const pasted = {
      ...form,
      firstName: '“Ada”',
      email: '<mailto:Ada@M\u00fcnchen.de>',
      line1: '1 High Street,',
      pincode: '\uff12\uff10\uff10\uff10',
      contact: '\u202a+61\u00a02\u20135550\u20130101\u202c',
    };
    expect(payloadOf(pasted, choice)).toMatchObject({
      firstName: 'Ada',
      email: 'ada@xn--mnchen-3ya.de',
      contact: '+61 2-5550-0101',
      billing_address: { line1: '1 High Street', postal_code: '2000' },
    });
  });
});
