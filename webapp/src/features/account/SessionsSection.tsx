import { useRef, useState } from 'react';
import { endOtherSessions, endSession, type UserSession } from '@/api';
import { AccountSection } from '@/components/AccountSection';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { useConfig } from '@/modules/config/config-store';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { longDateTime } from '@/modules/session/date-times';
import { SendResult } from '@/modules/session/SendResult';
import type { SendState } from '@/modules/session/use-section-form';
import { sendStateAfter } from '@/modules/session/use-section-form';

interface SessionsSectionProps {
  sessions: UserSession[];
  /** Loads the account again after a change. */
  reload: () => Promise<unknown>;
}

/** The browsers in which the user is signed in. */
export function SessionsSection({ sessions, reload }: SessionsSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { callWithConfirmation, dialog } = useConfirmedCall();
  const [state, setState] = useState<SendState>({ status: 'idle' });
  /** The id of the session that is being ended, or 'others'. */
  const [busyId, setBusyId] = useState<string | null>(null);
  const others = sessions.filter(({ current }) => !current);

  async function end(id: string, send: () => Promise<void>) {
    if (busyId !== null) return;
    setBusyId(id);
    setState({ status: 'busy' });
    const result = await sendStateAfter('The sessions could not be ended', async () => {
      await callWithConfirmation(send);
      await reload();
    });
    setState(result);
    setBusyId(null);
    if (result.status === 'done') heading.current?.focus(); // the pressed button is removed
  }

  return (
    <AccountSection
      title="Sessions"
      description="The browsers in which you are signed in."
      headingRef={heading}
    >
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={busyId === session.id}
            onEnd={() => void end(session.id, () => endSession(session.id))}
          />
        ))}
      </ul>
      <div className="mt-2 space-y-5">
        {others.length > 0 && (
          <Button
            variant="secondary"
            busy={busyId === 'others'}
            onClick={() => void end('others', endOtherSessions)}
          >
            Sign out everywhere else
          </Button>
        )}
        <SendResult state={state} doneTitle="Signed out" failedTitle="The session was not ended" />
      </div>
      {dialog}
    </AccountSection>
  );
}

interface SessionRowProps {
  session: UserSession;
  busy: boolean;
  onEnd: () => void;
}

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { timeZone } = useConfig();
  const device = session.device || 'Unknown browser';
  const lastUse = longDateTime(new Date(session.lastUsedAt), timeZone);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-semibold">{device}</span>
          {session.current && <Badge tone="success">This device</Badge>}
        </p>
        <p className="text-sm text-muted">{`Last used ${lastUse}`}</p>
      </div>
      {!session.current && (
        <Button variant="quiet" small className="-mx-3" busy={busy} onClick={onEnd}>
          <span>Sign out</span>
          <span className="sr-only">{` ${device}, last used ${lastUse}`}</span>
        </Button>
      )}
    </li>
  );
}
