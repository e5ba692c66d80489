import { useCallback, useEffect, useState } from 'react';
import { type Billing, getBilling, type Invoice, listInvoices } from '@/api';
import { logFailure } from '@/lib/log';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { refreshIfSessionOver, useSession } from '@/modules/session/session-store';

/** The invoices loaded so far, or the state of the first request. */
export type Invoices =
  | { status: 'loading' }
  | { status: 'failed' }
  | {
      status: 'ready';
      invoices: readonly Invoice[];
      hasMore: boolean;
      /** The next automatic charge; null when none is known. */
      next: Billing['next'];
    };

/** The state of the request for the next page. */
export type More = 'idle' | 'loading' | 'failed';

/** The invoices of several years, so that the filter has all of them for most organisations. */
const pageSize = 100;

/** Loads the invoices, newest first, a page at a time, and without any the next charge if the server reports it. */
export function useInvoices() {
  const hasBilling = can(useConfig(), 'billing');
  const [list, setList] = useState<Invoices>({ status: 'loading' });
  const [more, setMore] = useState<More>('idle');

  const reload = useCallback(async () => {
    setList({ status: 'loading' });
    try {
      const { data, hasMore } = await listInvoices({ limit: pageSize });
      const hasCharges = data.some(({ total }) => total.amount !== 0);
      const next = hasBilling && !hasCharges ? await nextCharge() : null;
      setList({ status: 'ready', invoices: data, hasMore, next });
    } catch (error) {
      logFailure('The invoices could not be loaded', error);
      setList({ status: 'failed' });
      void refreshIfSessionOver(error);
    }
  }, [hasBilling]);

  const signedIn = useSession().status === 'signedIn';
  useEffect(() => {
    if (signedIn) void reload();
  }, [reload, signedIn]);

  async function loadMore() {
    if (list.status !== 'ready') return;
    setMore('loading');
    try {
      const page = await listInvoices({
        limit: pageSize,
        startingAfter: list.invoices.at(-1)?.id,
      });
      const invoices = [...list.invoices, ...page.data];
      setList({ ...list, invoices, hasMore: page.hasMore });
      setMore('idle');
    } catch (error) {
      logFailure('More invoices could not be loaded', error);
      setMore('failed');
      void refreshIfSessionOver(error);
    }
  }

  return { list, more, reload, loadMore };
}

/** Loads the next charge; null on failure, because the screen can do without it. */
async function nextCharge(): Promise<Billing['next']> {
  try {
    return (await getBilling()).next;
  } catch (error) {
    logFailure('The next charge could not be loaded', error);
    return null;
  }
}
