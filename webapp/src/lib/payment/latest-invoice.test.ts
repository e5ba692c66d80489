import { forgetInvoice, isRetry, rememberInvoice } from './latest-invoice';

const invoice = { id: 'in_1', payment_intent: { status: 'requires_payment_method' } };

describe('the latest invoice', () => {
  it('is remembered by id and payment status', () => {
    rememberInvoice(localStorage, invoice);
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_1');
    expect(localStorage.getItem('latestInvoicePaymentIntentStatus')).toBe(
      'requires_payment_method',
    );
  });

  it('makes the next payment of the same invoice a retry, and of no other', () => {
    expect(isRetry(localStorage, invoice)).toBe(false);
    rememberInvoice(localStorage, invoice);
    expect(isRetry(localStorage, invoice)).toBe(true);
    expect(isRetry(localStorage, { ...invoice, id: 'in_2' })).toBe(false);
    expect(isRetry(localStorage, null)).toBe(false);
  });

  it('is not retried in another status', () => {
    rememberInvoice(localStorage, { id: 'in_1', payment_intent: { status: 'processing' } });
    expect(isRetry(localStorage, invoice)).toBe(false);
    rememberInvoice(localStorage, { id: 'in_1', payment_intent: null });
    expect(isRetry(localStorage, invoice)).toBe(false);
  });

  it('is forgotten', () => {
    rememberInvoice(localStorage, invoice);
    forgetInvoice(localStorage);
    expect(localStorage).toHaveLength(0);
  });

  it('is ignored when the browser allows no storage', () => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    const store = { getItem: refuse, setItem: refuse, removeItem: refuse };
    rememberInvoice(store, invoice);
    expect(isRetry(store, invoice)).toBe(false);
    forgetInvoice(store);
  });
});
