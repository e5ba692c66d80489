import { AccountSection } from '@/components/AccountSection';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { EmailLink } from '@/components/EmailLink';
import { LoadFailure } from '@/components/LoadFailure';
import { CardSkeleton, Loading, Skeleton, Spinner } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { HoldText } from '@/modules/billing/HoldText';
import { HowToEnd } from '@/modules/billing/HowToEnd';
import { UnreachableEmail, UnreachableEmails } from '@/modules/billing/UnreachableEmails';
import { ConfigContext } from '@/modules/config/config-store';
import { PaymentFailure } from '@/modules/payments/PaymentFailure';
import { newFailure } from '@/modules/payments/payment-types';
import { AskOwner, BillingRolesOnly } from '@/modules/session/BillingRolesOnly';
import { CookiesNotice } from '@/modules/session/CookiesNotice';
import { OrganisationSwitcher } from '@/modules/session/OrganisationSwitcher';
import { SendResult } from '@/modules/session/SendResult';
import { SessionErrorNotice } from '@/modules/session/SessionErrorNotice';
import { SessionFailure } from '@/modules/session/SessionFailure';
import { plainProvider } from '@/testing/fixtures';
import { config, noop, user } from './examples';
import type { Section } from './section';

const noticeTones = ['info', 'success', 'attention', 'danger'] as const;
const badgeTones = ['neutral', 'brand', 'success', 'attention', 'danger'] as const;

/** Sections with messages, badges, surfaces and placeholders. */
export const noticeSections: Section[] = [
  {
    names: ['Notice'],
    states: {
      ...Object.fromEntries(
        noticeTones.map((tone) => [
          tone,
          <Notice key={tone} tone={tone} title="Your plan changes on 28 November 2026">
            <p>Until then you keep Standard.</p>
          </Notice>,
        ]),
      ),
      'title only': <Notice title="Your email address is verified" />,
      'text only': <Notice tone="attention">This is a preview.</Notice>,
      'with an action': (
        <Notice tone="danger" title="The card field could not be loaded">
          <Button variant="secondary" className="mt-3">
            Try again
          </Button>
        </Notice>
      ),
    },
  },
  {
    names: ['Badge'],
    states: Object.fromEntries(
      badgeTones.map((tone) => [
        tone,
        <Badge key={tone} tone={tone}>
          Payment overdue
        </Badge>,
      ]),
    ),
  },
  {
    names: ['Card'],
    states: {
      'with a heading': (
        <Card>
          <h3 className="text-lg">Billing details</h3>
          <p className="mt-2 text-muted">Byron Clinic, 1 High Street, Sydney</p>
        </Card>
      ),
    },
  },
  {
    names: ['Loading', 'Spinner', 'Skeleton', 'CardSkeleton'],
    states: {
      'Loading screen': <Loading />,
      'Loading, with its own label': <Loading label="Loading the amount..." />,
      Spinner: <Spinner />,
      'Skeleton line': <Skeleton className="h-5" />,
      'Skeleton button': <Skeleton className="h-11 w-40" />,
      CardSkeleton: <CardSkeleton className="h-48" />,
    },
  },
  {
    names: ['LoadFailure'],
    states: {
      'with a message': <LoadFailure retry={noop}>We could not load your invoices.</LoadFailure>,
    },
  },
  {
    names: ['PaymentFailure'],
    states: {
      declined: (
        <PaymentFailure
          failure={{ ...newFailure('Payment failed'), reason: 'Your card has insufficient funds.' }}
        />
      ),
      'without a reason': <PaymentFailure failure={newFailure('Your payment failed')} />,
      'card needs approval': (
        <PaymentFailure
          failure={{
            ...newFailure('Your bank has not approved your card'),
            pendingSetup: true,
          }}
        />
      ),
      'outcome unknown': (
        <PaymentFailure
          failure={{ ...newFailure('Please try again later!'), isOutcomeKnown: false }}
        />
      ),
    },
  },
  {
    names: ['CookiesNotice'],
    states: { 'visible if the browser blocks cookies': <CookiesNotice /> },
  },
  { names: ['SessionFailure'], states: { failed: <SessionFailure /> } },
  {
    names: ['UnreachableEmails', 'UnreachableEmail'],
    states: {
      'one address': (
        <UnreachableEmails
          user={{ ...user, unreachableEmails: ['accounts@clinic.example'] }}
          className=""
        />
      ),
      'beside the field of the address': <UnreachableEmail address="accounts@clinic.example" />,
    },
  },
  {
    names: ['HowToEnd'],
    states: {
      'on the billing page': <HowToEnd>Your plan renews on 28 November 2027.</HowToEnd>,
      'by email': (
        <ConfigContext value={{ ...config, provider: plainProvider }}>
          <HowToEnd>Your plan renews on 28 November 2027.</HowToEnd>
        </ConfigContext>
      ),
    },
  },
  {
    names: ['BillingRolesOnly', 'AskOwner'],
    states: {
      'for a member': (
        <AskOwner
          user={{ ...user, role: 'member', owners: ['Ann Lee'] }}
          action="change the plan"
        />
      ),
      'for an owner': (
        <BillingRolesOnly action="change the plan">
          <p>An owner sees this text, and a member sees which owner to ask.</p>
        </BillingRolesOnly>
      ),
    },
  },
  {
    names: ['SendResult'],
    states: {
      done: (
        <SendResult
          state={{ status: 'done' }}
          doneTitle="Saved"
          doneText="You are signed out in all other browsers."
          failedTitle=""
        />
      ),
      failed: (
        <SendResult
          state={{ status: 'failed', message: 'Please try again later.', fields: {} }}
          doneTitle=""
          failedTitle="Your profile was not saved"
        />
      ),
    },
  },
  {
    names: ['AccountSection'],
    states: {
      'with a description': (
        <AccountSection title="Email" description="You sign in with this address.">
          <p translate="no">ada@clinic.example</p>
        </AccountSection>
      ),
    },
  },
  {
    names: ['OrganisationSwitcher'],
    states: { 'for a user of two organisations': <OrganisationSwitcher /> },
  },
  {
    names: ['SessionErrorNotice'],
    states: {
      'with the server’s message': (
        <SessionErrorNotice error={{ message: 'The payment provider does not answer.' }} />
      ),
    },
  },
  {
    names: ['HoldText'],
    states: {
      text: (
        <p>
          <HoldText contact={config.contact.email} />
        </p>
      ),
    },
  },
  {
    names: ['EmailLink'],
    states: {
      'in a sentence': (
        <p>
          Please write to <EmailLink to={config.contact.email} />.
        </p>
      ),
    },
  },
];
