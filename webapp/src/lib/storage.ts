type Area = 'localStorage' | 'sessionStorage';

/** The items that the browser did not store, by area and key. They last until the page is left. */
const unstoredItems = new Map<string, string>();

/** Returns an item of the browser's storage, or null if there is none. */
export function readItem(area: Area, key: string): string | null {
  const item = unstoredItems.get(area + key);
  if (item !== undefined) return item;
  try {
    return window[area].getItem(key);
  } catch {
    return null; // the browser denies storage
  }
}

/** Stores an item. If the browser denies storage or has no space left, the item is kept until the page is left. */
export function writeItem(area: Area, key: string, value: string): void {
  unstoredItems.set(area + key, value);
  try {
    window[area].setItem(key, value);
    unstoredItems.delete(area + key);
  } catch {
    // Stays in memory.
  }
}

/** Removes an item. */
export function removeItem(area: Area, key: string): void {
  unstoredItems.delete(area + key);
  try {
    window[area].removeItem(key);
  } catch {
    // The browser denies storage, so it has stored nothing.
  }
}

/** Returns an item that was stored as JSON, or null if there is none or it is malformed. */
export function readJson(area: Area, key: string): unknown {
  try {
    return JSON.parse(readItem(area, key) ?? 'null');
  } catch {
    return null;
  }
}
