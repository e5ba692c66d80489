import { Notice } from '@/ui/Notice';
import type { Failure } from './payment-types';

/** How a payment failed, whether anything was charged, and what to do now. */
export function PaymentFailure({ failure }: { failure: Failure }) {
  return (
    <Notice tone="danger" title={failure.message}>
      <p>{adviceOn(failure)}</p>
    </Notice>
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
