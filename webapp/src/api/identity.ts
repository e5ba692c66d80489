import { gate, get, post } from './client';
import type { Config, Registered, Registration, UserDetail } from './types';

/** Everything the area shows that does not depend on who looks. */
export const getConfig = () => get<Config>('/vc-admin/diy/config.json');

/** Who is asking; null for a visitor. */
export const getUserDetail = async () =>
  (await get<{ detail: UserDetail | null }>('/vc-admin/user/detail')).detail;

/** Signs in; `query` is the configured loginQuery. */
export const signIn = (credentials: { username: string; password: string }, query = {}) =>
  post<object>('/auth/login', credentials, query);

/** Ends the session without leaving the page. */
export const signOut = () => get<object>('/vc-admin/auth/logout');

/** Registers an organisation and its first user. */
export const signUp = (registration: Registration, debug: boolean) =>
  post<Registered>('/vc-admin/signup', registration, gate(debug));

/** Sends the verification e-mail again. Succeeds whether or not there is somebody to send it to. */
export const resendVerification = (email: string) =>
  post<object>('/vc-admin/auth/verify/resend', { email });
