import { post } from './client';
import { ignored, list, object, optional, text } from './decode';
import { passkeyRequest } from './passkeys';

/** The key and the codes that the user saves before confirmTwoStep. If two-step verification is on, it has either of them. */
export interface TwoStepSetup {
  /** The key for the authenticator app, in base32. */
  secret?: string;
  /** The rows of the QR code, with 1 for a dark module and 0 for a light one. */
  qr?: string[];
  codes: string[];
  state: string;
}

export const twoStepSetup = object<TwoStepSetup>({
  secret: optional(text),
  qr: optional(list(text)),
  codes: list(text),
  state: text,
});

/**
 * Returns a new setup, which takes effect with confirmTwoStep. It has only recovery codes with `withoutApp`. Otherwise it has
 * an app, which needs no new codes if two-step verification is on.
 */
export const startTwoStep = (withoutApp: boolean) =>
  post('/vc-admin/user/two-step/start', twoStepSetup, { withoutApp });

/** Turns two-step verification on. If it is on, replaces the recovery codes or adds the app. Only an app needs a code. */
export const confirmTwoStep = (state: string, code = '') =>
  post('/vc-admin/user/two-step/confirm', ignored, { state, code });

export const turnOffTwoStep = () => post('/vc-admin/user/two-step/off', ignored);

/** Returns what the browser needs to create a passkey. */
export const startPasskey = () => post('/vc-admin/user/passkeys/options', passkeyRequest);

export const addPasskey = (state: string, credential: object, name: string) =>
  post('/vc-admin/user/passkeys/add', ignored, { state, credential, name });

export const renamePasskey = (id: string, name: string) =>
  post('/vc-admin/user/passkeys/edit', ignored, { id, name });

export const removePasskey = (id: string) => post('/vc-admin/user/passkeys/del', ignored, { id });
