import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import type { Invoice } from '@/api';
import { Badge } from '@/components/Badge';
import { LoadFailure } from '@/components/LoadFailure';
import { CardSkeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { routes } from '@/lib/paths';
import { AccountPage } from '@/modules/billing/AccountPage';
import { headlineOf } from '@/modules/billing/invoice-text';
import { invoiceQuery } from '@/modules/billing/queries';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { SignedInScreen } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { InvoiceDocument } from './InvoiceDocument';
import { PdfButton } from './InvoiceParts';
import { useDownload } from './use-download';

/** An invoice with its lines and how it was paid. */
export default function InvoiceScreen() {
  const { id = '' } = useParams();
  return (
    <SignedInScreen visitor="signIn" loading={<Placeholder />} frame={Frame}>
      {({ user }) => <Loader key={id} id={id} user={user} />}
    </SignedInScreen>
  );
}

interface LoaderProps {
  id: string;
  user: User;
}

function Loader({ id, user }: LoaderProps) {
  const { status, data: invoice, refetch } = useQuery(invoiceQuery(id));
  if (status === 'pending') return <Placeholder />;
  if (status === 'error') {
    return (
      <Frame>
        <LoadFailure className="mt-6" retry={() => void refetch()}>
          The invoice could not be loaded.
        </LoadFailure>
      </Frame>
    );
  }
  return invoice ? (
    <Ready invoice={invoice} user={user} />
  ) : (
    <Frame>
      <p className="mt-4 text-muted">There is no such invoice.</p>
    </Frame>
  );
}

function Ready({ invoice, user }: { invoice: Invoice; user: User }) {
  const config = useConfig();
  const download = useDownload();
  const { label, tone } = headlineOf(invoice);
  return (
    <Frame
      title={['Invoice', invoice.number].filter(Boolean).join(' ')}
      badge={<Badge tone={tone}>{label}</Badge>}
      action={
        can(config, 'invoice_pdf') &&
        invoice.hasPdf && <PdfButton invoice={invoice} download={download} />
      }
    >
      {download.failure && (
        <Notice tone="danger" className="mt-4" title="The invoice could not be downloaded">
          <p>{download.failure}</p>
        </Notice>
      )}
      <InvoiceDocument invoice={invoice} user={user} />
    </Frame>
  );
}

interface FrameProps {
  title?: string;
  badge?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

function Frame({ title = 'Invoice', ...page }: FrameProps) {
  const allInvoices = (
    <p className="mb-1 text-sm">
      <AppLink to={routes.invoices} className="text-link inline-block py-1">
        All invoices
      </AppLink>
    </p>
  );
  return <AccountPage title={title} backLink={allInvoices} {...page} />;
}

const Placeholder = () => (
  <Frame>
    <p role="status" className="sr-only">
      Loading the invoice...
    </p>
    <CardSkeleton className="mt-5 h-96" />
  </Frame>
);
