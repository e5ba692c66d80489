import { debugQuery, get, post } from './client';
import { acknowledgement, ignored } from './decode';
import type { Registration } from './types';

/** What a user enters to sign in. `code` is absent in the first step. */
export interface Credentials {
  username: string;
  password: string;
  code?: string;
  /** The organisation of the new session. By default it is the one that was used last. */
  organisation?: string;
}

/** Signs in. `query` is the configured loginQuery. */
export const signIn = (credentials: Credentials, query = {}) =>
  post('/auth/login', ignored, credentials, query);

/** Ends the session without leaving the page. */
export const signOut = () => get('/vc-admin/auth/logout', ignored);

/** Registers an organisation and its first user. */
export const signUp = (registration: Registration, debug: boolean) =>
  post('/vc-admin/signup', acknowledgement, registration, debugQuery(debug));
