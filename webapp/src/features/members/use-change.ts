import { useState } from 'react';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { type SendState, sendStateAfter } from '@/modules/session/use-section-form';

/**
 * Returns `change`, which sends a change of a list and returns whether the change succeeded. The key of the running change
 * is `busyKey`. The caller renders `dialog`, in which the user signs in again if the server asks for it. It shows the
 * result with `state` and, after a success, `doneTitle`.
 */
export function useChange(failure: string, reload: () => Promise<unknown>) {
  const { callWithConfirmation, dialog } = useConfirmedCall();
  const [state, setState] = useState<SendState>({ status: 'idle' });
  const [doneTitle, setDoneTitle] = useState('');
  const [busyKey, setBusyKey] = useState<string | null>(null);

  async function change(
    key: string,
    send: () => Promise<unknown>,
    successText: string,
  ): Promise<boolean> {
    if (busyKey !== null) return false;
    setBusyKey(key);
    setState({ status: 'busy' });
    const result = await sendStateAfter(failure, async () => {
      await callWithConfirmation(send);
      await reload();
    });
    // The change may have failed because another owner has changed the list meanwhile.
    if (result.status === 'failed') await reload();
    setDoneTitle(successText);
    setState(result);
    setBusyKey(null);
    return result.status === 'done';
  }

  return { change, state, doneTitle, busyKey, dialog };
}
