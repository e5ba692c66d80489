/**
 * What counts as whitespace, here and in Go. The languages' own notions differ (U+0085, U+FEFF),
 * so both spell it out. All of it is one UTF-16 unit long.
 */
export const whitespace = '[\\t\\n\\v\\f\\r\\p{Zs}\\u2028\\u2029]';

const space = new RegExp(whitespace, 'u');

/** The text without whitespace at its ends. Two loops, because `\s+$` is slow on a long gap. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.test(text.charAt(start))) start++;
  while (end > start && space.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Whether there is nothing, or nothing but whitespace. */
export function isBlank(text: string): boolean {
  return trim(text) === '';
}

/** The number of characters: code points, not UTF-16 units. */
export function length(text: string): number {
  return [...text].length;
}
