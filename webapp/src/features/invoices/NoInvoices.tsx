import { Link } from 'react-router-dom';
import type { Billing, Config } from '@/api';
import { Card } from '@/components/Card';
import { longDate } from '@/lib/dates';
import { amountText } from '@/lib/offer';
import { paths } from '@/lib/paths';
import { useDebugParam } from '@/lib/use-debug-param';

/** Shown instead of an empty list: the date of the first invoice. */
export function NoInvoices({ config, next }: { config: Config; next: Billing['next'] }) {
  const debugParam = useDebugParam();
  return (
    <Card className="mt-6 py-10 text-center">
      <p className="font-semibold text-balance">
        {next
          ? `Your first invoice comes on ${longDate(new Date(next.at))}`
          : 'You have no invoices yet'}
      </p>
      <p className="mt-1 text-balance text-muted">
        {next ? (
          `${amountText(config, next)} is charged then, and the invoice stands here.`
        ) : (
          <>
            The first one comes with a plan.{' '}
            <Link to={paths.plans(debugParam)} className="text-link">
              See the plans
            </Link>
          </>
        )}
      </p>
    </Card>
  );
}
