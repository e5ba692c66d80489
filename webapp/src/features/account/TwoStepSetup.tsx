import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '@/api';
import { confirmTwoStep, type TwoStepSetup as Setup, startTwoStep } from '@/api/factors';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { reportFailure } from '@/modules/session/use-section-form';
import { QrCode } from './QrCode';
import { groupCharacters, RecoveryCodes } from './RecoveryCodes';

interface TwoStepSetupProps {
  /** Whether the setup only shows recovery codes, because the user has a passkey or an app already. */
  withoutApp: boolean;
  /** Whether two-step verification is on. The setup then replaces the recovery codes or adds an app. */
  isOn: boolean;
  /** Sends a call. If the server asks for it, the user signs in again first. */
  callWithConfirmation: <T>(send: () => Promise<T>) => Promise<T>;
  /** Called after the setup was confirmed. */
  onDone: () => void;
  onCancel: () => void;
}

/** Turns two-step verification on. If it is on, replaces the recovery codes or adds an authenticator app. */
export default function TwoStepSetup(props: TwoStepSetupProps) {
  const { withoutApp, callWithConfirmation, onCancel } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const {
    mutate: load,
    data: setup,
    isError,
  } = useMutation({
    mutationFn: () => callWithConfirmation(() => startTwoStep(withoutApp)),
    meta: { failure: 'The setup of two-step verification could not be started' },
  });

  useEffect(() => {
    heading.current?.focus();
    load();
  }, [load]);

  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 ref={heading} tabIndex={-1} className="sr-only">
        Set up two-step verification
      </h3>
      {!setup && !isError && <Skeleton className="h-52" />}
      {isError && (
        <>
          <LoadFailure retry={load}>The setup could not be started.</LoadFailure>
          <Button variant="secondary" className="mt-4" onClick={onCancel}>
            Cancel
          </Button>
        </>
      )}
      {setup && <SetupForm setup={setup} {...props} />}
    </div>
  );
}

function SetupForm(props: TwoStepSetupProps & { setup: Setup }) {
  const { setup, isOn, callWithConfirmation, onDone, onCancel } = props;
  const [code, setCode] = useState('');
  const [isSaved, setIsSaved] = useState(false);
  const [codeError, setCodeError] = useState<string>();
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const needsCode = setup.secret !== undefined;
  const hasCodes = setup.codes.length > 0;
  const isReady = isSaved || !hasCodes;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy || !isReady) return;
    setFailure('');
    if (needsCode && code.trim() === '') {
      setCodeError('Code is required');
      input.current?.focus();
      return;
    }
    setBusy(true);
    try {
      await callWithConfirmation(() => confirmTwoStep(setup.state, code.trim()));
      onDone();
    } catch (error) {
      const fieldMessage = error instanceof ApiError ? error.fields?.code : undefined;
      setCodeError(fieldMessage);
      const message = await reportFailure('The setup could not be confirmed', error);
      if (!fieldMessage) setFailure(message);
      input.current?.focus();
      setBusy(false);
    }
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-6">
      {failure && <Notice tone="danger">{failure}</Notice>}
      {needsCode && (
        <div>
          <h3 className="font-semibold">Authenticator app</h3>
          <p className="mt-1 text-muted">
            Scan the code with an authenticator app, or type the key into the app.
          </p>
          <div className="mt-3 flex flex-wrap items-start gap-6">
            {setup.qr && <QrCode rows={setup.qr} label="QR code for your authenticator app" />}
            <p className="max-w-60">
              <span className="block text-sm text-muted">Key</span>
              <span translate="no" className="font-mono text-sm wrap-anywhere">
                {groupCharacters(setup.secret ?? '')}
              </span>
            </p>
          </div>
        </div>
      )}
      {hasCodes && (
        <div>
          <RecoveryCodes codes={setup.codes} isSaved={isSaved} onSaved={setIsSaved} />
        </div>
      )}
      {needsCode && (
        <Field
          ref={input}
          className="max-w-60"
          label="Code"
          hint="The 6 digits that the app shows now"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
          error={codeError}
        />
      )}
      <p className="flex flex-wrap gap-3">
        <Button variant="secondary" type="submit" busy={busy} unavailable={!isReady}>
          {isOn ? (hasCodes ? 'Replace the codes' : 'Add the app') : 'Turn on'}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </p>
    </form>
  );
}
