import { useRef, useState } from 'react';
import { ApiError } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { reloadData } from '@/modules/session/query-client';
import {
  refreshIfSessionOver,
  sessionRenewedMessage,
  useSessionStore,
} from '@/modules/session/session-store';

/** The state of the last action. */
export type BillingAction<Kind extends string> =
  | { status: 'idle' }
  | { status: 'busy' | 'done'; kind: Kind }
  | { status: 'failed'; kind: Kind; message: string };

const unknownOutcomeMessage =
  'We could not find out whether it went through. What you see below is what we know now.';

/** Runs calls that change the plan or an invoice, one at a time, and then reloads the session and the data on the screen. */
export function useBillingAction<Kind extends string>() {
  const isRunning = useRef(false);
  const [action, setAction] = useState<BillingAction<Kind>>({ status: 'idle' });

  async function run(kind: Kind, call: () => Promise<unknown>) {
    if (isRunning.current) return;
    isRunning.current = true;
    setAction({ status: 'busy', kind });
    let result: BillingAction<Kind> = { status: 'done', kind };
    try {
      await call();
    } catch (error) {
      logFailure('The plan could not be updated', error);
      const message = (await refreshIfSessionOver(error))
        ? sessionRenewedMessage
        : failureMessageOf(error);
      result = { status: 'failed', kind, message };
    }
    await Promise.all([reloadData(), useSessionStore.getState().refresh()]);
    isRunning.current = false;
    setAction(result);
  }

  return { action, run };
}

/** Returns the server's message unless the outcome is unknown, as it is after a server error. */
const failureMessageOf = (error: unknown): string =>
  error instanceof ApiError && error.status < 500
    ? serverMessageOf(error, unknownOutcomeMessage)
    : unknownOutcomeMessage;
