/**
 * What is the matter with a field: nothing (null), or something with the provider's code and words.
 * What is only incomplete is not held against somebody who is still typing.
 */
export type FieldCheck = {
  kind: 'incomplete' | 'wrong';
  code: string;
  message: string;
} | null;

export function invalid(kind: 'incomplete' | 'wrong', code: string, message: string): FieldCheck {
  return { kind, code, message };
}
