import { ApiError } from '@/api';
import { failureMessagesOf } from './registration-failure';

const newError = (name: string, message: string, fields = {}, status = 400) =>
  new ApiError(name, message, { status, fields, hasServerMessage: true });

it('has an unknown outcome after a response that is no answer to the sign-up', () => {
  const error = new ApiError('ERRUNKNOWN', '', { status: 200, isMalformed: true });
  expect(failureMessagesOf(error)).toEqual({
    fields: {},
    message:
      'We could not find out whether you are registered. Look for our email before you try again.',
  });
});

describe('a duplicate', () => {
  it.each([
    ['An organisation with this name is already registered', ['org']],
    ['This org is taken', ['org']],
    ['This email address is already registered', ['email']],
    ['This e-mail address is already registered', ['email']],
    ['The org and the email are taken', ['org', 'email']],
  ])('with the message "%s" is shown at the fields %j', (message, names) => {
    expect(failureMessagesOf(newError('ERRDUPLICATE', message))).toEqual({
      fields: Object.fromEntries(names.map((name) => [name, message])),
      message: '',
    });
  });

  it("is shown with the server's messages for the fields when the response has them", () => {
    const fields = { org: 'This name is taken', email: 'This address is taken' };
    expect(failureMessagesOf(newError('ERRDUPLICATE', 'org, email', fields))).toEqual({
      fields,
      message: '',
    });
  });

  it('is shown under the button when its message mentions no field', () => {
    expect(failureMessagesOf(newError('ERRDUPLICATE', 'Already registered'))).toEqual({
      fields: {},
      message: 'Already registered',
    });
  });

  it('is shown under the button when its status is not 400', () => {
    const error = newError('ERRDUPLICATE', 'This org is taken', {}, 500);
    expect(failureMessagesOf(error)).toEqual({ fields: {}, message: 'This org is taken' });
  });
});

describe('a validation error', () => {
  it("is shown at its fields in the form's order", () => {
    const fields = { contact: 'Phone no. required', firstName: 'First name is required' };
    const failure = failureMessagesOf(newError('ERRVALIDATION', 'Please check the form', fields));
    expect(Object.keys(failure.fields)).toEqual(['firstName', 'contact']);
    expect(failure.message).toBe('');
  });

  it('is also shown under the button when it has an unknown field', () => {
    const fields = { email: 'Invalid email address!', currency: 'Unknown currency' };
    expect(failureMessagesOf(newError('ERRVALIDATION', 'Unknown currency', fields))).toEqual({
      fields: { email: 'Invalid email address!' },
      message: 'Unknown currency',
    });
  });
});

describe('any other failure', () => {
  it("shows the server's message", () => {
    const error = newError('ERRRATE', 'Too many sign-ups, try again later', {}, 429);
    expect(failureMessagesOf(error)).toEqual({
      fields: {},
      message: 'Too many sign-ups, try again later',
    });
  });

  it('shows the HTTP status text when the response has no message', () => {
    const response = { status: 502, statusText: 'Bad Gateway' };
    const error = new ApiError('ERR_BAD_RESPONSE', 'Request failed with status code 502', response);
    expect(failureMessagesOf(error).message).toBe('Bad Gateway');
  });

  it.each(['Network Error', 'timeout of 60000ms exceeded', 'Request aborted'])(
    'shows the error "%s" when there is no response',
    (message) => expect(failureMessagesOf(new ApiError('ERR', message)).message).toBe(message),
  );
});
