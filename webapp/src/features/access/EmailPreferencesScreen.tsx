import { type FormEvent, useState } from 'react';
import { type EmailPreferences, editEmailPreferences, showEmailPreferences } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { ownValue } from '@/rules/own-value';
import { AccessFrame } from './AccessFrame';
import { LinkScreen } from './LinkScreen';

const title = 'Emails you receive';

/** The names of the emails that can be turned off, and when each is sent, by kind. */
const noticeTexts: Record<string, { name: string; timing: string }> = {
  card_expires: {
    name: 'Your card expires',
    timing: 'The month before, when a charge is due on it afterwards.',
  },
  plan_renews_soon: {
    name: 'Your plan renews',
    timing: '14 days before a yearly renewal or the first charge after credit.',
  },
};

/**
 * The page on which a recipient turns optional emails off and on; each of these emails links to it. Opening the page
 * changes nothing, because mail programs open the links of emails too.
 */
export default function EmailPreferencesScreen() {
  return (
    <LinkScreen
      title={title}
      load={showEmailPreferences}
      unknownLinkHelp={
        <p className="mt-4">
          The address may not receive emails about billing any more. Links in newer emails work.
        </p>
      }
    >
      {(preferences, token) => <PreferencesForm token={token} preferences={preferences} />}
    </LinkScreen>
  );
}

interface PreferencesFormProps {
  token: string;
  preferences: EmailPreferences;
}

function PreferencesForm({ token, preferences }: PreferencesFormProps) {
  const { org, email, notices } = preferences;
  const [declinedKinds, setDeclinedKinds] = useState(() =>
    notices.filter((notice) => notice.declined).map(({ kind }) => kind),
  );
  const [state, setState] = useState<'idle' | 'busy' | 'saved'>('idle');
  const [failure, setFailure] = useState('');

  function setEnabled(kind: string, isEnabled: boolean) {
    setState('idle');
    setDeclinedKinds((kinds) => {
      const otherKinds = kinds.filter((declinedKind) => declinedKind !== kind);
      return isEnabled ? otherKinds : [...otherKinds, kind];
    });
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    setState('busy');
    setFailure('');
    try {
      await editEmailPreferences(token, declinedKinds);
      setState('saved');
    } catch (error) {
      logFailure('Saving the email preferences failed', error);
      setFailure(messageOf(error));
      setState('idle');
    }
  }

  return (
    <AccessFrame title={title}>
      <p className="mt-4 break-words">
        Emails about the billing of <strong>{org}</strong> to <strong>{email}</strong>.
      </p>
      <form onSubmit={save} className="mt-6 space-y-4">
        <fieldset disabled={state === 'busy'}>
          <legend className="font-semibold">Send me an email when</legend>
          {notices.map(({ kind }) => (
            <label key={kind} className="mt-3 flex cursor-pointer items-start gap-3">
              <input
                type="checkbox"
                checked={!declinedKinds.includes(kind)}
                onChange={(event) => setEnabled(kind, event.target.checked)}
                className="check mt-0.5"
              />
              <span>
                <span>{ownValue(noticeTexts, kind)?.name ?? kind}</span>
                <span className="block text-sm text-muted">
                  {ownValue(noticeTexts, kind)?.timing}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <Button type="submit" wide busy={state === 'busy'}>
          Save
        </Button>
        {state === 'saved' && <Notice tone="success">Your choice is saved.</Notice>}
        {failure && <Notice tone="danger">{failure}</Notice>}
        <p className="text-sm text-muted">
          Emails about payments, invoices and the security of an account are always sent.
        </p>
      </form>
    </AccessFrame>
  );
}
