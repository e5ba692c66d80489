import { HttpResponse, http } from 'msw';
import type { UserAccount, UserSession } from '@/api';
import { server } from '@/testing/server';

/** Returns a session with these changes. */
export const aSession = (changes: Partial<UserSession> = {}): UserSession => ({
  id: 'ses_1',
  device: 'Chrome on Windows',
  createdAt: '2026-11-20T00:00:00Z',
  lastUsedAt: '2026-11-21T00:00:00Z',
  current: true,
  ...changes,
});

/** Returns the account of a user with one session and no second factor. */
const aUserAccount = (changes: Partial<UserAccount> = {}): UserAccount => ({
  firstName: 'Mara',
  lastName: 'Lindqvist',
  phone: '+61 2 5550 0142',
  email: 'mara@harbour.example',
  newEmail: null,
  twoStep: null,
  passkeys: [],
  sessions: [aSession()],
  ...changes,
});

/** Serves the account of the signed-in user. */
export function serveUserAccount(changes: Partial<UserAccount> = {}): void {
  server.use(http.get('/vc-admin/user/account', () => HttpResponse.json(aUserAccount(changes))));
}
