import { type Field, fields, type Registration } from '@/rules/registration';

const key = 'registrationDraft';

/** The stored part of an unsent form. Passwords are never stored. */
type RegistrationDraft = Partial<Omit<Registration, 'password' | 'password_repeat'>>;

const draftFields = fields.filter((field) => field !== 'password' && field !== 'password_repeat');

/** Reads the draft of this tab; empty without one. */
export function loadDraft(): RegistrationDraft {
  const stored = parse(withStorage((storage) => storage.getItem(key)));
  const texts = draftFields.filter((field) => typeof stored[field] === 'string');
  return Object.fromEntries(texts.map((field) => [field, stored[field]]));
}

/** Keeps the form until the tab is closed. */
export function saveDraft(form: Partial<Registration>): void {
  const draft = Object.fromEntries(draftFields.map((field) => [field, form[field]]));
  withStorage((storage) => storage.setItem(key, JSON.stringify(draft)));
}

export function clearDraft(): void {
  withStorage((storage) => storage.removeItem(key));
}

/** Accesses the browser's storage; returns null when that fails, so that there is no draft. */
function withStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(window.sessionStorage);
  } catch {
    return null;
  }
}

function parse(text: string | null): Partial<Record<Field, unknown>> {
  try {
    return Object(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}
