import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, type PriceQuote, type QuoteRequest, quotePrice } from '@/api';
import { logFailure } from '@/lib/log';
import { noticeEnd, useSession } from '@/lib/session-store';

/** The quote of a plan, or the state of the request for it. */
export type QuoteState =
  | { status: 'off' }
  | { status: 'loading' }
  | { status: 'failed'; message: string }
  | {
      status: 'ready';
      quote: PriceQuote;
      /** Whether the amounts differ from those shown before for the same request. */
      changed: boolean;
    };

/** A quote is valid for ten minutes; it is renewed before, in milliseconds. */
const renewAfter = 9 * 60_000;

/**
 * Keeps a valid quote for a request; 'off' without one. While `paused` nothing is requested, because
 * the present quote is being used. `retry` requests it again after a failure, `accept` replaces it
 * by a fresh quote of the server.
 */
export function useQuote(request: QuoteRequest | null, paused = false) {
  const key = request ? JSON.stringify(request) : '';
  const [kept, setKept] = useState<{ key: string; state: QuoteState }>({ key: '', state: off });
  const signedIn = useSession().status === 'signedIn';

  const load = useCallback(async () => {
    const state = await fetchQuote(JSON.parse(key));
    // Another request may have been made meanwhile.
    setKept((kept) => (kept.key === key ? { key, state: after(kept.state, state) } : kept));
  }, [key]);
  const retry = useCallback(async () => {
    setKept({ key, state: loading });
    await load();
  }, [key, load]);
  const requested = useRef('');
  useEffect(() => {
    if (!signedIn) requested.current = '';
    if (!key || !signedIn || paused || requested.current === key) return;
    requested.current = key;
    void retry();
  }, [key, signedIn, paused, retry]);

  const state = key && kept.key === key ? kept.state : key ? loading : off;
  const shown = state.status === 'ready' ? state.quote : null;
  useEffect(() => {
    if (!shown || paused) return;
    const timer = setTimeout(() => void load(), renewAfter);
    return () => clearTimeout(timer);
  }, [shown, paused, load]);

  const accept = useCallback(
    (quote: PriceQuote) => setKept({ key, state: { status: 'ready', quote, changed: false } }),
    [key],
  );
  return { state, retry, accept };
}

const off: QuoteState = { status: 'off' };
const loading: QuoteState = { status: 'loading' };

async function fetchQuote(request: QuoteRequest): Promise<QuoteState> {
  try {
    return { status: 'ready', quote: await quotePrice(request), changed: false };
  } catch (error) {
    logFailure('The amount could not be loaded', error);
    if (await noticeEnd(error)) return loading;
    const answered = error instanceof ApiError && error.answered;
    return { status: 'failed', message: answered ? error.message : '' };
  }
}

/** Marks a renewed quote whose amounts differ. */
function after(before: QuoteState, state: QuoteState): QuoteState {
  if (state.status !== 'ready' || before.status !== 'ready') return state;
  return { ...state, changed: amounts(before.quote) !== amounts(state.quote) };
}

const amounts = ({ dueNow, next }: PriceQuote): string => JSON.stringify([dueNow, next?.amount]);
