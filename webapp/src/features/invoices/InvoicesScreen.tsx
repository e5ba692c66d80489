import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Config, Invoice, Money } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { SmallReceipt } from '@/components/illustrations/SmallReceipt';
import { LoadFailure } from '@/components/LoadFailure';
import { Loading, Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import type { Elements } from '@/lib/elements';
import { routes } from '@/lib/paths';
import { AccountPage } from '@/modules/billing/AccountPage';
import { amountText } from '@/modules/billing/amount-text';
import { hasZeroTotal, noInvoicesText } from '@/modules/billing/invoice-text';
import { PdfFailure, usePdfDownload } from '@/modules/billing/PdfDownload';
import { billingQuery, invoicesQuery } from '@/modules/billing/queries';
import { useOpenPayment } from '@/modules/billing/use-open-payment';
import { can, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { SignedIn } from '@/modules/session/SignedIn';
import { WithConfig } from '@/modules/session/WithConfig';
import { InvoiceFilter } from './InvoiceFilter';
import { InvoiceList } from './InvoiceList';
import { noFilter, selectInvoices } from './invoice-selection';

/** The organisation's invoices, newest first, with their documents. */
export default function InvoicesScreen() {
  return (
    <SignedIn
      visitor="signIn"
      loading={
        <InvoicesFrame>
          <Loading />
        </InvoicesFrame>
      }
    >
      {() => (
        <InvoicesFrame>
          <WithConfig>
            <InvoicesLoader />
          </WithConfig>
        </InvoicesFrame>
      )}
    </SignedIn>
  );
}

const InvoicesFrame = ({ children }: { children: Elements }) => (
  <AccountPage title="Invoices">{children}</AccountPage>
);

function InvoicesLoader() {
  const query = useInfiniteQuery(invoicesQuery);
  const { data, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  if (isPending) return <InvoicesSkeleton />;
  if (query.isError && !isFetchNextPageError) {
    return <InvoicesLoadFailure retry={() => void query.refetch()} />;
  }
  return (
    <FilteredInvoices
      invoices={data?.pages.flatMap((page) => page.data) ?? []}
      hasMore={hasNextPage}
    >
      {isFetchNextPageError && !isFetchingNextPage && (
        <Notice tone="danger" className="mt-6" title="Please try again later!">
          <p>More invoices could not be loaded.</p>
        </Notice>
      )}
      {hasNextPage && (
        <Button
          variant="secondary"
          className="mt-6"
          busy={isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </FilteredInvoices>
  );
}

interface FilteredInvoicesProps {
  invoices: readonly Invoice[];
  hasMore: boolean;
  /** Rendered below the list. */
  children: Elements;
}

/** The fields that select invoices and the list of the selected invoices. */
function FilteredInvoices({ invoices, hasMore, children }: FilteredInvoicesProps) {
  const [showsZeroTotals, setShowsZeroTotals] = useState(false);
  const download = usePdfDownload();
  const [filter, setFilter] = useState(noFilter);
  const openPayment = useOpenPayment();
  const listedInvoices = showsZeroTotals
    ? invoices
    : invoices.filter((invoice) => !hasZeroTotal(invoice));
  const selectedInvoices = selectInvoices(listedInvoices, filter, openPayment);
  const hasZeroTotals = invoices.some(hasZeroTotal);
  return (
    <div>
      {listedInvoices.length > 1 && (
        <InvoiceFilter
          {...{ invoices: listedInvoices, hasMore, filter, openPayment }}
          onChange={setFilter}
        />
      )}
      {hasZeroTotals && (
        <ZeroTotalsToggle checked={showsZeroTotals} onChange={setShowsZeroTotals} />
      )}
      <PdfFailure download={download} className="mt-6" />
      {selectedInvoices.length > 0 && (
        <InvoiceList invoices={selectedInvoices} download={download} />
      )}
      {selectedInvoices.length === 0 && listedInvoices.length > 0 && (
        <p className="mt-6 text-muted">No invoices with this year and status.</p>
      )}
      {listedInvoices.length === 0 && !hasMore && <NoInvoices hasOnlyZeroTotals={hasZeroTotals} />}
      <p role="status" className="sr-only">
        {countText(selectedInvoices.length, hasMore)}
      </p>
      {children}
    </div>
  );
}

/** Returns '12 invoices loaded, there are more', or '12 invoices' when all are loaded. */
function countText(count: number, hasMore: boolean): string {
  const invoices = count === 1 ? '1 invoice' : `${count} invoices`;
  return hasMore ? `${invoices} loaded, there are more` : invoices;
}

interface ZeroTotalsToggleProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** The checkbox that shows invoices with a total of zero, such as those of trials. */
function ZeroTotalsToggle({ checked, onChange }: ZeroTotalsToggleProps) {
  return (
    <label className="mt-4 inline-flex min-h-11 cursor-pointer items-center gap-3">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="check"
      />
      Show invoices without a charge
    </label>
  );
}

interface NoInvoicesProps {
  /** Whether the organisation has only invoices with a total of zero. */
  hasOnlyZeroTotals: boolean;
}

/** Replaces an empty list with the date of the first invoice, or with a link to the plans if no invoice is expected. */
function NoInvoices({ hasOnlyZeroTotals }: NoInvoicesProps) {
  const config = useConfig();
  const { data, isLoading } = useQuery({ ...billingQuery, enabled: can(config, 'billing') });
  if (isLoading) return <InvoicesSkeleton />;
  const next = data?.next ?? null;
  return (
    <Card className="mt-6 py-8 text-center">
      <SmallReceipt className="mx-auto mb-4 w-20" />
      <p className="font-semibold text-balance">
        {noInvoicesText(hasOnlyZeroTotals, next, config.timeZone)}
      </p>
      <p className="mt-1 text-balance text-muted">
        {next ? (
          firstInvoiceText(next, config)
        ) : (
          <>
            <span>
              {`The first one${hasOnlyZeroTotals ? ' with a charge' : ''} comes with a plan. `}
            </span>
            <AppLink to={routes.plans} className="text-link">
              See the plans
            </AppLink>
          </>
        )}
      </p>
    </Card>
  );
}

function firstInvoiceText(next: Money, config: Config): string {
  if (next.amount === 0) return 'Your credit pays for it, and it appears here.';
  const amount = amountText(config, next);
  return paysInvoices(config)
    ? `It is for ${amount} and appears here.`
    : `${amount} is charged then, and the invoice appears here.`;
}

const InvoicesSkeleton = () => (
  <Card className="mt-6">
    <div role="status" className="space-y-6 py-2">
      <span className="sr-only">Loading your invoices...</span>
      <Skeleton className="h-7" />
      <Skeleton className="h-7" />
      <Skeleton className="h-7" />
    </div>
  </Card>
);

const InvoicesLoadFailure = ({ retry }: { retry: () => void }) => (
  <Card className="mt-6">
    <LoadFailure retry={retry}>Your invoices could not be loaded.</LoadFailure>
  </Card>
);
