import { emailResult } from './account';
import { post } from './client';
import { acknowledgement, flag, object, text } from './decode';
import type { EmailChange } from './types';

// The calls about a change of the user's email and about links that undo changes. The specification does not name them.

/** Sends a link that confirms a new email. Succeeds for the email of another account too. */
export const requestEmailChange = (email: string) =>
  post('/vc-admin/user/email', acknowledgement, { email });

/** Cancels the change of the email, so that its link no longer works. */
export const cancelEmailChange = () => post('/vc-admin/user/email/cancel', acknowledgement);

/** Returns the new email of a user that this token confirms. */
export const showEmailChange = (token: string) =>
  post('/vc-admin/auth/email/show', emailChange, { token });

export const emailChange = object<EmailChange>({ email: text, account: text, signedIn: flag });

/** Changes the email of the signed-in user to the one that this token confirms. */
export const confirmEmailChange = (token: string) =>
  post('/vc-admin/auth/email/confirm', emailResult, { token });

/** Returns the email that the link with this token restores. */
export const showUndo = (token: string) => post('/vc-admin/auth/undo/show', emailResult, { token });

/** Restores the email of the link with this token and sets a new password. Returns the email to sign in with. */
export const undoChange = (token: string, password: string, passwordRepeat: string) =>
  post('/vc-admin/auth/undo/confirm', emailResult, {
    token,
    password,
    password_repeat: passwordRepeat,
  });
