import { whitespace } from './text';

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
