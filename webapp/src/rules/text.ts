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
