import { useQuery } from '@tanstack/react-query';
import type { Invoice } from '@/api';
import { CircleCheckIcon } from '@/components/icons';
import { SmallReceipt } from '@/components/illustrations/SmallReceipt';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import { routes } from '@/lib/paths';
import { InvoiceRow } from '@/modules/billing/InvoiceRow';
import { hasZeroTotal, headlineListFormat, noInvoicesText } from '@/modules/billing/invoice-text';
import { PdfButton, PdfFailure, usePdfDownload } from '@/modules/billing/PdfDownload';
import { latestInvoicesQuery } from '@/modules/billing/queries';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';

/** The maximum number of invoices in the section; the invoices screen lists all. */
const maxInvoices = 4;

interface InvoiceSelection {
  /** The latest invoices whose total is not zero. The invoices of trials have a total of zero. */
  invoices: Invoice[];
  /** Whether there are only invoices whose total is zero. */
  hasOnlyZeroTotals: boolean;
}

function selectLatest(invoices: Invoice[]): InvoiceSelection {
  const chargedInvoices = invoices.filter((invoice) => !hasZeroTotal(invoice));
  return {
    invoices: chargedInvoices.slice(0, maxInvoices),
    hasOnlyZeroTotals: invoices.length > 0 && chargedInvoices.length === 0,
  };
}

interface LatestInvoicesProps {
  /** The next charge; null for none. */
  next: { at: string } | null;
  /** Whether the organisation has something to pay. */
  hasAmountDue: boolean;
}

/** The latest invoices, each a link to its page beside a button for its document, and a link to all invoices. */
export function LatestInvoices({ next, hasAmountDue }: LatestInvoicesProps) {
  const { status, data, refetch } = useQuery({ ...latestInvoicesQuery, select: selectLatest });
  const hasNothingToPay =
    !hasAmountDue &&
    status === 'success' &&
    data.invoices.length > 0 &&
    data.invoices.every(({ status }) => status === 'paid' || status === 'void');
  return (
    <section aria-labelledby="invoices" className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-4 border-b border-line px-4 py-3 sm:px-6">
        <h2 id="invoices" className="text-lg">
          Latest invoices
        </h2>
        {hasNothingToPay && (
          <p className="order-last flex items-center gap-2 text-sm text-muted sm:order-none">
            <CircleCheckIcon size={18} className="text-success" /> Nothing to pay
          </p>
        )}
        <AppLink to={routes.invoices} className="text-link ml-auto inline-block py-1 text-sm">
          All invoices
        </AppLink>
      </div>
      {status === 'pending' && <RowsSkeleton />}
      {status === 'error' && (
        <LoadFailure className="px-4 py-5 sm:px-6" retry={() => void refetch()}>
          Your invoices could not be loaded.
        </LoadFailure>
      )}
      {status === 'success' && <InvoiceRows {...data} next={next} />}
    </section>
  );
}

type InvoiceRowsProps = InvoiceSelection & Pick<LatestInvoicesProps, 'next'>;

function InvoiceRows({ invoices, hasOnlyZeroTotals, next }: InvoiceRowsProps) {
  const config = useConfig();
  const download = usePdfDownload();
  if (invoices.length === 0) {
    return (
      <div className="flex flex-wrap items-center gap-4 px-4 py-5 sm:px-6">
        <SmallReceipt className="w-16 shrink-0" />
        <p className="grow basis-48">{`${noInvoicesText(hasOnlyZeroTotals, next, config.timeZone)}.`}</p>
      </div>
    );
  }
  const format = headlineListFormat(invoices, config);
  const hasPdf = invoices.some((invoice) => invoice.hasPdf);
  return (
    <>
      <PdfFailure download={download} className="mx-4 mt-4 sm:mx-6" />
      <ul className="divide-y divide-line">
        {invoices.map((invoice) => (
          <li key={invoice.id} className="flex items-center hover:bg-paper">
            <div className="min-w-0 grow">
              <InvoiceRow invoice={invoice} format={format} isBesideButton={hasPdf} />
            </div>
            {hasPdf && (
              <div className="w-13 shrink-0">
                {invoice.hasPdf && <PdfButton iconOnly invoice={invoice} download={download} />}
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const RowsSkeleton = () => (
  <div role="status" className="space-y-4 px-4 py-5 sm:px-6">
    <span className="sr-only">Loading your invoices...</span>
    <Skeleton className="h-6" />
    <Skeleton className="h-6" />
  </div>
);
