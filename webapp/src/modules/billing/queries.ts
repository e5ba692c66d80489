import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { getBilling, getBillingDetails, type Invoice, invoicePages, listInvoices } from '@/api';

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: getBilling,
  meta: { failure: 'The billing summary could not be loaded' },
});

export const billingDetailsQuery = queryOptions({
  queryKey: ['billingDetails'],
  queryFn: getBillingDetails,
  meta: { failure: 'The billing details could not be loaded' },
});

/**
 * The number of invoices in a page. Most organisations have fewer invoices, so the filter usually covers all of them.
 */
const pageSize = 100;

/** Loads all invoices, newest first, a page at a time. */
export const invoicesQuery = infiniteQueryOptions({
  queryKey: ['invoices', 'all'],
  queryFn: ({ pageParam }) => listInvoices({ limit: pageSize, startingAfter: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ data, hasMore }) => (hasMore ? data.at(-1)?.id : undefined),
  meta: { failure: 'The invoices could not be loaded' },
});

/** Loads the newest few invoices. */
export const latestInvoicesQuery = queryOptions({
  queryKey: ['invoices', 'latest'],
  queryFn: async () => (await listInvoices()).data,
  meta: { failure: 'The invoices could not be loaded' },
});

/** Loads the invoice with this id; null if the organisation does not have it. */
export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: ['invoices', 'one', id],
    queryFn: () => findInvoice(id),
    meta: { failure: 'The invoice could not be loaded' },
  });

async function findInvoice(id: string): Promise<Invoice | null> {
  for await (const page of invoicePages()) {
    const invoice = page.find((candidate) => candidate.id === id);
    if (invoice) return invoice;
  }
  return null;
}
