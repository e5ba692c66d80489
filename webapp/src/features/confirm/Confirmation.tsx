import { useEffect } from 'react';
import { type Card, changePlan, getUserDetail, subscribe } from '@/api';
import { OpenPaymentDone } from '@/components/OpenPaymentDone';
import { PaymentInstructions } from '@/components/PaymentInstructions';
import { PaymentProcessing } from '@/components/PaymentProcessing';
import { PaymentSuccess } from '@/components/PaymentSuccess';
import { can, hasCardField, paysInvoices } from '@/lib/capabilities';
import { isLicensedFor } from '@/lib/license';
import { endText, unchangedText } from '@/lib/payment/open-payment-text';
import type { Failure, Payment } from '@/lib/payment/payment-types';
import { type OpenPaymentState, useOpenPayment, withReason } from '@/lib/payment/use-open-payment';
import { type PaymentState, usePayment } from '@/lib/payment/use-payment';
import { chargedText } from '@/lib/quote-text';
import { useDebugParam } from '@/lib/use-debug-param';
import { BusyView, ConfirmFrame } from './ConfirmFrame';
import { ConfirmSummary } from './ConfirmSummary';
import { describeCharge, pendingCharge } from './charge-text';
import { DefaultCard } from './DefaultCard';
import { ConfirmNotice, PendingActions } from './PendingChange';
import { PlanChange } from './PlanChange';
import type { Facts, ToConfirm } from './use-confirmation';
import { choiceOf, type PlanChange as Plan, usePlanChange } from './use-plan-change';

interface ConfirmationProps extends ToConfirm, Facts {
  /** Called after a failure, which may have changed the loaded data. */
  onFailed: () => void;
}

/** The plan change, its charge and the confirm button. */
export function Confirmation(props: ConfirmationProps) {
  const { config, to, card, noTrial, onFailed } = props;
  const { debug } = useDebugParam();
  const { state, start } = usePayment();
  const openPayment = useOpenPayment();
  const plan = usePlanChange(props, state.kind === 'busy');
  const { license, pending, obstacle, when, quote } = plan;
  const paysByCard = can(config, 'saved_methods') && (card !== null || hasCardField(config));
  const charge = pending
    ? pendingCharge(pending, config)
    : describeCharge({
        to: { ...to, trialDays: to.plan.trialPeriodDays },
        from: plan.from,
        license,
        noTrial,
        when,
        byInvoice: paysInvoices(config),
      });

  const failed = state.kind === 'failed' || openPayment.state.kind === 'failed';
  const dropped = openPayment.state.kind === 'dropped';
  useEffect(() => {
    if (failed || dropped) onFailed();
  }, [failed, dropped, onFailed]);
  const fresh = state.kind === 'failed' ? state.priceQuote : undefined;
  const { accept } = quote;
  useEffect(() => {
    if (fresh) accept(fresh);
  }, [fresh, accept]);

  if ((state.kind === 'succeeded' || state.kind === 'processing') && state.next) {
    return (
      <PaymentInstructions
        title="Pay your invoice"
        text={`Your plan changes to ${to.plan.displayName} when your transfer has arrived.`}
        next={state.next}
        difference={chargedText(state, config)}
      />
    );
  }
  if (state.kind === 'succeeded') {
    return <PaymentSuccess difference={chargedText(state, config)} />;
  }
  if (state.kind === 'processing') {
    return <PaymentProcessing reason={state.reason} difference={chargedText(state, config)} />;
  }
  if (openPayment.state.kind === 'paid') {
    return <OpenPaymentDone {...endText('paid', openPayment.state.open, props.license, config)} />;
  }
  const ready = quote.state.status === 'off' || quote.state.status === 'ready';
  return (
    <ConfirmFrame>
      {state.kind === 'busy' ? (
        <BusyView />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,8fr)_minmax(0,5fr)]">
          <div className="space-y-6">
            <PlanChange {...{ ...props, license, current: plan.current, from: plan.from }} />
            {paysByCard && <DefaultCard card={card} />}
          </div>
          <ConfirmSummary
            to={to}
            plan={plan}
            charge={charge}
            config={config}
            failure={failureOf(state, openPayment.state, plan)}
            consequence={license ? unchangedText(license, config) : undefined}
            notice={
              <ConfirmNotice {...{ pending, dropped, unchanged: unchangedText(license, config) }} />
            }
            onConfirm={
              !obstacle && ready && openPayment.state.kind !== 'busy'
                ? (cards) => {
                    openPayment.reset();
                    void start(paymentOf(props, plan, card, debug), cards);
                  }
                : null
            }
          >
            {pending && (
              <PendingActions
                byCard={can(config, 'pay_invoice')}
                busy={openPayment.state.kind === 'busy'}
                onDrop={() => void openPayment.drop(pending)}
              />
            )}
          </ConfirmSummary>
        </div>
      )}
    </ConfirmFrame>
  );
}

/** The failure of the last step; none after a change was discarded or another time was chosen. */
function failureOf(
  payment: PaymentState,
  dropping: OpenPaymentState,
  { pending, quote }: Plan,
): Failure | null {
  if (dropping.kind === 'failed') return dropping.failure;
  if (payment.kind !== 'failed' || dropping.kind === 'dropped') return null;
  if (payment.priceQuote) return isShown(payment, quote.state) ? payment : null;
  return pending ? withReason(payment, pending) : payment;
}

/** Whether the amounts of the failure are displayed. */
function isShown({ priceQuote }: Failure, shown: Plan['quote']['state']): boolean {
  return shown.status === 'ready' && shown.quote === priceQuote;
}

/** Changes the current plan, or starts a subscription paid with the default card. */
function paymentOf(
  { change, to: { ref }, user, noTrial }: ConfirmationProps,
  { when, quote: { state } }: Plan,
  card: Card | null,
  debug: boolean,
): Omit<Payment, 'pendingSetup'> {
  const choice = {
    ...choiceOf(ref),
    ...(state.status === 'ready' && { quote: state.quote.quote }),
  };
  const request = {
    customerId: user.org.stripeCustomerId,
    paymentMethodId: card?.id,
    ...choice,
    no_trial: noTrial,
  };
  const later = when === 'renewal';
  return {
    card: card ? 'default' : 'none',
    defaultCard: card?.id,
    call: ({ retryInvoiceId }) =>
      change.from
        ? changePlan({ ...choice, ...(later && { when }), retryInvoiceId }, debug)
        : subscribe({ ...request, retryInvoiceId }, debug),
    isDone: async () => {
      const detail = await getUserDetail();
      return later
        ? detail?.license?.scheduled_change?.priceId === choice.priceId
        : isLicensedFor(ref, detail);
    },
    genericFailure: 'Internal Server Error',
  };
}
