import { length } from './text';

const minLength = 8;
const maxLength = 256;

/** Whether a password meets each of the policy's four conditions. */
interface PasswordResult {
  size: boolean;
  upper: boolean;
  lower: boolean;
  number: boolean;
}

/** The conditions with their labels, in the checklist's order. */
export const conditions: readonly { key: keyof PasswordResult; text: string }[] = [
  { key: 'size', text: 'at least 8 characters' },
  { key: 'upper', text: 'at least 1 upper-case letter' },
  { key: 'lower', text: 'at least 1 lower-case letter' },
  { key: 'number', text: 'at least 1 number' },
];

/** Checks a password against the policy. Letters and digits of all scripts count, and so do blanks at its ends. */
export function checkPassword(password: string): PasswordResult {
  return {
    size: length(password) >= minLength,
    upper: /\p{Lu}/u.test(password),
    lower: /\p{Ll}/u.test(password),
    number: /\p{Nd}/u.test(password),
  };
}

/** Returns the labels of the unmet conditions; empty for a valid password. */
export function passwordProblems(password: string): string[] {
  const result = checkPassword(password);
  return conditions.filter(({ key }) => !result[key]).map(({ text }) => text);
}

/** The beginning of the message for a password that does not meet all conditions. */
export const policyMessage = 'Password policy not followed';

/** Returns the message for a new password, or "" when it is valid. */
export function passwordMessage(password: string): string {
  if (length(password) > maxLength) return 'Password is too long';
  const problems = passwordProblems(password);
  return problems.length > 0 ? `${policyMessage}: ${problems.join(', ')}` : '';
}

/** Returns the message for the repeated password, or "" when it matches. */
export function repeatMessage(password: string, repeat: string): string {
  if (repeat === '') return 'Confirmation of Password is required';
  return repeat === password ? '' : 'Passwords did not match';
}
