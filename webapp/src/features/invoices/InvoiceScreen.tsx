import { useQuery } from '@tanstack/react-query';
import { Download as DownloadIcon } from 'lucide-react';
import { useParams } from 'react-router-dom';
import type { Invoice } from '@/api';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { LoadFailure } from '@/components/LoadFailure';
import { CardSkeleton } from '@/components/Loading';
import type { Elements } from '@/lib/elements';
import { routes } from '@/lib/paths';
import { saveFile } from '@/lib/save-file';
import { AccountPage } from '@/modules/billing/AccountPage';
import { documentTitle, headlineOf } from '@/modules/billing/invoice-text';
import {
  CreditNoteButtons,
  PdfButton,
  PdfFailure,
  usePdfDownload,
} from '@/modules/billing/PdfDownload';
import { invoiceQuery } from '@/modules/billing/queries';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { SignedInScreen } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { InvoiceDocument } from './InvoiceDocument';
import { csvFile, invoiceDetailsCsv } from './invoice-csv';

/** The page of an invoice. */
export default function InvoiceScreen() {
  const { id = '' } = useParams();
  return (
    <SignedInScreen visitor="signIn" loading={<InvoiceSkeleton />} frame={InvoiceFrame}>
      {({ user }) => <InvoiceLoader key={id} id={id} user={user} />}
    </SignedInScreen>
  );
}

interface InvoiceLoaderProps {
  id: string;
  user: User;
}

function InvoiceLoader({ id, user }: InvoiceLoaderProps) {
  const { status, data: invoice, refetch } = useQuery(invoiceQuery(id));
  if (status === 'pending') return <InvoiceSkeleton />;
  if (status === 'error') {
    return (
      <InvoiceFrame>
        <LoadFailure className="mt-6" retry={() => void refetch()}>
          The invoice could not be loaded.
        </LoadFailure>
      </InvoiceFrame>
    );
  }
  return invoice ? (
    <InvoicePage invoice={invoice} user={user} />
  ) : (
    <InvoiceFrame>
      <p className="mt-4 text-muted">There is no such invoice.</p>
    </InvoiceFrame>
  );
}

interface InvoicePageProps {
  invoice: Invoice;
  user: User;
}

function InvoicePage({ invoice, user }: InvoicePageProps) {
  const download = usePdfDownload();
  const { label, tone } = headlineOf(invoice, user.openPayment ?? null);
  return (
    <InvoiceFrame
      title={[documentTitle(invoice), invoice.number].filter(Boolean).join(' ')}
      badge={<Badge tone={tone}>{label}</Badge>}
      action={
        <div className="flex flex-wrap gap-3">
          <InvoiceCsvButton invoice={invoice} />
          {invoice.hasPdf && <PdfButton invoice={invoice} download={download} />}
        </div>
      }
    >
      <PdfFailure download={download} className="mt-4" />
      <InvoiceDocument invoice={invoice} user={user} />
      <CreditNoteButtons invoice={invoice} />
    </InvoiceFrame>
  );
}

/** Downloads the lines, the tax and the payments of an invoice as CSV. */
function InvoiceCsvButton({ invoice }: { invoice: Invoice }) {
  const config = useConfig();
  const { id, number } = invoice;
  return (
    <Button
      variant="secondary"
      aria-label={`Download CSV of ${number || 'the invoice'}`}
      onClick={() =>
        void saveFile(csvFile(invoiceDetailsCsv(invoice, config)), `invoice-${number || id}.csv`)
      }
    >
      <span className="flex items-center gap-2">
        <DownloadIcon aria-hidden size={18} /> CSV
      </span>
    </Button>
  );
}

interface InvoiceFrameProps {
  title?: string;
  badge?: Elements;
  action?: Elements;
  children: Elements;
}

function InvoiceFrame({ title = 'Invoice', ...page }: InvoiceFrameProps) {
  const backLink = (
    <p className="mb-1 text-sm">
      <AppLink to={routes.invoices} className="text-link inline-block py-1">
        All invoices
      </AppLink>
    </p>
  );
  return <AccountPage title={title} backLink={backLink} {...page} />;
}

const InvoiceSkeleton = () => (
  <InvoiceFrame>
    <p role="status" className="sr-only">
      Loading the invoice...
    </p>
    <CardSkeleton className="mt-5 h-96" />
  </InvoiceFrame>
);
