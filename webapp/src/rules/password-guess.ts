/** The minimum number of letters of a word. */
const minWordLength = 3;
/** The number of letters that an accepted password has beside the words. */
const minOtherLetters = 4;

/** The texts that an attacker who knows the user tries first. */
export interface PasswordContext {
  organisation?: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  /** The name of the product. */
  product?: string;
}

/**
 * Returns why the password is easy to guess for an attacker who knows the context, or "". A password is easy to guess if it
 * contains a word of the context, or "clinic", and fewer than four other letters. The comparison ignores case and common
 * replacements of letters, such as 0 for o. Every back end with the capability `password_rules` has the same rule.
 */
export function easyToGuessMessage(password: string, context: PasswordContext): string {
  const original = [...password];
  const folded = original.map(fold);
  const covered = new Set<number>();
  let problem = '';
  for (const [groupProblem, text] of groupsOf(context)) {
    for (const word of wordsOf(text)) {
      if (coverOccurrences(folded, word.map(fold), covered)) problem ||= groupProblem;
    }
  }
  const otherLetters = original.filter((c, index) => isLetter(c) && !covered.has(index));
  if (!problem || otherLetters.length >= minOtherLetters) return '';
  return `Too easy to guess: contains ${problem}.`;
}

/** Returns the texts of the context, each with the problem that its words are reported as. The most specific is first. */
function groupsOf(context: PasswordContext): [problem: string, text: string][] {
  const { organisation = '', firstName = '', lastName = '', email = '', product = '' } = context;
  const [localPart = '', domain = ''] = split(email, email.indexOf('@'));
  return [
    ["your clinic's name", organisation],
    ['your name', firstName],
    ['your name', lastName],
    ['your email address', localPart],
    ['your email address', domain.slice(0, Math.max(domain.lastIndexOf('.'), 0))],
    ['the name of this product', product],
    ['the word clinic', 'clinic'],
  ];
}

const split = (text: string, index: number): string[] =>
  index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];

/** Returns the runs of at least three letters, and all letters and digits together. */
function wordsOf(text: string): string[][] {
  const runs = text.match(/\p{L}+/gu) ?? [];
  const joined = runs.length > 0 ? [text.replace(/[^\p{L}\p{Nd}]/gu, '')] : [];
  return [...runs, ...joined]
    .map((word) => [...word])
    .filter((word) => word.length >= minWordLength);
}

/** Adds the indexes of all occurrences of the word in the text to `covered`, and returns whether there is one. */
function coverOccurrences(text: string[], word: string[], covered: Set<number>): boolean {
  let isFound = false;
  for (let start = 0; start + word.length <= text.length; start++) {
    if (!word.every((c, index) => text[start + index] === c)) continue;
    isFound = true;
    for (const index of word.keys()) covered.add(start + index);
  }
  return isFound;
}

const isLetter = (character: string) => /\p{L}/u.test(character);

/**
 * The letters by the characters that commonly replace them. An l counts as an i, because both have the same replacements.
 */
const leet: Record<string, string> = {
  ...{ 4: 'a', '@': 'a', 8: 'b', 3: 'e', 6: 'g', 9: 'g', 1: 'i', '!': 'i', '|': 'i', l: 'i' },
  ...{ 0: 'o', $: 's', 5: 's', 7: 't', '+': 't', 2: 'z' },
};

/** Folds a character. Only the first code point of its lower case counts, as in Go. */
function fold(character: string): string {
  const [lower = ''] = character.toLowerCase();
  return leet[lower] ?? lower;
}
