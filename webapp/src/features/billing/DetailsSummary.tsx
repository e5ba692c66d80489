import { getBillingDetails } from '@/api';
import { Skeleton } from '@/components/Loading';
import { SheetPart } from '@/components/Sheet';
import { routes } from '@/lib/paths';
import { buyerLines } from '@/modules/billing/details-text';
import { AppLink } from '@/modules/session/AppLink';
import { useLoaded } from '@/modules/session/use-loaded';

/** The details on the organisation's invoices, with a link to change them. */
export function DetailsSummary() {
  const { loaded } = useLoaded(getBillingDetails, 'The billing details');
  return (
    <SheetPart aria-labelledby="details">
      <h2 id="details" className="mb-3 text-lg">
        Billing details
      </h2>
      {loaded.status === 'loading' && (
        <div className="space-y-2">
          <Skeleton className="h-5" />
          <Skeleton className="h-5 w-4/5" />
        </div>
      )}
      {loaded.status === 'failed' && (
        <p className="text-muted">Name, address and tax number on your invoices.</p>
      )}
      {loaded.status === 'ready' && (
        <address className="text-sm not-italic wrap-anywhere">
          {buyerLines({ ...loaded.data, name: loaded.data.legalName }).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </address>
      )}
      <p className="mt-3 text-sm">
        <AppLink to={routes.details} className="text-link inline-block py-1">
          Change billing details
        </AppLink>
      </p>
    </SheetPart>
  );
}
