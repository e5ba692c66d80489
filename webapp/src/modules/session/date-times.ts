import { timeOfDay } from '@/lib/intl/time-of-day';
import { longDate, organisationZone } from './dates';

// The formatter of times of day is only loaded by screens with deadlines; dates.ts is in the script of every page.

/** Formats a deadline, with its time and zone: "28 November 2026 at 10:30 am AEDT". */
export const longDateTime = (date: Date, zone = organisationZone()): string =>
  `${longDate(date, zone)} at ${timeOfDay(date, zone)}`;
