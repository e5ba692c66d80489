import { useEffect } from 'react';
import { type Card, getUserDetail, type License, subscribe } from '@/api';
import type { ConfirmState } from '@/app/navigation-state';
import { useGate } from '@/app/use-gate';
import { isLicensedFor } from '@/features/payment/is-licensed';
import { offerOf } from '@/features/payment/offer';
import { PaymentProcessing } from '@/features/payment/PaymentProcessing';
import { PaymentSuccess } from '@/features/payment/PaymentSuccess';
import type { Payment } from '@/features/payment/payment-types';
import { usePayment } from '@/features/payment/use-payment';
import type { PriceRef } from '@/rules/types';
import { BusyView } from './BusyView';
import { ConfirmFrame } from './ConfirmFrame';
import type { ToConfirm } from './ConfirmLoader';
import { ConfirmSummary } from './ConfirmSummary';
import { changePlan, choiceOf } from './change-plan';
import { chargeWords } from './charge-words';
import { DefaultCard } from './DefaultCard';
import { PlanChange } from './PlanChange';
import type { Facts } from './use-confirmation';

interface ConfirmationProps extends ToConfirm, Facts {
  /** Called after a failure: what was known may be known no longer. */
  onFailed: () => void;
}

/** The change on one side, what it costs on the other, and one button. */
export function Confirmation(props: ConfirmationProps) {
  const { change, config, to, card, noTrial, onFailed } = props;
  const { debug } = useGate();
  const { state, start } = usePayment();
  const license = change.from ? props.license : null;
  const current = currentOf(change, license);
  const from = current && offerOf(config, current);
  const charge = chargeWords({
    to: { ...to, trialDays: to.plan.trialPeriodDays },
    from,
    license,
    noTrial,
  });

  const failed = state.kind === 'failed';
  useEffect(() => {
    if (failed) onFailed();
  }, [failed, onFailed]);

  if (state.kind === 'succeeded') return <PaymentSuccess />;
  if (state.kind === 'processing') return <PaymentProcessing />;
  return (
    <ConfirmFrame>
      {state.kind === 'busy' ? (
        <BusyView />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,8fr)_minmax(0,5fr)]">
          <div className="space-y-6">
            <PlanChange {...{ ...props, license, current, from }} />
            <DefaultCard card={card} />
          </div>
          <ConfirmSummary
            to={to}
            charge={charge}
            contact={config.contact.email}
            endsTrial={license?.raw.status === 'trialing'}
            failure={failed ? state : null}
            provider={config.provider}
            onConfirm={card && ((cards) => void start(paymentOf(props, card, debug), cards))}
          />
        </div>
      )}
    </ConfirmFrame>
  );
}

/** The plan there is: what the server says now counts more than what the plans page knew. */
function currentOf({ from }: ConfirmState, license: License | null): PriceRef | null {
  if (!license) return from ?? null;
  const { interval, currency, raw } = license;
  return { product: raw.metadata.name, interval, currency };
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
