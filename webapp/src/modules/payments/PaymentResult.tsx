import { buttonClass } from '@/components/Button';
import { ResultPage } from '@/components/ResultPage';
import { routes } from '@/lib/paths';
import { transferDetailsText } from '@/modules/billing/plan-text';
import { paysInvoices, useCan } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { PaymentInstructions } from './PaymentInstructions';
import { ProcessingPaymentPage } from './ProcessingPaymentPage';
import type { Success } from './payment-types';
import { QuoteDifferenceNotice } from './QuoteDifferenceNotice';
import { chargeDifferenceText } from './quote-text';

interface PaymentResultProps {
  result: Success;
  /** The texts for an invoice that is paid outside of the browser. */
  invoice: { title: string; text: string };
}

/** The screen after a payment that succeeded, is processing, or will be made by transfer. */
export function PaymentResult({ result, invoice }: PaymentResultProps) {
  const config = useConfig();
  const difference = chargeDifferenceText(result, config);
  if (result.next) {
    return <PaymentInstructions {...invoice} next={result.next} difference={difference} />;
  }
  return result.kind === 'succeeded' ? (
    <PaymentSuccess difference={difference} />
  ) : (
    <ProcessingPaymentPage
      reason={result.reason}
      nextStepsText={result.reason && paysInvoices(config) ? transferDetailsText : undefined}
      difference={difference}
    />
  );
}

/**
 * The success message, shown until the customer is signed out. When the charge differs from the quote
 * (`difference`), the customer stays signed in to read it.
 */
function PaymentSuccess({ difference }: { difference?: string }) {
  const canListInvoices = useCan('invoices');
  return (
    <ResultPage
      tone="success"
      title="Subscription update, success!"
      actions={
        difference && (
          <>
            {canListInvoices && (
              <AppLink to={routes.invoices} className={buttonClass()}>
                See the invoice
              </AppLink>
            )}
            <AppLink to={routes.dash} className={buttonClass('secondary')}>
              Go to your dashboard
            </AppLink>
          </>
        )
      }
    >
      {difference ? (
        <QuoteDifferenceNotice>{difference}</QuoteDifferenceNotice>
      ) : (
        <p className="mt-3 text-lg text-muted">Logging you out... please wait and login again!</p>
      )}
    </ResultPage>
  );
}
