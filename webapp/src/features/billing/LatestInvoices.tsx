import { Link } from 'react-router-dom';
import { type Config, type Invoice, listInvoices } from '@/api';
import { Badge } from '@/components/Badge';
import { Card } from '@/components/Card';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import { mediumDate } from '@/lib/dates';
import { headlineOf, isZero, noInvoicesText, settlementLine } from '@/lib/invoice-text';
import { amountText } from '@/lib/offer';
import { paths } from '@/lib/paths';
import { useDebugParam } from '@/lib/use-debug-param';
import { useLoaded } from '@/lib/use-loaded';

/** The number of invoices shown; the invoices screen has all. */
const maxInvoices = 3;

interface Latest {
  /** Without those of trials, whose total is zero. */
  invoices: Invoice[];
  /** Whether there are only invoices whose total is zero. */
  onlyZero: boolean;
}

async function loadLatest(): Promise<Latest> {
  const { data } = await listInvoices();
  const charged = data.filter((invoice) => !isZero(invoice));
  return {
    invoices: charged.slice(0, maxInvoices),
    onlyZero: data.length > 0 && charged.length === 0,
  };
}

interface LatestInvoicesProps {
  config: Config;
  next: { at: string } | null;
}

/** The latest invoices, with a link to all of them. */
export function LatestInvoices({ config, next }: LatestInvoicesProps) {
  const debugParam = useDebugParam();
  const { loaded, reload } = useLoaded(loadLatest, 'The invoices');
  return (
    <Card aria-labelledby="invoices" className="pb-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="invoices" className="text-lg">
          Latest invoices
        </h2>
        <Link to={paths.invoices(debugParam)} className="text-link inline-block py-1">
          All invoices
        </Link>
      </div>
      {loaded.status === 'loading' && <Placeholder />}
      {loaded.status === 'failed' && (
        <LoadFailure className="py-2" retry={() => void reload()}>
          Your invoices could not be loaded.
        </LoadFailure>
      )}
      {loaded.status === 'ready' && <Rows {...{ latest: loaded.data, config, next }} />}
    </Card>
  );
}

function Rows({ latest, config, next }: LatestInvoicesProps & { latest: Latest }) {
  const { invoices, onlyZero } = latest;
  if (invoices.length === 0) {
    return <p className="py-2 text-muted">{`${noInvoicesText(onlyZero, next)}.`}</p>;
  }
  return (
    <ul className="figures divide-y divide-line">
      {invoices.map((invoice) => (
        <InvoiceRow key={invoice.id} invoice={invoice} config={config} />
      ))}
    </ul>
  );
}

function InvoiceRow({ invoice, config }: { invoice: Invoice; config: Config }) {
  const { label, tone, amount } = headlineOf(invoice);
  const settlement = settlementLine(invoice, config);
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 grow basis-40">
        <span className="block font-medium">
          {mediumDate(new Date(invoice.createdAt), invoice.timeZone)}
        </span>
        <span className="block text-sm wrap-anywhere text-muted">
          {[invoice.description, invoice.number].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-4">
        <Badge tone={tone}>{label}</Badge>
        <span className="font-semibold whitespace-nowrap">{amountText(config, amount)}</span>
      </span>
      {settlement.length > 0 && (
        <span className="flex w-full flex-wrap gap-x-4 text-sm text-muted sm:justify-end">
          {settlement.map(([name, text]) => (
            <span key={name}>{`${name} ${text}`}</span>
          ))}
        </span>
      )}
    </li>
  );
}

const Placeholder = () => (
  <div role="status" className="space-y-4 py-3">
    <span className="sr-only">Loading your invoices...</span>
    <Skeleton className="h-7" />
    <Skeleton className="h-7" />
  </div>
);
