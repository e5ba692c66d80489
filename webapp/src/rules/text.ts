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

/** Separators at the end of a text that was copied from a list or an address, for a character class. */
export const listSeparators = ',;，；、،؛';

/**
 * Returns the visible part of a text as one line: without whitespace at its ends, with one space for each other run of
 * whitespace, without list separators at its end and without quotation marks around it.
 */
export function clean(text: string): string {
  return repeatUntilStable(text, (input) => {
    const words = removeInvisible(input).split(whitespaceRun);
    return unquote(trimEnd(words.filter(Boolean).join(' '), ` ${listSeparators}`));
  });
}

/**
 * Applies a normalization until it changes nothing, because a step can uncover what an earlier one removes, such as
 * blanks inside quotation marks.
 */
export function repeatUntilStable(text: string, normalize: (text: string) => string): string {
  const result = normalize(text);
  return result === text ? text : repeatUntilStable(result, normalize);
}

/** Returns the text without the given characters at its end. It uses a loop, because a pattern is slow on long runs. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The marks that `unquote` removes at both ends, opening and closing marks of all languages. */
const quotationMarks = `"'\`´“”„‟‘’‚‛«»‹›「」『』＂＇〝〞〟`;

/**
 * Removes a quotation mark from both ends of a text, unless the text between them contains one of the two marks: then
 * they may belong to different words.
 */
export const unquote = (text: string): string => removePair(text, quotationMarks, quotationMarks);

/**
 * Removes the first and the last character of a text if the first is one of `opening` and the last one of `closing`.
 * Changes nothing if one of the two is also between them.
 */
export function removePair(text: string, opening: string, closing: string): string {
  const first = text.charAt(0);
  const last = text.charAt(text.length - 1);
  const inner = text.slice(1, -1);
  const isPair = text.length > 1 && opening.includes(first) && closing.includes(last);
  return isPair && !inner.includes(first) && !inner.includes(last) ? inner : text;
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
