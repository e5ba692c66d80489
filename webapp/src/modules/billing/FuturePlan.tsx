import { buttonClass } from '@/components/Button';
import { WaitingRoom } from '@/components/illustrations/WaitingRoom';
import { IllustratedPanel } from '@/components/Panel';
import { routes } from '@/lib/paths';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { BillingRolesOnly } from '@/modules/session/BillingRolesOnly';
import { canManageBilling } from '@/modules/session/roles';
import type { User } from '@/modules/session/session-store';
import { ChosenPlanCard } from './ChosenPlanCard';
import { offerOf } from './offer';

/**
 * The plan that a new organisation chose at registration, or a link to the plans if it chose none. Users who may not choose
 * a plan see whom to ask.
 */
export function FuturePlan({ user }: { user: User }) {
  const config = useConfig();
  const { product = '', interval = '', currency = config.defaults.currency } = user.org.metadata;
  const offer = offerOf(config, { product, interval, currency });
  return offer?.price && canManageBilling(user) ? (
    <ChosenPlanCard offer={{ ...offer, price: offer.price }} user={user} />
  ) : (
    <NoPlan />
  );
}

function NoPlan() {
  const hasTrials = useConfig().catalogue.plans.every((plan) => plan.trialPeriodDays > 0);
  return (
    <IllustratedPanel aria-labelledby="plan" picture={<WaitingRoom className="w-72" />}>
      <h2 id="plan" className="text-xl">
        You have no plan yet
      </h2>
      <p className="mt-3 text-muted">
        {hasTrials
          ? 'Choose a plan to get started: every plan begins with a free trial, and you can change your plan later. Nothing is charged before you choose one.'
          : 'Choose a plan to get started. You can change your plan later. Nothing is charged before you choose one.'}
      </p>
      <div className="mt-5">
        <BillingRolesOnly action="choose a plan">
          <AppLink entersArea to={routes.plans} className={buttonClass()}>
            Choose a plan
          </AppLink>
        </BillingRolesOnly>
      </div>
    </IllustratedPanel>
  );
}
