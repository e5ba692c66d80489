import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { useDebugParam } from '@/lib/use-debug-param';
import { buttonClass } from './Button';
import { ChargeDifference } from './ChargeDifference';
import { DoneIcon } from './icons';
import { PageTitle } from './PageTitle';

interface PaymentSuccessProps {
  /** How the charge differs from the quote: the customer stays signed in to read it. */
  difference?: string;
}

/** The success message, shown until the customer is signed out. */
export function PaymentSuccess({ difference }: PaymentSuccessProps) {
  return (
    <div className="page max-w-xl py-16 text-center">
      <div role="status">
        <DoneIcon size={56} className="mx-auto text-success" />
        <PageTitle focused className="mt-4">
          Subscription update, success!
        </PageTitle>
        {difference ? (
          <ChargeDifference>{difference}</ChargeDifference>
        ) : (
          <p className="mt-3 text-lg text-muted">Logging you out... please wait and login again!</p>
        )}
      </div>
      {difference && <Links />}
    </div>
  );
}

function Links() {
  const debugParam = useDebugParam();
  return (
    <p className="mt-8 flex flex-wrap justify-center gap-3">
      <Link to={paths.invoices(debugParam)} className={buttonClass()}>
        See the invoice
      </Link>
      <Link to={paths.dash(debugParam)} className={buttonClass('secondary')}>
        Go to your dashboard
      </Link>
    </p>
  );
}
