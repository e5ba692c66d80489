import type { Config } from '@/api';
import type { ConfirmState } from '@/app/navigation-state';
import type { Offer, Price } from '@/features/payment/offer';
import type { User } from '@/features/session/session-store';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { Skeleton } from '@/ui/Skeleton';
import { Confirmation } from './Confirmation';
import { ConfirmFrame } from './ConfirmFrame';
import { useConfirmation } from './use-confirmation';

/** What is to be confirmed, as far as the page knows it without asking. */
export interface ToConfirm {
  user: User;
  change: ConfirmState;
  config: Config;
  /** What is changed to. */
  to: Offer & { price: Price };
}

/** Loads the default card, and what else there is to know before anything is confirmed. */
export function ConfirmLoader(asked: ToConfirm) {
  const { user, change } = asked;
  const { confirmation, reload, update } = useConfirmation({
    hasCustomer: Boolean(user.org.stripeCustomerId),
    begins: !change.from,
  });
  switch (confirmation.status) {
    case 'loading':
      return <Placeholder />;
    case 'failed':
      return <Failed retry={() => void reload()} />;
    case 'ready':
      return <Confirmation {...asked} {...confirmation.facts} onFailed={update} />;
  }
}

const Placeholder = () => (
  <ConfirmFrame>
    <div role="status" className="grid gap-6 lg:grid-cols-[minmax(0,8fr)_minmax(0,5fr)]">
      <span className="sr-only">Loading...</span>
      <Skeleton className="h-72" />
      <Skeleton className="h-72" />
    </div>
  </ConfirmFrame>
);

const Failed = ({ retry }: { retry: () => void }) => (
  <ConfirmFrame>
    <Notice tone="danger" title="Please try again later!">
      <p>Your card could not be loaded. Nothing was changed, and nothing was charged.</p>
    </Notice>
    <Button look="secondary" className="mt-4" onClick={retry}>
      Try again
    </Button>
  </ConfirmFrame>
);
