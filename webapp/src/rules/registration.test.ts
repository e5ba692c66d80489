import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/registration.json';
import { checkRegistration, fields, type Registration } from './registration';

const validForm: Registration = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  org: 'Analytical Clinic',
  email: 'ada@example.com',
  password: 'Passw0rd',
  password_repeat: 'Passw0rd',
  country: 'AU',
  state: 'Victoria',
  line1: '1 Collins Street',
  line2: '',
  district: 'Melbourne',
  pincode: '3000',
  contact: '+61 3 1234 5678',
};
const emptyForm = Object.fromEntries(fields.map((field) => [field, ''])) as Registration;

// The form does not contain the plan and the currency, which the server validates.
const formVectors = vectors.map((vector) => ({
  ...vector,
  want: vector.want.filter(({ field }) => (fields as readonly string[]).includes(field)),
}));

describe('checkRegistration', () => {
  runVectors(formVectors, (form: Omit<Registration, 'password_repeat'>) => {
    const messages = checkRegistration({ ...form, password_repeat: form.password });
    return Object.entries(messages)
      .filter(([field]) => field !== 'password_repeat')
      .map(([field, message]) => ({ field, message }));
  });
});

describe('checkRegistration of a whole form', () => {
  it.each([
    ['Passw0rd', ''],
    ['', 'Confirmation of Password is required'],
    ['passw0rd', 'Passwords did not match'],
    ['Passw0rd ', 'Passwords did not match'],
  ])('for the repeated password %j has the message "%s"', (password_repeat, message) => {
    expect(checkRegistration({ ...validForm, password_repeat }).password_repeat ?? '').toBe(
      message,
    );
  });

  it('requires the repeated password even without a password', () => {
    expect(checkRegistration(emptyForm).password_repeat).toBe(
      'Confirmation of Password is required',
    );
  });

  it('returns the messages in the order of the form', () => {
    const requiredFields = fields.filter((field) => field !== 'line2');
    expect(Object.keys(checkRegistration(emptyForm))).toEqual(requiredFields);
    expect(checkRegistration(validForm)).toEqual({});
  });

  it('rejects a lone surrogate', () => {
    expect(checkRegistration({ ...validForm, org: 'Clinic \ud83d' }).org).toBe(
      'Org name contains invalid characters',
    );
  });
});
