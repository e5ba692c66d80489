import { readJson, removeItem, writeItem } from '@/lib/storage';
import { type Field, fields, type Registration } from '@/rules/registration';

const storageKey = 'registrationDraft';

/** The stored fields of an unsent form. Passwords are never stored. */
type RegistrationDraft = Partial<Omit<Registration, 'password' | 'password_repeat'>>;

const draftFields = fields.filter((field) => field !== 'password' && field !== 'password_repeat');

/** Returns the valid fields of a stored value, without passwords. */
export function draftOf(value: unknown): RegistrationDraft {
  const values: Partial<Record<Field, unknown>> = Object(value);
  const validFields = draftFields.filter((field) => typeof values[field] === 'string');
  return Object.fromEntries(validFields.map((field) => [field, values[field]]));
}

/** Returns the valid fields of the draft in this tab. */
export const loadDraft = (): RegistrationDraft => draftOf(readJson('sessionStorage', storageKey));

/** Stores the form without its passwords. The browser deletes the draft when the tab is closed. */
export function saveDraft(form: Partial<Registration>): void {
  writeItem('sessionStorage', storageKey, JSON.stringify(draftOf(form)));
}

export function clearDraft(): void {
  removeItem('sessionStorage', storageKey);
}

/** The navigation state of a form that is opened again because its email address is wrong. */
export const correction = { corrects: 'email' };

export const isCorrection = (state: unknown): boolean =>
  Object(state).corrects === correction.corrects;
