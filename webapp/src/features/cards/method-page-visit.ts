import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { type Card, listCards } from '@/api';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver } from '@/modules/session/session-store';
import { takeVisit } from './method-page-visit';
import { makeDefault, type Saved } from './save-card';

/** What happened on the provider's page. */
export type MethodPageResult = Saved | 'nothing saved';

/** Pauses before the attempts to find a new method, in milliseconds. */
const delays = [0, 1000, 2000];

/**
 * Calls `onReturn` when the customer comes back from the provider's page that saves a payment method, after a method that
 * was saved there has become the default one. The address and the navigation state are then those from before the
 * visit. Returns whether the visit is still being checked.
 */
export function useMethodPageReturn(onReturn: (result: MethodPageResult) => void): boolean {
  const [query] = useSearchParams();
  const returned = query.has('returned');
  const navigate = useNavigate();
  const [checking, setChecking] = useState(returned);
  const started = useRef(false);
  const report = useRef(onReturn);
  useEffect(() => {
    report.current = onReturn; // with the navigation state of the present render
  });

  useEffect(() => {
    if (!returned || started.current) return;
    started.current = true;
    const visit = takeVisit();
    navigate({ search: visit?.debug ? '?debug=true' : '' }, { replace: true, state: visit?.state });
    if (!visit) return setChecking(false);
    void resultOf(visit.saved).then((result) => {
      setChecking(false);
      if (result) report.current(result);
    });
  }, [returned, navigate]);
  return checking;
}

/** The result of a visit; null if the methods can't be loaded, which the list shows. */
async function resultOf(before: readonly string[]): Promise<MethodPageResult | null> {
  try {
    const added = await findAdded(before);
    return added ? await makeDefault(added.id) : 'nothing saved';
  } catch (error) {
    logFailure('The payment methods could not be loaded', error);
    await refreshIfSessionOver(error);
    return null;
  }
}

/** Returns the newest method that was not saved before. The provider may report it a moment later. */
async function findAdded(before: readonly string[]): Promise<Card | undefined> {
  for (const delay of delays) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    const added = (await listCards()).find(({ id }) => !before.includes(id));
    if (added) return added;
  }
  return undefined;
}
