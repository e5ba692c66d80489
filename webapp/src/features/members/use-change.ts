import { useState } from 'react';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { type SendState, sendStateAfter } from '@/modules/session/use-section-form';

/**
 * Returns `change`, which sends a change of a list after the user has confirmed who they are if the server asks for it, and
 * returns whether it succeeded; the state with the text of the last success; the key of the running change; and the dialog.
 */
export function useChange(failure: string, reload: () => Promise<unknown>) {
  const { confirmed, dialog } = useConfirmedCall();
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
      await confirmed(send);
      await reload();
    });
    // Another owner may have changed the list, which is then the reason of the failure.
    if (result.status === 'failed') await reload();
    setDoneTitle(successText);
    setState(result);
    setBusyKey(null);
    return result.status === 'done';
  }

  return { change, state, doneTitle, busyKey, dialog };
}
