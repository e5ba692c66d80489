import { longDate } from '@/modules/session/dates';
import { useSessionStore } from '@/modules/session/session-store';

/** Replaces spaces that do not break by ordinary ones, as Testing Library does with the text of an element. */
export const withOrdinarySpaces = (text: string): string => text.replaceAll('\u00a0', ' ');

/** Formats a date as the screens do, but with ordinary spaces; by default in the time zone of the organisation. */
export const dateText = (time: string | number, timeZone = organisationZone()): string =>
  withOrdinarySpaces(longDate(new Date(time), timeZone));

function organisationZone(): string | undefined {
  const { session } = useSessionStore.getState();
  return session.status === 'signedIn' ? session.user.org.timeZone : undefined;
}
