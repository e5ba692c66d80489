import { lazy, Suspense, useRef, useState } from 'react';
import { ApiError } from '@/api';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { ConfirmDialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { Receipt } from '@/components/illustrations/ChairDrawings';
import { Loading } from '@/components/Loading';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';
import { PurchasePage } from '@/components/PurchasePage';
import { ResultPage } from '@/components/ResultPage';
import { AccountPage } from '@/modules/billing/AccountPage';
import { ChosenPlanCard } from '@/modules/billing/ChosenPlanCard';
import { FuturePlan } from '@/modules/billing/FuturePlan';
import { offerOf } from '@/modules/billing/offer';
import { CodeFields } from '@/modules/session/CodeFields';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { InlineSignIn } from '@/modules/session/InlineSignIn';
import { SignedInScreen } from '@/modules/session/SignedIn';
import { WithConfig } from '@/modules/session/WithConfig';
import { config, noop, user } from './examples';
import type { Section } from './section';

const professional = offerOf(config, {
  product: 'professional',
  interval: 'yearly',
  currency: 'AUD',
});

// The sign-in form loads this component lazily too, so the build keeps it out of the screens' chunks.
const PasskeySignIn = lazy(() => import('@/modules/session/PasskeySignIn'));

const PasskeySignInExample = ({ status }: { status: 'idle' | 'busy' }) => (
  <Suspense>
    <PasskeySignIn state={{ status }} onState={noop} />
  </Suspense>
);

/** Shows the fields after a click, because they take the focus when they are rendered. */
function CodeFieldsExample({ error }: { error?: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  return (
    <details>
      <summary>The second step</summary>
      <div className="mt-3 space-y-5">
        <CodeFields
          inputRef={input}
          code={code}
          error={error}
          onChange={setCode}
          onSwitch={noop}
          onBack={noop}
        />
      </div>
    </details>
  );
}

function DialogExample() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Delete</Button>
      {isOpen && (
        <ConfirmDialog
          title="Delete this card?"
          text="To use it again you would have to enter it again."
          label="Delete"
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

function ConfirmedCallExample() {
  const { callWithConfirmation, dialog } = useConfirmedCall();
  const refuse = () => Promise.reject(new ApiError('ERRREAUTHENTICATE', 'Please sign in again.'));
  return (
    <>
      <Button onClick={() => void callWithConfirmation(refuse).catch(noop)}>
        Confirm it's you
      </Button>
      {dialog}
    </>
  );
}

/** Sections with the layouts of screens. */
export const pageSections: Section[] = [
  {
    names: ['PageTitle'],
    states: { 'for a screen': <PageTitle>Billing</PageTitle> },
  },
  {
    names: ['AccountPage', 'AccountFrame'],
    wide: true,
    states: {
      'with a status and an action': (
        <AccountPage
          title="Billing"
          badge={<Badge tone="success">Active</Badge>}
          action={<Button variant="secondary">Change plan</Button>}
        >
          <Card className="mt-6">The content</Card>
        </AccountPage>
      ),
    },
  },
  {
    names: ['ChosenPlanCard'],
    wide: true,
    states: {
      'for a new organisation': professional?.price && (
        <ChosenPlanCard offer={{ ...professional, price: professional.price }} user={user} />
      ),
    },
  },
  {
    names: ['FuturePlan'],
    wide: true,
    states: { 'without a chosen plan': <FuturePlan user={user} /> },
  },
  {
    names: ['PicturePage'],
    wide: true,
    states: {
      'with a picture, in a wide container': (
        <PicturePage picture={<Receipt className="w-full" />}>
          <PageTitle>Contact sales</PageTitle>
        </PicturePage>
      ),
    },
  },
  {
    names: ['PurchasePage'],
    wide: true,
    states: {
      'with a picture and a summary': (
        <PurchasePage title="Payment" picture={<Receipt />} aside={<Card>The summary</Card>}>
          <Card>
            <Field label="Name on the card" />
          </Card>
        </PurchasePage>
      ),
    },
  },
  {
    names: ['ResultPage'],
    wide: true,
    states: Object.fromEntries(
      (['success', 'waiting', 'attention'] as const).map((tone) => [
        tone,
        <ResultPage
          key={tone}
          tone={tone}
          title={`A result: ${tone}`}
          actions={<Button>Go to your dashboard</Button>}
        >
          <p className="mt-3 text-lg text-muted">What happens next.</p>
        </ResultPage>,
      ]),
    ),
  },
  {
    names: ['InlineSignIn', 'SignInForm', 'SignInFailure'],
    wide: true,
    states: {
      'after the session has ended': (
        <InlineSignIn
          title="Your session has ended"
          text="Sign in again to go on where you were. What you entered is kept."
          email={user.email}
        />
      ),
      'for a visitor': (
        <InlineSignIn title="Sign in" text="This page is for customers. Sign in to see it." />
      ),
    },
  },
  {
    names: ['CodeFields'],
    states: { empty: <CodeFieldsExample />, error: <CodeFieldsExample error="Code is required" /> },
  },
  {
    names: ['PasskeySignIn'],
    states: {
      idle: <PasskeySignInExample status="idle" />,
      'while signing in': <PasskeySignInExample status="busy" />,
    },
  },
  {
    names: ['Dialog', 'ConfirmDialog'],
    states: { 'opens with a button': <DialogExample /> },
  },
  {
    names: ['useConfirmedCall'],
    states: { 'opens a dialog': <ConfirmedCallExample /> },
  },
  {
    names: ['SignedIn', 'SignedInScreen'],
    states: {
      'with a session': (
        <SignedInScreen loading={<Loading />}>
          {({ user }) => <p>{`Signed in as ${user.email}`}</p>}
        </SignedInScreen>
      ),
    },
  },
  {
    names: ['WithConfig'],
    states: {
      loaded: (
        <WithConfig>
          <p>Shown when the configuration is loaded</p>
        </WithConfig>
      ),
    },
  },
];
