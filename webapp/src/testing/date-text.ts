import { longDate } from '@/modules/session/dates';

/** Replaces spaces that do not break by ordinary ones, as Testing Library does with the text of an element. */
export const withOrdinarySpaces = (text: string): string => text.replaceAll('\u00a0', ' ');

/** Formats a date as the screens do, but with ordinary spaces. */
export const dateText = (time: string | number, zone?: string): string =>
  withOrdinarySpaces(longDate(new Date(time), zone));
