import { Navigate, useSearchParams } from 'react-router-dom';
import type { Config } from '@/api';
import { Card } from '@/components/Card';
import { PageTitle } from '@/components/PageTitle';
import { SelectedPlanBanner } from '@/components/SelectedPlanBanner';
import { WithConfig } from '@/components/WithConfig';
import { can } from '@/lib/capabilities';
import { type Offer, offerOf, type PricedOffer, perInterval, priceText } from '@/lib/offer';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session-store';
import { type DebugState, useDebugParam } from '@/lib/use-debug-param';
import { upper } from '@/rules/letter-case';
import { RegistrationForm } from './RegistrationForm';
import type { Choice } from './registration-payload';

/** Registration of a visitor who has chosen a plan; redirects everyone else. */
export default function RegistrationScreen() {
  const debugParam = useDebugParam();
  const choice = useChoice();
  const { status } = useSession();
  if (!choice) return <Navigate to={paths.plans(debugParam)} replace />;
  if (status === 'signedIn') return <Navigate to={paths.dash(debugParam)} replace />;
  if (status === 'loading') return null;
  return (
    <div className="page max-w-5xl pt-10 sm:pt-14">
      <PageTitle>Create your account</PageTitle>
      <WithConfig>{(config) => <Registration config={config} choice={choice} />}</WithConfig>
    </div>
  );
}

/** The form for a plan with a price; redirects to the contact screen for other plans. */
function Registration({ config, choice: requested }: { config: Config; choice: Choice }) {
  const debugParam = useDebugParam();
  const { choice, offer } = resolveChoice(config, requested);
  const price = offer?.price;
  if (offer && !price) {
    return <Navigate to={paths.contact(choice)} state={debugParam satisfies DebugState} replace />;
  }
  return (
    <div className="mt-8 grid items-start gap-x-16 gap-y-10 grid-cols-1 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      {offer && price && (
        <aside className="lg:sticky lg:top-6 lg:order-last">
          <PlanSummary offer={{ ...offer, price }} />
        </aside>
      )}
      <RegistrationForm
        choice={can(config, 'plan_choice') ? choice : { ...choice, product: '', interval: '' }}
        country={config.defaults.country}
      />
    </div>
  );
}

/** Returns the choice in the address; null when a part is missing. */
function useChoice(): Choice | null {
  const [query] = useSearchParams();
  const [product, interval, currency] = ['product', 'interval', 'currency'].map((name) =>
    query.get(name),
  );
  return product && interval && currency ? { product, interval, currency } : null;
}

/** The choice of the address in the catalogue. */
interface ResolvedChoice {
  /**
   * The submitted choice: no product for an unknown plan or interval, the default currency for an unknown one.
   */
  choice: Choice;
  /** Null for an unknown plan or interval. A plan without a price is sold by the sales team. */
  offer: Offer | null;
}

/** Looks the choice up in the catalogue; the address may be mistyped or outdated. */
function resolveChoice(config: Config, { product, interval, currency }: Choice): ResolvedChoice {
  const sold = config.currencies.some(({ code }) => code === upper(currency));
  const choice = { product, interval, currency: sold ? upper(currency) : config.defaults.currency };
  const offer = offerOf(config, choice);
  return { choice: offer ? choice : { ...choice, product: '', interval: '' }, offer };
}

/** The chosen plan with its price, the trial and the next steps. */
function PlanSummary({ offer: { plan, ref, price } }: { offer: PricedOffer }) {
  const days = plan.trialPeriodDays;
  return (
    <Card aria-label="Your choice">
      <SelectedPlanBanner displayName={plan.displayName} />
      <p className="figures mt-5 flex flex-wrap items-baseline gap-x-2">
        <strong className="text-2xl">{priceText(price)}</strong>
        <span className="text-muted">{perInterval(ref.interval)}</span>
      </p>
      {days > 0 && <p className="mt-1 font-semibold">{`Free for the first ${days} days`}</p>}
      <p className="mt-4 border-t border-line pt-4 text-sm text-muted">
        Next: follow the link in our email, sign in, and add a card.
        {days > 0 && ' You pay nothing today.'}
      </p>
    </Card>
  );
}
