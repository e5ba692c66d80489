import { firstResult } from './locales';

/**
 * The locales in which the abbreviation of a time zone is looked up. Each contains only those of its region, such as
 * "CEST" in en-GB and "NZDT" in en-AU.
 */
const locales = ['en-AU', 'en-GB', 'en-US', 'en-ZA', 'en-IN', 'en-HK', 'en-IE'];

/**
 * Formats a time of day with its zone, as emails do in every language: "9:24 pm AEDT". A zone without an abbreviation is
 * written as its distance from GMT. Without Intl.DateTimeFormat the result is the time in UTC, "10:24 UTC".
 */
export function timeOfDay(date: Date, timeZone: string | undefined): string {
  const time = firstResult(['en-AU'], (locale) =>
    new Intl.DateTimeFormat(locale, {
      hour: 'numeric',
      minute: '2-digit',
      hourCycle: 'h12',
      timeZone,
    }).format(date),
  );
  return time
    ? `${time} ${zoneName(date, timeZone)}`.replace(/\s/g, '\u00a0').replace(/[AP]M/, lower)
    : `${date.toISOString().slice(11, 16)}\u00a0UTC`;
}

function zoneName(date: Date, timeZone: string | undefined): string {
  const names = locales.flatMap(
    (locale) =>
      firstResult([locale], () =>
        new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(date),
      )?.find(({ type }) => type === 'timeZoneName')?.value ?? [],
  );
  return names.find((name) => !/^GMT[+-]/.test(name)) ?? names[0] ?? '';
}

const lower = (text: string): string => text.toLowerCase();
