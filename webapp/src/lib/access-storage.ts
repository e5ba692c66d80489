/** Calls `access`, which uses the browser's storage, and returns its result; null if it throws, as it does without storage. */
export function accessStorage<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}
