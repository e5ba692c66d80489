import { firstResult } from './locales';

/** Returns a date in the format of ISO 8601, which is the format of Swedish dates: 2027-05-26. */
export function isoDate(date: Date, timeZone?: string): string {
  const text = firstResult(['sv-SE'], (locale) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeZone }).format(date),
  );
  return text ?? date.toISOString().slice(0, 10);
}
