import { readJson, removeItem, writeItem } from '@/lib/storage';
import { type Field, fields, type Registration } from '@/rules/registration';

const storageKey = 'registrationDraft';

/** The stored fields of an unsent form. Passwords are never stored. */
type RegistrationDraft = Partial<Omit<Registration, 'password' | 'password_repeat'>>;

const draftFields = fields.filter((field) => field !== 'password' && field !== 'password_repeat');

/** Returns the valid fields of the draft in this tab. */
export function loadDraft(): RegistrationDraft {
  const storedValues: Partial<Record<Field, unknown>> = Object(
    readJson('sessionStorage', storageKey),
  );
  const validFields = draftFields.filter((field) => typeof storedValues[field] === 'string');
  return Object.fromEntries(validFields.map((field) => [field, storedValues[field]]));
}

/** Stores the form without its passwords. The browser deletes the draft when the tab is closed. */
export function saveDraft(form: Partial<Registration>): void {
  const draft = Object.fromEntries(draftFields.map((field) => [field, form[field]]));
  writeItem('sessionStorage', storageKey, JSON.stringify(draft));
}

export function clearDraft(): void {
  removeItem('sessionStorage', storageKey);
}
