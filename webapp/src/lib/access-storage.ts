/** Returns the result of `access`, which uses the browser's storage; null if it throws, as it does without storage. */
export function accessStorage<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}
