import { withoutField } from './without-field';

describe('a provider without a field', () => {
  it('renders none and confirms nothing in the page', async () => {
    expect(withoutField.Field).toBeNull();
    const { createPaymentMethod, confirmPayment, confirmSetup } = withoutField;
    for (const result of [
      createPaymentMethod(),
      confirmPayment('secret'),
      confirmSetup('secret'),
    ]) {
      expect(await result).toEqual({ ok: false, message: expect.stringContaining('contact us') });
    }
  });
});
