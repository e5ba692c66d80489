/** Accesses the storage of this tab; returns null when the browser allows none. */
export function withTabStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(window.sessionStorage);
  } catch {
    return null;
  }
}
