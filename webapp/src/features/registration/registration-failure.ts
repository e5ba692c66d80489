import type { ApiError } from '@/api';
import { messageOf } from '@/lib/failure-message';
import { type Field, fields } from '@/rules/registration';

/** The messages of a failed sign-up. */
interface RegistrationFailure {
  /** The messages by field, in the form's order. */
  fields: Partial<Record<Field, string>>;
  /** The message under the button; empty if every message is shown at a field. */
  message: string;
}

/** Returns the messages of a failed sign-up for the fields and for the place under the button. */
export function failureMessagesOf(error: ApiError): RegistrationFailure {
  const messages: Record<string, string> = { ...duplicateMessages(error), ...error.fields };
  const invalidFields = fields.filter((field) => messages[field]);
  const areAllShown =
    invalidFields.length > 0 && Object.keys(messages).length === invalidFields.length;
  return {
    fields: Object.fromEntries(invalidFields.map((field) => [field, messages[field]])),
    message: areAllShown ? '' : errorText(error),
  };
}

/** Returns the message of a duplicate error by field, for each field that the message mentions. */
function duplicateMessages({ status, name, message }: ApiError): RegistrationFailure['fields'] {
  if (status !== 400 || name !== 'ERRDUPLICATE') return {};
  return {
    ...(/org/i.test(message) && { org: message }),
    ...(/e-?mail/i.test(message) && { email: message }),
  };
}

const unknownOutcomeText =
  'We could not find out whether you are registered. Look for our email before you try again.';

/** Returns the server's message, or else the HTTP status text, or else the message of the network error. */
function errorText(error: ApiError): string {
  if (error.isMalformed && !error.hasServerMessage) return unknownOutcomeText;
  return (!error.hasServerMessage && error.statusText) || messageOf(error);
}
