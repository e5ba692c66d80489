import { useCallback, useEffect, useRef, useState } from 'react';
import { type PriceQuote, type QuoteRequest, quotePrice } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver, useSession } from '@/modules/session/session-store';
import { amountsDiffer } from './quote-text';

/** The quote for a request, or the state of fetching it. */
export type QuoteState =
  | { status: 'off' }
  | { status: 'loading' }
  | { status: 'failed'; message: string }
  | {
      status: 'ready';
      quote: PriceQuote;
      /** The quote that was shown first, if a renewal has changed the amounts. */
      previousQuote: PriceQuote | null;
      /** The quote that the server refused when it was used; `quote` replaces it. */
      refusedQuote: PriceQuote | null;
      /** The time to renew the quote, in milliseconds of this browser's clock. */
      renewAt: number;
    };

/** The age at which a quote is renewed, in milliseconds. Quotes are valid for ten minutes. */
const renewalDelay = 9 * 60_000;
/** The delay between a failed renewal and the next one, in milliseconds. */
const retryDelay = 20_000;

interface QuoteOptions {
  /** Requests no quote, because the current one is being used. */
  isInUse?: boolean;
  /** The new quote that the server sent when it refused the current quote. It replaces the current quote. */
  replacement?: PriceQuote;
  /** State of the subscription that the amounts depend on; another quote is requested when it changes. */
  basis?: string;
}

/** Keeps a valid quote for a request. Without a request the state is 'off'. `retry` fetches the quote after a failure. */
export function useQuote(
  request: QuoteRequest | null,
  { isInUse = false, replacement, basis }: QuoteOptions = {},
) {
  const key = request ? JSON.stringify({ request, basis }) : '';
  const [storedQuote, setStoredQuote] = useState<{ key: string; state: QuoteState }>({
    key: '',
    state: offState,
  });
  const [appliedReplacement, setAppliedReplacement] = useState<PriceQuote>();
  // Set while rendering, because after an effect the refused amount would be shown once more.
  if (replacement && replacement !== appliedReplacement) {
    setAppliedReplacement(replacement);
    const refusedQuote = storedQuote.state.status === 'ready' ? storedQuote.state.quote : null;
    setStoredQuote({
      key: storedQuote.key,
      state: { ...readyState(replacement), refusedQuote },
    });
  }
  const isSignedIn = useSession().status === 'signedIn';

  const load = useCallback(async () => {
    const state = await fetchQuote(JSON.parse(key).request);
    // The response is ignored if the request has changed since.
    setStoredQuote((latest) =>
      latest.key === key ? { key, state: stateAfterRenewal(latest.state, state) } : latest,
    );
  }, [key]);
  const retry = useCallback(async () => {
    setStoredQuote({ key, state: loadingState });
    await load();
  }, [key, load]);
  const requestedKey = useRef('');
  useEffect(() => {
    if (!isSignedIn) requestedKey.current = '';
    if (!key || !isSignedIn || isInUse || requestedKey.current === key) return;
    requestedKey.current = key;
    void retry();
  }, [key, isSignedIn, isInUse, retry]);

  const initialState = key ? loadingState : offState;
  const state = key && storedQuote.key === key ? storedQuote.state : initialState;
  useTimedCall(load, state.status === 'ready' && !isInUse ? state.renewAt : null);
  return { state, retry };
}

/** Calls a function at a time in milliseconds of this browser's clock. Without a time, the function is not called. */
function useTimedCall(call: () => Promise<void>, time: number | null): void {
  useEffect(() => {
    if (time === null) return;
    const timer = setTimeout(() => void call(), Math.max(time - Date.now(), 0));
    // Timers do not run while a computer sleeps.
    const callIfLate = () => {
      if (document.visibilityState === 'visible' && Date.now() >= time) void call();
    };
    document.addEventListener('visibilitychange', callIfLate);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', callIfLate);
    };
  }, [call, time]);
}

const offState: QuoteState = { status: 'off' };
const loadingState: QuoteState = { status: 'loading' };
type ReadyState = Extract<QuoteState, { status: 'ready' }>;

const readyState = (quote: PriceQuote): ReadyState => ({
  status: 'ready',
  quote,
  previousQuote: null,
  refusedQuote: null,
  renewAt: Date.now() + renewalDelay,
});

async function fetchQuote(request: QuoteRequest): Promise<QuoteState> {
  try {
    return readyState(await quotePrice(request));
  } catch (error) {
    logFailure('The amount could not be loaded', error);
    if (await refreshIfSessionOver(error)) return loadingState;
    return { status: 'failed', message: serverMessageOf(error, '') };
  }
}

/**
 * Returns the state after a renewal, with the quote that the customer has seen if the amounts differ. A
 * renewal that fails keeps the quote, which the server refuses once it has expired.
 */
function stateAfterRenewal(previousState: QuoteState, renewedState: QuoteState): QuoteState {
  if (previousState.status !== 'ready' || renewedState.status === 'loading') return renewedState;
  if (renewedState.status !== 'ready')
    return { ...previousState, renewAt: Date.now() + retryDelay };
  const seenQuote = previousState.previousQuote ?? previousState.quote;
  return {
    ...renewedState,
    previousQuote: amountsDiffer(seenQuote, renewedState.quote) ? seenQuote : null,
  };
}
