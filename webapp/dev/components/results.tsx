import { Button } from '@/components/Button';
import { transferDetailsText } from '@/modules/billing/plan-text';
import { OpenPaymentNoticePage } from '@/modules/payments/OpenPaymentNoticePage';
import { PaymentInstructions } from '@/modules/payments/PaymentInstructions';
import { PaymentResult } from '@/modules/payments/PaymentResult';
import { ProcessingPaymentNotice } from '@/modules/payments/ProcessingPaymentNotice';
import { ProcessingPaymentPage } from '@/modules/payments/ProcessingPaymentPage';
import type { Success } from '@/modules/payments/payment-types';
import { aNextAction, aProcessingPayment } from '@/testing/fixtures';
import type { Section } from './section';

const invoiceText = {
  title: 'Pay your invoice',
  text: 'Your plan starts now. Please pay until 12 December 2026.',
};

const transferAction = aNextAction({
  instructions: [
    { label: 'BSB', value: '062-000' },
    { label: 'Account number', value: '1234 5678' },
    { label: 'Reference', value: 'INV-0001' },
    { label: 'Amount', value: '$748.00 AUD' },
    { label: 'Pay until', value: '12 December 2026' },
  ],
});

const chargeDifference: Success['chargeDifference'] = {
  quoted: { amount: 34_000, currency: 'AUD' },
  charged: { amount: 34_210, currency: 'AUD' },
};

const Result = ({ result }: { result: Success }) => (
  <PaymentResult result={result} invoice={invoiceText} />
);

/** Sections with the results of a payment. */
export const resultSections: Section[] = [
  {
    names: ['PaymentResult'],
    wide: true,
    states: {
      succeeded: <Result result={{ kind: 'succeeded' }} />,
      'succeeded with another amount': <Result result={{ kind: 'succeeded', chargeDifference }} />,
      processing: <Result result={{ kind: 'processing' }} />,
      'paid by transfer': <Result result={{ kind: 'processing', next: transferAction }} />,
    },
  },
  {
    names: ['ProcessingPaymentPage'],
    wide: true,
    states: {
      'waits for the bank': <ProcessingPaymentPage />,
      'waits for an approval': (
        <ProcessingPaymentPage
          reason="We check your order before your plan starts. You need not do anything."
          nextStepsText={transferDetailsText}
        />
      ),
    },
  },
  {
    names: ['ProcessingPaymentNotice'],
    states: { 'by bank debit': <ProcessingPaymentNotice processing={aProcessingPayment()} /> },
  },
  {
    names: ['PaymentInstructions', 'CopyButton'],
    wide: true,
    states: {
      'for an invoice that is partly paid with credit': (
        <PaymentInstructions
          {...invoiceText}
          next={transferAction}
          amountRows={[
            ['Total', '$816 AUD'],
            ['Credit used', '−$68 AUD'],
          ]}
        >
          <Button variant="secondary">Download the invoice</Button>
        </PaymentInstructions>
      ),
    },
  },
  {
    names: ['OpenPaymentNoticePage'],
    wide: true,
    states: {
      paid: (
        <OpenPaymentNoticePage
          title="Your invoice is paid"
          text="$39 AUD was paid. You keep Standard."
          hasPaidInvoice
        />
      ),
      unpaid: (
        <OpenPaymentNoticePage
          title="The change has expired"
          text="Your plan has not changed. You keep Standard until 21 November 2027."
          isUnpaid
        />
      ),
      'plan ended': (
        <OpenPaymentNoticePage
          title="Your invoice is paid"
          text="You can subscribe again."
          needsNewPlan
        />
      ),
    },
  },
];
