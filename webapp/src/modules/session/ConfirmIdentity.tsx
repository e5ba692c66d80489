import { useEffect, useId, useRef, useState } from 'react';
import type { ApiError } from '@/api';
import { Button } from '@/components/Button';
import { closeDialog, openDialog } from '@/lib/dialog';
import { SignInFailure } from './SignInFailure';
import { SignInForm } from './SignInForm';
import { useSessionStore } from './session-store';

/**
 * Returns `confirmed`, which sends a call, and `dialog`, which the caller renders outside of forms. If the server asks who
 * the user is, the dialog asks for the sign-in, and `confirmed` sends the call again. If the user cancels or another user
 * signs in, it rejects with the server's error.
 */
export function useConfirmedCall() {
  const [finish, setFinish] = useState<((isConfirmed: boolean) => void) | null>(null);

  async function confirmed<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if ((error as ApiError).name !== 'ERRREAUTHENTICATE') throw error;
      const isConfirmed = await new Promise<boolean>((resolve) => setFinish(() => resolve));
      if (!isConfirmed) throw error;
      return send();
    }
  }

  function close(isConfirmed: boolean) {
    setFinish(null);
    finish?.(isConfirmed);
  }

  return { confirmed, dialog: finish && <ConfirmIdentityDialog onClose={close} /> };
}

/** A modal dialog with the sign-in form. Escape closes it without a confirmation. */
function ConfirmIdentityDialog({ onClose }: { onClose: (isConfirmed: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [user] = useState(currentUser);
  useEffect(() => {
    if (!dialog.current) return;
    openDialog(dialog.current);
    dialog.current.querySelector<HTMLElement>('input[type=password]')?.focus();
  }, []);
  const close = (value?: string) => dialog.current && closeDialog(dialog.current, value);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={() => onClose(dialog.current?.returnValue === 'confirmed')}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-card border border-line bg-surface p-6 text-ink shadow-card backdrop:bg-[rgb(0_0_0/60%)]"
    >
      <SignInForm
        email={user?.email}
        hasResetLink={false}
        onSignedIn={() => close(currentUser()?.id === user?.id ? 'confirmed' : '')}
        renderHeading={(attempt) => (
          <>
            <h2 id={`${id}-title`} className="text-xl">
              Confirm it's you
            </h2>
            <p id={`${id}-text`} className="mt-2 text-muted">
              You signed in a while ago. Sign in again to make this change.
            </p>
            <SignInFailure {...attempt} />
          </>
        )}
      />
      <Button variant="quiet" wide className="mt-3" onClick={() => close()}>
        Cancel
      </Button>
    </dialog>
  );
}

function currentUser() {
  const { session } = useSessionStore.getState();
  return session.status === 'signedIn' ? session.user : null;
}
