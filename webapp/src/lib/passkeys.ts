/** Options or a credential of WebAuthn, in the JSON form that the server uses. */
export type PasskeyJson = Record<string, unknown>;

/** Whether the browser has passkeys on this page and converts them from and to JSON. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  typeof navigator.credentials?.create === 'function' &&
  typeof AbortController === 'function';

/** Whether the browser offers passkeys in the field for the email. */
export const offersPasskeysInFields = async (): Promise<boolean> =>
  (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;

/** The running request. A browser refuses a second one. */
let running: AbortController | undefined;

/** Ends the running request. */
export function abortPasskey(): void {
  running?.abort();
  running = undefined;
}

function startRequest(): AbortSignal {
  abortPasskey();
  running = new AbortController();
  return running.signal;
}

/**
 * Asks for a passkey, in a dialog or, if `inField`, in the list of the email field. Ends the running request. Returns null if
 * the user canceled, or if another request ended this one.
 */
export async function getPasskey(
  options: PasskeyJson,
  inField = false,
): Promise<PasskeyJson | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const request: CredentialRequestOptions = { publicKey, signal: startRequest() };
  if (!inField) return toJson(navigator.credentials.get(request));
  request.mediation = 'conditional';
  // A computer without any authenticator does not support the list, although the browser does.
  return toJson(navigator.credentials.get(request), 'NotSupportedError');
}

/**
 * Creates a passkey. Returns null if the user canceled, and 'known' if the authenticator already has a passkey of this user.
 */
export async function createPasskey(options: PasskeyJson): Promise<PasskeyJson | 'known' | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  try {
    return await toJson(navigator.credentials.create({ publicKey, signal: startRequest() }));
  } catch (error) {
    if (nameOf(error) === 'InvalidStateError') return 'known';
    throw error;
  }
}

async function toJson(
  request: Promise<Credential | null>,
  ...ignored: string[]
): Promise<PasskeyJson | null> {
  try {
    const credential = (await request) as PublicKeyCredential | null;
    return (credential?.toJSON() as unknown as PasskeyJson) ?? null;
  } catch (error) {
    if (['NotAllowedError', 'AbortError', ...ignored].includes(nameOf(error))) return null;
    throw error;
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
