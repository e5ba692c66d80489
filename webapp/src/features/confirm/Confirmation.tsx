import { type Config, cancelScheduledChange, changePlan, getUserDetail, subscribe } from '@/api';
import { isLicensedFor, isPriceOfLicense } from '@/modules/billing/license';
import { priceChoiceOf } from '@/modules/billing/offer';
import { dateText } from '@/modules/billing/plan-text';
import { useBillingAction } from '@/modules/billing/use-billing-action';
import { can, hasCardField, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { OpenPaymentDone } from '@/modules/payments/OpenPaymentDone';
import { resultText, unchangedText } from '@/modules/payments/open-payment-text';
import { PaymentResult } from '@/modules/payments/PaymentResult';
import type { Failure, Payment } from '@/modules/payments/payment-types';
import {
  type OpenPaymentState,
  useOpenPayment,
  withReason,
} from '@/modules/payments/use-open-payment';
import { type PaymentState, usePayment } from '@/modules/payments/use-payment';
import { useDebug } from '@/modules/session/navigation';
import { ChangeTime } from './ChangeTime';
import { BusyView, ConfirmFrame } from './ConfirmFrame';
import { ConfirmSummary } from './ConfirmSummary';
import { describeCharge, pendingCharge } from './charge-text';
import type { ChangeToConfirm, ConfirmationData } from './confirmation-query';
import { DefaultCard } from './DefaultCard';
import { ConfirmNotice, PendingActions } from './PendingChange';
import { PlanChangePanels } from './PlanChangePanels';
import { ScheduledNotice } from './ScheduledNotice';
import { type PlanChange, usePlanChange } from './use-plan-change';

type ConfirmationProps = ChangeToConfirm & ConfirmationData;

/** The plan change, its charge and the confirm button. */
export function Confirmation(props: ConfirmationProps) {
  const config = useConfig();
  const { to, card, noTrial } = props;
  const debug = useDebug();
  const { state, start } = usePayment();
  const openPayment = useOpenPayment();
  const planChange = usePlanChange(props, state);
  const { license, current, from, pending, scheduled, obstacle, when, quote } = planChange;
  const { action: keepAction, run } = useBillingAction<'keep'>();
  const keep = () => run('keep', cancelScheduledChange);
  const isKept = keepAction.status === 'done' && state.kind === 'idle';
  const paysByCard = can(config, 'saved_methods') && (card !== null || hasCardField(config));
  const charge = pending
    ? pendingCharge(pending, config)
    : describeCharge({
        to: { ...to, trialDays: to.plan.trialPeriodDays },
        from,
        license,
        noTrial,
        when,
        byInvoice: paysInvoices(config),
        payFirst: obstacle?.kind === 'payment',
      });

  const isDropped = openPayment.state.kind === 'dropped';

  if (state.kind === 'succeeded' || state.kind === 'processing') {
    const text = `Your plan changes to ${to.plan.displayName} when your transfer has arrived.`;
    return <PaymentResult result={state} invoice={{ title: 'Pay your invoice', text }} />;
  }
  if (openPayment.state.kind === 'paid') {
    return (
      <OpenPaymentDone {...resultText('paid', openPayment.state.open, props.license, config)} />
    );
  }
  if (state.kind === 'idle' && isDone(props)) {
    const plan = to.plan.displayName;
    return <OpenPaymentDone title={`${plan} is your plan`} text="There is nothing to confirm." />;
  }
  if (state.kind === 'idle' && planChange.wasScheduled && scheduled) {
    return (
      <OpenPaymentDone
        title={`Your change to ${to.plan.displayName} is scheduled`}
        text={`It is made on ${dateText(scheduled.at)}. There is nothing to confirm.`}
      />
    );
  }
  const ready = quote.state.status === 'off' || quote.state.status === 'ready';
  if (state.kind === 'busy') {
    return (
      <ConfirmFrame>
        <BusyView />
      </ConfirmFrame>
    );
  }
  return (
    <ConfirmFrame
      aside={
        <ConfirmSummary
          to={to}
          planChange={planChange}
          charge={charge}
          card={card}
          failure={failureOf(state, openPayment.state, planChange)}
          consequence={license ? unchangedText(license, config) : undefined}
          notice={
            <ConfirmNotice
              {...{ pending, isDropped: isDropped || isKept }}
              unchanged={unchangedText(license, config)}
            />
          }
          onConfirm={
            !obstacle && ready && openPayment.state.kind !== 'busy' && keepAction.status !== 'busy'
              ? (cards) => {
                  openPayment.reset();
                  void start(paymentOf(props, planChange, config, debug), cards);
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
      }
    >
      <PlanChangePanels {...{ ...props, license, current }} />
      {scheduled && (
        <ScheduledNotice
          {...{ scheduled, planChange, keepAction: keepAction }}
          onKeep={() => void keep()}
        />
      )}
      {paysByCard && <DefaultCard card={card} />}
      <ChangeTime planChange={planChange} />
    </ConfirmFrame>
  );
}

/** Whether the plan is changed already, as after a reload of the result. */
const isDone = ({ license, to: { ref } }: ConfirmationProps): boolean =>
  license !== null && !license.scheduled_change && isPriceOfLicense(ref, license);

/** The failure of the last step; none after a change was dropped or another time was chosen. */
function failureOf(
  payment: PaymentState,
  dropping: OpenPaymentState,
  { pending, quote }: PlanChange,
): Failure | null {
  if (dropping.kind === 'failed') return dropping.failure;
  if (payment.kind !== 'failed' || dropping.kind === 'dropped') return null;
  if (payment.priceQuote) return isShown(payment, quote.state) ? payment : null;
  return pending ? withReason(payment, pending) : payment;
}

/** Whether the amounts of the failure are displayed. */
function isShown({ priceQuote }: Failure, quoteState: PlanChange['quote']['state']): boolean {
  return quoteState.status === 'ready' && quoteState.quote === priceQuote;
}

/** Changes the current plan, or starts a subscription paid with the default card. */
function paymentOf(
  { change, to: { ref }, user, card, noTrial }: ConfirmationProps,
  { when, quote: { state } }: PlanChange,
  config: Config,
  debug: boolean,
): Omit<Payment, 'pendingSetup'> {
  const choice = {
    ...priceChoiceOf(ref),
    ...(state.status === 'ready' && { quote: state.quote.quote }),
  };
  const request = {
    customerId: user.org.stripeCustomerId,
    paymentMethodId: card?.id,
    ...choice,
    no_trial: noTrial,
  };
  const atRenewal = when === 'renewal';
  return {
    card: card ? 'default' : 'none',
    defaultCard: card?.id,
    call: ({ retryInvoiceId }) =>
      change.from
        ? changePlan({ ...choice, ...(atRenewal && { when }), retryInvoiceId }, debug)
        : subscribe({ ...request, retryInvoiceId }, debug),
    retriesInvoice: can(config, 'retry_invoice'),
    isDone: async () => {
      const detail = await getUserDetail();
      return atRenewal
        ? detail?.license?.scheduled_change?.priceId === choice.priceId
        : isLicensedFor(ref, detail);
    },
    genericFailure: 'Internal Server Error',
  };
}
