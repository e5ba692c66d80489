import { useState } from 'react';
import type { ApiError } from '@/api';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { SignInFailure } from './SignInFailure';
import { SignInForm } from './SignInForm';
import { useSessionStore } from './session-store';

/**
 * Returns `callWithConfirmation`, which sends a call, and `dialog`, which the caller renders outside of forms. If the
 * server asks the user to sign in again, the dialog shows the sign-in form, and the call is sent again afterwards. If the
 * user cancels or another user signs in, the promise is rejected with the server's error.
 */
export function useConfirmedCall() {
  const [finish, setFinish] = useState<((isConfirmed: boolean) => void) | null>(null);

  async function callWithConfirmation<T>(send: () => Promise<T>): Promise<T> {
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

  return { callWithConfirmation, dialog: finish && <ConfirmIdentityDialog onClose={close} /> };
}

/** A modal dialog with the sign-in form. Escape closes it without a confirmation. */
function ConfirmIdentityDialog({ onClose }: { onClose: (isConfirmed: boolean) => void }) {
  const [user] = useState(currentUser);
  return (
    <Dialog
      title="Confirm it's you"
      text="You signed in a while ago. Sign in again to make this change."
      initialFocus="input[type=password]"
      onClose={(value) => onClose(value === 'confirmed')}
    >
      {(close) => (
        <>
          <SignInForm
            email={user?.email}
            hasResetLink={false}
            onSignedIn={() => close(currentUser()?.id === user?.id ? 'confirmed' : '')}
            renderHeading={(attempt) => <SignInFailure {...attempt} />}
          />
          <Button variant="quiet" wide className="mt-3" onClick={() => close()}>
            Cancel
          </Button>
        </>
      )}
    </Dialog>
  );
}

function currentUser() {
  const { session } = useSessionStore.getState();
  return session.status === 'signedIn' ? session.user : null;
}
