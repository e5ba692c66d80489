import { ApiError } from '@/api';
import { failureOf } from './registration-failure';

const refusal = (name: string, message: string, fields = {}, status = 400) =>
  new ApiError(name, message, { status, fields, hasServerMessage: true });

describe('a duplicate', () => {
  it.each([
    ['An organisation with this name is already registered', ['org']],
    ['This org is taken', ['org']],
    ['This email address is already registered', ['email']],
    ['This email address is already registered', ['email']],
    ['The org and the email are taken', ['org', 'email']],
  ])('"%s" is shown at %j', (message, names) => {
    const { fields, message: rest } = failureOf(refusal('ERRDUPLICATE', message));
    expect(Object.keys(fields)).toEqual(names);
    expect(Object.values(fields)).toEqual(names.map(() => message));
    expect(rest).toBe('');
  });

  it("shows the server's field messages when it returns them", () => {
    const fields = { org: 'This name is taken', email: 'This address is taken' };
    expect(failureOf(refusal('ERRDUPLICATE', 'org, email', fields))).toEqual({
      fields,
      message: '',
    });
  });

  it('that mentions neither is shown under the button', () => {
    expect(failureOf(refusal('ERRDUPLICATE', 'Already registered'))).toEqual({
      fields: {},
      message: 'Already registered',
    });
  });

  it('is not recognised with another status', () => {
    const error = refusal('ERRDUPLICATE', 'This org is taken', {}, 500);
    expect(failureOf(error)).toEqual({ fields: {}, message: 'This org is taken' });
  });
});

describe('validation errors', () => {
  it("are shown at their fields in the form's order", () => {
    const fields = { contact: 'Phone no. required', firstName: 'First name is required' };
    const failure = failureOf(refusal('ERRVALIDATION', 'Please check the form', fields));
    expect(Object.keys(failure.fields)).toEqual(['firstName', 'contact']);
    expect(failure.message).toBe('');
  });

  it('of an unknown field are shown under the button', () => {
    const fields = { email: 'Invalid email address!', currency: 'Unknown currency' };
    expect(failureOf(refusal('ERRVALIDATION', 'Unknown currency', fields))).toEqual({
      fields: { email: 'Invalid email address!' },
      message: 'Unknown currency',
    });
  });
});

describe('any other failure', () => {
  it("shows the server's message", () => {
    const error = refusal('ERRRATE', 'Too many sign-ups, try again later', {}, 429);
    expect(failureOf(error)).toEqual({ fields: {}, message: 'Too many sign-ups, try again later' });
  });

  it('shows the status text without one', () => {
    const response = { status: 502, statusText: 'Bad Gateway' };
    const error = new ApiError('ERR_BAD_RESPONSE', 'Request failed with status code 502', response);
    expect(failureOf(error).message).toBe('Bad Gateway');
  });

  it.each(['Network Error', 'timeout of 60000ms exceeded', 'Request aborted'])(
    'shows "%s" when there was no response',
    (message) => expect(failureOf(new ApiError('ERR', message)).message).toBe(message),
  );
});
