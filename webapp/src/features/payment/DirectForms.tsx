import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { ApiError, editBillingDetails, getBillingDetails } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { Field } from '@/components/Field';
import { CardSkeleton } from '@/components/Loading';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { useCan } from '@/modules/config/capabilities';
import type { CardProvider } from '@/modules/payments/card-provider/port';
import { PaymentFailure } from '@/modules/payments/PaymentFailure';
import { type Failure, failed } from '@/modules/payments/payment-types';
import type { PaymentState } from '@/modules/payments/use-payment';
import { useCardProvider } from '@/modules/payments/WithCardProvider';
import { refreshIfSessionOver, sessionRenewedMessage } from '@/modules/session/session-store';

export interface DirectFormProps {
  userEmail: string;
  state: PaymentState;
  /** The total that is due, shown above the button. */
  total: ReactNode;
  /** Whether the plan begins with a trial. */
  hasTrial: boolean;
  /** The consequence of a failure; by default that of a first payment. */
  consequence?: string;
  /** Null until the amount is known. */
  onPay: ((cards: CardProvider) => void) | null;
}

/** The form for a provider whose own page asks for the payment method. */
export function RedirectForm(props: DirectFormProps) {
  const hasMethodPage = useCan('method_page');
  if (!props.hasTrial) return <SubscribeForm {...props} {...onNextPage} />;
  return <SubscribeForm {...props} {...(hasMethodPage ? trialOnNextPage : trialWithoutPage)} />;
}

const onNextPage = {
  title: 'Pay on the next page',
  text: 'You continue on the page of our payment provider, where you choose how to pay, and come back here afterwards.',
};

const trialOnNextPage = {
  title: 'Choose how to pay on the next page',
  text: 'Your free trial starts now. You continue on the page of our payment provider, where you choose how to pay after the trial, and come back here afterwards. Nothing is charged today.',
};

const trialWithoutPage = {
  title: 'Start your free trial',
  text: 'Your free trial starts now, and nothing is charged today. You choose how to pay when the trial ends.',
};

const byInvoice = {
  title: 'Pay by invoice',
  text: 'We send you an invoice, which you pay by bank transfer. The account and the reference are shown as soon as your order is accepted.',
};

/** The form for customers who pay invoices; with billing details if the server has them. */
export function InvoiceForm(props: DirectFormProps) {
  const hasDetails = useCan('billing_details');
  return hasDetails ? <DetailsForm {...props} /> : <SubscribeForm {...props} {...byInvoice} />;
}

interface SubscribeFormProps extends DirectFormProps {
  title: string;
  text: string;
}

/** A form without fields. */
function SubscribeForm({ title, text, state, total, consequence, onPay }: SubscribeFormProps) {
  const cards = useCardProvider();
  const busy = state.kind === 'busy';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (cards) onPay?.(cards);
  }

  return (
    <Card aria-labelledby="direct" className="max-sm:p-4">
      <form onSubmit={submit} noValidate className="space-y-5">
        <h2 id="direct" className="text-xl">
          {title}
        </h2>
        <p>{text}</p>
        {total}
        {state.kind === 'failed' && <PaymentFailure failure={state}>{consequence}</PaymentFailure>}
        <Button type="submit" wide busy={busy} unavailable={!onPay && !busy}>
          Subscribe
        </Button>
      </form>
    </Card>
  );
}

interface Details {
  billingEmail: string;
  purchaseOrder: string;
}

type Saving =
  | { status: 'idle' | 'busy' }
  | { status: 'failed'; failure: Failure; fields: Readonly<Record<string, string>> };

/** The billing email and purchase order number; saved before the subscription starts. */
function DetailsForm({ state, total, consequence, onPay, userEmail }: DirectFormProps) {
  const cards = useCardProvider();
  const busy = state.kind === 'busy';
  const [details, setDetails] = useState<Details | null>(null);
  const [saving, setSaving] = useState<Saving>({ status: 'idle' });
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
  if (!details) return <CardSkeleton className="h-80" />;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!details || !cards || !onPay || busy || saving.status === 'busy') return;
    setSaving({ status: 'busy' });
    try {
      await editBillingDetails(details);
    } catch (error) {
      const sessionEnded = await refreshIfSessionOver(error);
      const message = sessionEnded ? sessionRenewedMessage : messageOf(error);
      const fields = error instanceof ApiError ? error.fields : {};
      setSaving({ status: 'failed', failure: failed(message), fields });
      return;
    }
    setSaving({ status: 'idle' });
    onPay(cards);
  }

  const fields = saving.status === 'failed' ? saving.fields : {};
  const field = (name: keyof Details) => ({
    name,
    value: details[name],
    error: fields[name],
    disabled: busy,
    onChange: ({ target }: { target: HTMLInputElement }) =>
      setDetails({ ...details, [name]: target.value }),
  });
  const hasFieldError = fields.billingEmail || fields.purchaseOrder;
  return (
    <Card aria-labelledby="direct" className="max-sm:p-4">
      <form onSubmit={submit} noValidate className="space-y-5">
        <h2 id="direct" className="text-xl">
          {byInvoice.title}
        </h2>
        <p>{byInvoice.text}</p>
        <Field label="Email for invoices" type="email" {...field('billingEmail')} />
        <Field
          label="Purchase order number"
          optional
          hint="Printed on your invoices."
          {...field('purchaseOrder')}
        />
        {total}
        {saving.status === 'failed' && !hasFieldError && (
          <PaymentFailure failure={saving.failure} />
        )}
        {state.kind === 'failed' && saving.status !== 'failed' && (
          <PaymentFailure failure={state}>{consequence}</PaymentFailure>
        )}
        <Button
          type="submit"
          wide
          busy={busy || saving.status === 'busy'}
          unavailable={!onPay && !busy}
        >
          Subscribe
        </Button>
      </form>
    </Card>
  );
}
