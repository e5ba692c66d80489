import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/**
 * Returns the token in the address of the link, or an empty string if there is none. Moves the token from the address
 * to the history state, so that it is not displayed or recorded with the address, and is still known after a reload.
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
