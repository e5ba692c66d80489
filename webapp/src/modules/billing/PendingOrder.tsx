import { useId } from 'react';
import { endPlan, type Order } from '@/api';
import { Button } from '@/components/Button';
import { Letter } from '@/components/illustrations/ChairDrawings';
import { Notice } from '@/components/Notice';
import { IllustratedPanel } from '@/components/Panel';
import { can, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { BillingRolesOnly } from '@/modules/session/BillingRolesOnly';
import { orderTermsText } from './order-text';
import { dateText, planName, transferDetailsText } from './plan-text';
import { useBillingAction } from './use-billing-action';

/** An order that waits for the approval of an operator, with a button that withdraws it if the server supports that. */
export function PendingOrder({ order }: { order: Order }) {
  const config = useConfig();
  const { priceId, since, until, reason } = order;
  const titleId = useId();
  return (
    <IllustratedPanel
      aria-labelledby={titleId}
      className="figures"
      picture={<Letter className="w-52" />}
    >
      <h2 id={titleId} className="text-xl">
        {`Your order for ${planName(priceId, config)} is being checked`}
      </h2>
      <p className="mt-3 empty:hidden">{reason}</p>
      <p className="mt-3 empty:hidden">{orderTermsText(order, config)}</p>
      {paysInvoices(config) && <p className="mt-3 text-muted">{transferDetailsText}</p>}
      <p className="mt-3 text-muted empty:hidden">
        {[
          since && `Ordered on ${dateText(since, config.timeZone)}.`,
          until && `Without an approval it expires on ${dateText(until, config.timeZone)}.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {can(config, 'billing') && (
        <BillingRolesOnly>
          <Withdrawal />
        </BillingRolesOnly>
      )}
    </IllustratedPanel>
  );
}

function Withdrawal() {
  const { action, run } = useBillingAction<'withdraw'>();
  return (
    <>
      {action.status === 'failed' && (
        <Notice tone="danger" className="mt-4">
          <p>{action.message}</p>
        </Notice>
      )}
      <Button
        variant="secondary"
        className="mt-5"
        busy={action.status === 'busy'}
        onClick={() => void run('withdraw', endPlan)}
      >
        Withdraw the order
      </Button>
      <p className="mt-3 text-sm text-muted">
        Nothing is charged for an order that is withdrawn. You can order another plan then.
      </p>
    </>
  );
}
