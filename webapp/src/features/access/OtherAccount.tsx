import { useState } from 'react';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import type { Elements } from '@/lib/elements';
import { messageOf } from '@/lib/failure-message';
import { useSessionStore } from '@/modules/session/session-store';
import { AccessFrame } from './AccessFrame';

interface OtherAccountProps {
  title: string;
  /** Shows which account is signed in, and which one the link is for. */
  children: Elements;
  /** Shown below the button. */
  hint?: Elements;
}

/** Shows that another account is signed in, with a button that signs it out and stays on the page. */
export function OtherAccount({ title, children, hint }: OtherAccountProps) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');

  async function signOut() {
    setState('busy');
    if (!(await useSessionStore.getState().signOut())) setState('failed');
  }

  return (
    <AccessFrame title={title}>
      {children}
      <div className="mt-6 space-y-4">
        <Button wide busy={state === 'busy'} onClick={() => void signOut()}>
          Sign out and continue
        </Button>
        {state === 'failed' && <Notice tone="danger">{messageOf(null)}</Notice>}
      </div>
      {hint}
    </AccessFrame>
  );
}
