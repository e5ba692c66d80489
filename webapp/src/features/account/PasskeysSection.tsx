import { type FormEvent, useId, useRef, useState } from 'react';
import { ApiError } from '@/api';
import { addPasskey, removePasskey, renamePasskey, startPasskey } from '@/api/factors';
import { AccountSection } from '@/components/AccountSection';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { Notice } from '@/components/Notice';
import { createPasskey, hasPasskeys } from '@/lib/passkeys';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { longDate, useOrganisationZone } from '@/modules/session/dates';
import { reportFailure } from '@/modules/session/use-section-form';

export interface Passkey {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

interface PasskeysSectionProps {
  passkeys: readonly Passkey[];
  /** The suggested name of a new passkey, such as "Chrome on Windows". */
  device?: string;
  /** Loads the account again after a change. */
  reload: () => Promise<unknown>;
}

type Result = { tone: 'success' | 'danger' | 'info'; text: string } | null;

/** The user's passkeys, which the user can add, rename and remove. */
export default function PasskeysSection(props: PasskeysSectionProps) {
  const { passkeys, device = '', reload } = props;
  const { callWithConfirmation, dialog } = useConfirmedCall();
  const heading = useRef<HTMLHeadingElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>(null);

  /** Runs a change, shows its result, and returns whether it succeeded. */
  async function change(call: () => Promise<unknown>, text: string): Promise<boolean> {
    setResult(null);
    try {
      await callWithConfirmation(call);
    } catch (error) {
      const message = await reportFailure('The passkeys could not be changed', error);
      setResult({ tone: 'danger', text: message });
      return false;
    }
    setResult({ tone: 'success', text });
    await reload();
    return true;
  }

  async function add() {
    setBusy(true);
    setResult(null);
    try {
      const { options, state } = await callWithConfirmation(startPasskey);
      const credential = await createPasskey(options);
      if (credential === 'known') {
        setResult({ tone: 'info', text: 'This device already has a passkey for your account.' });
      } else if (credential) {
        const name = device || 'Passkey';
        await change(() => addPasskey(state, credential, name), 'The passkey was added.');
      }
    } catch (error) {
      const message = await reportFailure('The passkey could not be created', error);
      const isServerError = error instanceof ApiError;
      setResult({
        tone: 'danger',
        text: isServerError ? message : 'Your browser could not create a passkey.',
      });
    }
    setBusy(false);
  }

  async function remove(passkey: Passkey) {
    const isRemoved = await change(
      () => removePasskey(passkey.id),
      `The passkey “${passkey.name}” was removed. Remove it on your device too.`,
    );
    if (isRemoved) (addButton.current ?? heading.current)?.focus();
  }

  return (
    <AccountSection title="Passkeys" description="Sign in without a password." headingRef={heading}>
      <p className="text-muted">
        A passkey signs you in with your fingerprint, your face or the PIN of your device.
      </p>
      {result && (
        <Notice tone={result.tone} className="mt-4">
          {result.text}
        </Notice>
      )}
      {passkeys.length > 0 && (
        <ul aria-label="Your passkeys" className="mt-4 divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={(name) =>
                change(() => renamePasskey(passkey.id, name), 'The name was changed.')
              }
              onRemove={() => remove(passkey)}
            />
          ))}
        </ul>
      )}
      {hasPasskeys() ? (
        <Button
          ref={addButton}
          variant="secondary"
          className="mt-4"
          busy={busy}
          onClick={() => void add()}
        >
          Add a passkey
        </Button>
      ) : (
        <p className="mt-4 text-muted">This browser can't add passkeys to this page.</p>
      )}
      {dialog}
    </AccountSection>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  /** Returns whether the passkey was renamed. */
  onRename: (name: string) => Promise<boolean>;
  onRemove: () => Promise<void>;
}

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const zone = useOrganisationZone();
  const [mode, setMode] = useState<'show' | 'rename' | 'remove'>('show');
  /** The mode that was closed last. Its button gets the focus when it is shown again. */
  const [closedMode, setClosedMode] = useState<'rename' | 'remove' | null>(null);
  const questionId = useId();
  const [name, setName] = useState(passkey.name);
  const [busy, setBusy] = useState(false);

  function openRename() {
    setName(passkey.name);
    setMode('rename');
  }

  function close() {
    if (mode !== 'show') setClosedMode(mode);
    setMode('show');
  }

  async function rename(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    if (await onRename(name)) close();
    setBusy(false);
  }

  async function remove() {
    setBusy(true);
    await onRemove();
    setBusy(false);
  }

  const date = (time: string) => longDate(new Date(time), zone);
  const used = passkey.lastUsedAt ? `last used on ${date(passkey.lastUsedAt)}` : 'not used yet';
  return (
    <li className="py-3">
      {mode === 'rename' ? (
        <form onSubmit={rename} noValidate className="flex flex-wrap items-end gap-3">
          <Field
            className="grow"
            label="Name"
            autoFocus
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <p className="flex flex-wrap gap-3">
            <Button variant="secondary" type="submit" busy={busy}>
              Save
            </Button>
            <Button variant="quiet" onClick={close}>
              Cancel
            </Button>
          </p>
        </form>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="min-w-0">
            <p translate="no" className="font-semibold wrap-anywhere">
              {passkey.name}
            </p>
            <p className="text-sm text-muted">{`Added on ${date(passkey.createdAt)}, ${used}`}</p>
          </div>
          {mode === 'show' ? (
            <p className="-mx-3 flex flex-wrap gap-2">
              <Button
                autoFocus={closedMode === 'rename'}
                variant="quiet"
                small
                aria-label={`Rename ${passkey.name}`}
                onClick={openRename}
              >
                Rename
              </Button>
              <Button
                autoFocus={closedMode === 'remove'}
                variant="quiet"
                small
                aria-label={`Remove ${passkey.name}`}
                onClick={() => setMode('remove')}
              >
                Remove
              </Button>
            </p>
          ) : (
            <p className="flex flex-wrap gap-2">
              <Button variant="danger" small busy={busy} onClick={() => void remove()}>
                Remove this passkey
              </Button>
              <span id={questionId} className="sr-only">
                {`Remove the passkey “${passkey.name}”?`}
              </span>
              <Button autoFocus variant="quiet" small aria-describedby={questionId} onClick={close}>
                Keep it
              </Button>
            </p>
          )}
        </div>
      )}
    </li>
  );
}
