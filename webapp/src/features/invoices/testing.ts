import { HttpResponse } from 'msw';
import type { Invoice } from '@/api';
import { servePost } from '@/testing/handlers';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { renderScreen } from '@/testing/render-screen';
import InvoicesScreen from './InvoicesScreen';

/** The invoice of a trial, with a total of zero. */
export const trialInvoice = anInvoice({
  id: 'in_0',
  number: 'VISION-0000',
  total: aud(0),
  tax: aud(0),
});

export const listPath = '/vc-admin/org/invoices/list';

/** Serves these pages in order; returns the bodies of the requests. */
export const servePages = (...pages: { data: Invoice[]; hasMore: boolean }[]): unknown[] =>
  servePost(listPath, () => HttpResponse.json(pages.shift() ?? { data: [], hasMore: false }));

export const openInvoicesScreen = () => renderScreen(InvoicesScreen, '/vc-admin/diy/invoices');
