import { type DateFormat, formatDate } from '@/lib/intl/date-format';
import { type User, useSession, useSessionStore } from './session-store';

/**
 * The time zone of a date, by default the organisation's, so that dates are the same in every browser, in documents and
 * in emails. Dates of an invoice are in the invoice's zone.
 */
type TimeZone = string | undefined;

/** Formats a date in the long format: "28 November 2026". */
export const longDate = (date: Date, zone?: TimeZone): string =>
  dateText(date, { dateStyle: 'long' }, zone);

/** Formats a date in the format of lists: "21 Nov 2027". */
export const mediumDate = (date: Date, zone?: TimeZone): string =>
  dateText(date, { day: 'numeric', month: 'short', year: 'numeric' }, zone);

/** Formats a time in Unix seconds as a long date. */
export const longDateOf = (seconds: number): string => longDate(new Date(seconds * 1000));

/** Returns a text whose dates may break, for a cell that is narrower than a date when the text is large. */
export const breakDates = (text: string): string => text.replaceAll('\u00a0', ' ');

/** Returns the server's time in milliseconds, or the browser's if the server reports none. */
export const serverTime = ({ now }: Pick<User, 'now'>): number => (now ? now * 1000 : Date.now());

/** Returns the server's time at which the session was loaded. */
export function useServerTime(): number {
  const session = useSession();
  return session.status === 'signedIn' ? serverTime(session.user) : Date.now();
}

/**
 * Formats a date in the language of the page, with spaces that do not break. Uses the browser's time zone if the
 * organisation's is unknown.
 */
const dateText = (date: Date, format: DateFormat, zone?: TimeZone): string =>
  formatDate(date, { ...format, timeZone: zone ?? organisationZone() }).replaceAll(' ', '\u00a0');

/** Returns the time zone of the signed-in user's organisation, if the server reports a valid one. */
export function organisationZone(): TimeZone {
  const { session } = useSessionStore.getState();
  return session.status === 'signedIn' ? session.user.org.timeZone : undefined;
}
