import { ApiError } from '@/api';
import { failureOf } from './registration-failure';

const anError = (name: string, message: string, fields = {}, status = 400) =>
  new ApiError(name, message, { status, fields, hasServerMessage: true });

describe('a duplicate', () => {
  it.each([
    ['An organisation with this name is already registered', ['org']],
    ['This org is taken', ['org']],
    ['This email address is already registered', ['email']],
    ['This e-mail address is already registered', ['email']],
    ['The org and the email are taken', ['org', 'email']],
  ])('"%s" is shown at %j', (message, names) => {
    const { fields, message: otherMessage } = failureOf(anError('ERRDUPLICATE', message));
    expect(Object.keys(fields)).toEqual(names);
    expect(Object.values(fields)).toEqual(names.map(() => message));
    expect(otherMessage).toBe('');
  });

  it("shows the server's field messages when it returns them", () => {
    const fields = { org: 'This name is taken', email: 'This address is taken' };
    expect(failureOf(anError('ERRDUPLICATE', 'org, email', fields))).toEqual({
      fields,
      message: '',
    });
  });

  it('is shown under the button when it mentions no field', () => {
    expect(failureOf(anError('ERRDUPLICATE', 'Already registered'))).toEqual({
      fields: {},
      message: 'Already registered',
    });
  });

  it('is a general failure with another status', () => {
    const error = anError('ERRDUPLICATE', 'This org is taken', {}, 500);
    expect(failureOf(error)).toEqual({ fields: {}, message: 'This org is taken' });
  });
});

describe('a validation error', () => {
  it("is shown at its fields in the form's order", () => {
    const fields = { contact: 'Phone no. required', firstName: 'First name is required' };
    const failure = failureOf(anError('ERRVALIDATION', 'Please check the form', fields));
    expect(Object.keys(failure.fields)).toEqual(['firstName', 'contact']);
    expect(failure.message).toBe('');
  });

  it('is also shown under the button when it has an unknown field', () => {
    const fields = { email: 'Invalid email address!', currency: 'Unknown currency' };
    expect(failureOf(anError('ERRVALIDATION', 'Unknown currency', fields))).toEqual({
      fields: { email: 'Invalid email address!' },
      message: 'Unknown currency',
    });
  });
});

describe('any other failure', () => {
  it("shows the server's message", () => {
    const error = anError('ERRRATE', 'Too many sign-ups, try again later', {}, 429);
    expect(failureOf(error)).toEqual({ fields: {}, message: 'Too many sign-ups, try again later' });
  });

  it('shows the status text without a message of the server', () => {
    const response = { status: 502, statusText: 'Bad Gateway' };
    const error = new ApiError('ERR_BAD_RESPONSE', 'Request failed with status code 502', response);
    expect(failureOf(error).message).toBe('Bad Gateway');
  });

  it.each(['Network Error', 'timeout of 60000ms exceeded', 'Request aborted'])(
    'shows "%s" when there was no response',
    (message) => expect(failureOf(new ApiError('ERR', message)).message).toBe(message),
  );
});
