import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { ApiError } from '@/api';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver, type Session, useSessionStore } from './session-store';

/** The metadata in the options of every query and mutation. */
interface FailureMeta extends Record<string, unknown> {
  /** The log message of a failure. */
  failure: string;
}

declare module '@tanstack/react-query' {
  interface Register {
    /** The error with which every call of `@/api` rejects. */
    defaultError: ApiError;
    queryMeta: FailureMeta;
    mutationMeta: FailureMeta;
  }
}

/**
 * The cache of the signed-in user's data. A screen that opens shows the cached data and loads it again. Failed requests
 * are not repeated, because the screens have a Try again button.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { meta }) => onFailure(error, meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, { meta }) => onFailure(error, meta),
  }),
  defaultOptions: {
    // Without 'always', requests of an offline browser would wait instead of failing with "Network Error".
    queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
});

function onFailure(error: ApiError, meta?: FailureMeta): void {
  logFailure(meta?.failure ?? 'A request failed', error);
  void refreshIfSessionOver(error);
}

/**
 * Loads the data on the screen again and discards all other cached data. Call it after everything that may have
 * changed the plan, its payments or the billing details. Never rejects.
 */
export function reloadData(): Promise<void> {
  queryClient.removeQueries({ type: 'inactive' });
  return queryClient.invalidateQueries();
}

/**
 * The ids of the user and the organisation to whom the cached data belongs; undefined before a sign-in and after a
 * sign-out.
 */
let cachedOwner = ownerOf(useSessionStore.getState().session);

useSessionStore.subscribe(({ session }, { session: previousSession }) => {
  // A screen keeps its data when the session ends, because the same user may sign in again.
  if (session.status === 'loading' || 'ended' in session) return;
  const owner = ownerOf(session);
  if (owner !== cachedOwner) {
    queryClient.clear();
  } else if (owner !== undefined && previousSession.status === 'signedOut') {
    void queryClient.invalidateQueries();
  }
  cachedOwner = owner;
});

function ownerOf(session: Session): string | undefined {
  return session.status === 'signedIn' ? `${session.user.id} ${session.user.orgId}` : undefined;
}
