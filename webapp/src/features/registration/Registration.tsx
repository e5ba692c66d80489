import { useState } from 'react';
import { Navigate } from 'react-router-dom';
import type { Config } from '@/api';
import { type Step, Steps } from '@/components/Steps';
import { SummaryPanel } from '@/components/SummaryPanel';
import { paths, routes } from '@/lib/paths';
import { useQueryParams } from '@/lib/use-query-params';
import { perInterval, priceText, symbolText } from '@/modules/billing/amount-text';
import { type Offer, offerOf, type PricedOffer } from '@/modules/billing/offer';
import { SelectedPlanBanner } from '@/modules/billing/SelectedPlanBanner';
import { taxRateText } from '@/modules/billing/tax-text';
import { can, hasCardField } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { Redirect } from '@/modules/session/AppLink';
import { CookiesNotice } from '@/modules/session/CookiesNotice';
import { longDate } from '@/modules/session/dates';
import { type DebugState, useDebug } from '@/modules/session/navigation';
import { useSession } from '@/modules/session/session-store';
import { WithConfig } from '@/modules/session/WithConfig';
import { asciiUpper } from '@/rules/letter-case';
import { RegistrationForm } from './RegistrationForm';
import { RegistrationSkeleton } from './RegistrationSkeleton';
import type { PlanChoice } from './registration-payload';
import { type Place, useTimeZone } from './use-time-zone';

/** The registration form. Redirects signed-in users, and visitors without a choice. */
export default function Registration() {
  const choice = useChoice();
  const { status } = useSession();
  if (!choice) return <Redirect to={routes.plans} />;
  if (status === 'signedIn') return <Redirect to={routes.dash} />;
  if (status === 'loading') return <RegistrationSkeleton />;
  return (
    <WithConfig fallback={<RegistrationSkeleton />}>
      <FormWithPlan choice={choice} />
    </WithConfig>
  );
}

/** The form beside the chosen plan. Redirects to the contact screen for a plan without a price. */
function FormWithPlan({ choice: requestedChoice }: { choice: PlanChoice }) {
  const config = useConfig();
  const debug = useDebug();
  const { choice, offer } = resolveChoice(config, requestedChoice);
  const [place, setPlace] = useState<Place>({ country: config.defaults.country, state: '' });
  const price = offer?.price;
  if (offer && !price) {
    return <Navigate to={paths.contact(choice)} state={{ debug } satisfies DebugState} replace />;
  }
  return (
    <>
      <p className="mt-1 text-muted">{`Three short parts.${price ? ' You pay nothing today.' : ''}`}</p>
      <CookiesNotice />
      <div className="@container mt-6">
        <div className="grid grid-cols-1 items-start gap-x-8 gap-y-6 @min-[52rem]:grid-cols-[minmax(0,1fr)_25rem]">
          {offer && price && (
            <aside className="@min-[52rem]:sticky @min-[52rem]:top-6 @min-[52rem]:order-last">
              <PlanSummary offer={{ ...offer, price }} place={place} />
            </aside>
          )}
          <div className="@container min-w-0">
            <RegistrationForm
              choice={
                can(config, 'plan_choice') ? choice : { ...choice, product: '', interval: '' }
              }
              country={config.defaults.country}
              onPlaceChange={setPlace}
            />
          </div>
        </div>
      </div>
    </>
  );
}

/** Returns the choice in the URL, or null when a part is missing. */
function useChoice(): PlanChoice | null {
  const query = useQueryParams();
  const [product, interval, currency] = ['product', 'interval', 'currency'].map((name) =>
    query.get(name),
  );
  return product && interval && currency ? { product, interval, currency } : null;
}

/** The result of looking up a choice in the catalogue. */
interface ResolvedChoice {
  /**
   * The choice in the catalogue. Product and interval are empty if one of them is unknown. An unknown currency is
   * replaced with the default currency.
   */
  choice: PlanChoice;
  /** Null for an unknown plan or interval. A plan without a price is sold by the sales team. */
  offer: Offer | null;
}

/** Looks up the choice in the catalogue. The choice comes from the URL, which may be mistyped or outdated. */
function resolveChoice(
  config: Config,
  { product, interval, currency }: PlanChoice,
): ResolvedChoice {
  const isKnownCurrency = config.currencies.some(({ code }) => code === asciiUpper(currency));
  const choice = {
    product,
    interval,
    currency: isKnownCurrency ? asciiUpper(currency) : config.defaults.currency,
  };
  const offer = offerOf(config, choice);
  return { choice: offer ? choice : { ...choice, product: '', interval: '' }, offer };
}

/** The chosen plan with its price, and the charges with their dates in the time zone of the address. */
function PlanSummary({ offer, place }: { offer: PricedOffer; place: Place }) {
  const config = useConfig();
  const { plan, priceRef, price } = offer;
  const tax = taxRateText(config.catalogue, priceRef.currency);
  const steps = stepsToFirstCharge(offer, config, useTimeZone(place));
  const canEnd = can(config, 'billing') && can(config, 'at_period_end');
  return (
    <SummaryPanel
      label="Your choice"
      heading={<SelectedPlanBanner displayName={plan.displayName} />}
      collapsedLine={[
        `${priceText(config, price)} ${perInterval(priceRef.interval)}`,
        steps[0].amount ?? '',
        'today',
      ]}
    >
      <p className="mt-3 flex flex-wrap items-baseline gap-x-2">
        <strong className="amount text-2xl font-heading">{priceText(config, price)}</strong>
        <span className="text-muted">{perInterval(priceRef.interval)}</span>
      </p>
      {tax && <p className="text-sm text-muted">{`includes ${tax}`}</p>}
      <div className="my-5 border-y border-line py-5">
        <Steps steps={steps} />
      </div>
      <p className="text-sm text-muted">
        {[
          `Renews every ${priceRef.interval === 'yearly' ? 'year' : 'month'} at this price.`,
          canEnd && 'You can end it at any time on your dashboard.',
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </SummaryPanel>
  );
}

/** Returns the steps to the first charge, with its date if the customer subscribes today. */
function stepsToFirstCharge(
  { plan, price }: PricedOffer,
  config: Config,
  timeZone: string | undefined,
): [Step, ...Step[]] {
  const trialDays = plan.trialPeriodDays;
  const collectsCard = hasCardField(config);
  const { code: currency } = price.currency;
  const amountText = (amount: number) => symbolText(config, { amount, currency });
  const today: Step = {
    title: 'Today',
    text: 'You create your account',
    amount: amountText(0),
    status: 'current',
  };
  const startTitle = collectsCard ? 'When you add a card' : 'When you subscribe';
  if (trialDays === 0) {
    return [today, { title: startTitle, text: 'First charge', amount: amountText(price.amount) }];
  }
  const trialEnd = new Date(Date.now() + trialDays * 86_400_000);
  return [
    today,
    { title: startTitle, text: `Your ${trialDays}-day free trial starts`, amount: amountText(0) },
    {
      title: longDate(trialEnd, timeZone),
      text: `First charge, if you ${collectsCard ? 'add your card' : 'subscribe'} today`,
      amount: amountText(price.amount),
    },
  ];
}
