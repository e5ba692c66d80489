/**
 * Whitespace as Go defines it, for a character class. JavaScript's definition differs (U+0085, U+FEFF). Each
 * character is one UTF-16 unit.
 */
export const whitespace = '\\t\\n\\v\\f\\r\\p{Zs}\\u2028\\u2029';

const whitespacePattern = new RegExp(`[${whitespace}]`, 'u');

/** Returns the text without whitespace at its ends. It uses loops, because the pattern `\s+$` is slow on long gaps. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && whitespacePattern.test(text.charAt(start))) start++;
  while (end > start && whitespacePattern.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Returns the number of characters, which are code points and not UTF-16 units. */
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
 * Invisible characters that shape the character before them, for a character class: the joiners of Persian,
 * Malayalam and Sinhala, and variation selectors. They are part of a word and have no effect at its start.
 */
export const shapingCharacters =
  '\\u034f\\u17b4\\u17b5\\u180b-\\u180f\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';

/** Whitespace and U+0085, "next line", which breaks lines too. */
const whitespaceRun = new RegExp(`[${whitespace}\\x85]+`, 'u');
const invisibleRun = new RegExp(`[${invisibleRanges}]+`, 'gu');
/** Shaping characters at the start of a word, where they have no effect. */
const strayShapers = new RegExp(`(^|[${whitespace}\\x85])[${shapingCharacters}]+`, 'gu');

/** Returns the text without invisible characters, which pasted texts often contain. */
export function removeInvisible(text: string): string {
  return text.replace(invisibleRun, '').replace(strayShapers, '$1');
}

/**
 * Returns the visible part of a text as one line, without whitespace at its ends and with one space for each other
 * run of whitespace.
 */
export function clean(text: string): string {
  const words = removeInvisible(text).split(whitespaceRun);
  return words.filter(Boolean).join(' ');
}

/** The result of a field rule; forms map it to messages. */
export type CheckResult = 'ok' | 'missing' | 'too long' | 'invalid';

/** The maximum length of a name or of a line of an address. */
const maxTextLength = 200;

const loneSurrogate = /\p{Cs}/u;

/** Checks a line of free text, after `clean`: it is required, has a maximum length and no lone surrogates. */
export function checkText(input: string): CheckResult {
  const text = clean(input);
  if (text === '') return 'missing';
  if (length(text) > maxTextLength) return 'too long';
  return loneSurrogate.test(text) ? 'invalid' : 'ok';
}
