import { timeOfDay } from '@/lib/intl/time-of-day';
import { longDate, type TimeZone, unbrokenDate } from './dates';

// Formats that only some screens load; dates.ts is in the script of every page.

/** Formats a deadline, with its time and zone: "28 November 2026 at 10:30 am AEDT". */
export const longDateTime = (date: Date, timeZone: TimeZone): string =>
  `${longDate(date, timeZone)} at ${timeOfDay(date, timeZone)}`;

/** Formats a date in the format of lists: "21 Nov 2027". */
export const mediumDate = (date: Date, timeZone: TimeZone): string =>
  unbrokenDate(date, { day: 'numeric', month: 'short', year: 'numeric', timeZone });
