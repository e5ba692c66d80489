import { addressFields, addressRules, fieldRule } from './address';
import { checkEmail, checkName, checkPhone } from './contact';
import { invalidOnly } from './messages';
import { passwordMessage, repeatMessage } from './password';
import { checkText } from './text';

/** The registration form's fields in the form's order, under the specification's names. */
export const fields = [
  'firstName',
  'lastName',
  'org',
  'email',
  'password',
  'password_repeat',
  ...addressFields,
  'contact',
] as const;

export type Field = (typeof fields)[number];
export type Registration = Record<Field, string>;

/** Returns the message of an invalid name of an organisation, otherwise ''. */
export const checkOrgName = fieldRule('org', checkText);

/** The rules of the fields. A rule returns the message, or "" when the field is valid. */
const rules: Record<Field, (text: string, form: Registration) => string> = {
  firstName: fieldRule('firstName', checkName),
  lastName: fieldRule('lastName', checkName),
  org: checkOrgName,
  email: fieldRule('email', checkEmail),
  password: passwordMessage,
  password_repeat: (text, form) => repeatMessage(form.password, text),
  ...addressRules,
  contact: fieldRule('contact', checkPhone),
};

/** Returns the messages of the invalid fields, in the form's order. */
export function checkRegistration(form: Registration): Partial<Registration> {
  return invalidOnly(fields.map((field) => [field, rules[field](form[field], form)]));
}
