import { useEffect } from 'react';
import {
  type Card,
  changePlan,
  getUserDetail,
  type License,
  type OpenPayment,
  type PriceChoice,
  subscribe,
} from '@/api';
import { OpenPaymentDone } from '@/components/OpenPaymentDone';
import { PaymentProcessing } from '@/components/PaymentProcessing';
import { PaymentSuccess } from '@/components/PaymentSuccess';
import { isLicensedFor } from '@/lib/license';
import type { ConfirmState } from '@/lib/navigation-state';
import { offerOf, priceIdOf } from '@/lib/offer';
import { endText, unchangedText } from '@/lib/payment/open-payment-text';
import type { Failure, Payment } from '@/lib/payment/payment-types';
import { type PayState, usePay, withReason } from '@/lib/payment/use-pay';
import { type PaymentState, usePayment } from '@/lib/payment/use-payment';
import { useGate } from '@/lib/use-gate';
import type { PriceRef } from '@/rules/types';
import { BusyView, ConfirmFrame } from './ConfirmFrame';
import { ConfirmSummary } from './ConfirmSummary';
import { chargeWords, pendingCharge } from './charge-text';
import { DefaultCard } from './DefaultCard';
import { ConfirmNotice, OpenPaymentHint, PendingActions } from './PendingChange';
import { PlanChange } from './PlanChange';
import type { Facts, ToConfirm } from './use-confirmation';

interface ConfirmationProps extends ToConfirm, Facts {
  /** Called after a failure: what was known may be known no longer. */
  onFailed: () => void;
}

/** The plan change, its charge and the confirm button. */
export function Confirmation(props: ConfirmationProps) {
  const { change, config, to, card, noTrial, open, onFailed } = props;
  const { debug } = useGate();
  const { state, start } = usePayment();
  const dropping = usePay();
  const license = change.from ? props.license : null;
  const current = currentOf(change, license);
  const from = current && offerOf(config, current);
  const pending = license && isPendingFor(open, to.ref) ? open : null;
  const blocked = license !== null && open !== null && blocks(open, pending);
  const charge = pending
    ? pendingCharge(pending, config)
    : chargeWords({ to: { ...to, trialDays: to.plan.trialPeriodDays }, from, license, noTrial });

  const failed = state.kind === 'failed' || dropping.state.kind === 'failed';
  const dropped = dropping.state.kind === 'dropped';
  useEffect(() => {
    if (failed || dropped) onFailed();
  }, [failed, dropped, onFailed]);

  if (state.kind === 'succeeded') return <PaymentSuccess />;
  if (state.kind === 'processing') return <PaymentProcessing />;
  if (dropping.state.kind === 'paid') {
    return <OpenPaymentDone {...endText('paid', dropping.state.open, props.license, config)} />;
  }
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
            failure={failureOf(state, dropping.state, pending)}
            consequence={license ? unchangedText(license, config) : undefined}
            notice={
              <ConfirmNotice {...{ pending, dropped, unchanged: unchangedText(license, config) }} />
            }
            provider={config.provider}
            hint={blocked ? <OpenPaymentHint /> : 'Add a payment method first.'}
            onConfirm={
              card && !blocked
                ? (cards) => {
                    dropping.reset();
                    void start(paymentOf(props, card, debug), cards);
                  }
                : null
            }
          >
            {pending && (
              <PendingActions
                busy={dropping.state.kind === 'busy'}
                onDrop={() => void dropping.drop(pending)}
              />
            )}
          </ConfirmSummary>
        </div>
      )}
    </ConfirmFrame>
  );
}

/** Whether what is open is the change to just this price. */
function isPendingFor(open: OpenPayment | null, to: PriceRef): open is OpenPayment {
  return open?.kind === 'plan_change' && open.priceId === priceIdOf(to);
}

/** Whether what is open has to be paid, or dropped, before the plan can be changed. */
function blocks(open: OpenPayment, pending: OpenPayment | null): boolean {
  return open !== pending && open.kind !== 'authentication';
}

/** The failure of the last step; a change that was dropped leaves none. */
function failureOf(
  payment: PaymentState,
  dropping: PayState,
  pending: OpenPayment | null,
): Failure | null {
  if (dropping.kind === 'failed') return dropping.failure;
  if (payment.kind !== 'failed' || dropping.kind === 'dropped') return null;
  return pending ? withReason(payment, pending) : payment;
}

/** The current plan; the server's license overrides the navigation state. */
function currentOf({ from }: ConfirmState, license: License | null): PriceRef | null {
  if (!license) return from ?? null;
  const { interval, currency, raw } = license;
  return { product: raw.metadata.name, interval, currency };
}

/** Changes the current plan, or starts a subscription paid with the default card. */
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
    call: ({ retryInvoiceId }) =>
      change.from
        ? changePlan({ ...choiceOf(ref), retryInvoiceId }, debug)
        : subscribe({ ...request, retryInvoiceId }, debug),
    isDone: async () => isLicensedFor(ref, await getUserDetail()),
    genericFailure: 'Internal Server Error',
  };
}

/** A price the way the calls name it. */
const choiceOf = ({ product, interval, currency }: PriceRef): PriceChoice => ({
  priceId: priceIdOf({ product, interval }),
  interval,
  currency,
});
