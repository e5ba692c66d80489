import { type FormEvent, useState } from 'react';
import { type EmailPreferences, editEmailPreferences, showEmailPreferences } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { AccessFrame } from './AccessFrame';
import { LinkScreen } from './LinkScreen';

const title = 'Emails you receive';

/** The emails that can be turned off. */
const labels: Record<string, { name: string; when: string }> = {
  card_expires: {
    name: 'Your card expires',
    when: 'The month before, when a charge is due on it afterwards.',
  },
  renewal_ahead: { name: 'Your yearly plan renews', when: '14 days before.' },
};

/**
 * The page of the link in optional emails, on which their recipient turns them off and on. Opening it changes
 * nothing, because programs open the links in emails too.
 */
export default function EmailPreferencesScreen() {
  return (
    <LinkScreen
      title={title}
      show={showEmailPreferences}
      unknown={
        <p className="mt-4">
          The address may not receive emails about billing any more. Links in newer emails work.
        </p>
      }
    >
      {(content, token) => <Preferences token={token} preferences={content} />}
    </LinkScreen>
  );
}

interface PreferencesProps {
  token: string;
  preferences: EmailPreferences;
}

function Preferences({ token, preferences: { org, email, notices } }: PreferencesProps) {
  const [declined, setDeclined] = useState(() =>
    notices.filter((notice) => notice.declined).map(({ kind }) => kind),
  );
  const [state, setState] = useState<'idle' | 'busy' | 'saved'>('idle');
  const [failure, setFailure] = useState('');

  function setWanted(kind: string, wanted: boolean) {
    setState('idle');
    setDeclined((kinds) => [...kinds.filter((other) => other !== kind), ...(wanted ? [] : [kind])]);
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    setState('busy');
    setFailure('');
    try {
      await editEmailPreferences(token, declined);
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
                checked={!declined.includes(kind)}
                onChange={(event) => setWanted(kind, event.target.checked)}
                className="mt-0.5 size-5 shrink-0 accent-(--brand)"
              />
              <span>
                {labels[kind]?.name ?? kind}
                <span className="block text-sm text-muted">{labels[kind]?.when}</span>
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
