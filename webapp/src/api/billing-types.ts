import type { InvoiceLine, Money } from './types';

export interface Invoice {
  id: string;
  number: string;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  createdAt: string;
  dueAt: string | null;
  paidAt: string | null;
  description: string;
  lines: InvoiceLine[];
  tax: Money;
  total: Money;
  amountDue: Money;
  amountPaid: Money;
  hasPdf: boolean;
}

export interface InvoicePage {
  data: Invoice[];
  hasMore: boolean;
}
