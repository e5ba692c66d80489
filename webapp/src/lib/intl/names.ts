import { firstResult, pageLanguage } from './locales';

/** Returns a function that returns the name of a country in the language of the page, or its code without a name. */
export function countryNames(): (code: string) => string {
  const names = firstResult(
    [pageLanguage(), 'en'],
    (language) => new Intl.DisplayNames([language], { type: 'region' }),
  );
  return (code) => {
    try {
      return names?.of(code) ?? code;
    } catch {
      return code; // not the code of a region
    }
  };
}

/** Returns a function that compares texts in the order of the page's language, without regard to case and accents. */
export function textOrder(): (a: string, b: string) => number {
  const collator = firstResult(
    [pageLanguage(), 'en'],
    (language) => new Intl.Collator(language, { sensitivity: 'base' }),
  );
  return collator?.compare ?? ((a, b) => Number(fold(a) > fold(b)) - Number(fold(a) < fold(b)));
}

/** Returns a text in lower case without accents. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
