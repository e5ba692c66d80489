import { clean } from './text';
import { judgeText, type Verdict } from './verdict';

/**
 * The product's name pattern on a cleaned text: letters only, of any script, in words. A letter
 * may carry combining marks, or an accented e would be a letter on one keyboard and not on another.
 */
const personName = /^\p{L}[\p{L}\p{M}]*(?: \p{L}[\p{L}\p{M}]*)*$/u;

/** Holds a first or last name, blanks aside, against the name pattern. */
export function judgeName(typed: string): Verdict {
  const verdict = judgeText(typed);
  if (verdict !== 'ok') return verdict;
  return personName.test(clean(typed)) ? 'ok' : 'invalid';
}
