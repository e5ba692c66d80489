import { fieldRule } from './address';
import { cleanPhone } from './codes';
import { checkEmail, checkName, checkPhone } from './contact';
import { invalidOnly } from './messages';

/** The fields of the profile form in the form's order, under their names in the API. */
const fields = ['firstName', 'lastName', 'phone'] as const;

type ProfileForm = Record<(typeof fields)[number], string>;

/** The rules of the fields. A rule returns the message, or "" when the field is valid. The phone number is optional. */
const rules: Record<keyof ProfileForm, (text: string) => string> = {
  firstName: fieldRule('firstName', checkName),
  lastName: fieldRule('lastName', checkName),
  phone: (text) => cleanPhone(text) && fieldRule('contact', checkPhone)(text),
};

/** Returns the messages of the invalid fields, in the form's order. */
export const checkProfile = (form: ProfileForm): Partial<ProfileForm> =>
  invalidOnly(fields.map((field) => [field, rules[field](form[field])]));

/** Returns the message of an invalid email in a form with an email only. */
export const checkEmailForm = ({ email }: { email: string }): { email?: string } =>
  invalidOnly([['email', fieldRule('email', checkEmail)(email)]]);
