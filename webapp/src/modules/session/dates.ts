import { type DateFormat, formatDate } from '@/lib/intl/date-format';
import { type User, useSession } from './session-store';

/**
 * The time zone of a date; undefined for that of the browser. Screens pass the zone of the organisation or of the invoice, so
 * that dates are the same in every browser, in documents and in emails.
 */
export type TimeZone = string | undefined;

/** Formats a date in the long format: "28 November 2026". */
export const longDate = (date: Date, timeZone: TimeZone): string =>
  unbrokenDate(date, { dateStyle: 'long', timeZone });

/** Formats a time in Unix seconds as a long date. */
export const longDateOf = (seconds: number, timeZone: TimeZone): string =>
  longDate(new Date(seconds * 1000), timeZone);

/** Returns a text whose dates may break, for a cell that is narrower than a date when the text is large. */
export const breakDates = (text: string): string => text.replaceAll('\u00a0', ' ');

/** Returns the server's time in milliseconds, or the browser's if the server reports none. */
export const serverTime = ({ now }: Pick<User, 'now'>): number => (now ? now * 1000 : Date.now());

/** Returns the server's time at which the session was loaded. */
export function useServerTime(): number {
  const session = useSession();
  return session.status === 'signedIn' ? serverTime(session.user) : Date.now();
}

/** Formats a date in the language of the page, with spaces that do not break. */
export const unbrokenDate = (date: Date, format: DateFormat): string =>
  formatDate(date, format).replaceAll(' ', '\u00a0');

/** Returns the time zone of the signed-in user's organisation, if the server reports a valid one. */
export function useOrganisationZone(): TimeZone {
  const session = useSession();
  return session.status === 'signedIn' ? session.user.org.timeZone : undefined;
}
