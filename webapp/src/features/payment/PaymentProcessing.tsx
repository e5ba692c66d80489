import { paths } from '@/app/paths';
import { buttonClass } from '@/ui/Button';
import { Link } from '@/ui/Link';
import { Notice } from '@/ui/Notice';

/** The money is on its way, and nobody knows yet whether it arrives. */
export function PaymentProcessing() {
  return (
    <div className="page max-w-xl py-16">
      <Notice tone="attention" title="Your payment is on its way">
        <p>
          Your bank has not confirmed it yet. There is nothing more to do: look at your dashboard in
          a few minutes, and please don't pay a second time.
        </p>
      </Notice>
      <Link to={paths.dash()} className={`${buttonClass()} mt-6`}>
        Go to your dashboard
      </Link>
    </div>
  );
}
