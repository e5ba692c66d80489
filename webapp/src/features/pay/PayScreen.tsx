import { type ReactNode, useEffect, useState } from 'react';
import type { Config, NextAction, OpenPayment } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { Receipt } from '@/components/illustrations/ChairDrawings';
import { CardSkeleton, Loading } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { PageTitle } from '@/components/PageTitle';
import { PurchasePage } from '@/components/PurchasePage';
import { cx } from '@/lib/cx';
import { routes } from '@/lib/paths';
import { useQueryParams } from '@/lib/use-query-params';
import { openPaymentRows } from '@/modules/billing/invoice-text';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { actionWithInstructions, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { OpenPaymentNoticePage } from '@/modules/payments/OpenPaymentNoticePage';
import {
  closedNotice,
  lacksMethod,
  noOpenPaymentNotice,
  resultNotice,
  returnNotice,
  unpaidNotice,
} from '@/modules/payments/open-payment-notices';
import {
  consequenceText,
  invoiceText,
  keepPlanLabel,
  openPaymentText,
} from '@/modules/payments/open-payment-text';
import { PaymentInstructions } from '@/modules/payments/PaymentInstructions';
import { ProcessingPaymentPage } from '@/modules/payments/ProcessingPaymentPage';
import { useOpenPaymentActions } from '@/modules/payments/use-open-payment-actions';
import { WithCardProvider } from '@/modules/payments/WithCardProvider';
import { AppLink, Redirect } from '@/modules/session/AppLink';
import { breakDates } from '@/modules/session/dates';
import { canManageBilling } from '@/modules/session/roles';
import { SignedInScreen } from '@/modules/session/SignedIn';
import { refreshUntil, type Session, type SignedInSession } from '@/modules/session/session-store';
import { PayForm } from './PayForm';
import { canReportTransfer, TransferReport } from './TransferReport';

/**
 * The screen on which a customer makes an open payment or authenticates the card of a trial. Redirects users who may not pay
 * to the dashboard.
 */
export default function PayScreen() {
  return (
    <SignedInScreen visitor="signIn" loading={<Loading />} frame={PayFrame}>
      {(session) =>
        canManageBilling(session.user) ? (
          <PayGate session={session} />
        ) : (
          <Redirect to={routes.dash} />
        )
      }
    </SignedInScreen>
  );
}

const PayFrame = ({ children }: { children: ReactNode }) => (
  <div className="page @container pt-8 sm:pt-14">{children}</div>
);

/** Shows the form for the open payment, the instructions for a bank transfer, or why there is nothing to pay. */
function PayGate({ session }: { session: SignedInSession }) {
  const config = useConfig();
  const { state, pay, cancel } = useOpenPaymentActions();
  const { license, openPayment, processing, order } = session.user;
  const { hasReturned, isChecking } = useReturnFromPage(session, config);
  if (state.kind === 'processing') return <ProcessingPaymentPage />;
  if (state.kind === 'paid' || state.kind === 'canceled') {
    return <OpenPaymentNoticePage {...resultNotice(state.kind, state.payment, license, config)} />;
  }
  const transfer = actionWithInstructions(session.user.next);
  if (transfer && paysInvoices(config)) {
    const invoice = openPayment ?? license?.invoiced;
    return (
      <TransferInstructions
        next={transfer}
        amountRows={invoice ? openPaymentRows(invoice, config) : []}
        keepLabel={keepPlanLabel(license, config)}
        purpose={invoiceText(openPayment, license, config)}
        onCancelChange={openPayment?.kind === 'plan_change' ? () => void cancel(openPayment) : null}
        busy={state.kind === 'busy'}
      />
    );
  }
  if (processing && state.kind !== 'busy') return <ProcessingPaymentPage />;
  if (isChecking) return <Loading label="Checking your payment..." />;
  const payment = currentOpenPayment(state.kind === 'busy' ? state.payment : openPayment, state);
  if (payment) return <PayPage {...{ session, payment, state, pay, cancel, hasReturned }} />;
  if (!license && order) {
    return (
      <PayFrame>
        <PageTitle className="mb-6">Your order</PageTitle>
        <PendingOrder order={order} />
      </PayFrame>
    );
  }
  if (state.kind === 'failed') {
    return <OpenPaymentNoticePage {...closedNotice(state.payment, license, config)} />;
  }
  return (
    <OpenPaymentNoticePage
      {...(hasReturned ? returnNotice(session, config) : noOpenPaymentNotice(license))}
    />
  );
}

interface PayPageProps extends Omit<ReturnType<typeof useOpenPaymentActions>, 'reset'> {
  session: SignedInSession;
  payment: OpenPayment;
  /** Whether the customer has returned from the provider's page. */
  hasReturned: boolean;
}

/** The purpose, the amount and the form of an open payment. */
function PayPage({ session, payment, state, pay, cancel, hasReturned }: PayPageProps) {
  const config = useConfig();
  const { license } = session.user;
  const { title, text, button, details } = openPaymentText(payment, license, config);
  const notice = unpaidNotice(payment);
  const showsReturnNotice = hasReturned && state.kind === 'idle';
  return (
    <PurchasePage
      title={title}
      backLink={
        <AppLink to={routes.dash} className="text-link mb-1 inline-block py-1 text-sm">
          Back to your dashboard
        </AppLink>
      }
      intro={text}
      picture={<Receipt />}
      aside={<PaymentDetails details={insertAmountRows(details, payment, config)} />}
      asideFirst
    >
      {showsReturnNotice && (
        <Notice tone="attention" title={notice.title}>
          <p>{notice.text}</p>
        </Notice>
      )}
      <WithCardProvider provider={config.provider} placeholder={<CardSkeleton className="h-80" />}>
        <PayForm
          {...{ payment, state, session }}
          payLabel={button}
          consequence={consequenceText(state, payment, license, config)}
          isFailureShown={showsReturnNotice}
          onPay={(choice, cardProvider) => void pay(payment, choice, cardProvider)}
          onCancelChange={payment.kind === 'plan_change' ? () => void cancel(payment) : null}
        />
      </WithCardProvider>
    </PurchasePage>
  );
}

/**
 * Returns whether the customer has returned from the provider's page (`hasReturned`). The provider may report the payment
 * to the server a moment later, so the session is refreshed a few times while a payment is open (`isChecking`).
 */
function useReturnFromPage(session: SignedInSession, config: Config) {
  const hasReturned = useQueryParams().has('returned');
  const needsAction = isActionNeeded(session, config);
  const [hasChecked, setHasChecked] = useState(false);
  useEffect(() => {
    if (!hasReturned || !needsAction) return;
    const isDone = (newSession: Session) =>
      newSession.status === 'signedIn' && !isActionNeeded(newSession, config);
    void refreshUntil(isDone).then(() => setHasChecked(true));
  }, [hasReturned, needsAction, config]);
  return { hasReturned, isChecking: hasReturned && needsAction && !hasChecked };
}

/** Whether a payment is open, or a trial still lacks the payment method that the provider's page saves. */
const isActionNeeded = (session: SignedInSession, config: Config): boolean =>
  Boolean(session.user.openPayment) || lacksMethod(session, config);

type DetailRows = readonly [label: string, text: string][];

interface TransferInstructionsProps {
  next: NextAction;
  /** The total of the invoice, and the credit and payments that reduce it; empty if nothing reduces it. */
  amountRows: DetailRows;
  /** The purpose of the invoice; empty before it is due. */
  purpose: string;
  /** Cancels the pending change; null if there is none. */
  onCancelChange: (() => void) | null;
  /** The label of the button that cancels the pending change. */
  keepLabel: string;
  busy: boolean;
}

/** Explains how to pay an invoice by bank transfer. */
function TransferInstructions(props: TransferInstructionsProps) {
  const config = useConfig();
  const { next, amountRows, purpose, onCancelChange, keepLabel, busy } = props;
  const text =
    'Transfer the amount with this reference. We confirm the payment when it has arrived, which takes a few days.';
  return (
    <PaymentInstructions
      title="Pay your invoice"
      text={`${purpose} ${text}`.trim()}
      next={next}
      amountRows={amountRows}
      mainAction={<TransferReport next={next} />}
      hasMainButton={canReportTransfer(next, config)}
    >
      {onCancelChange && (
        <Button variant="secondary" busy={busy} onClick={onCancelChange}>
          {keepLabel}
        </Button>
      )}
    </PaymentInstructions>
  );
}

/** Returns the open payment. After a refusal it has the invoice and the amount that the server reported as open. */
function currentOpenPayment(
  payment: OpenPayment | null | undefined,
  state: ReturnType<typeof useOpenPaymentActions>['state'],
): OpenPayment | null {
  if (state.kind !== 'failed' || !state.failure.openInvoice) return payment ?? null;
  return { ...(payment ?? state.payment), ...state.failure.openInvoice, total: null };
}

/** Inserts the total of the invoice and the amounts that reduce it after the first row, which is the amount due. */
const insertAmountRows = (
  [amount, ...details]: DetailRows,
  payment: OpenPayment,
  config: Config,
): DetailRows => (amount ? [amount, ...openPaymentRows(payment, config), ...details] : details);

const PaymentDetails = ({ details }: { details: DetailRows }) => (
  <Card aria-label="What you pay" className="figures">
    <dl className="space-y-3">
      {details.map(([label, text], index) => (
        <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className={cx('grow basis-24', index === 0 ? 'font-semibold' : 'text-muted')}>
            {label}
          </dt>
          <dd
            className={cx(
              'ml-auto text-right',
              index === 0 && 'text-xl font-heading whitespace-nowrap',
            )}
          >
            {breakDates(text)}
          </dd>
        </div>
      ))}
    </dl>
  </Card>
);
