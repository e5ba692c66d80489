import { debugParam, get, post } from './client';
import type { Config, Registered, Registration, ShownRegistration, UserDetail } from './types';

/** Returns the public configuration. */
export const getConfig = () => get<Config>('/vc-admin/diy/config.json');

/** Returns the signed-in user; null for a visitor. */
export const getUserDetail = async () =>
  (await get<{ detail: UserDetail | null }>('/vc-admin/user/detail')).detail;

/** Signs in; `query` is the configured loginQuery. */
export const signIn = (credentials: { username: string; password: string }, query = {}) =>
  post<object>('/auth/login', credentials, query);

/** Ends the session without leaving the page. */
export const signOut = () => get<object>('/vc-admin/auth/logout');

/** Registers an organisation and its first user. */
export const signUp = (registration: Registration, debug: boolean) =>
  post<Registered>('/vc-admin/signup', registration, debugParam(debug));

/** Sends the verification email again. Succeeds for unknown addresses too. */
export const resendVerification = (email: string) =>
  post<object>('/vc-admin/auth/verify/resend', { email });

/** Returns the registration of the token of a verification email. */
export const showRegistration = (token: string) =>
  post<ShownRegistration>('/vc-admin/auth/verify/show', { token });

/** Verifies a registration with its password, and signs in. */
export const confirmRegistration = (token: string, password: string) =>
  post<object>('/vc-admin/auth/verify/confirm', { token, password });

/** Deletes a registration that was made by someone other than the owner of its email address. */
export const rejectRegistration = (token: string) =>
  post<object>('/vc-admin/auth/verify/reject', { token });

/** Sends a password reset email. Succeeds for unknown addresses too. */
export const forgotPassword = (email: string) =>
  post<object>('/vc-admin/auth/password/forgot', { email });

/**
 * Sets a new password with the token of a password reset email. Returns the address to sign in
 * with.
 */
export const resetPassword = (token: string, password: string, repeat: string) =>
  post<{ email: string }>('/vc-admin/auth/password/reset', {
    token,
    password,
    password_repeat: repeat,
  });
