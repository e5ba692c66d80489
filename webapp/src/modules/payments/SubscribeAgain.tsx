import type { License } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { Skeleton } from '@/components/Loading';
import { routes } from '@/lib/paths';
import { amountText } from '@/modules/billing/amount-text';
import { hasNeverStarted, nextPlanTexts } from '@/modules/billing/ended-text';
import { type Offer, offerOf, priceChoiceOf } from '@/modules/billing/offer';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { AskOwner } from '@/modules/session/BillingRolesOnly';
import { useGo } from '@/modules/session/navigation';
import type { ConfirmState } from '@/modules/session/navigation-state';
import { canManageBilling } from '@/modules/session/roles';
import type { User } from '@/modules/session/session-store';
import { OwedInvoiceNotice } from './OwedInvoiceNotice';
import { openPaymentOfKind } from './open-payment-text';
import { useQuote } from './use-quote';

interface SubscribeAgainProps {
  user: User;
  /** The license that has ended. */
  license: License;
}

/**
 * A button to subscribe to the same plan again, with the amount due today, or a link to the plans if the amount can't be
 * quoted. An owed invoice has to be paid first. Renders nothing while the account is on hold, because a banner explains it.
 */
export function SubscribeAgain({ user, license }: SubscribeAgainProps) {
  const config = useConfig();
  const offer = offerOf(config, { ...license, product: license.raw.metadata.name });
  const owedPayment = openPaymentOfKind(user.openPayment, 'owed');
  if (owedPayment) return <OwedInvoiceNotice payment={owedPayment} />;
  if (user.hold) return null;
  const { label, action } = nextPlanTexts(license);
  if (!canManageBilling(user)) {
    return (
      <div className="mt-3">
        <AskOwner user={user} action={action} />
      </div>
    );
  }
  if (hasNeverStarted(license) || !can(config, 'quotes') || !offer?.price) {
    return <PlansLink label={label} />;
  }
  return <QuotedSubscription user={user} offer={offer} />;
}

function PlansLink({ label = 'Subscribe again' }: { label?: string }) {
  return (
    <AppLink entersArea to={routes.plans} className={`${buttonClass()} mt-5`}>
      {label}
    </AppLink>
  );
}

function QuotedSubscription({ user, offer: { priceRef } }: { user: User; offer: Offer }) {
  const config = useConfig();
  const go = useGo({ entersArea: true });
  const { state } = useQuote({ ...priceChoiceOf(priceRef), no_trial: true });
  if (state.status === 'failed') {
    return (
      <>
        {state.message && <p className="mt-3">{state.message}</p>}
        <PlansLink />
      </>
    );
  }
  if (state.status !== 'ready') {
    return (
      <div role="status" className="mt-5">
        <span className="sr-only">Loading the amount...</span>
        <Skeleton className="h-11 w-72 max-w-full" />
      </div>
    );
  }
  const confirmState: ConfirmState = { user, to: priceRef, mode: 'update' };
  return (
    <p className="mt-5 flex flex-wrap gap-3">
      <Button onClick={() => go(routes.confirm, { state: confirmState })}>
        {`Subscribe again, ${amountText(config, state.quote.dueNow)} today`}
      </Button>
      <AppLink entersArea to={routes.plans} className={buttonClass('secondary')}>
        Choose another plan
      </AppLink>
    </p>
  );
}
