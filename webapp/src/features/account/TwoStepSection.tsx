import { lazy, Suspense, useId, useRef, useState } from 'react';
import type { UserAccount } from '@/api';
import { turnOffTwoStep } from '@/api/factors';
import { AccountSection } from '@/components/AccountSection';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { loadChunk } from '@/lib/load-chunk';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { longDate, useOrganisationZone } from '@/modules/session/dates';
import { reportFailure } from '@/modules/session/use-section-form';

const TwoStepSetup = lazy(() => loadChunk(import('./TwoStepSetup')));

interface TwoStepSectionProps {
  /** null if two-step verification is off. */
  twoStep: UserAccount['twoStep'];
  /** Whether the user can invite colleagues instead of sharing the sign-in with them. */
  canInvite: boolean;
  /** Whether two-step verification can be turned on without an app. */
  hasPasskey: boolean;
  /** Loads the account again after a change. */
  reload: () => Promise<unknown>;
}

/** Whether the setup contains an authenticator app, or only recovery codes. */
type Setup = 'app' | 'codes';

type Result = { tone: 'success' | 'danger'; text: string } | null;

/** The state of two-step verification, and buttons that change it. */
export function TwoStepSection({ twoStep, canInvite, hasPasskey, reload }: TwoStepSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const questionId = useId();
  const { callWithConfirmation, dialog } = useConfirmedCall();
  const zone = useOrganisationZone();
  const [setup, setSetup] = useState<Setup | null>(null);
  const [isTurningOff, setIsTurningOff] = useState(false);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>(null);
  const isOn = twoStep !== null;

  /** Shows the buttons again. The heading gets the focus, because the pressed button is removed. */
  function close() {
    setSetup(null);
    setIsTurningOff(false);
    heading.current?.focus();
  }

  function finishSetup() {
    close();
    setResult({ tone: 'success', text: isOn ? changedTexts[setup ?? 'codes'] : turnedOnText });
    void reload();
  }

  async function turnOff() {
    setBusy(true);
    try {
      await callWithConfirmation(turnOffTwoStep);
      setResult({ tone: 'success', text: 'Two-step verification is off.' });
      await reload();
    } catch (error) {
      const message = await reportFailure('Two-step verification could not be turned off', error);
      setResult({ tone: 'danger', text: message });
    }
    setBusy(false);
    close();
  }

  function startSetup(kind: Setup) {
    setResult(null);
    setSetup(kind);
    heading.current?.focus(); // until the setup is loaded
  }

  function askToTurnOff() {
    setResult(null);
    setIsTurningOff(true);
  }

  return (
    <AccountSection
      title="Two-step verification"
      description="A second proof in addition to your password."
      headingRef={heading}
    >
      <p>
        <Badge tone={isOn ? 'success' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>
      </p>
      {isOn ? (
        <p className="mt-2 text-muted">
          {`On since ${longDate(new Date(twoStep.since), zone)}. ${passwordText(twoStep.withoutApp ?? false)} ${remainingText(twoStep.recoveryCodes)}`}
        </p>
      ) : (
        <p className="mt-2 text-muted">
          {`With it, a stolen password is not enough to sign in.${hasPasskey ? ' Without an app, you sign in with your passkey, and your password needs a recovery code.' : ''}`}
        </p>
      )}
      {!isOn && canInvite && (
        <p className="mt-2">
          <span className="text-muted">Do you share this sign-in? </span>
          <AppLink to={routes.members} className="text-link inline-block py-1">
            Invite colleagues instead.
          </AppLink>
        </p>
      )}
      {result && (
        <Notice tone={result.tone} className="mt-4">
          {result.text}
        </Notice>
      )}
      {setup && (
        <Suspense fallback={<Skeleton className="mt-4 h-52" />}>
          <TwoStepSetup
            withoutApp={setup === 'codes'}
            isOn={isOn}
            callWithConfirmation={callWithConfirmation}
            onDone={finishSetup}
            onCancel={close}
          />
        </Suspense>
      )}
      {isTurningOff && (
        <div className="mt-4">
          <p id={questionId}>Turn two-step verification off? Your recovery codes stop working.</p>
          <p className="mt-3 flex flex-wrap gap-3">
            <Button variant="danger" busy={busy} onClick={() => void turnOff()}>
              Turn off
            </Button>
            <Button autoFocus variant="secondary" aria-describedby={questionId} onClick={close}>
              Keep it on
            </Button>
          </p>
        </div>
      )}
      {!setup && !isTurningOff && (
        <p className="mt-4 flex flex-wrap gap-3">
          {!isOn && (
            <Button variant="secondary" onClick={() => startSetup('app')}>
              Turn on two-step verification
            </Button>
          )}
          {!isOn && hasPasskey && (
            <Button variant="secondary" onClick={() => startSetup('codes')}>
              Turn on without an app
            </Button>
          )}
          {twoStep?.withoutApp && (
            <Button variant="secondary" onClick={() => startSetup('app')}>
              Add an authenticator app
            </Button>
          )}
          {isOn && (
            <Button variant="secondary" onClick={() => startSetup('codes')}>
              New recovery codes
            </Button>
          )}
          {isOn && (
            <Button variant="secondary" onClick={askToTurnOff}>
              Turn off
            </Button>
          )}
        </p>
      )}
      {dialog}
    </AccountSection>
  );
}

const turnedOnText = 'Two-step verification is on. You were signed out in all other browsers.';

const changedTexts: Record<Setup, string> = {
  app: 'Your password now works with a code from your app. Your recovery codes stay valid. You were signed out in all other browsers.',
  codes: 'Your new recovery codes replace the previous ones.',
};

const passwordText = (withoutApp: boolean): string =>
  withoutApp
    ? 'You sign in with a passkey; your password also needs a recovery code.'
    : 'Signing in with your password also needs a code.';

const remainingText = (count: number): string => {
  if (count === 0) return 'You have no recovery codes left.';
  return count === 1 ? 'You have 1 recovery code left.' : `You have ${count} recovery codes left.`;
};
