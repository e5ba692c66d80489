/** Calls `access`, which uses the browser's storage. Returns its result; null if it throws or the browser allows no storage. */
export function accessStorage<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}
