import { buttonClass } from '@/components/Button';
import { ResultPage } from '@/components/ResultPage';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import type { OpenPaymentNotice } from './open-payment-notices';

/** The page that shows an OpenPaymentNotice, with links to the next steps. */
export function OpenPaymentNoticePage({
  title,
  text,
  needsNewPlan,
  isUnpaid,
  hasPaidInvoice,
  needsContact,
  needsSavedMethod,
}: OpenPaymentNotice) {
  return (
    <ResultPage
      tone={isUnpaid || needsSavedMethod ? 'attention' : 'success'}
      title={title}
      actions={
        <>
          {needsSavedMethod && (
            <AppLink to={routes.cards} className={buttonClass()}>
              Add a payment method
            </AppLink>
          )}
          <AppLink
            entersArea={needsNewPlan}
            to={needsNewPlan ? routes.plans : routes.dash}
            className={buttonClass(needsSavedMethod ? 'secondary' : 'primary')}
          >
            {needsNewPlan ? 'Subscribe again' : 'Go to your dashboard'}
          </AppLink>
          {hasPaidInvoice && (
            <AppLink to={routes.invoices} className={buttonClass('secondary')}>
              See the invoice
            </AppLink>
          )}
          {needsContact && (
            <AppLink to={routes.contact} className={buttonClass('secondary')}>
              Contact us
            </AppLink>
          )}
        </>
      }
    >
      <p className="mt-3 text-lg text-muted">{text}</p>
    </ResultPage>
  );
}
