import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

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
