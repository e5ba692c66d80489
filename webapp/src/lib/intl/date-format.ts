import { firstResult, pageLocales } from './locales';

/** The parts of a date to write. */
export type DateFormat = Intl.DateTimeFormatOptions;

/**
 * Formats a date in the language of the page. Without Intl.DateTimeFormat the result is the date in UTC, 2026-11-28, and
 * the time if the options contain it, 10:30 UTC.
 */
export function formatDate(date: Date, options: DateFormat): string {
  const text = firstResult(pageLocales(), (locale) =>
    new Intl.DateTimeFormat(locale, options).format(date),
  );
  const time = date.toISOString();
  return text ?? (options.hour ? `${time.slice(11, 16)} UTC` : time.slice(0, 10));
}
