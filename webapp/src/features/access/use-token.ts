import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/**
 * Returns the token of the link; empty without one. It is removed from the address at once, so that it is
 * neither displayed nor in the browser history, and kept in the history state for a reload.
 */
export function useToken(): string {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const tokenInAddress = new URLSearchParams(search).get('token');

  useEffect(() => {
    if (tokenInAddress === null) return;
    const otherParams = new URLSearchParams(search);
    otherParams.delete('token');
    navigate(
      { pathname, search: otherParams.toString() },
      { replace: true, state: { token: tokenInAddress } },
    );
  }, [navigate, pathname, search, tokenInAddress]);

  return tokenInAddress ?? (state as { token?: string } | null)?.token ?? '';
}
