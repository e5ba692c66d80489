/** Calls `access` with the storage of this tab and returns its result; null if it fails or the browser has no storage. */
export function withTabStorage<T>(access: (storage: Storage) => T): T | null {
  try {
    return access(window.sessionStorage);
  } catch {
    return null;
  }
}
