import { Suspense, useDeferredValue } from 'react';
import { Link } from 'react-router-dom';
import { WaitingRoom } from '@/components/illustrations/WaitingRoom';
import { Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { PageBanner } from '@/components/PageBanner';
import { PageTitle } from '@/components/PageTitle';
import { routes, withDebug } from '@/lib/paths';
import { useConfig, useLoadedConfig } from '@/modules/config/config-store';
import { askOwnerText, canManageBilling } from '@/modules/session/roles';
import { useSession } from '@/modules/session/session-store';
import { WithConfig } from '@/modules/session/WithConfig';
import { ClosingSection } from './ClosingSection';
import { Comparison } from './Comparison';
import { CheckedList, PlanCard } from './PlanCard';
import { PlanControls } from './PlanControls';
import { summariesOf } from './plan-summary';
import { priceFormatOf, priceTextsOf } from './price-texts';
import { usePlanAction } from './use-plan-action';
import { type PlansView, useOffersTrial, usePlansView } from './use-plans-view';

/** The texts below the title. They have the same length, so that the layout does not shift when the session loads. */
const introductions = {
  trial:
    'Video consultations with a waiting room of your own. Try any plan free for 7 days, and change it when your practice changes.',
  noTrial:
    'Video consultations with a waiting room of your own. Choose the plan that fits you, and change it when your practice changes.',
};

/** The screen that compares the plans, with a button to choose each. */
export default function PlansScreen() {
  const isLoaded = usePlansLoaded();
  const offersTrial = useOffersTrial();
  return (
    <div className="page">
      <div className="flex items-end justify-between gap-8 pt-8 pb-5 md:border-b md:border-control-line lg:pt-10 lg:pb-0">
        <div className="lg:pb-10">
          <PageTitle title="Plans and pricing">Plans for every practice</PageTitle>
          <p className="mt-2 max-w-2xl text-muted md:text-lg">
            {offersTrial ? introductions.trial : introductions.noTrial}
          </p>
        </div>
        <WaitingRoom hideGround className="-mb-px hidden w-[480px] min-w-0 lg:block" />
      </div>
      <WithConfig fallback={<PlansSkeleton />}>
        <Suspense fallback={<PlansSkeleton />}>{isLoaded ? <Plans /> : <PlansSkeleton />}</Suspense>
      </WithConfig>
    </div>
  );
}

/**
 * Whether the data of the plans is loaded. Rendering the plans is slow on phones, so it is deferred and interruptible when
 * the data arrives. Data that is already loaded, for example after Back, is rendered immediately, so that the browser can
 * restore the scroll position.
 */
function usePlansLoaded(): boolean {
  const { status } = useSession();
  const config = useLoadedConfig();
  return useDeferredValue(status !== 'loading' && config !== null);
}

function Plans() {
  const { catalogue } = useConfig();
  const view = usePlansView();
  const planAction = usePlanAction();
  const { plans, rows } = catalogue;
  const comparedRows = rows.filter(({ include }) => include);
  const summaries = summariesOf(plans, comparedRows);
  const format = priceFormatOf(catalogue, view);
  const priceTexts = plans.map((plan) => priceTextsOf(catalogue, plan, view, format));
  const mostChosen = plans.find((plan) => plan.mostChosen);
  const currentPlan = plans.find(({ id }) => id === view.license?.raw.metadata.name);
  const highlightedPlan = currentPlan ?? mostChosen;
  return (
    <>
      <PageBanner className="mb-5 lg:mt-5" />
      <PlanControls view={view} />
      {view.mode === 'disabled' && <DisabledNotice view={view} />}
      <div className="@container">
        <div className="plan-grid">
          <CommonFeatures offersTrial={view.offersTrial} />
          {plans.map((plan, index) => (
            <PlanCard
              key={plan.id}
              plan={plan}
              priceTexts={priceTexts[index] ?? null}
              summary={summaries[index] ?? { title: '', items: [] }}
              view={view}
              planAction={planAction}
              isCurrent={plan === currentPlan}
              isHighlighted={plan === highlightedPlan}
              solid={!mostChosen || plan === mostChosen}
            />
          ))}
        </div>
        <Comparison
          plans={plans}
          rows={comparedRows}
          {...{ priceTexts, highlightedPlan, view, planAction }}
        />
        <ClosingSection
          plan={mostChosen ?? plans.find((_, index) => priceTexts[index])}
          {...{ view, planAction, format }}
        />
      </div>
    </>
  );
}

const DisabledNotice = ({ view }: { view: PlansView }) => (
  <Notice id="plans-disabled" live={false} className="mb-4">
    <DisabledReason view={view} />
  </Notice>
);

/** Explains why the buttons are disabled, and links users to the page with enabled buttons. */
function DisabledReason({ view }: { view: PlansView }) {
  const session = useSession();
  if (session.status === 'signedIn' && !canManageBilling(session.user)) {
    return <p>{askOwnerText(session.user, 'change the plan')}</p>;
  }
  if (view.license?.isDev) {
    return <p>You have a developer licence. It can’t be changed or bought here.</p>;
  }
  if (!view.userId) return <p>This is a preview: you can compare the plans, and sign up later.</p>;
  return (
    <p>
      You can compare the plans here.{' '}
      <Link to={withDebug(routes.plans)} className="text-link">
        {view.trialUsed ? 'Change your plan' : 'Choose your plan'}
      </Link>
    </p>
  );
}

const CommonFeatures = ({ offersTrial }: { offersTrial: boolean }) => (
  <div className="row-span-5 hidden pt-6 pr-4 @min-[69rem]:block">
    <h2 className="text-base">In every plan</h2>
    <CheckedList
      items={[
        ...(offersTrial ? ['Free for 7 days'] : []),
        'Virtual waiting room',
        'No patient logins',
        'No software to download',
      ]}
    />
  </div>
);

/** The placeholder of the controls and the cards. */
function PlansSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div className="flex flex-wrap justify-between gap-4 md:py-4">
        <Skeleton className="h-11 w-60" />
        <Skeleton className="h-11 w-96 max-w-full" />
      </div>
      <div className="@container">
        <div className="plan-grid">
          <div className="row-span-5 hidden @min-[69rem]:block" />
          {['a', 'b', 'c', 'd'].map((key) => (
            <div key={key} aria-hidden data-loading className="plan-card">
              <div className="h-104" />
            </div>
          ))}
        </div>
      </div>
    </>
  );
}
