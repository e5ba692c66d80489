import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, editBillingDetails, getBillingDetails } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { Field } from '@/components/Field';
import { CardSkeleton } from '@/components/Loading';
import type { Elements } from '@/lib/elements';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { useCan } from '@/modules/config/capabilities';
import type { CardProvider } from '@/modules/payments/card-provider/port';
import { PaymentFailure } from '@/modules/payments/PaymentFailure';
import { type Failure, newFailure } from '@/modules/payments/payment-types';
import type { PaymentState } from '@/modules/payments/use-payment';
import { useCardProvider } from '@/modules/payments/WithCardProvider';
import { refreshIfSessionOver, sessionRenewedMessage } from '@/modules/session/session-store';
import { ButtonEffect, SecurityNote } from './FormNotes';

/** The props of every form of the checkout. */
export interface CheckoutFormProps {
  userEmail: string;
  state: PaymentState;
  /** The total that is due, shown above the button. */
  total: Elements;
  /** The amounts that the button charges; '' while they load. */
  amountsText: string;
  /** Whether the plan begins with a trial. */
  hasTrial: boolean;
  /** The consequence of a failure; by default that of a first payment. */
  consequence?: string;
  /** Null until the amount is known. */
  onPay: ((cardProvider: CardProvider) => void) | null;
}

/** The form for a provider with its own page, on which the customer chooses how to pay. */
export function RedirectForm(props: CheckoutFormProps) {
  const hasMethodPage = useCan('method_page');
  if (!props.hasTrial) return <SubscribeForm {...props} {...paymentPageTexts} />;
  return (
    <SubscribeForm {...props} {...(hasMethodPage ? trialWithPageTexts : trialWithoutPageTexts)} />
  );
}

const providerNote =
  'Your payment details go straight to our payment provider. We never see a whole card or account number.';

const paymentPageTexts = {
  note: providerNote,
  title: 'Pay on the next page',
  text: 'You continue on the page of our payment provider, where you choose how to pay, and come back here afterwards.',
};

const trialWithPageTexts = {
  note: providerNote,
  title: 'Choose how to pay on the next page',
  text: 'Your free trial starts now. You continue on the page of our payment provider, where you choose how to pay after the trial, and come back here afterwards. Nothing is charged today.',
};

const trialWithoutPageTexts = {
  title: 'Start your free trial',
  text: 'Your free trial starts now, and nothing is charged today. You choose how to pay when the trial ends.',
};

const invoiceTexts = {
  title: 'Pay by invoice',
  text: 'We send you an invoice, which you pay by bank transfer. The account and the reference are shown as soon as your order is accepted.',
};

/** The form for customers who pay invoices. On a server with billing details it has fields for two of them. */
export function InvoiceForm(props: CheckoutFormProps) {
  const hasDetails = useCan('billing_details');
  return hasDetails ? (
    <InvoiceDetailsForm {...props} />
  ) : (
    <SubscribeForm {...props} {...invoiceTexts} />
  );
}

interface SubscribeFormProps extends CheckoutFormProps {
  title: string;
  text: string;
  /** The note about who sees the payment details, if they are asked for next. */
  note?: string;
}

/** A form without fields: a text, the total and the button. */
function SubscribeForm(props: SubscribeFormProps) {
  const { title, text, note, state, total, amountsText, consequence, onPay } = props;
  const cardProvider = useCardProvider();
  const busy = state.kind === 'busy';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (cardProvider) onPay?.(cardProvider);
  }

  return (
    <Card aria-labelledby="subscribe" className="max-sm:p-4">
      <form onSubmit={submit} noValidate className="space-y-5">
        <h2 id="subscribe" className="text-xl">
          {title}
        </h2>
        <p>{text}</p>
        {total}
        {state.kind === 'failed' && <PaymentFailure failure={state}>{consequence}</PaymentFailure>}
        <Button type="submit" wide busy={busy} unavailable={!onPay && !busy}>
          Subscribe
        </Button>
        <ButtonEffect>{amountsText}</ButtonEffect>
        {note && <SecurityNote>{note}</SecurityNote>}
      </form>
    </Card>
  );
}

interface InvoiceDetails {
  billingEmail: string;
  purchaseOrder: string;
}

type SaveState =
  | { status: 'idle' | 'busy' }
  | { status: 'failed'; failure: Failure; fields: Readonly<Record<string, string>> };

/** The form with the billing email and the purchase order number. It saves them before it subscribes. */
function InvoiceDetailsForm(props: CheckoutFormProps) {
  const { state, total, amountsText, consequence, onPay, userEmail } = props;
  const cardProvider = useCardProvider();
  const { details, setDetails, saveState, save } = useInvoiceDetails(userEmail);
  if (!details) return <CardSkeleton className="h-80" />;

  const busy = state.kind === 'busy';
  const isSaving = saveState.status === 'busy';

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!details || !cardProvider || !onPay || busy || isSaving) return;
    if (await save(details)) onPay(cardProvider);
  }

  const fieldErrors = saveState.status === 'failed' ? saveState.fields : {};
  const field = (name: keyof InvoiceDetails) => ({
    name,
    value: details[name],
    error: fieldErrors[name],
    disabled: busy,
    onChange: ({ target }: { target: HTMLInputElement }) =>
      setDetails({ ...details, [name]: target.value }),
  });
  const hasFieldError = fieldErrors.billingEmail || fieldErrors.purchaseOrder;
  return (
    <Card aria-labelledby="subscribe" className="max-sm:p-4">
      <form onSubmit={submit} noValidate className="space-y-5">
        <h2 id="subscribe" className="text-xl">
          {invoiceTexts.title}
        </h2>
        <p>{invoiceTexts.text}</p>
        <Field label="Email for invoices" type="email" {...field('billingEmail')} />
        <Field
          label="Purchase order number"
          optional
          hint="Printed on your invoices."
          {...field('purchaseOrder')}
        />
        {total}
        {saveState.status === 'failed' && !hasFieldError && (
          <PaymentFailure failure={saveState.failure} />
        )}
        {state.kind === 'failed' && saveState.status !== 'failed' && (
          <PaymentFailure failure={state}>{consequence}</PaymentFailure>
        )}
        <Button type="submit" wide busy={busy || isSaving} unavailable={!onPay && !busy}>
          Subscribe
        </Button>
        <ButtonEffect>{amountsText}</ButtonEffect>
      </form>
    </Card>
  );
}

/** Returns the details, which are null while they load, and `save`, which resolves to whether it succeeded. */
function useInvoiceDetails(userEmail: string) {
  const [details, setDetails] = useState<InvoiceDetails | null>(null);
  const [saveState, setSaveState] = useState<SaveState>({ status: 'idle' });
  useEffect(() => {
    getBillingDetails().then(
      ({ billingEmail, purchaseOrder }) =>
        setDetails({ billingEmail: billingEmail || userEmail, purchaseOrder }),
      (error) => {
        logFailure('The billing details could not be loaded', error);
        setDetails({ billingEmail: userEmail, purchaseOrder: '' });
      },
    );
  }, [userEmail]);

  async function save(edit: InvoiceDetails): Promise<boolean> {
    setSaveState({ status: 'busy' });
    try {
      await editBillingDetails(edit);
    } catch (error) {
      const isSessionOver = await refreshIfSessionOver(error);
      const message = isSessionOver ? sessionRenewedMessage : messageOf(error);
      const fields = error instanceof ApiError ? error.fields : {};
      setSaveState({ status: 'failed', failure: newFailure(message), fields });
      return false;
    }
    setSaveState({ status: 'idle' });
    return true;
  }

  return { details, setDetails, saveState, save };
}
