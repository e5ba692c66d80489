import { useState } from 'react';
import { switchOrganisation } from '@/api/members';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver, useSessionStore } from './session-store';

/**
 * Returns `switchTo`, which switches the session to another organisation and returns whether it succeeded, the id of the
 * organisation whose switch is running, and the message of a failure.
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
