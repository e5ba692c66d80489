import { fieldRule } from './address';
import { cleanPhone } from './codes';
import { checkName, checkPhone } from './contact';

/** The fields of the profile form, in the form's order, under their names in the API. */
export interface ProfileForm {
  firstName: string;
  lastName: string;
  /** May be empty. */
  phone: string;
}

const checkNameField = {
  firstName: fieldRule('firstName', checkName),
  lastName: fieldRule('lastName', checkName),
};

/** Returns the messages of the invalid fields, in the form's order. */
export function checkProfile({ firstName, lastName, phone }: ProfileForm): Partial<ProfileForm> {
  const messages: ProfileForm = {
    firstName: checkNameField.firstName(firstName),
    lastName: checkNameField.lastName(lastName),
    phone: cleanPhone(phone) === '' ? '' : fieldRule('contact', checkPhone)(phone),
  };
  return Object.fromEntries(Object.entries(messages).filter(([, message]) => message !== ''));
}
