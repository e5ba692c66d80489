import type { ApiError } from '@/api';
import { type Field, fields } from '@/rules/registration';

/** The displayed failure of a sign-up. */
export interface RegistrationFailure {
  /** By field, in the form's order. */
  fields: Partial<Record<Field, string>>;
  /** Shown under the button; empty when the field messages cover the failure. */
  message: string;
}

/** Assigns a failure to its fields. */
export function failureOf(error: ApiError): RegistrationFailure {
  const messages: Record<string, string> = { ...mentioned(error), ...error.fields };
  const known = fields.filter((field) => messages[field]);
  const told = known.length > 0 && Object.keys(messages).length === known.length;
  return {
    fields: Object.fromEntries(known.map((field) => [field, messages[field]])),
    message: told ? '' : messageOf(error),
  };
}

/** Assigns a duplicate to the fields that its message mentions. */
function mentioned({ status, name, message }: ApiError): RegistrationFailure['fields'] {
  if (status !== 400 || name !== 'ERRDUPLICATE') return {};
  return {
    ...(/org/i.test(message) && { org: message }),
    ...(/e-?mail/i.test(message) && { email: message }),
  };
}

/** The server's message, else the HTTP status text, else the network error. */
function messageOf({ answered, message, statusText }: ApiError): string {
  return answered ? message : statusText || message;
}
