import type { BillingDetails } from '@/api';
import { Panel, PanelSection } from '@/components/Panel';
import { buyerLines } from '@/modules/billing/details-text';
import { AskOwner } from '@/modules/session/BillingRolesOnly';
import type { User } from '@/modules/session/session-store';

interface DetailsViewProps {
  details: BillingDetails;
  user: User;
}

/** The billing details for a user who may not change them. */
export function DetailsView({ details, user }: DetailsViewProps) {
  const { legalName, billingEmail, phone, purchaseOrder } = details;
  const rows = [
    ['Invoices are addressed to', buyerLines({ ...details, name: legalName })],
    ['Billing email', [billingEmail]],
    ['Phone no.', [phone]],
    ['Purchase order number', [purchaseOrder]],
  ] as const;
  return (
    <Panel isStacked className="mt-6 max-w-[34.5rem]">
      <PanelSection>
        <dl className="space-y-4">
          {rows
            .map(([label, lines]) => [label, lines.filter(Boolean)] as const)
            .filter(([, lines]) => lines.length > 0)
            .map(([label, lines]) => (
              <div key={label}>
                <dt className="text-sm text-muted">{label}</dt>
                {lines.map((line, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines can be equal, such as a name and a street
                  <dd key={index} translate="no" className="wrap-anywhere">
                    {line}
                  </dd>
                ))}
              </div>
            ))}
        </dl>
      </PanelSection>
      <PanelSection>
        <AskOwner user={user} action="change the billing details" />
      </PanelSection>
    </Panel>
  );
}
