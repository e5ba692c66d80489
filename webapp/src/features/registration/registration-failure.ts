import type { ApiError } from '@/api';
import { messageOf } from '@/lib/failure-message';
import { type Field, fields } from '@/rules/registration';

/** The messages of a failed sign-up. */
interface RegistrationFailure {
  /** The messages by field, in the form's order. */
  fields: Partial<Record<Field, string>>;
  /** The message under the button; empty when the messages of the fields are enough. */
  message: string;
}

/** Returns the messages of a failure by field, and the one under the button. */
export function failureOf(error: ApiError): RegistrationFailure {
  const messages: Record<string, string> = { ...duplicateFields(error), ...error.fields };
  const invalidFields = fields.filter((field) => messages[field]);
  const isCovered =
    invalidFields.length > 0 && Object.keys(messages).length === invalidFields.length;
  return {
    fields: Object.fromEntries(invalidFields.map((field) => [field, messages[field]])),
    message: isCovered ? '' : textOf(error),
  };
}

/** Returns the message of a duplicate for each field that it mentions. */
function duplicateFields({ status, name, message }: ApiError): RegistrationFailure['fields'] {
  if (status !== 400 || name !== 'ERRDUPLICATE') return {};
  return {
    ...(/org/i.test(message) && { org: message }),
    ...(/e-?mail/i.test(message) && { email: message }),
  };
}

/** Returns the server's message, else the HTTP status text, else the network error. */
function textOf(error: ApiError): string {
  return (!error.hasServerMessage && error.statusText) || messageOf(error);
}
