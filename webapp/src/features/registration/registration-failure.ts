import type { ApiError } from '@/api';
import { messageOf } from '@/lib/failure-message';
import { type Field, fields } from '@/rules/registration';

/** The displayed failure of a sign-up. */
interface RegistrationFailure {
  /** By field, in the form's order. */
  fields: Partial<Record<Field, string>>;
  /** Shown under the button; empty when the field messages cover the failure. */
  message: string;
}

/** Assigns a failure to its fields. */
export function failureOf(error: ApiError): RegistrationFailure {
  const messages: Record<string, string> = { ...duplicateFields(error), ...error.fields };
  const known = fields.filter((field) => messages[field]);
  const allShown = known.length > 0 && Object.keys(messages).length === known.length;
  return {
    fields: Object.fromEntries(known.map((field) => [field, messages[field]])),
    message: allShown ? '' : textOf(error),
  };
}

/** Assigns a duplicate to the fields that its message mentions. */
function duplicateFields({ status, name, message }: ApiError): RegistrationFailure['fields'] {
  if (status !== 400 || name !== 'ERRDUPLICATE') return {};
  return {
    ...(/org/i.test(message) && { org: message }),
    ...(/e-?mail/i.test(message) && { email: message }),
  };
}

/** The server's message, else the HTTP status text, else the network error. */
function textOf(error: ApiError): string {
  return (!error.hasServerMessage && error.statusText) || messageOf(error);
}
