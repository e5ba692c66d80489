import { clean, judgeText, shapers, type Verdict } from './text';

/**
 * The product's name pattern on a cleaned text: letters only, of any script, in words. A letter
 * may carry combining marks, or an accented e would be a letter on one keyboard and not on another.
 * What shapes a letter is part of it.
 */
const word = `\\p{L}[\\p{L}\\p{M}${shapers}]*`;
const personName = new RegExp(`^${word}(?: ${word})*$`, 'u');

/** Holds a first or last name, cleaned, against the name pattern. */
export function judgeName(typed: string): Verdict {
  const verdict = judgeText(typed);
  if (verdict !== 'ok') return verdict;
  return personName.test(clean(typed)) ? 'ok' : 'invalid';
}
