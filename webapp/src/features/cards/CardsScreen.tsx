import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type Config, defaultCardIdOf } from '@/api';
import { Button } from '@/components/Button';
import { Loading } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { Sheet, SheetPart } from '@/components/Sheet';
import { routes } from '@/lib/paths';
import { AccountPage } from '@/modules/billing/AccountPage';
import { cardName, methodNoun } from '@/modules/billing/card-text';
import { dateText, licensedPlan } from '@/modules/billing/plan-text';
import { can, hasCardField, paysInvoices } from '@/modules/config/capabilities';
import { useConfig, useLoadedConfig } from '@/modules/config/config-store';
import { WithConfig } from '@/modules/config/WithConfig';
import { PaymentOnItsWay } from '@/modules/payments/PaymentOnItsWay';
import { cardsQuery } from '@/modules/payments/queries';
import { AppLink, Redirect } from '@/modules/session/AppLink';
import { useGo } from '@/modules/session/navigation';
import { reloadData } from '@/modules/session/query-client';
import { SignedIn } from '@/modules/session/SignedIn';
import { type SignedInSession, type User, useSessionStore } from '@/modules/session/session-store';
import { AddCard } from './AddCard';
import { AddOnPage } from './AddOnPage';
import type { CardsMessage } from './bill-text';
import { CardList, savedHeading } from './CardList';
import { hasRedirect, redirectOf } from './redirect-to';
import type { Saved } from './save-card';
import { useBillOutcome } from './use-bill-outcome';
import { useCardActions } from './use-card-actions';
import { useMethodPageReturn } from './use-method-page-return';

/** The saved cards of the organisation, with a form to add one. */
export default function CardsScreen() {
  return (
    <SignedIn
      loading={
        <Frame>
          <Loading />
        </Frame>
      }
    >
      {(session) => (
        <Frame>
          <WithConfig>
            <Cards session={session} />
          </WithConfig>
        </Frame>
      )}
    </SignedIn>
  );
}

/** Redirects to the dashboard when the payment provider saves no cards. */
function Cards({ session }: CardsManagerProps) {
  const saved = can(useConfig(), 'saved_methods');
  if (!saved) return <Redirect to={routes.dash} />;
  return <CardsManager session={session} />;
}

function Frame({ children }: { children: ReactNode }) {
  const config = useLoadedConfig();
  return (
    <AccountPage
      title={config && !hasCardField(config) ? 'Payment methods' : 'Payment cards'}
      backLink={<GoBack />}
    >
      {children}
    </AccountPage>
  );
}

/** Shown when another screen opened this one. */
function GoBack() {
  const navigate = useNavigate();
  if (!hasRedirect(useLocation().state)) return null;
  return (
    <Button look="quiet" className="mb-4 -ml-4" onClick={() => navigate(-1)}>
      ← Go back
    </Button>
  );
}

interface CardsManagerProps {
  session: SignedInSession;
}

function CardsManager({ session: { customer, user } }: CardsManagerProps) {
  const config = useConfig();
  const customerFailed = !customer && Boolean(user.org.stripeCustomerId);
  const hasField = hasCardField(config);
  const onPage = !hasField && can(config, 'method_page');
  const list = useQuery(cardsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const [message, setMessage] = useState<CardsMessage | null>(null);
  const goBack = useGoBack();
  const showBill = useBillOutcome(showMessageOrGoBack);
  const actions = useCardActions({
    onDefault: async (card, bill) => {
      if (bill) return showBill(card, false, bill);
      void reloadData();
      showMessage({
        tone: 'success',
        text: `${cardName(card)} is your default ${methodNoun(card)} now.`,
      });
    },
    onDeleted: async (card) => {
      await reloadData();
      showMessage({ tone: 'success', text: `${cardName(card)} was deleted.` });
    },
  });

  async function onAdded({ card, bill }: Extract<Saved, { ok: true }>) {
    if (card && bill) return showBill(card, true, bill);
    const reloaded = reloadData();
    if (goBack) return goBack();
    await reloaded;
    showMessage({
      tone: 'success',
      text: card
        ? `${cardName(card)} was added and is your default ${methodNoun(card)} now.`
        : 'Your card was added and is your default card now.',
    });
  }

  const checking = useMethodPageReturn((result) => {
    if (result === 'nothing saved') {
      showMessage({
        tone: 'attention',
        title: 'No payment method was added',
        text: 'You came back without saving one, and nothing has changed. You can add one at any time.',
      });
    } else if (result.ok) void onAdded(result);
    else {
      void reloadData();
      showMessage({ tone: 'danger', title: result.message, text: 'Please try again.' });
    }
  });

  /** Also fetches the customer, which has the default card, if its request failed. */
  async function retry() {
    if (customerFailed) await useSessionStore.getState().refresh();
    await list.refetch();
  }

  /** A paid bill is reported on the screen that requested a card, if there is one. */
  function showMessageOrGoBack(message: CardsMessage) {
    if (goBack && message.tone === 'success') goBack(message.text);
    else showMessage(message);
  }

  /** Moves the focus to the list, because the focused element may have been removed. */
  function showMessage(message: CardsMessage) {
    setMessage(message);
    heading.current?.focus();
  }

  return (
    <>
      {user.processing && <PaymentOnItsWay processing={user.processing} className="mt-6" />}
      <div role="status">
        {checking && <Loading label="Checking your payment methods..." />}
        {message && <CardsNotice {...message} />}
      </div>
      <Sheet className="mt-6">
        <SheetPart className="pb-3!">
          <h2 ref={heading} id={savedHeading} tabIndex={-1} className="mb-2 text-lg">
            {hasField ? 'Saved Card(s)' : 'Saved payment methods'}
          </h2>
          <CardList
            list={list}
            defaultCardId={customerFailed ? undefined : defaultCardIdOf(customer)}
            usedFor={purposeOf(user, config)}
            now={user.now ? user.now * 1000 : Date.now()}
            actions={actions}
            retry={retry}
            added={hasField ? 'in the panel' : onPage ? 'on the page' : 'by paying'}
          />
        </SheetPart>
        {onPage && <AddOnPage saved={checking ? undefined : list.data} />}
        {hasField && (
          <AddCard
            provider={config.provider}
            onAdded={(saved) => void onAdded(saved)}
            onFailed={() => void reloadData()}
          />
        )}
      </Sheet>
    </>
  );
}

/** 'Used for Professional, next charge on 28 November 2026'; empty when nothing will be charged. */
function purposeOf({ license, openPayment }: User, config: Config): string {
  if (!license?.next_charge_at || openPayment || paysInvoices(config)) return '';
  const date = dateText(license.next_charge_at);
  return `Used for ${licensedPlan(license, config)}, next charge on ${date}`;
}

function CardsNotice({ tone, title, text, open, paid }: CardsMessage) {
  return (
    <Notice tone={tone} live={false} className="mt-6" title={title}>
      <p>
        {text}
        {open && (
          <>
            {' '}
            <AppLink to={routes.pay} className="underline">
              Pay it another way
            </AppLink>
          </>
        )}
        {paid && (
          <>
            {' '}
            <AppLink to={routes.invoices} className="underline">
              See the invoice
            </AppLink>
          </>
        )}
      </p>
    </Notice>
  );
}

/**
 * Returns a function that goes back to the screen that requested a card, with a notice to show there; null
 * without such a screen.
 */
function useGoBack() {
  const go = useGo();
  const { state } = useLocation();
  const to = redirectOf(state);
  return (
    to &&
    ((notice?: string) => go(to, { state: notice ? { ...state, notice } : state, replace: true }))
  );
}
