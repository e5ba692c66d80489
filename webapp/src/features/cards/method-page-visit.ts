import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type Card, listCards } from '@/api';
import { logFailure } from '@/lib/log';
import { readJson, removeItem, writeItem } from '@/lib/storage';
import { useQueryParams } from '@/lib/use-query-params';
import { refreshIfSessionOver } from '@/modules/session/session-store';
import { type SaveResult, saveAsDefault } from './save-card';

/** The record that this tab stores while the customer saves a payment method on the provider's page. */
interface MethodPageVisit {
  /** The ids of the methods that were saved before the visit. */
  saved: string[];
  debug: boolean;
  /** The navigation state of the cards screen. */
  state: unknown;
}

const storageKey = 'methodPageVisit';

/** Stores the visit. Without storage the cards screen can't find out afterwards whether a method was added. */
export function storeVisit(visit: MethodPageVisit): void {
  writeItem('sessionStorage', storageKey, JSON.stringify(visit));
}

/** Removes and returns the stored visit. Returns null if there is no well-formed visit. */
function popVisit(): MethodPageVisit | null {
  const visit = readJson('sessionStorage', storageKey);
  removeItem('sessionStorage', storageKey);
  return isVisit(visit) ? visit : null;
}

const isVisit = (visit: unknown): visit is MethodPageVisit =>
  typeof visit === 'object' && visit !== null && 'saved' in visit && Array.isArray(visit.saved);

/** The result of a visit. A method that was saved on the page has become the default one. */
export type VisitResult = SaveResult | 'nothing_saved';

/**
 * Calls `onReturn` with the result after the customer has come back from the provider's page. Before that, it restores
 * the URL and the navigation state from before the visit. Returns whether the result is being determined.
 */
export function useMethodPageReturn(onReturn: (result: VisitResult) => void): boolean {
  const query = useQueryParams();
  const hasReturned = query.has('returned');
  const navigate = useNavigate();
  const [isChecking, setIsChecking] = useState(hasReturned);
  const hasStarted = useRef(false);
  const latestOnReturn = useRef(onReturn);
  useEffect(() => {
    latestOnReturn.current = onReturn; // the latest function has the current navigation state
  });

  useEffect(() => {
    if (!hasReturned || hasStarted.current) return;
    hasStarted.current = true;
    const visit = popVisit();
    navigate({ search: visit?.debug ? '?debug=true' : '' }, { replace: true, state: visit?.state });
    if (!visit) return setIsChecking(false);
    void saveNewMethod(visit.saved).then((result) => {
      setIsChecking(false);
      if (result) latestOnReturn.current(result);
    });
  }, [hasReturned, navigate]);
  return isChecking;
}

/** Makes the method that was saved on the page the default one. Returns null if the methods can't be loaded. */
async function saveNewMethod(earlierIds: readonly string[]): Promise<VisitResult | null> {
  try {
    const method = await findNewMethod(earlierIds);
    return method ? await saveAsDefault(method.id) : 'nothing_saved';
  } catch (error) {
    logFailure('The payment methods could not be loaded', error);
    await refreshIfSessionOver(error);
    return null;
  }
}

/** The delay before each attempt to find a new method, in milliseconds. The provider may report the method late. */
const attemptDelays = [0, 1000, 2000];

/** Returns a method that was not saved before the visit, or undefined if the last attempt finds none. */
async function findNewMethod(earlierIds: readonly string[]): Promise<Card | undefined> {
  for (const delay of attemptDelays) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    const method = (await listCards()).find(({ id }) => !earlierIds.includes(id));
    if (method) return method;
  }
  return undefined;
}
