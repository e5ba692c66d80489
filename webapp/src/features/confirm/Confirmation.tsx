import { type Card, getUserDetail, subscribe } from '@/api';
import { useGate } from '@/app/use-gate';
import { isLicensedFor } from '@/features/payment/is-licensed';
import { PaymentProcessing } from '@/features/payment/PaymentProcessing';
import { PaymentSuccess } from '@/features/payment/PaymentSuccess';
import type { Payment } from '@/features/payment/payment-types';
import { usePayment } from '@/features/payment/use-payment';
import { BusyView } from './BusyView';
import { ConfirmFrame } from './ConfirmFrame';
import type { ToConfirm } from './ConfirmLoader';
import { ConfirmSummary } from './ConfirmSummary';
import { changePlan, choiceOf } from './change-plan';
import { chargeWords } from './charge-words';
import { DefaultCard } from './DefaultCard';
import { PlanChange } from './PlanChange';

interface ConfirmationProps extends ToConfirm {
  /** The default card, which is the one that pays. */
  card: Card | null;
  /** Whether a subscription was canceled before, so that a new one has no trial. */
  noTrial: boolean;
}

/** The change on one side, what it costs on the other, and one button. */
export function Confirmation(props: ConfirmationProps) {
  const { change, config, to, from, user, card, noTrial } = props;
  const { debug } = useGate();
  const { state, start } = usePayment();
  const license = change.from ? (user.license ?? change.user.license) : null;
  const charge = chargeWords({
    to: { ...to, trialDays: to.plan.trialPeriodDays },
    from,
    license,
    noTrial,
  });

  if (state.kind === 'succeeded') return <PaymentSuccess />;
  if (state.kind === 'processing') return <PaymentProcessing />;
  return (
    <ConfirmFrame>
      {state.kind === 'busy' ? (
        <BusyView />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
          <div className="space-y-6">
            <PlanChange {...props} license={license} />
            <DefaultCard card={card} />
          </div>
          <ConfirmSummary
            to={to}
            charge={charge}
            contact={config.contact.email}
            endsTrial={license?.raw.status === 'trialing'}
            failure={state.kind === 'failed' ? state : null}
            provider={config.provider}
            onConfirm={card && ((cards) => void start(paymentOf(props, card, debug), cards))}
          />
        </div>
      )}
    </ConfirmFrame>
  );
}

/** A current plan is changed; otherwise a subscription begins, paid with the card that is shown. */
function paymentOf(
  { change, to: { ref }, user, noTrial }: ConfirmationProps,
  card: Card,
  debug: boolean,
): Omit<Payment, 'pendingSetup'> {
  const request = {
    customerId: user.org.stripeCustomerId,
    paymentMethodId: card.id,
    ...choiceOf(ref),
    no_trial: noTrial,
  };
  return {
    card: 'default',
    defaultCard: card.id,
    call: () => (change.from ? changePlan(ref, debug, localStorage) : subscribe(request, debug)),
    isDone: async () => isLicensedFor(ref, await getUserDetail()),
    genericFailure: 'Internal Server Error',
  };
}
