import { useCallback, useEffect, useRef, useState } from 'react';
import { type PriceQuote, type QuoteRequest, quotePrice } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver, useSession } from '@/modules/session/session-store';
import { amountsDiffer } from './quote-text';

/** The quote of a plan, or the state of the request for it. */
export type QuoteState =
  | { status: 'off' }
  | { status: 'loading' }
  | { status: 'failed'; message: string }
  | {
      status: 'ready';
      quote: PriceQuote;
      /** The quote that was shown first, if a renewal has changed the amounts. */
      previous: PriceQuote | null;
      /** The quote that the server refused when it was used; `quote` replaces it. */
      refused: PriceQuote | null;
      /** When to renew it, in milliseconds of this browser's clock. */
      renewAt: number;
    };

/** The age at which a quote is renewed, in milliseconds. Quotes are valid for ten minutes. */
const renewalDelay = 9 * 60_000;
/** The delay after a renewal that failed, in milliseconds. */
const retryDelay = 20_000;

interface QuoteOptions {
  /** Requests no quote, because the current one is being used. */
  paused?: boolean;
  /** The server's fresh quote after it has refused the current one; replaces it. */
  replacement?: PriceQuote;
  /** State of the subscription that the amounts depend on; another quote is requested when it changes. */
  basis?: string;
}

/**
 * Keeps a valid quote for a request; 'off' without one. `retry` requests it again after a failure.
 */
export function useQuote(
  request: QuoteRequest | null,
  { paused = false, replacement, basis }: QuoteOptions = {},
) {
  const key = request ? JSON.stringify({ request, basis }) : '';
  const [stored, setStored] = useState<{ key: string; state: QuoteState }>({ key: '', state: off });
  const [replacedBy, setReplacedBy] = useState<PriceQuote>();
  // During rendering rather than in an effect, so that the refused amount is not shown once more.
  if (replacement && replacement !== replacedBy) {
    setReplacedBy(replacement);
    const refused = stored.state.status === 'ready' ? stored.state.quote : null;
    setStored({ key: stored.key, state: { ...ready(replacement), refused } });
  }
  const signedIn = useSession().status === 'signedIn';

  const load = useCallback(async () => {
    const state = await fetchQuote(JSON.parse(key).request);
    // The response is ignored if the request has changed since.
    setStored((stored) =>
      stored.key === key ? { key, state: afterRenewal(stored.state, state) } : stored,
    );
  }, [key]);
  const retry = useCallback(async () => {
    setStored({ key, state: loading });
    await load();
  }, [key, load]);
  const requested = useRef('');
  useEffect(() => {
    if (!signedIn) requested.current = '';
    if (!key || !signedIn || paused || requested.current === key) return;
    requested.current = key;
    void retry();
  }, [key, signedIn, paused, retry]);

  const state = key && stored.key === key ? stored.state : key ? loading : off;
  const renewAt = state.status === 'ready' ? state.renewAt : null;
  useEffect(() => {
    if (renewAt === null || paused) return;
    const timer = setTimeout(() => void load(), Math.max(renewAt - Date.now(), 0));
    // Timers do not run while a computer sleeps.
    const renew = () => {
      if (document.visibilityState === 'visible' && Date.now() >= renewAt) void load();
    };
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [renewAt, paused, load]);

  return { state, retry };
}

const off: QuoteState = { status: 'off' };
const loading: QuoteState = { status: 'loading' };
type Ready = Extract<QuoteState, { status: 'ready' }>;

const ready = (quote: PriceQuote): Ready => ({
  status: 'ready',
  quote,
  previous: null,
  refused: null,
  renewAt: Date.now() + renewalDelay,
});

async function fetchQuote(request: QuoteRequest): Promise<QuoteState> {
  try {
    return ready(await quotePrice(request));
  } catch (error) {
    logFailure('The amount could not be loaded', error);
    if (await refreshIfSessionOver(error)) return loading;
    return { status: 'failed', message: serverMessageOf(error, '') };
  }
}

/**
 * Returns the state after a renewal, with the quote that the customer has seen if the amounts differ. A
 * renewal that fails keeps the quote, which the server refuses once it has expired.
 */
function afterRenewal(last: QuoteState, state: QuoteState): QuoteState {
  if (last.status !== 'ready' || state.status === 'loading') return state;
  if (state.status !== 'ready') return { ...last, renewAt: Date.now() + retryDelay };
  const shown = last.previous ?? last.quote;
  return { ...state, previous: amountsDiffer(shown, state.quote) ? shown : null };
}
