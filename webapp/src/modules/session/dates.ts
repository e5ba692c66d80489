import { useSessionStore } from './session-store';

/**
 * Dates are in the language of the page and in a time zone, by default the organisation's: they are the
 * same in every browser, in documents and in emails. Dates of an invoice are in the invoice's zone.
 */
type TimeZone = string | undefined;

/** A date in the long format: "28 November 2026". */
export const longDate = (date: Date, zone?: TimeZone): string =>
  format(date, { dateStyle: 'long' }, zone);

/** A date in the short format of lists: "21 Nov 2027". */
export const mediumDate = (date: Date, zone?: TimeZone): string =>
  format(date, { day: 'numeric', month: 'short', year: 'numeric' }, zone);

/** A date and time with its zone, for a deadline: "28 November 2026 at 10:30 am AEDT". */
export const longDateTime = (date: Date): string =>
  format(date, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });

/** The long date of a time in Unix seconds. */
export const longDateOf = (seconds: number): string => longDate(new Date(seconds * 1000));

/** Uses the browser's time zone if none is known. */
function format(date: Date, options: Intl.DateTimeFormatOptions, zone?: TimeZone): string {
  const timeZone = zone ?? organisationZone();
  return new Intl.DateTimeFormat(pageLocale(), { ...options, timeZone }).format(date);
}

/** Returns the time zone of the signed-in user's organisation, if the server reports one that the browser knows. */
function organisationZone(): TimeZone {
  const { session } = useSessionStore.getState();
  return session.status === 'signedIn' ? session.user.org.timeZone : undefined;
}

/**
 * Returns the browser's first locale in the language of the page, so that month names match the
 * sentences; Australian English if the browser has none.
 */
function pageLocale(): string {
  const page = document.documentElement.lang || 'en';
  const sameLanguage = (locale: string) => locale.split('-')[0] === page;
  return navigator.languages.find(sameLanguage) ?? (page === 'en' ? 'en-AU' : page);
}
