import { paths } from '@/app/paths';
import { useGate } from '@/app/use-gate';
import { buttonClass } from '@/ui/Button';
import { DoneIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { PageTitle } from '@/ui/PageTitle';
import type { OpenPaymentEnd } from './pay-end-words';

/** Says that nothing is left to pay, and leads on to the dashboard. */
export function OpenPaymentDone({ title, text }: OpenPaymentEnd) {
  const gate = useGate();
  return (
    <div className="page max-w-xl py-16 text-center">
      <div role="status">
        <DoneIcon size={56} className="mx-auto text-success" />
        <PageTitle focused className="mt-4">
          {title}
        </PageTitle>
        <p className="mt-3 text-lg text-muted">{text}</p>
      </div>
      <Link to={paths.dash(gate)} className={`${buttonClass()} mt-8`}>
        Go to your dashboard
      </Link>
    </div>
  );
}
