import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type Billing, type Card, type Config, defaultCardIdOf } from '@/api';
import { Button } from '@/components/Button';
import { Loading } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { Panel, PanelSection } from '@/components/Panel';
import type { Elements } from '@/lib/elements';
import { routes } from '@/lib/paths';
import { AccountPage } from '@/modules/billing/AccountPage';
import { dateText, licensePlanName } from '@/modules/billing/plan-text';
import { billingQuery } from '@/modules/billing/queries';
import { can, hasCardField, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { ProcessingPaymentNotice } from '@/modules/payments/ProcessingPaymentNotice';
import { cardsQuery } from '@/modules/payments/queries';
import { nextCharge } from '@/modules/payments/quote-text';
import { AppLink, Redirect } from '@/modules/session/AppLink';
import { AskOwner } from '@/modules/session/BillingRolesOnly';
import { reloadData } from '@/modules/session/query-client';
import { canManageBilling } from '@/modules/session/roles';
import { SignedIn } from '@/modules/session/SignedIn';
import { type SignedInSession, type User, useSessionStore } from '@/modules/session/session-store';
import { WithConfig } from '@/modules/session/WithConfig';
import { AddCardPanel } from './AddCardPanel';
import { AddMethodPanel } from './AddMethodPanel';
import { CardList, listHeadingId, type MethodEntry } from './CardList';
import type { CardsMessage } from './overdue-payment-text';
import { hasRedirect } from './redirect-to';
import { useCardsManager } from './use-cards-manager';

/** The saved cards of the organisation, with a form to add one. */
export default function CardsScreen() {
  return (
    <SignedIn
      loading={
        <CardsFrame>
          <Loading />
        </CardsFrame>
      }
    >
      {(session) => (
        <CardsFrame>
          <WithConfig>
            <CardsGate session={session} />
          </WithConfig>
        </CardsFrame>
      )}
    </SignedIn>
  );
}

/** Redirects to the dashboard when the payment provider saves no cards. */
function CardsGate({ session }: CardsManagerProps) {
  if (!can(useConfig(), 'saved_methods')) return <Redirect to={routes.dash} />;
  return <CardsManager session={session} />;
}

const CardsFrame = ({ children }: { children: Elements }) => (
  <AccountPage title="Payment methods" backLink={<GoBackButton />}>
    {children}
  </AccountPage>
);

/** Whether a saved payment method is not a card but, for example, a bank account. */
const isNonCardMethod = ({ label }: Card): boolean => label !== undefined;

/** A button that goes back to the screen that requested a card. Renders nothing if no screen requested one. */
function GoBackButton() {
  const navigate = useNavigate();
  if (!hasRedirect(useLocation().state)) return null;
  return (
    <Button variant="quiet" className="mb-4 -ml-4" onClick={() => navigate(-1)}>
      ← Go back
    </Button>
  );
}

interface CardsManagerProps {
  session: SignedInSession;
}

function CardsManager({ session: { customer, user } }: CardsManagerProps) {
  const config = useConfig();
  const entry = methodEntryOf(config);
  const isCustomerMissing = !customer && Boolean(user.org.stripeCustomerId);
  const cardsResult = useQuery(cardsQuery);
  const usage = useUsageText(user);
  const heading = useRef<HTMLHeadingElement>(null);
  const canManage = canManageBilling(user);
  const { message, actions, onAdd, isCheckingVisit } = useCardsManager(heading);

  /** Loads the cards again, and the customer with the default card if its request failed. */
  async function retry() {
    if (isCustomerMissing) await useSessionStore.getState().refresh();
    await cardsResult.refetch();
  }

  return (
    <>
      {user.processing && <ProcessingPaymentNotice processing={user.processing} className="mt-6" />}
      <div role="status">
        {isCheckingVisit && <Loading label="Checking your payment methods..." />}
        {message && <CardsNotice {...message} />}
      </div>
      <Panel isStacked className="mt-6">
        <PanelSection className="pb-3!">
          <h2 ref={heading} id={listHeadingId} tabIndex={-1} className="mb-2 text-lg">
            {entry === 'card_panel' && !cardsResult.data?.some(isNonCardMethod)
              ? 'Saved Card(s)'
              : 'Saved payment methods'}
          </h2>
          <CardList
            cardsResult={cardsResult}
            defaultCardId={isCustomerMissing ? undefined : defaultCardIdOf(customer)}
            usage={usage}
            actions={canManage ? actions : null}
            retry={retry}
            entry={entry}
          />
        </PanelSection>
        {!canManage && (
          <PanelSection>
            <AskOwner user={user} action="change the payment methods" />
          </PanelSection>
        )}
        {canManage && entry === 'method_page' && (
          <AddMethodPanel methods={isCheckingVisit ? undefined : cardsResult.data} />
        )}
        {/* On a phone the panel is below the list. It is shown after the list, so that the list does not move it. */}
        {canManage && entry === 'card_panel' && !cardsResult.isPending && (
          <AddCardPanel
            provider={config.provider}
            cards={cardsResult.data ?? []}
            onAdd={(result) => void onAdd(result)}
            onDecline={() => void reloadData()}
          />
        )}
      </Panel>
    </>
  );
}

function methodEntryOf(config: Config): MethodEntry {
  if (hasCardField(config)) return 'card_panel';
  return can(config, 'method_page') ? 'method_page' : 'payment_page';
}

/** Returns 'Used for Professional, next charge on 28 November 2026'; empty when nothing will be charged. */
function useUsageText({ license, openPayment }: User): string {
  const config = useConfig();
  const isCharged = license?.next_charge_at && !license.invoice_due_at && !openPayment;
  const isUsed = Boolean(isCharged) && !paysInvoices(config);
  const hasBilling = can(config, 'billing');
  const { data: billing } = useQuery({ ...billingQuery, enabled: isUsed && hasBilling });
  if (!license?.next_charge_at || !isUsed) return '';
  const text = `Used for ${licensePlanName(license, config)}`;
  const chargeAt = hasBilling ? unpaidChargeDate(billing) : license.next_charge_at;
  return chargeAt ? `${text}, next charge on ${dateText(chargeAt, config.timeZone)}` : text;
}

/** Returns the date of the next charge that the credit does not cover; undefined while it is unknown. */
function unpaidChargeDate(billing: Billing | undefined): string | undefined {
  const charge = billing && nextCharge(billing);
  return charge && charge.amount > 0 ? charge.at : undefined;
}

function CardsNotice({ tone, title, text, isInvoiceOpen, isInvoicePaid }: CardsMessage) {
  return (
    <Notice tone={tone} live={false} className="mt-6" title={title}>
      <p>
        <span>{`${text} `}</span>
        {isInvoiceOpen && (
          <AppLink to={routes.pay} className="underline">
            Pay it another way
          </AppLink>
        )}
        {isInvoicePaid && (
          <AppLink to={routes.invoices} className="underline">
            See the invoice
          </AppLink>
        )}
      </p>
    </Notice>
  );
}
