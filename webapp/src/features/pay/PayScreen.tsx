import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Config, NextAction, OpenPayment } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { CardSkeleton, Loading } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { PageTitle } from '@/components/PageTitle';
import { cx } from '@/lib/cx';
import { openPaymentRows } from '@/modules/billing/invoice-text';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { can, withInstructions } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { OpenPaymentDone } from '@/modules/payments/OpenPaymentDone';
import {
  closedText,
  consequenceText,
  invoiceText,
  lacksMethod,
  nothingToPay,
  openPaymentText,
  resultText,
  returnedText,
  unpaidText,
} from '@/modules/payments/open-payment-text';
import { PaymentInstructions } from '@/modules/payments/PaymentInstructions';
import { PaymentProcessing } from '@/modules/payments/PaymentProcessing';
import { useOpenPayment } from '@/modules/payments/use-open-payment';
import { WithCardProvider } from '@/modules/payments/WithCardProvider';
import { SignedInScreen } from '@/modules/session/SignedIn';
import { refreshUntil, type Session, type SignedInSession } from '@/modules/session/session-store';
import { PayForm } from './PayForm';

/** Pays the open payment: a first payment, an overdue bill, a plan change or a card's approval. */
export default function PayScreen() {
  return (
    <SignedInScreen visitor="signIn" loading={<Loading />} frame={Frame}>
      {(session) => <Pay session={session} />}
    </SignedInScreen>
  );
}

const Frame = ({ children }: { children: ReactNode }) => (
  <div className="page @container pt-8 sm:pt-14">{children}</div>
);

function Pay({ session }: { session: SignedInSession }) {
  const config = useConfig();
  const { state, pay, drop } = useOpenPayment();
  const { license, openPayment, processing } = session.user;
  const { returned, checking } = useReturned(session, config);
  if (state.kind === 'processing') return <PaymentProcessing />;
  if (state.kind === 'paid' || state.kind === 'dropped') {
    return <OpenPaymentDone {...resultText(state.kind, state.open, license, config)} />;
  }
  const toTransfer = withInstructions(session.user.next);
  if (toTransfer && !can(config, 'pay_invoice')) {
    const toPay = openPayment ?? license?.invoiced;
    return (
      <Instructions
        next={toTransfer}
        settlement={toPay ? openPaymentRows(toPay, config) : []}
        about={invoiceText(openPayment, license, config)}
        onDrop={openPayment?.kind === 'plan_change' ? () => void drop(openPayment) : null}
        busy={state.kind === 'busy'}
      />
    );
  }
  if (processing && state.kind !== 'busy') return <PaymentProcessing />;
  if (checking) return <Loading label="Checking your payment..." />;
  const open = currentOpenPayment(state.kind === 'busy' ? state.open : openPayment, state);
  if (!open) {
    if (!license && session.user.order) {
      return (
        <Frame>
          <PageTitle className="mb-6">Your order</PageTitle>
          <PendingOrder order={session.user.order} />
        </Frame>
      );
    }
    if (state.kind === 'failed') {
      return <OpenPaymentDone {...closedText(state.open, license, config)} />;
    }
    return <OpenPaymentDone {...(returned ? returnedText(session, config) : nothingToPay)} />;
  }
  const text = openPaymentText(open, license, config);
  const unpaid = unpaidText(open);
  return (
    <Frame>
      <PageTitle>{text.title}</PageTitle>
      <p className="mt-3 max-w-2xl text-muted">{text.text}</p>
      {returned && state.kind === 'idle' && (
        <Notice tone="attention" title={unpaid.title} className="mt-6 max-w-2xl">
          <p>{unpaid.text}</p>
        </Notice>
      )}
      <div className="mt-8 grid grid-cols-1 items-start gap-6 @min-[52rem]:grid-cols-[minmax(0,1fr)_25rem] @min-[52rem]:gap-8">
        <div className="@min-[52rem]:order-last">
          <Figures facts={withSettlement(text.facts, open, config)} />
        </div>
        <WithCardProvider
          provider={config.provider}
          placeholder={<CardSkeleton className="h-80" />}
        >
          <PayForm
            open={open}
            state={state}
            session={session}
            saved={can(config, 'saved_methods')}
            button={text.button}
            consequence={consequenceText(state, open, license, config)}
            onPay={(choice, cards) => void pay(open, choice, cards)}
            onDrop={open.kind === 'plan_change' ? () => void drop(open) : null}
          />
        </WithCardProvider>
      </div>
    </Frame>
  );
}

/**
 * Whether the customer returns from the provider's page. The server may learn of the payment a moment
 * later, so the identity is fetched a few times while the payment is open (`checking`).
 */
function useReturned(session: SignedInSession, config: Config) {
  const returned = useSearchParams()[0].has('returned');
  const unfinished = isUnfinished(session, config);
  const [checked, setChecked] = useState(false);
  useEffect(() => {
    if (!returned || !unfinished) return;
    const isDone = (now: Session) => now.status === 'signedIn' && !isUnfinished(now, config);
    void refreshUntil(isDone).then(() => setChecked(true));
  }, [returned, unfinished, config]);
  return { returned, checking: returned && unfinished && !checked };
}

/** Whether a payment is open, or a trial has no payment method although the provider's page saves one. */
const isUnfinished = (session: SignedInSession, config: Config): boolean =>
  Boolean(session.user.openPayment) || lacksMethod(session, config);

type Facts = readonly [label: string, text: string][];

interface InstructionsProps {
  next: NextAction;
  /** How the amount follows from the total of the invoice; may be empty. */
  settlement: Facts;
  /** What the invoice is for; may be empty. */
  about: string;
  /** Null when there is no pending change to drop. */
  onDrop: (() => void) | null;
  busy: boolean;
}

/** How to pay an invoice by bank transfer. */
const Instructions = ({ next, settlement, about, onDrop, busy }: InstructionsProps) => (
  <PaymentInstructions
    title="Pay your invoice"
    text={`${about} Transfer the amount with this reference. We confirm the payment when it has arrived, which takes a few days.`.trim()}
    next={next}
    settlement={settlement}
  >
    {onDrop && (
      <Button look="secondary" busy={busy} onClick={onDrop}>
        Drop the change
      </Button>
    )}
  </PaymentInstructions>
);

/** The open payment, with the invoice and amount of the server's last response. */
function currentOpenPayment(
  open: OpenPayment | null | undefined,
  state: ReturnType<typeof useOpenPayment>['state'],
): OpenPayment | null {
  if (state.kind !== 'failed' || !state.failure.quote) return open ?? null;
  return { ...(open ?? state.open), ...state.failure.quote, total: null };
}

/** Adds how the amount, which is first, follows from the total of the bill. */
const withSettlement = ([amount, ...facts]: Facts, open: OpenPayment, config: Config): Facts =>
  amount ? [amount, ...openPaymentRows(open, config), ...facts] : facts;

const Figures = ({ facts }: { facts: Facts }) => (
  <Card aria-label="What you pay" className="figures">
    <dl className="space-y-3">
      {facts.map(([label, text], index) => (
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
            {text}
          </dd>
        </div>
      ))}
    </dl>
  </Card>
);
