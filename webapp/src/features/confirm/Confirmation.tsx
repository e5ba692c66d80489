import { cancelScheduledChange, changePlan, getUserDetail, subscribe } from '@/api';
import { priceText } from '@/modules/billing/amount-text';
import { isLicensedFor, isPriceOfLicense } from '@/modules/billing/license';
import { kindNoun } from '@/modules/billing/method-text';
import { priceChoiceOf } from '@/modules/billing/offer';
import { dateText } from '@/modules/billing/plan-text';
import { useBillingAction } from '@/modules/billing/use-billing-action';
import { can, hasCardField, paysInvoices, providerMethodNoun } from '@/modules/config/capabilities';
import { type ScreenConfig, useConfig } from '@/modules/config/config-store';
import type { CardProvider } from '@/modules/payments/card-provider/port';
import { isDeclined } from '@/modules/payments/failed-attempt';
import { OpenPaymentNoticePage } from '@/modules/payments/OpenPaymentNoticePage';
import { resultNotice } from '@/modules/payments/open-payment-notices';
import { keepPlanLabel, unchangedText } from '@/modules/payments/open-payment-text';
import { PaymentResult } from '@/modules/payments/PaymentResult';
import type { Failure } from '@/modules/payments/payment-types';
import { describePurchase } from '@/modules/payments/purchase-text';
import {
  addReason,
  type OpenPaymentState,
  useOpenPaymentActions,
} from '@/modules/payments/use-open-payment-actions';
import { type PaymentState, type Purchase, usePayment } from '@/modules/payments/use-payment';
import { useDebug } from '@/modules/session/navigation';
import { ChangeTimingSection } from './ChangeTimingSection';
import { BusyView, ConfirmFrame } from './ConfirmFrame';
import { ConfirmSummary } from './ConfirmSummary';
import { type ChargeText, describeCharge, pendingChargeText, renewalText } from './charge-text';
import type { ChangeToConfirm, ConfirmationData } from './confirmation-query';
import { DefaultCard } from './DefaultCard';
import { ConfirmNotice, PendingChangeActions } from './PendingChange';
import { PlanChangePanels } from './PlanChangePanels';
import { ScheduledNotice } from './ScheduledNotice';
import { type PlanChange, usePlanChange } from './use-plan-change';

type ConfirmationProps = ChangeToConfirm & ConfirmationData;

/** The form that confirms the plan change, or the result after the confirmation. */
export function Confirmation(props: ConfirmationProps) {
  const config = useConfig();
  const payment = usePayment();
  const cancellation = useOpenPaymentActions();
  const planChange = usePlanChange(props, payment.state);
  const { change, target } = props;
  const plan =
    change.from?.product === target.plan.id
      ? `${target.plan.displayName}, ${target.priceRef.interval}`
      : target.plan.displayName;
  if (payment.state.kind === 'succeeded' || payment.state.kind === 'processing') {
    const text = `Your plan changes to ${plan} when your transfer has arrived.`;
    return <PaymentResult result={payment.state} invoice={{ title: 'Pay your invoice', text }} />;
  }
  if (cancellation.state.kind === 'paid') {
    const { payment: openPayment } = cancellation.state;
    return <OpenPaymentNoticePage {...resultNotice('paid', openPayment, props.license, config)} />;
  }
  const { scheduledChange, wasScheduledBeforeReload } = planChange;
  if (payment.state.kind === 'idle' && hasChosenPlan(props)) {
    return (
      <OpenPaymentNoticePage
        title={`${target.plan.displayName} is your plan`}
        text="There is nothing to confirm."
      />
    );
  }
  if (payment.state.kind === 'idle' && wasScheduledBeforeReload && scheduledChange) {
    return (
      <OpenPaymentNoticePage
        title={`Your change to ${plan} is scheduled`}
        text={`It is made on ${dateText(scheduledChange.at, config.timeZone)}. There is nothing to confirm.`}
      />
    );
  }
  return <ConfirmForm {...props} {...{ payment, cancellation, planChange }} />;
}

interface ConfirmFormProps extends ConfirmationProps {
  payment: ReturnType<typeof usePayment>;
  /** Cancels the pending change. */
  cancellation: ReturnType<typeof useOpenPaymentActions>;
  planChange: PlanChange;
}

/** The plans, the time of the change and the payment method, beside the charge and the confirm button. */
function ConfirmForm({ payment, cancellation, planChange, ...props }: ConfirmFormProps) {
  const config = useConfig();
  const debug = useDebug();
  const { card } = props;
  const { license, pendingPayment, scheduledChange, obstacle, quote } = planChange;
  const { action: keepAction, run } = useBillingAction<'keep'>();
  const isScheduleCanceled = keepAction.status === 'done' && payment.state.kind === 'idle';
  const isCanceling = cancellation.state.kind === 'busy' || keepAction.status === 'busy';
  const canPayByCard = !paysInvoices(config);
  const failure = failureOf(payment.state, cancellation.state, planChange);
  const needsOtherCard =
    pendingPayment !== null &&
    canPayByCard &&
    isDeclined(pendingPayment, card) &&
    !failure?.unauthenticated;
  const hasAmount = quote.state.status === 'off' || quote.state.status === 'ready';
  const paysByCard = can(config, 'saved_methods') && (card !== null || hasCardField(config));
  const startPayment = (cardProvider: CardProvider) => {
    cancellation.reset();
    void payment.start(purchaseOf(props, planChange, config, debug), cardProvider);
  };
  if (payment.state.kind === 'busy') {
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
          target={props.target}
          planChange={planChange}
          charge={chargeTextOf(props, planChange, config)}
          card={card}
          failure={failure}
          consequence={license ? unchangedText(license, config) : undefined}
          notice={
            <ConfirmNotice
              pendingPayment={pendingPayment}
              card={card}
              isCanceled={isScheduleCanceled || cancellation.state.kind === 'canceled'}
              unchangedText={unchangedText(license, config)}
            />
          }
          needsOtherCard={needsOtherCard}
          onConfirm={obstacle || !hasAmount || isCanceling ? null : startPayment}
        >
          {pendingPayment && (
            <PendingChangeActions
              canPayByCard={canPayByCard}
              needsOtherCard={needsOtherCard}
              keepLabel={keepPlanLabel(license, config)}
              busy={cancellation.state.kind === 'busy'}
              onCancel={() => void cancellation.cancel(pendingPayment)}
            />
          )}
        </ConfirmSummary>
      }
    >
      <PlanChangePanels {...props} license={license} currentPriceRef={planChange.currentPriceRef} />
      {scheduledChange && (
        <ScheduledNotice
          {...{ scheduledChange, planChange, keepAction }}
          onKeep={() => void run('keep', cancelScheduledChange)}
        />
      )}
      {paysByCard && <DefaultCard card={card} />}
      <ChangeTimingSection planChange={planChange} plan={props.target.plan.displayName} />
    </ConfirmFrame>
  );
}

/** Returns the text about the charge that is shown without a quote. */
function chargeTextOf(
  { target, noTrial, card }: ConfirmationProps,
  { license, currentOffer, pendingPayment, obstacle, timing }: PlanChange,
  config: ScreenConfig,
): ChargeText {
  if (pendingPayment) return pendingChargeText(pendingPayment, config);
  return describeCharge({
    target: {
      ...target,
      priceText: priceText(config, target.price),
      trialDays: target.plan.trialPeriodDays,
    },
    currentOffer,
    license,
    noTrial,
    timing,
    paysInvoices: paysInvoices(config),
    methodNoun: card ? kindNoun(card) : providerMethodNoun(config),
    mustPayFirst: obstacle?.kind === 'payment',
    timeZone: config.timeZone,
  });
}

/** Whether the customer already has the chosen plan, for example after a reload of the result. */
const hasChosenPlan = ({ license, target: { priceRef } }: ConfirmationProps): boolean =>
  license !== null && !license.scheduled_change && isPriceOfLicense(priceRef, license);

/** Returns the failure of the last step, or null if a cancellation or another quote has replaced it. */
function failureOf(
  payment: PaymentState,
  cancellation: OpenPaymentState,
  { pendingPayment, quote }: PlanChange,
): Failure | null {
  if (cancellation.kind === 'failed') return cancellation.failure;
  if (payment.kind !== 'failed' || cancellation.kind === 'canceled') return null;
  if (payment.priceQuote) return isQuoteOnScreen(payment, quote.state) ? payment : null;
  return pendingPayment ? addReason(payment, pendingPayment) : payment;
}

/** Whether the screen shows the amounts of the quote that came with the failure. */
function isQuoteOnScreen(
  { priceQuote }: Failure,
  quoteState: PlanChange['quote']['state'],
): boolean {
  return quoteState.status === 'ready' && quoteState.quote === priceQuote;
}

/** Returns the purchase that changes the current plan or starts a new subscription. */
function purchaseOf(
  { change, target, user, card, noTrial }: ConfirmationProps,
  { license, timing, quote: { state } }: PlanChange,
  config: ScreenConfig,
  debug: boolean,
): Purchase {
  const { priceRef } = target;
  const quote = state.status === 'ready' ? state.quote : null;
  const choice = { ...priceChoiceOf(priceRef), ...(quote && { quote: quote.quote }) };
  const request = {
    customerId: user.org.stripeCustomerId,
    paymentMethodId: card?.id,
    ...choice,
    no_trial: noTrial,
  };
  const isAtRenewal = timing === 'renewal';
  return {
    card: card ? 'default' : 'none',
    defaultCardId: card?.id,
    call: ({ retryInvoiceId }) =>
      change.from
        ? changePlan({ ...choice, ...(isAtRenewal && { when: timing }), retryInvoiceId }, debug)
        : subscribe({ ...request, retryInvoiceId }, debug),
    retriesInvoice: can(config, 'retry_invoice'),
    isDone: async () => {
      const detail = await getUserDetail();
      return isAtRenewal
        ? detail?.license?.scheduled_change?.priceId === choice.priceId
        : isLicensedFor(priceRef, detail);
    },
    fallbackMessage: 'Internal Server Error',
    describeSuccess: (status) =>
      describePurchase(
        {
          offer: target,
          quote,
          isNew: !change.from,
          changesInterval: change.from?.product === target.plan.id,
          ...(isAtRenewal && { changeTimeText: renewalText(license, config.timeZone) }),
        },
        status,
        config,
        user,
      ),
  };
}
