import { useCallback, useEffect, useState } from 'react';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver, useSession } from './session-store';

/** The loaded data, or the state of the request for it. */
export type Loaded<T> = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; data: T };

/**
 * Loads data for a signed-in user; `load` must stay the same function. `reload` keeps the current data
 * until the response arrives and returns the new data, or null on failure. A failure is logged as `what`.
 */
export function useLoaded<T>(load: () => Promise<T>, what: string) {
  const [loaded, setLoaded] = useState<Loaded<T>>({ status: 'loading' });
  const reload = useCallback(async (): Promise<T | null> => {
    try {
      const data = await load();
      setLoaded({ status: 'ready', data });
      return data;
    } catch (error) {
      logFailure(`${what} could not be loaded`, error);
      setLoaded({ status: 'failed' });
      void refreshIfSessionOver(error);
      return null;
    }
  }, [load, what]);
  const signedIn = useSession().status === 'signedIn';
  useEffect(() => {
    if (signedIn) void reload();
  }, [reload, signedIn]);
  return { loaded, reload };
}
