import { paths } from '@/app/paths';
import { useGate } from '@/app/use-gate';
import { Notice } from '@/ui/Notice';
import type { Failure } from './payment-types';

/** How a payment failed, whether anything was charged, and what to do now. */
export function PaymentFailure({ failure }: { failure: Failure }) {
  return (
    <Notice tone="danger" title={failure.message}>
      <p>{failure.signedOut ? <SignInAgain /> : adviceOn(failure)}</p>
    </Notice>
  );
}

/**
 * Another try would end the same way. The page is loaded anew, because what it knows of the visitor is
 * out of date.
 */
function SignInAgain() {
  const gate = useGate();
  return (
    <>
      Your session has ended. Nothing was charged.{' '}
      <a href={paths.dash(gate)} className="underline">
        Sign in again
      </a>{' '}
      to go on.
    </>
  );
}

function adviceOn({ certain, pendingSetup }: Failure): string {
  if (!certain) {
    return 'We could not find out whether it went through. Look at your dashboard before you try again.';
  }
  return pendingSetup
    ? 'Your bank has not approved this card yet. Nothing was charged. Try again, or use another card.'
    : 'Nothing was charged. You can try again, or use another card.';
}
