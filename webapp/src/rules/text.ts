/**
 * What counts as whitespace, here and in Go. The languages' own notions differ (U+0085, U+FEFF),
 * so both spell it out. All of it is one UTF-16 unit long. For between the brackets of a pattern.
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

/** A to Z in lower case. The full mapping would turn the Kelvin sign into a k. */
export function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A to Z in upper case. The full mapping would turn the dotless i into an I. */
export function upper(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/**
 * Characters that are removed because they draw nothing, or only reorder or split the text around
 * them: control characters other than whitespace, the soft hyphen, directional marks, embeddings,
 * overrides and isolates, zero-width spaces and signs, the blank Braille pattern, the Hangul
 * fillers, the byte order mark, annotation and music frames, and tags.
 */
const unseen =
  '\\0-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\xad\\u061c\\u115f\\u1160\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f' +
  '\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}';

/**
 * What is not seen either, but chooses the shape of the character before it: the joiners that
 * Persian, Malayalam and Sinhala are spelled with, and selectors of variants. They belong to a
 * word, and before one they do nothing. For between the brackets of a pattern.
 */
export const shapers =
  '\\u034f\\u17b4\\u17b5\\u180b-\\u180f\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';

/** U+0085, "next line", breaks lines too. */
const gap = new RegExp(`[${whitespace}\\x85]+`, 'u');
const invisible = new RegExp(`[${unseen}]+`, 'gu');
const idle = new RegExp(`(^|[${whitespace}\\x85])[${shapers}]+`, 'gu');

/** The text without what was pasted along with it and can't be seen. */
export function visible(text: string): string {
  return text.replace(invisible, '').replace(idle, '$1');
}

/**
 * What can be seen of a text, without outer whitespace, and with one plain space for every run of
 * whitespace inside: a text that fits on a line.
 */
export function clean(text: string): string {
  const words = visible(text).split(gap);
  return words.filter(Boolean).join(' ');
}

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
