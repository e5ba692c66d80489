import { loadStripe } from '@stripe/stripe-js/pure';
import { loadStripeObject } from './load-stripe-object';

vi.mock('@stripe/stripe-js/pure', () => ({ loadStripe: vi.fn() }));

describe('loadStripeObject', () => {
  it('brings the fake provider, the same one every time', async () => {
    const stripe = await loadStripeObject({ kind: 'fake' });
    expect(stripe.elements().create('card')).toHaveProperty('mount');
    expect(await loadStripeObject({ kind: 'fake' })).toBe(stripe);
    expect(loadStripe).not.toHaveBeenCalled();
  });

  it("brings Stripe's own by the publishable key", async () => {
    const stripe = {};
    vi.mocked(loadStripe).mockResolvedValue(stripe as never);
    const provider = { kind: 'stripe', publishableKey: 'pk_1' } as const;
    expect(await loadStripeObject(provider)).toBe(stripe);
    expect(loadStripe).toHaveBeenCalledExactlyOnceWith('pk_1');
  });

  it('has nothing for a provider without a side in the browser', async () => {
    await expect(loadStripeObject({ kind: 'cash' })).rejects.toThrow('no card field for cash');
  });

  it('tries again after it failed', async () => {
    const provider = { kind: 'stripe', publishableKey: 'pk_2' } as const;
    vi.mocked(loadStripe).mockRejectedValueOnce(new Error('Failed to load Stripe.js'));
    await expect(loadStripeObject(provider)).rejects.toThrow('Failed to load');
    vi.mocked(loadStripe).mockResolvedValueOnce(null);
    await expect(loadStripeObject(provider)).rejects.toThrow('needs a browser');
    vi.mocked(loadStripe).mockResolvedValueOnce({} as never);
    await expect(loadStripeObject(provider)).resolves.toEqual({});
  });
});
