import { xsrfToken } from '@/api';
import { openTabChannel } from '@/lib/tab-channel';
import { type Session, useSessionStore } from './session-store';

/** The channel on which a tab announces that it has fetched the identity. */
const channelName = 'diy-session';

/**
 * Fetches the identity again when the session has changed in another tab: as soon as that tab announces the change, or
 * the user returns to this tab. Returns a function that stops watching.
 */
export function watchSession(): () => void {
  const channel = openTabChannel(channelName, refreshAfterAnnouncement);
  const eventSources = [
    [document, 'visibilitychange'],
    [window, 'focus'],
  ] as const;
  for (const [source, event] of eventSources) source.addEventListener(event, refreshIfChanged);
  const unsubscribe = useSessionStore.subscribe(({ session }, previousState) => {
    if (session !== previousState.session) channel.send(announcementOf(session));
  });
  return () => {
    unsubscribe();
    for (const [source, event] of eventSources) source.removeEventListener(event, refreshIfChanged);
    channel.close();
  };
}

/** Returns the message about a session: its status, and the id of its organisation if the tab shows that organisation. */
function announcementOf(session: Session): string {
  const hasOrganisation = session.status === 'signedIn' && !session.switchedTo;
  return hasOrganisation ? `${session.status} ${session.user.orgId}` : session.status;
}

/**
 * Fetches the identity if another tab announces another organisation. A switch of the organisation keeps the XSRF cookie.
 */
function refreshAfterAnnouncement(announcement: string): void {
  const { session, organisation, refresh } = useSessionStore.getState();
  const announcedId = announcement.split(' ')[1];
  const isKnown = session.status !== 'signedIn' || session.switchedTo?.id === announcedId;
  if (announcedId && announcedId !== organisation && !isKnown) void refresh();
  else refreshIfChanged();
}

/** Fetches the identity if the XSRF cookie, which all tabs share, belongs to another session. */
function refreshIfChanged(): void {
  const { session, token, refresh } = useSessionStore.getState();
  if (session.status !== 'loading' && xsrfToken() !== token) void refresh();
}
