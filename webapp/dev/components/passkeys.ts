/** Replaces src/api/passkeys on this page. No request is sent, so the browser never asks for a passkey. */
export * from '../../src/api/passkeys';
export const requestPasskey = () => new Promise<never>(() => {});
