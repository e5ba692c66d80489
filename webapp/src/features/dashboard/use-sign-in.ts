import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ApiError } from '@/api';
import { useConfig } from '@/app/config-store';
import { paths } from '@/app/paths';
import { useGate } from '@/app/use-gate';
import { useSessionStore } from '@/features/session/session-store';

export type SigningIn = { status: 'idle' | 'busy' } | { status: 'failed'; error: ApiError };

/** Signing in, and how far it has come. */
export function useSignIn() {
  const navigate = useNavigate();
  const gate = useGate();
  const query = useConfig()?.loginQuery;
  const [state, setState] = useState<SigningIn>({ status: 'idle' });

  async function signIn(username: string, password: string) {
    setState({ status: 'busy' });
    const error = await useSessionStore.getState().signIn({ username, password }, query);
    setState(error ? { status: 'failed', error } : { status: 'idle' });
    // What the address said of a verification has been read, and the focus goes to the new heading.
    if (!error) navigate(paths.dash(gate), { replace: true });
  }

  return { state, signIn };
}
