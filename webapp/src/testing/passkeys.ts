import { onTestFinished } from 'vitest';

/**
 * Adds passkeys to the browser until the test ends. `credentials` handles its requests; `offersInFields` is whether it
 * offers passkeys in the email field.
 */
export function stubPasskeys(
  credentials: { get?: unknown; create?: unknown },
  offersInFields: boolean | Promise<boolean> = false,
): void {
  const PublicKeyCredential = Object.assign(() => {}, {
    parseRequestOptionsFromJSON: (options: unknown) => options,
    parseCreationOptionsFromJSON: (options: unknown) => options,
    isConditionalMediationAvailable: async () => offersInFields,
  });
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredential);
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: { get: vi.fn(), create: vi.fn(), ...credentials },
  });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'credentials');
  });
}
