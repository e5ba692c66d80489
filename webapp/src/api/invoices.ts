import { address, taxId } from './billing-details';
import { getDocument, post } from './client';
import {
  acknowledgement,
  flag,
  id,
  list,
  nullable,
  object,
  oneOf,
  optional,
  text,
  time,
  timeZone,
} from './decode';
import { money, paidMethod } from './parts';
import { invoiceLine } from './quote';
import type { Buyer, Invoice, InvoicePage, Movement, ReceivedPayment, Seller } from './types';

/** Returns a page of the invoices, newest first. */
export const listInvoices = (page: { limit?: number; startingAfter?: string } = {}) =>
  post('/vc-admin/org/invoices/list', invoicePage, page);

/** The largest number of invoices that the server returns in a page. */
const maxPageSize = 100;

/** Yields pages of invoices, newest first. With an id, begins after the invoice that has this id. */
export async function* invoicePages(startingAfter?: string): AsyncGenerator<Invoice[]> {
  let cursor = startingAfter;
  let hasMore = true;
  while (hasMore) {
    const page = await listInvoices({ limit: maxPageSize, startingAfter: cursor });
    yield page.data;
    cursor = page.data.at(-1)?.id;
    hasMore = page.hasMore && cursor !== undefined;
  }
}

/** Downloads an invoice as a PDF document. */
export const getInvoicePdf = (invoiceId: string) =>
  getDocument(`/vc-admin/org/invoices/${encodeURIComponent(invoiceId)}/pdf`, 'application/pdf');

/** Downloads a credit note of an invoice as a PDF document. */
export const getCreditNotePdf = (invoiceId: string, creditNote: string) =>
  getDocument(
    `/vc-admin/org/invoices/${encodeURIComponent(invoiceId)}/credit-notes/${encodeURIComponent(creditNote)}/pdf`,
    'application/pdf',
  );

/** Reports that the customer has paid an invoice by bank transfer. */
export const reportTransfer = (invoiceId: string) =>
  post(`/vc-admin/org/invoices/${encodeURIComponent(invoiceId)}/transfer`, acknowledgement);

const receivedPayment = object<ReceivedPayment>({
  amount: money,
  excess: money,
  at: time,
  method: optional(paidMethod),
});

const movement = object<Movement>({
  kind: text,
  label: text,
  amount: money,
  at: nullable(time),
  method: optional(paidMethod),
  creditNote: optional(text),
});

const invoice = object<Invoice>({
  id,
  number: text,
  status: oneOf('draft', 'open', 'paid', 'void', 'uncollectible'),
  createdAt: time,
  dueAt: nullable(time),
  paidAt: nullable(time),
  description: text,
  lines: list(invoiceLine),
  tax: money,
  total: money,
  amountDue: money,
  amountPaid: money,
  creditUsed: optional(money),
  carriedForward: optional(money),
  refunded: optional(money),
  credited: optional(money),
  returned: optional(money),
  failedRefunds: optional(money),
  remaining: optional(money),
  seller: optional(object<Seller>({ name: text, lines: list(text) })),
  taxName: optional(text),
  billedTo: optional(object<Buyer>({ name: text, address, taxId, purchaseOrder: text })),
  received: optional(list(receivedPayment)),
  movements: optional(list(movement)),
  processing: optional(flag),
  timeZone: optional(timeZone),
  hasPdf: flag,
});

export const invoicePage = object<InvoicePage>({ data: list(invoice), hasMore: flag });
