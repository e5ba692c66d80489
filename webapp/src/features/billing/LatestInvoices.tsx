import { useQuery } from '@tanstack/react-query';
import type { Invoice } from '@/api';
import { DoneIcon } from '@/components/icons';
import { SmallReceipt } from '@/components/illustrations/SmallReceipt';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import { routes } from '@/lib/paths';
import { InvoiceRow } from '@/modules/billing/InvoiceRow';
import { hasZeroTotal, noInvoicesText } from '@/modules/billing/invoice-text';
import { latestInvoicesQuery } from '@/modules/billing/queries';
import { AppLink } from '@/modules/session/AppLink';

/** The number of invoices shown; the invoices screen has all. */
const maxInvoices = 4;

interface Latest {
  /** Without those of trials, whose total is zero. */
  invoices: Invoice[];
  /** Whether there are only invoices whose total is zero. */
  onlyZero: boolean;
}

function latestOf(invoices: Invoice[]): Latest {
  const charged = invoices.filter((invoice) => !hasZeroTotal(invoice));
  return {
    invoices: charged.slice(0, maxInvoices),
    onlyZero: invoices.length > 0 && charged.length === 0,
  };
}

interface LatestInvoicesProps {
  next: { at: string } | null;
  /** Whether the organisation has something to pay. */
  owes: boolean;
}

/** The latest invoices, each a link to its page, with a link to all of them. */
export function LatestInvoices({ next, owes }: LatestInvoicesProps) {
  const { status, data: latest, refetch } = useQuery({ ...latestInvoicesQuery, select: latestOf });
  const isPaid =
    !owes &&
    status === 'success' &&
    latest.invoices.length > 0 &&
    latest.invoices.every(({ status }) => status === 'paid' || status === 'void');
  return (
    <section aria-labelledby="invoices" className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-4 border-b border-line px-4 py-3 sm:px-6">
        <h2 id="invoices" className="text-lg">
          Latest invoices
        </h2>
        {isPaid && (
          <p className="order-last flex items-center gap-2 text-sm text-muted sm:order-none">
            <DoneIcon size={18} className="text-success" /> Nothing to pay
          </p>
        )}
        <AppLink to={routes.invoices} className="text-link ml-auto inline-block py-1 text-sm">
          All invoices
        </AppLink>
      </div>
      {status === 'pending' && <Placeholder />}
      {status === 'error' && (
        <LoadFailure className="px-4 py-5 sm:px-6" retry={() => void refetch()}>
          Your invoices could not be loaded.
        </LoadFailure>
      )}
      {status === 'success' && <Rows latest={latest} next={next} />}
    </section>
  );
}

interface RowsProps extends Pick<LatestInvoicesProps, 'next'> {
  latest: Latest;
}

function Rows({ latest: { invoices, onlyZero }, next }: RowsProps) {
  if (invoices.length === 0) {
    return (
      <div className="flex items-center gap-4 px-4 py-5 sm:px-6">
        <SmallReceipt className="w-16 shrink-0" />
        <p>{`${noInvoicesText(onlyZero, next)}.`}</p>
      </div>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {invoices.map((invoice) => (
        <li key={invoice.id}>
          <InvoiceRow invoice={invoice} />
        </li>
      ))}
    </ul>
  );
}

const Placeholder = () => (
  <div role="status" className="space-y-4 px-4 py-5 sm:px-6">
    <span className="sr-only">Loading your invoices...</span>
    <Skeleton className="h-6" />
    <Skeleton className="h-6" />
  </div>
);
