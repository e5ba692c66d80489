import { DoneIcon } from './icons';
import { PageTitle } from './PageTitle';

/** The success message, shown until the customer is signed out. */
export function PaymentSuccess() {
  return (
    <div role="status" className="page max-w-xl py-16 text-center">
      <DoneIcon size={56} className="mx-auto text-success" />
      <PageTitle focused className="mt-4">
        Subscription update, success!
      </PageTitle>
      <p className="mt-3 text-lg text-muted">Logging you out... please wait and login again!</p>
    </div>
  );
}
