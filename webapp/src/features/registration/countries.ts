import { countryCodes } from 'virtual:countries';

/** Every country as code and CLDR name in a language, in the order of the names there. */
export function countriesIn(language: string): [code: string, name: string][] {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const { compare } = new Intl.Collator(language);
  return countryCodes
    .map((code): [string, string] => [code, names.of(code) ?? code])
    .sort(([, a], [, b]) => compare(a, b));
}
