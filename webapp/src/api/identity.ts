import { debugQuery, get, post } from './client';
import { acknowledgement, ignored } from './decode';
import type { Registration } from './types';

/** Signs in. `query` is the configured loginQuery. */
export const signIn = (credentials: { username: string; password: string }, query = {}) =>
  post('/auth/login', ignored, credentials, query);

/** Ends the session without leaving the page. */
export const signOut = () => get('/vc-admin/auth/logout', ignored);

/** Registers an organisation and its first user. */
export const signUp = (registration: Registration, debug: boolean) =>
  post('/vc-admin/signup', acknowledgement, registration, debugQuery(debug));
