import { get, post } from './client';
import { acknowledgement, flag, list, object, oneOf, optional, text } from './decode';
import type { BillingEmailConfirmation, EmailPreferences, RegistrationSummary } from './types';

// Calls about email addresses and passwords. The specification does not name them.

/** Sends the verification email again. Succeeds for an unknown email address too. */
export const resendVerification = (email: string) =>
  post('/vc-admin/auth/verify/resend', acknowledgement, { email });

/** Returns the registration that the token of a verification email belongs to. */
export const showRegistration = (token: string) =>
  post('/vc-admin/auth/verify/show', registration, { token });

export const registration = object<RegistrationSummary>({
  org: text,
  email: text,
  replaced: optional(flag),
  taken: optional(list(oneOf('org', 'email'))),
});

/**
 * Verifies a registration with the token and the password chosen at registration, and signs in. An `org` becomes the
 * organisation's name.
 */
export const confirmRegistration = (token: string, password: string, org?: string) =>
  post('/vc-admin/auth/verify/confirm', acknowledgement, { token, password, org });

/** Deletes a registration that was made by someone other than the owner of its email address. */
export const rejectRegistration = (token: string) =>
  post('/vc-admin/auth/verify/reject', acknowledgement, { token });

/** Returns the organisation and the billing email that this token confirms. */
export const showBillingEmail = (token: string) =>
  post('/vc-admin/auth/billing-email/show', billingEmail, { token });

export const billingEmail = object<BillingEmailConfirmation>({ org: text, email: text });

/** Confirms a billing email with the token of the link that was sent to it. */
export const confirmBillingEmail = (token: string) =>
  post('/vc-admin/auth/billing-email/confirm', acknowledgement, { token });

/** Returns the emails that the recipient of the link with this token can turn off. */
export const showEmailPreferences = (token: string) =>
  post('/vc-admin/auth/emails/show', emailPreferences, { token });

export const emailPreferences = object<EmailPreferences>({
  org: text,
  email: text,
  notices: list(object({ kind: text, declined: flag })),
});

/** Turns off emails of these kinds for the recipient of the link, and turns on all other optional emails. */
export const editEmailPreferences = (token: string, declinedKinds: string[]) =>
  post('/vc-admin/auth/emails/edit', acknowledgement, { token, declined: declinedKinds });

/** Returns the passwords that are refused because they are the most common ones, in lower case. */
export const listCommonPasswords = () =>
  get('/vc-admin/diy/common-passwords.json', commonPasswords);

export const commonPasswords = object({ passwords: list(text) });

/** Sends a password reset email. Succeeds for an unknown email address too. */
export const forgotPassword = (email: string) =>
  post('/vc-admin/auth/password/forgot', acknowledgement, { email });

/** Sets a new password with the token of a password reset email. Returns the email address to sign in with. */
export const resetPassword = (token: string, password: string, passwordRepeat: string) =>
  post('/vc-admin/auth/password/reset', emailResult, {
    token,
    password,
    password_repeat: passwordRepeat,
  });

export const emailResult = object({ email: text });
