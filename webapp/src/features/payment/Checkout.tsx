import { type FormEvent, useState } from 'react';
import { getUserDetail, subscribe } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { Receipt } from '@/components/illustrations/ChairDrawings';
import { CardSkeleton } from '@/components/Loading';
import { PurchasePage } from '@/components/PurchasePage';
import type { Elements } from '@/lib/elements';
import { isLicensedFor } from '@/modules/billing/license';
import { type PricedOffer, priceChoiceOf } from '@/modules/billing/offer';
import { can, hasCardField, paysInvoices } from '@/modules/config/capabilities';
import { type ScreenConfig, useConfig } from '@/modules/config/config-store';
import { CardField } from '@/modules/payments/CardField';
import type { CardProvider } from '@/modules/payments/card-provider/port';
import { PaymentFailure } from '@/modules/payments/PaymentFailure';
import { PaymentResult } from '@/modules/payments/PaymentResult';
import type { PaymentParams } from '@/modules/payments/payment-types';
import { describePurchase } from '@/modules/payments/purchase-text';
import { quoteChangeText } from '@/modules/payments/quote-text';
import { awaitsApproval, type Purchase, usePayment } from '@/modules/payments/use-payment';
import { type QuoteState, useQuote } from '@/modules/payments/use-quote';
import { useCardProvider, WithCardProvider } from '@/modules/payments/WithCardProvider';
import { useDebug } from '@/modules/session/navigation';
import { usePayerText } from '@/modules/session/roles';
import type { User } from '@/modules/session/session-store';
import { ChargeSummary } from './ChargeSummary';
import { ButtonEffect, SecurityNote } from './FormNotes';
import { type CheckoutFormProps, InvoiceForm, RedirectForm } from './FormsWithoutCard';
import { paymentText, TotalDue } from './TotalDue';
import { chargeTimeText, trialOf } from './trial';

interface CheckoutProps {
  offer: PricedOffer;
  customerId: string;
  user: User;
}

/** The form that subscribes, beside the charge summary. The payment provider determines the form. */
export function Checkout({ offer, customerId, user }: CheckoutProps) {
  const config = useConfig();
  const { state, trial, quote, onPay } = usePurchase({ offer, customerId, user });
  if (state.kind === 'succeeded' || state.kind === 'processing') {
    const title = state.kind === 'succeeded' ? 'Subscription update, success!' : 'Pay your invoice';
    const text =
      'Transfer the amount with the reference below. You find these details again under “Pay your invoice” on your dashboard.';
    return <PaymentResult result={state} invoice={{ title, text }} />;
  }
  const Form = checkoutFormOf(config);
  const hasNewAmount = state.kind === 'failed' && state.priceQuote !== undefined;
  return (
    <PaymentFrame
      aside={
        <ChargeSummary
          {...{ offer, trial }}
          hasTrialStarted={awaitsApproval(state)}
          quote={quote.state.status === 'ready' ? quote.state.quote : null}
        />
      }
    >
      <WithCardProvider provider={config.provider} placeholder={<CardSkeleton className="h-80" />}>
        <Form
          userEmail={user.email}
          state={state}
          hasTrial={trial !== null}
          chargeTime={chargeTimeText(trial)}
          total={<TotalDue {...{ offer, trial, quote }} />}
          amountsText={paymentText({ offer, trial, quote }, config)}
          isStripe={config.provider.kind === 'stripe'}
          consequence={hasNewAmount ? newAmountText(quote.state, config) : undefined}
          onPay={['off', 'ready'].includes(quote.state.status) ? onPay : null}
        />
      </WithCardProvider>
    </PaymentFrame>
  );
}

/** Returns the form in which customers of this provider subscribe. */
function checkoutFormOf(config: ScreenConfig) {
  if (hasCardField(config)) return CardForm;
  return paysInvoices(config) ? InvoiceForm : RedirectForm;
}

/** Returns the state of the purchase, the trial that the customer is shown, the quote, and `onPay`, which subscribes. */
function usePurchase({ offer, customerId, user }: CheckoutProps) {
  const config = useConfig();
  const debug = useDebug();
  const { state, start } = usePayment();
  // Read before the payment, because a failed attempt may start the trial.
  const [{ trial, trialUsed }] = useState({
    trial: trialOf(offer.plan, user),
    trialUsed: user.trialUsed,
  });
  const choice = {
    ...priceChoiceOf(offer.priceRef),
    // The screen shows no trial, so the subscription must not start with one.
    ...(trialUsed && { no_trial: true }),
  };
  const failure = state.kind === 'failed' ? state : null;
  const hasQuotes = can(config, 'quotes') && !failure?.pendingSetup;
  const quote = useQuote(hasQuotes ? choice : null, {
    isInUse: state.kind === 'busy',
    replacement: failure?.priceQuote,
  });
  const acceptedQuote = quote.state.status === 'ready' ? quote.state.quote : null;
  const request = { customerId, ...choice, ...(acceptedQuote && { quote: acceptedQuote.quote }) };
  const purchase: Purchase = {
    card: hasCardField(config) ? 'field' : 'none',
    call: (params: PaymentParams) => subscribe({ ...request, ...params }, debug),
    retriesInvoice: can(config, 'retry_invoice'),
    isDone: async () => isLicensedFor(offer.priceRef, await getUserDetail()),
    fallbackMessage: 'Interval Server Error', // spelled as specified
    describeSuccess: (status) =>
      describePurchase(
        { offer, quote: acceptedQuote, isNew: true, trialEndsAt: trial?.endsAt },
        status,
        config,
        user,
      ),
  };
  const onPay = (cardProvider: CardProvider) => void start(purchase, cardProvider);
  return { state, trial, quote, onPay };
}

/** Returns the text about the new amount after a quote was refused; undefined while no quote is ready. */
function newAmountText(state: QuoteState, config: ScreenConfig): string | undefined {
  return state.status === 'ready'
    ? quoteChangeText(state.quote, state.refusedQuote, config)
    : undefined;
}

/** The layout of the payment screen. */
export const PaymentFrame = ({ aside, children }: { aside?: Elements; children: Elements }) => (
  <PurchasePage
    title="Payment"
    intro={usePayerText()}
    picture={<Receipt closeUp className="w-full" />}
    aside={aside}
    asideFirst
  >
    {children}
  </PurchasePage>
);

interface CardFormProps extends CheckoutFormProps {
  /** The text about when the card is charged. */
  chargeTime: string;
  /** Whether the card field is Stripe's. */
  isStripe: boolean;
}

/** The card field and the button. Must be rendered within `WithCardProvider`. */
function CardForm(props: CardFormProps) {
  const { state, chargeTime, total, amountsText, isStripe, consequence, onPay } = props;
  const cardProvider = useCardProvider();
  const busy = state.kind === 'busy';
  const failure = state.kind === 'failed' ? state : null;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (cardProvider) onPay?.(cardProvider);
  }

  return (
    <Card aria-label="Card" className="max-sm:p-4">
      <form onSubmit={submit} noValidate className="space-y-4">
        <CardField
          disabled={busy}
          error={failure?.scope === 'card' ? failure.message : undefined}
        />
        <p>{chargeTime}</p>
        {total}
        {failure?.scope === 'payment' && (
          <PaymentFailure failure={failure}>{consequence}</PaymentFailure>
        )}
        <Button type="submit" wide busy={busy} unavailable={!onPay && !busy}>
          {awaitsApproval(state) ? 'Approve this card' : 'Subscribe'}
        </Button>
        <ButtonEffect>{amountsText}</ButtonEffect>
        <SecurityNote isStripe={isStripe}>
          Your card goes straight to our payment provider. We keep its brand, the last four digits
          and the expiry, and never see the rest.
        </SecurityNote>
      </form>
    </Card>
  );
}
