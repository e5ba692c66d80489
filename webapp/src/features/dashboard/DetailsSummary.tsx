import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '@/components/Loading';
import { PanelSection } from '@/components/Panel';
import { routes } from '@/lib/paths';
import { buyerLines } from '@/modules/billing/details-text';
import { billingDetailsQuery } from '@/modules/billing/queries';
import { AppLink } from '@/modules/session/AppLink';
import { BillingRolesOnly } from '@/modules/session/BillingRolesOnly';

/** The details on the organisation's invoices, with a link to change them. */
export function DetailsSummary() {
  const { status, data } = useQuery(billingDetailsQuery);
  return (
    <PanelSection aria-labelledby="details">
      <h2 id="details" className="mb-3 text-lg">
        Billing details
      </h2>
      {status === 'pending' && (
        <div className="space-y-2">
          <Skeleton className="h-5" />
          <Skeleton className="h-5 w-4/5" />
        </div>
      )}
      {status === 'error' && (
        <p className="text-muted">Name, address and tax number on your invoices.</p>
      )}
      {status === 'success' && (
        <address translate="no" className="text-sm not-italic wrap-anywhere">
          {buyerLines({ ...data, name: data.legalName }).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines can be equal, such as a name and a street
            <span key={index} className="block">
              {line}
            </span>
          ))}
        </address>
      )}
      <BillingRolesOnly>
        <p className="mt-3 text-sm">
          <AppLink to={routes.details} className="text-link inline-block py-1">
            Change billing details
          </AppLink>
        </p>
      </BillingRolesOnly>
    </PanelSection>
  );
}
