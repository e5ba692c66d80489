/** Replaces src/api/passkeys on this page. Sends no request, so that the browser never asks for a passkey. */
export * from '../../src/api/passkeys';
export const requestPasskey = () => new Promise<never>(() => {});
