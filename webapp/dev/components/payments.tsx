import { useState } from 'react';
import { Button } from '@/components/Button';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { ConfigContext } from '@/modules/config/config-store';
import { CardField } from '@/modules/payments/CardField';
import { FirstPayment } from '@/modules/payments/FirstPayment';
import { OwedInvoiceNotice } from '@/modules/payments/OwedInvoiceNotice';
import { SavedCard } from '@/modules/payments/SavedCard';
import { SubscribeAgain } from '@/modules/payments/SubscribeAgain';
import { useCardProvider, WithCardProvider } from '@/modules/payments/WithCardProvider';
import {
  aLicense,
  anOpenPayment,
  anOrder,
  fullProvider,
  owedPayment,
  plainProvider,
} from '@/testing/fixtures';
import { card, config, user } from './examples';
import type { Section } from './section';

/** A card field with a button that creates a payment method, so that the field can be tried out. */
function CardEntry({ error, disabled }: { error?: string; disabled?: boolean }) {
  const provider = useCardProvider();
  const [message, setMessage] = useState(error);
  return (
    <>
      <CardField error={message} disabled={disabled} onChange={() => setMessage(undefined)} />
      <Button
        variant="secondary"
        className="mt-3"
        unavailable={disabled}
        onClick={async () => {
          const result = await provider?.createPaymentMethod();
          if (result && !result.ok) setMessage(result.message);
        }}
      >
        Save the card
      </Button>
    </>
  );
}

const endedLicense = aLicense({
  raw: {
    status: 'canceled',
    currency: 'aud',
    current_period_end: 1_800_000_000,
    trial_end: null,
    metadata: { name: 'professional', interval: 'yearly' },
  },
});

/** Sections with cards, open invoices, orders and subscriptions. */
export const paymentSections: Section[] = [
  {
    names: ['SavedCard'],
    states: {
      default: <SavedCard card={card('visa', '4242')} isDefault />,
      'with an action': (
        <SavedCard card={card('mastercard', '4444')} isDefault={false}>
          <Button variant="secondary" small>
            Remove
          </Button>
        </SavedCard>
      ),
      'without a badge': <SavedCard card={card('discover', '9424')} isDefault={false} />,
      'another payment method': (
        <SavedCard
          card={{ ...card('', ''), kind: 'bank_debit', label: 'BECS Direct Debit •••• 3456' }}
          isDefault={false}
        />
      ),
    },
  },
  {
    names: [
      'CardField',
      'AcceptedBrands',
      'WithCardProvider',
      'useCardProvider',
      'useReportLoadError',
    ],
    states: {
      ready: (
        <WithCardProvider provider={fullProvider} placeholder={<p>Loading...</p>}>
          <CardEntry />
        </WithCardProvider>
      ),
      error: (
        <WithCardProvider provider={fullProvider} placeholder={<p>Loading...</p>}>
          <CardEntry error="Your card was declined." />
        </WithCardProvider>
      ),
      disabled: (
        <WithCardProvider provider={fullProvider} placeholder={<p>Loading...</p>}>
          <CardEntry disabled />
        </WithCardProvider>
      ),
      'not set up': (
        <WithCardProvider provider={{ kind: 'stripe' }} placeholder={<p>Loading...</p>}>
          <CardEntry />
        </WithCardProvider>
      ),
      'not loaded': (
        <WithCardProvider provider={{ kind: 'unknown' }} placeholder={<p>Loading...</p>}>
          <CardEntry />
        </WithCardProvider>
      ),
    },
  },
  {
    names: ['FirstPayment'],
    states: {
      open: <FirstPayment payment={anOpenPayment({ kind: 'first_payment' })} />,
      processing: <FirstPayment payment={null} />,
    },
  },
  {
    names: ['OwedInvoiceNotice'],
    states: {
      unpaid: <OwedInvoiceNotice payment={owedPayment} />,
      'paid in part': (
        <OwedInvoiceNotice payment={anOpenPayment({ ...owedPayment, amountPaid: 1000 })} />
      ),
    },
  },
  {
    names: ['PendingOrder'],
    states: {
      'paid by card': <PendingOrder order={anOrder()} />,
      'paid by invoice': (
        <ConfigContext
          value={{ ...config, provider: { ...fullProvider, kind: 'invoice', entry: 'invoice' } }}
        >
          <PendingOrder order={anOrder()} />
        </ConfigContext>
      ),
    },
  },
  {
    names: ['SubscribeAgain'],
    states: {
      quoted: <SubscribeAgain user={user} license={endedLicense} />,
      'without quotes': (
        <ConfigContext value={{ ...config, provider: plainProvider }}>
          <SubscribeAgain user={user} license={endedLicense} />
        </ConfigContext>
      ),
      'last invoice unpaid': (
        <SubscribeAgain user={{ ...user, openPayment: owedPayment }} license={endedLicense} />
      ),
    },
  },
];
