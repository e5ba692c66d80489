/** Returns the language of the page. */
export const pageLanguage = (): string => document.documentElement.lang || 'en';

/**
 * Returns the locales for dates: those of the browser in the language of the page, so that month names match the sentences,
 * then Australian English or the language itself.
 */
export function pageLocales(): string[] {
  const language = pageLanguage();
  const { languages, language: first } = navigator;
  const locales = [...(languages ?? []), first].map(
    (locale) => `${locale}`.replace(/[@.].*/, '').replaceAll('_', '-'), // "en_US.UTF-8@posix"
  );
  return [
    ...locales.filter((locale) => locale.split('-')[0] === language),
    language === 'en' ? 'en-AU' : language,
    'en',
  ];
}

/**
 * Returns the result of `compute` for the first locale that does not cause an error, or undefined if all locales do.
 * Browsers report locales that Intl refuses, such as "en-US@posix" and "C", and some lack parts of Intl.
 */
export function firstResult<T>(
  locales: readonly string[],
  compute: (locale: string) => T,
): T | undefined {
  for (const locale of locales) {
    try {
      return compute(locale);
    } catch {
      // The browser does not know the locale, or lacks this part of Intl.
    }
  }
  return undefined;
}
