import { length } from './text';

const minLength = 8;

/** Of each of the policy's four conditions, whether a password meets it. */
export interface PasswordResult {
  size: boolean;
  upper: boolean;
  lower: boolean;
  number: boolean;
}

/** The conditions in the checklist's words and order. */
export const conditions: readonly { key: keyof PasswordResult; text: string }[] = [
  { key: 'size', text: 'at least 8 characters' },
  { key: 'upper', text: 'at least 1 upper-case letter' },
  { key: 'lower', text: 'at least 1 lower-case letter' },
  { key: 'number', text: 'at least 1 number' },
];

/**
 * Holds a password against the policy. Every script's letters and digits count, and nothing is
 * trimmed: a space is a character.
 */
export function checkPassword(password: string): PasswordResult {
  return {
    size: length(password) >= minLength,
    upper: /\p{Lu}/u.test(password),
    lower: /\p{Ll}/u.test(password),
    number: /\p{Nd}/u.test(password),
  };
}

/** The conditions that are not met, in the checklist's words; none when the password is good. */
export function passwordProblems(password: string): string[] {
  const met = checkPassword(password);
  return conditions.filter(({ key }) => !met[key]).map(({ text }) => text);
}
