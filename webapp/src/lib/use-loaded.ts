import { useCallback, useEffect, useState } from 'react';
import { logFailure } from './log';
import { refreshIfSessionOver, useSession } from './session-store';

/** The loaded data, or the state of the request for it. */
export type Loaded<T> = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; data: T };

/**
 * Loads data for a signed-in user; `load` must stay the same function. `reload` keeps the present data
 * until the response arrives. A failure is logged as `what`.
 */
export function useLoaded<T>(load: () => Promise<T>, what: string) {
  const [loaded, setLoaded] = useState<Loaded<T>>({ status: 'loading' });
  const reload = useCallback(async () => {
    try {
      setLoaded({ status: 'ready', data: await load() });
    } catch (error) {
      logFailure(`${what} could not be loaded`, error);
      setLoaded({ status: 'failed' });
      void refreshIfSessionOver(error);
    }
  }, [load, what]);
  const signedIn = useSession().status === 'signedIn';
  useEffect(() => {
    if (signedIn) void reload();
  }, [reload, signedIn]);
  return { loaded, reload };
}
