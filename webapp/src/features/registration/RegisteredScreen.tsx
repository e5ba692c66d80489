import { Link, useLocation } from 'react-router-dom';
import type { Config } from '@/api';
import { buttonClass } from '@/components/Button';
import { Letter } from '@/components/illustrations/ChairDrawings';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';
import { type Step, Steps } from '@/components/Steps';
import { routes } from '@/lib/paths';
import { perInterval, priceText, symbolText } from '@/modules/billing/amount-text';
import { offerOf } from '@/modules/billing/offer';
import { hasCardField } from '@/modules/config/capabilities';
import { useLoadedConfig } from '@/modules/config/config-store';
import { AppLink, Redirect } from '@/modules/session/AppLink';
import { type RegisteredState, registeredState } from '@/modules/session/navigation-state';
import { ResendVerification } from '@/modules/session/ResendVerification';
import { correction, draftOf, saveDraft } from './registration-draft';

/** The screen after a registration. Redirects to the plans when the navigation state has no email address. */
export default function RegisteredScreen() {
  const config = useLoadedConfig();
  const { state } = useLocation();
  const { email, name, choice, sentAt } = registeredState(state);
  if (!email) return <Redirect to={routes.plans} />;
  return (
    <>
      <PicturePage picture={<Letter className="w-full" />}>
        <PageTitle>Registration Success!</PageTitle>
        <p className="mt-4 text-muted">
          <span>{`${name ? `Thank you, ${name}. ` : ''}An email was sent to `}</span>
          <strong translate="no" className="mt-1 block text-xl font-heading break-words text-ink">
            {email}
          </strong>
        </p>
        <p className="mt-1">
          <CorrectionLink state={state} />
        </p>
        <p className="mt-4 text-lg">
          Please check your inbox to verify your account and login with your credentials
        </p>
        <div className="mt-5 flex flex-wrap items-start gap-x-3 gap-y-2">
          <Link to={routes.dash} state={{ email }} className={buttonClass()}>
            Sign In
          </Link>
          <ResendVerification email={email} sentAt={sentAt} />
        </div>
        <Letter className="mx-auto mt-6 w-60 @min-[60rem]:hidden" />
      </PicturePage>
      <div className="page @container py-8">
        <section
          aria-labelledby="steps"
          className="figures rounded-card border border-line bg-surface p-6"
        >
          <h2 id="steps" className="sr-only">
            What comes next
          </h2>
          <Steps steps={registrationSteps(config, choice)} horizontal />
        </section>
      </div>
    </>
  );
}

/** A link to the submitted form without its passwords. The email field gets the focus. */
function CorrectionLink({ state }: { state: Partial<RegisteredState> }) {
  const { draft, search } = Object(state.form);
  return (
    <AppLink
      to={routes.regform + (typeof search === 'string' ? search : '')}
      // Replaces this screen in the history. Otherwise Back would show the wrong address after the correction.
      replace
      state={correction}
      onClick={() => saveDraft(draftOf(draft))}
      className="text-link"
    >
      Wrong address? Correct it
    </AppLink>
  );
}

/** Returns the steps from the registration to the start of the plan. */
function registrationSteps(config: Config | null, choice: RegisteredState['choice']): Step[] {
  const offer = config && choice ? offerOf(config, choice) : null;
  const trialDays = offer?.plan.trialPeriodDays ?? 0;
  let price = '';
  let amountToday = '';
  if (config && offer?.price) {
    const { interval, currency } = offer.priceRef;
    price = `${priceText(config, offer.price)} ${perInterval(interval)}`;
    if (trialDays > 0) amountToday = `: ${symbolText(config, { amount: 0, currency })} today`;
  }
  return [
    { title: 'Account', text: 'Created', status: 'done' },
    { title: 'Email', text: 'You are here: open the link in our email', status: 'current' },
    !config || hasCardField(config)
      ? { title: 'Card', text: `Sign in and add it${amountToday}` }
      : { title: 'Subscription', text: `Sign in and subscribe${amountToday}` },
    trialDays > 0
      ? { title: 'Trial', text: `${trialDays} days free${price ? `, then ${price}` : ''}` }
      : { title: 'Plan', text: price || 'Your plan starts' },
  ];
}
