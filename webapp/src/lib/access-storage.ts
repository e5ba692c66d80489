/**
 * Returns the result of `access`, which uses the browser's storage. Returns null if `access` throws, for example
 * because the browser denies storage.
 */
export function accessStorage<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}
