import type { ReactNode } from 'react';
import { Notice } from '@/components/Notice';
import { providerMethodNoun } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import type { Failure } from './payment-types';

interface PaymentFailureProps {
  failure: Failure;
  /** The consequence for the customer's money and plan; by default the consequence for a first payment. */
  children?: ReactNode;
}

/** Shows why a payment failed and its consequence. */
export function PaymentFailure({ failure, children }: PaymentFailureProps) {
  const noun = providerMethodNoun(useConfig());
  return (
    <Notice tone="danger" title={failure.message}>
      {failure.reason && <p>{failure.reason}</p>}
      <p>
        {failure.isOutcomeKnown
          ? (children ?? adviceFor(failure, noun))
          : unknownOutcomeText(failure)}
      </p>
    </Notice>
  );
}

const unknownOutcomeText = ({ isEarlierOutcomeUnknown }: Failure): string =>
  `We could not find out whether ${isEarlierOutcomeUnknown ? 'your earlier attempt' : 'it'} went through. Look at your dashboard before you try again.`;

/** Returns that nothing was charged, with advice unless the failure's message contains advice. */
function adviceFor(
  { pendingSetup, reason, sessionOver, unauthenticated }: Failure,
  noun: string,
): string {
  if (pendingSetup) {
    return 'Nothing was charged. Your trial has started, but your plan ends with it unless your bank approves a card.';
  }
  if (reason || sessionOver || unauthenticated) return 'Nothing was charged.';
  return `Nothing was charged. You can try again, or use another ${noun}.`;
}
