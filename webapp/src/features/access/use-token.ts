import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { canReplaceState } from '@/lib/guard-history';

/**
 * Returns the token in the URL of the link; empty without one. Moves the token from the URL to the history state, so that it
 * is not displayed or recorded, but still known after a reload. The token stays in the URL if the browser refuses to replace
 * the history state.
 */
export function useToken(): string {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const tokenInURL = new URLSearchParams(search).get('token');

  useEffect(() => {
    if (tokenInURL === null || !canReplaceState()) return;
    const otherParams = new URLSearchParams(search);
    otherParams.delete('token');
    navigate(
      { pathname, search: otherParams.toString() },
      { replace: true, state: { token: tokenInURL } },
    );
  }, [navigate, pathname, search, tokenInURL]);

  return tokenInURL ?? (state as { token?: string } | null)?.token ?? '';
}
