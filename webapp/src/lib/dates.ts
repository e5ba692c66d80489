/** A date in the long format: "28 November 2026". */
export const longDate = (date: Date): string => format(date, { dateStyle: 'long' });

/** A date in the short format of lists: "21 Nov 2027". */
export const mediumDate = (date: Date): string =>
  format(date, { day: 'numeric', month: 'short', year: 'numeric' });

/** A date and time, for a deadline: "28 November 2026 at 10:30 am". */
export const longDateTime = (date: Date): string =>
  format(date, { dateStyle: 'long', timeStyle: 'short' });

/** The long date of a time in Unix seconds. */
export const longDateOf = (seconds: number): string => longDate(new Date(seconds * 1000));

const format = (date: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(pageLocale(), options).format(date);

/**
 * Returns the browser's first locale in the language of the page, so that month names match the
 * sentences; Australian English if the browser has none.
 */
function pageLocale(): string {
  const page = document.documentElement.lang || 'en';
  const sameLanguage = (locale: string) => locale.split('-')[0] === page;
  return navigator.languages.find(sameLanguage) ?? (page === 'en' ? 'en-AU' : page);
}
