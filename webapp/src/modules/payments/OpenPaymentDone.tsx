import { buttonClass } from '@/components/Button';
import { ResultPage } from '@/components/ResultPage';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import type { OpenPaymentNotice } from './open-payment-notices';

/** The page that shows an OpenPaymentNotice, with links to the next steps. */
export function OpenPaymentDone({
  title,
  text,
  subscribeAgain,
  unpaid,
  invoicePaid,
  addMethod,
}: OpenPaymentNotice) {
  return (
    <ResultPage
      tone={unpaid || addMethod ? 'attention' : 'success'}
      title={title}
      actions={
        <>
          {addMethod && (
            <AppLink to={routes.cards} className={buttonClass()}>
              Add a payment method
            </AppLink>
          )}
          <AppLink
            intoArea={subscribeAgain}
            to={subscribeAgain ? routes.plans : routes.dash}
            className={buttonClass(addMethod ? 'secondary' : 'primary')}
          >
            {subscribeAgain ? 'Subscribe again' : 'Go to your dashboard'}
          </AppLink>
          {invoicePaid && (
            <AppLink to={routes.invoices} className={buttonClass('secondary')}>
              See the invoice
            </AppLink>
          )}
        </>
      }
    >
      <p className="mt-3 text-lg text-muted">{text}</p>
    </ResultPage>
  );
}
