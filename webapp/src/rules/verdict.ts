import { clean } from './clean';
import { length } from './text';

/** What a rule makes of one field; the messages are the form's business. */
export type Verdict = 'ok' | 'missing' | 'too long' | 'invalid';

/** The most characters of a name or of a line of an address. */
const maxText = 200;

/** What no line of text holds: halves of a character. */
const forbidden = /\p{Cs}/u;

/** Holds a line of free text, cleaned, against the rules that all of them share. */
export function judgeText(typed: string): Verdict {
  const text = clean(typed);
  if (text === '') return 'missing';
  if (length(text) > maxText) return 'too long';
  return forbidden.test(text) ? 'invalid' : 'ok';
}
