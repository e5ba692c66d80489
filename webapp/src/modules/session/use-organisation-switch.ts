import { useState } from 'react';
import { switchOrganisation } from '@/api/members';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver, useSessionStore } from './session-store';

/**
 * Returns `switchTo`, which switches the session to another organisation and resolves to whether it succeeded. `busyId` is the
 * organisation of the running switch, `failure` the message of the last failure.
 */
export function useOrganisationSwitch() {
  const [busyId, setBusyId] = useState<string | null>(null);
  const [failure, setFailure] = useState('');

  async function switchTo(id: string): Promise<boolean> {
    if (busyId !== null) return false;
    setBusyId(id);
    setFailure('');
    try {
      await useSessionStore.getState().switchOrganisation(id, switchOrganisation);
      return true;
    } catch (error) {
      logFailure('Switching the organisation failed', error);
      // The membership may have ended, so the list of the organisations is loaded again.
      if (!(await refreshIfSessionOver(error))) await useSessionStore.getState().refresh();
      setFailure(messageOf(error));
      return false;
    } finally {
      setBusyId(null);
    }
  }

  return { busyId, failure, switchTo };
}
