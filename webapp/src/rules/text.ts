/**
 * Whitespace, as in the Go code: the definitions of the two languages differ (U+0085, U+FEFF). Each
 * character is one UTF-16 unit. For a character class of a pattern.
 */
export const whitespace = '\\t\\n\\v\\f\\r\\p{Zs}\\u2028\\u2029';

const space = new RegExp(`[${whitespace}]`, 'u');

/** The text without whitespace at its ends. Two loops, because `\s+$` is slow on a long gap. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.test(text.charAt(start))) start++;
  while (end > start && space.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The number of characters: code points, not UTF-16 units. */
export function length(text: string): number {
  return [...text].length;
}

/**
 * Characters that are removed because they draw nothing, or only reorder or split the text around
 * them: control characters other than whitespace, the soft hyphen, directional marks, embeddings,
 * overrides and isolates, zero-width spaces and signs, the blank Braille pattern, the Hangul
 * fillers, the byte order mark, annotation and music frames, and tags.
 */
const invisibleRanges =
  '\\0-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\xad\\u061c\\u115f\\u1160\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f' +
  '\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}';

/**
 * Invisible characters that select the shape of the character before: the joiners that Persian,
 * Malayalam and Sinhala are spelled with, and variation selectors. They are part of a word and have no
 * effect before one. For a character class of a pattern.
 */
export const shapingCharacters =
  '\\u034f\\u17b4\\u17b5\\u180b-\\u180f\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';

/** U+0085, "next line", breaks lines too. */
const whitespaceRun = new RegExp(`[${whitespace}\\x85]+`, 'u');
const invisible = new RegExp(`[${invisibleRanges}]+`, 'gu');
const strayShapers = new RegExp(`(^|[${whitespace}\\x85])[${shapingCharacters}]+`, 'gu');

/** The text without invisible characters, which are often pasted with it. */
export function visible(text: string): string {
  return text.replace(invisible, '').replace(strayShapers, '$1');
}

/**
 * The visible part of a text as one line: without whitespace at the ends, and with one space for each
 * run of whitespace inside.
 */
export function clean(text: string): string {
  const words = visible(text).split(whitespaceRun);
  return words.filter(Boolean).join(' ');
}

/** The result of a field rule; forms map it to messages. */
export type CheckResult = 'ok' | 'missing' | 'too long' | 'invalid';

/** The maximum length of a name or of a line of an address. */
const maxText = 200;

/** Lone surrogates. */
const forbidden = /\p{Cs}/u;

/** Validates a cleaned line of free text against the shared rules. */
export function checkText(typed: string): CheckResult {
  const text = clean(typed);
  if (text === '') return 'missing';
  if (length(text) > maxText) return 'too long';
  return forbidden.test(text) ? 'invalid' : 'ok';
}
