import { post } from './client';
import { fields, ignored, object, text } from './decode';

/** A request for the browser's passkeys, and the state that belongs to its response. */
export interface PasskeyRequest {
  options: Record<string, unknown>;
  state: string;
}

export const passkeyRequest = object<PasskeyRequest>({ options: fields, state: text });

/** Returns what the browser needs to sign in with a passkey. */
export const requestPasskey = () => post('/vc-admin/auth/passkey/options', passkeyRequest);

/** Signs in with a passkey, to this organisation or to the one that was used last. */
export const signInWithPasskey = (state: string, credential: object, organisation?: string) =>
  post('/vc-admin/auth/passkey', ignored, { state, credential, organisation });
