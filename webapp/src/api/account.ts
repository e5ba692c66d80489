import { post } from './client';
import { flag, ignored, list, object, text } from './decode';
import type { EmailPreferences, ShownBillingEmail, ShownRegistration } from './types';

// The calls about email addresses and passwords, which the specification does not name.

/** Sends the verification email again. Succeeds for unknown addresses too. */
export const resendVerification = (email: string) =>
  post('/vc-admin/auth/verify/resend', ignored, { email });

/** Returns the registration of the token of a verification email. */
export const showRegistration = (token: string) =>
  post('/vc-admin/auth/verify/show', registration, { token });

export const registration = object<ShownRegistration>({ org: text, email: text });

/** Verifies a registration with its password, and signs in. */
export const confirmRegistration = (token: string, password: string) =>
  post('/vc-admin/auth/verify/confirm', ignored, { token, password });

/** Deletes a registration that was made by someone other than the owner of its email address. */
export const rejectRegistration = (token: string) =>
  post('/vc-admin/auth/verify/reject', ignored, { token });

/** Returns the organisation and the billing email that the link of this token confirms. */
export const showBillingEmail = (token: string) =>
  post('/vc-admin/auth/billing-email/show', billingEmail, { token });

export const billingEmail = object<ShownBillingEmail>({ org: text, email: text });

/** Confirms the billing email that the link of this token is about. */
export const confirmBillingEmail = (token: string) =>
  post('/vc-admin/auth/billing-email/confirm', ignored, { token });

/** Returns which emails the recipient of the link with this token can turn off. */
export const showEmailPreferences = (token: string) =>
  post('/vc-admin/auth/emails/show', emailPreferences, { token });

export const emailPreferences = object<EmailPreferences>({
  org: text,
  email: text,
  notices: list(object({ kind: text, declined: flag })),
});

/** Turns off these emails to the recipient of the link, and turns on all other optional ones. */
export const editEmailPreferences = (token: string, declinedKinds: string[]) =>
  post('/vc-admin/auth/emails/edit', ignored, { token, declined: declinedKinds });

/** Sends a password reset email. Succeeds for unknown addresses too. */
export const forgotPassword = (email: string) =>
  post('/vc-admin/auth/password/forgot', ignored, { email });

/** Sets a new password with the token of a password reset email. Returns the address to sign in with. */
export const resetPassword = (token: string, password: string, repeat: string) =>
  post('/vc-admin/auth/password/reset', passwordReset, {
    token,
    password,
    password_repeat: repeat,
  });

export const passwordReset = object({ email: text });
