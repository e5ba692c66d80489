import { get, post } from './client';
import {
  acknowledgement,
  flag,
  id,
  list,
  nullable,
  number,
  object,
  optional,
  text,
  time,
} from './decode';
import type { Profile, UserAccount } from './types';

// The calls about the signed-in user's own account. The specification does not name them.

/** Returns the profile, the factors and the sessions of the signed-in user. */
export const getUserAccount = () => get('/vc-admin/user/account', userAccount);

export const userAccount = object<UserAccount>({
  firstName: text,
  lastName: text,
  phone: text,
  email: text,
  newEmail: optional(nullable(object({ email: text, expiresAt: time })), null),
  twoStep: optional(
    nullable(object({ since: time, recoveryCodes: number, withoutApp: optional(flag, false) })),
    null,
  ),
  passkeys: optional(
    list(object({ id, name: text, createdAt: time, lastUsedAt: nullable(time) })),
    [],
  ),
  sessions: list(object({ id, device: text, createdAt: time, lastUsedAt: time, current: flag })),
});

/** Changes the names and the phone number. */
export const editProfile = (profile: Profile) =>
  post('/vc-admin/user/edit', acknowledgement, profile);

/** Changes the password and signs the user out in all other browsers. */
export const changePassword = (current: string, password: string, passwordRepeat: string) =>
  post('/vc-admin/user/password', acknowledgement, {
    current,
    password,
    password_repeat: passwordRepeat,
  });

/** Ends the session with this id. */
export const endSession = (sessionId: string) =>
  post('/vc-admin/user/sessions/end', acknowledgement, { id: sessionId });

/** Ends all sessions except this one. */
export const endOtherSessions = () =>
  post('/vc-admin/user/sessions/end', acknowledgement, { others: true });
