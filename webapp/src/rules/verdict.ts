import { clean } from './clean';
import { length } from './text';

/** The result of a field rule; forms map it to messages. */
export type Verdict = 'ok' | 'missing' | 'too long' | 'invalid';

/** The most characters of a name or of a line of an address. */
const maxText = 200;

/** Lone surrogates. */
const forbidden = /\p{Cs}/u;

/** Validates a cleaned line of free text against the shared rules. */
export function judgeText(typed: string): Verdict {
  const text = clean(typed);
  if (text === '') return 'missing';
  if (length(text) > maxText) return 'too long';
  return forbidden.test(text) ? 'invalid' : 'ok';
}
