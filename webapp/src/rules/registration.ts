import { clean } from './clean';
import { isCountry } from './country';
import { judgeEmail } from './email';
import { messages } from './messages';
import { judgeName } from './names';
import { passwordMessage, repeatMessage } from './password';
import { judgePhone } from './phone';
import { trim, upper } from './text';
import { judgeText, type Verdict } from './verdict';

/** The registration form's fields in the form's order, under the specification's names. */
export const fields = [
  'firstName',
  'lastName',
  'org',
  'email',
  'password',
  'password_repeat',
  'country',
  'state',
  'line1',
  'line2',
  'district',
  'pincode',
  'contact',
] as const;

export type Field = (typeof fields)[number];
export type Registration = Record<Field, string>;

/** Each field's rule: returns the message, or "" when the field is valid. */
const rules: Record<Field, (text: string, form: Registration) => string> = {
  firstName: said('firstName', judgeName),
  lastName: said('lastName', judgeName),
  org: said('org', judgeText),
  email: said('email', judgeEmail),
  password: passwordMessage,
  password_repeat: (text, form) => repeatMessage(form.password, text),
  country: said('country', judgeCountry),
  state: said('state', judgeText),
  line1: said('line1', judgeText),
  line2: said('line2', judgeOptional),
  district: said('district', judgeText),
  pincode: said('pincode', judgePostalCode),
  contact: said('contact', judgePhone),
};

/** The message for one field, or "" when it is valid. */
export function fieldMessage(field: Field, form: Registration): string {
  return rules[field](form[field], form);
}

/** The messages of the fields that break their rule, in the form's order; none for a good form. */
export function checkRegistration(form: Registration): Partial<Registration> {
  const broken = fields.map((field) => [field, fieldMessage(field, form)]);
  return Object.fromEntries(broken.filter(([, message]) => message !== ''));
}

function said(field: keyof typeof messages, judge: (text: string) => Verdict) {
  return (text: string): string => {
    const verdict = judge(text);
    return verdict === 'ok' ? '' : messages[field][verdict];
  };
}

function judgeCountry(typed: string): Verdict {
  const code = upper(trim(typed));
  if (code === '') return 'missing';
  return isCountry(code) ? 'ok' : 'invalid';
}

/** Differs from other texts in that nothing but blanks is invalid, not missing. */
function judgePostalCode(text: string): Verdict {
  return text !== '' && clean(text) === '' ? 'invalid' : judgeText(text);
}

function judgeOptional(text: string): Verdict {
  return clean(text) === '' ? 'ok' : judgeText(text);
}
