import { useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ApiError } from '@/api';

/**
 * Returns the token of the link; empty without one. It is removed from the address at once, so that it is
 * neither displayed nor in the browser history, and kept in the history state for a reload.
 */
export function useToken(): string {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const inAddress = new URLSearchParams(search).get('token');

  useEffect(() => {
    if (inAddress === null) return;
    const rest = new URLSearchParams(search);
    rest.delete('token');
    navigate({ pathname, search: rest.toString() }, { replace: true, state: { token: inAddress } });
  }, [navigate, pathname, search, inAddress]);

  return inAddress ?? (state as { token?: string } | null)?.token ?? '';
}

type LinkContent<T> =
  | { status: 'loading' }
  | { status: 'failed'; error: ApiError }
  | { status: 'shown'; content: T };

/** Loads what the link with this token is about. */
export function useLink<T>(token: string, show: (token: string) => Promise<T>) {
  const [link, setLink] = useState<LinkContent<T>>({ status: 'loading' });
  const load = useCallback(async () => {
    setLink({ status: 'loading' });
    try {
      setLink({ status: 'shown', content: await show(token) });
    } catch (error) {
      setLink({ status: 'failed', error: error as ApiError });
    }
  }, [token, show]);
  useEffect(() => void load(), [load]);
  return { link, load };
}
