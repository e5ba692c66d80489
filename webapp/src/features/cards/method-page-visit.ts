/** What the cards screen keeps while the customer is on the provider's page. */
export interface MethodPageVisit {
  /** The ids of the methods that were saved before. */
  saved: string[];
  debug: boolean;
  /** The navigation state of the cards screen. */
  state: unknown;
}

/** The key in the storage of this tab. */
const key = 'methodPageVisit';

/** Keeps the visit until the customer returns. A browser that allows no storage forgets it. */
export function rememberVisit(visit: MethodPageVisit): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(visit));
  } catch {
    // The returning customer sees the list, but not whether something was added.
  }
}

/** Returns the last visit once; null if it is unknown. */
export function takeVisit(): MethodPageVisit | null {
  try {
    const visit: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    sessionStorage.removeItem(key);
    return isVisit(visit) ? visit : null;
  } catch {
    return null;
  }
}

const isVisit = (visit: unknown): visit is MethodPageVisit =>
  typeof visit === 'object' && visit !== null && 'saved' in visit && Array.isArray(visit.saved);
