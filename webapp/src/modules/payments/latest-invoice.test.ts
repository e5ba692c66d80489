import { forgetInvoice, isRetry, rememberInvoice } from './latest-invoice';

const invoice = { id: 'in_1', payment_intent: { status: 'requires_payment_method' } };

describe('the latest invoice', () => {
  it('is stored with its id and payment status', () => {
    rememberInvoice(invoice);
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_1');
    expect(localStorage.getItem('latestInvoicePaymentIntentStatus')).toBe(
      'requires_payment_method',
    );
  });

  it('makes the next payment of the same invoice a retry, but not that of another invoice', () => {
    expect(isRetry(invoice)).toBe(false);
    rememberInvoice(invoice);
    expect(isRetry(invoice)).toBe(true);
    expect(isRetry({ ...invoice, id: 'in_2' })).toBe(false);
    expect(isRetry(null)).toBe(false);
  });

  it('makes no payment a retry if its status is not requires_payment_method', () => {
    rememberInvoice({ id: 'in_1', payment_intent: { status: 'processing' } });
    expect(isRetry(invoice)).toBe(false);
    rememberInvoice({ id: 'in_1', payment_intent: null });
    expect(isRetry(invoice)).toBe(false);
  });

  it('is removed from the storage by forgetInvoice', () => {
    rememberInvoice(invoice);
    forgetInvoice();
    expect(localStorage).toHaveLength(0);
  });

  it('is kept until the page is left when the browser allows no storage', () => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    rememberInvoice(invoice);
    expect(isRetry(invoice)).toBe(true);
    forgetInvoice();
    expect(isRetry(invoice)).toBe(false);
  });
});
