import { loadStripe } from '@stripe/stripe-js/pure';
import { rememberUnknownOutcome } from '@/modules/payments/unknown-outcome';
import { loadCardProvider, noFieldProvider } from './load';
import { ProviderNotSetUpError } from './port';

vi.mock('@stripe/stripe-js/pure', () => ({ loadStripe: vi.fn() }));

describe('loadCardProvider', () => {
  it('loads the fake provider once, without Stripe', async () => {
    const fake = await loadCardProvider({ kind: 'fake' });
    expect(fake.Field).not.toBeNull();
    expect(await loadCardProvider({ kind: 'fake' })).toBe(fake);
    expect(loadStripe).not.toHaveBeenCalled();
  });

  it('loads the fake card field for the fake gateway', async () => {
    expect((await loadCardProvider({ kind: 'fakegateway' })).Field).not.toBeNull();
  });

  it('loads the card field of the card gateway', async () => {
    const provider = { kind: 'cardgateway', publishableKey: 'https://gateway.example/key' };
    expect((await loadCardProvider(provider)).Field).not.toBeNull();
  });

  it('loads Stripe with the publishable key', async () => {
    vi.mocked(loadStripe).mockResolvedValue({} as never);
    const stripe = await loadCardProvider({ kind: 'stripe', publishableKey: 'pk_1' });
    expect(stripe.Field).not.toBeNull();
    expect(loadStripe).toHaveBeenCalledExactlyOnceWith('pk_1');
  });

  it('rejects with ProviderNotSetUpError for Stripe without a publishable key', async () => {
    await expect(loadCardProvider({ kind: 'stripe' })).rejects.toThrow(ProviderNotSetUpError);
  });

  it.each(['invoice', 'redirect'] as const)(
    'returns noFieldProvider for an unknown provider with the entry %s',
    async (entry) => {
      expect(await loadCardProvider({ kind: `acme-${entry}`, entry })).toBe(noFieldProvider);
    },
  );

  it('rejects an unknown provider that needs a card field', async () => {
    await expect(loadCardProvider({ kind: 'acme' })).rejects.toHaveProperty(
      'cause.message',
      'There is no card field for acme.',
    );
  });

  it('rejects with advice for the customer when the code cannot be loaded', async () => {
    await expect(loadCardProvider({ kind: 'acme' })).rejects.toThrow(
      "Our payment provider can't be reached from here. Nothing was charged. Check your connection.",
    );
  });

  it('does not say that nothing was charged while the outcome of a payment is unknown', async () => {
    rememberUnknownOutcome('user_1');
    await expect(loadCardProvider({ kind: 'acme' })).rejects.toThrow(
      "Our payment provider can't be reached from here. Check your connection.",
    );
  });

  it('rejects when the script of Stripe never arrives', async () => {
    const provider = { kind: 'stripe', publishableKey: 'pk_3' };
    vi.mocked(loadStripe).mockReturnValue(new Promise(() => {}));
    await import('./stripe/stripe-provider');
    vi.useFakeTimers();

    const rejection = expect(loadCardProvider(provider)).rejects.toThrow('blocks js.stripe.com');
    await vi.advanceTimersByTimeAsync(20_000);

    await rejection;
  });

  it('tries again after a failure', async () => {
    const provider = { kind: 'stripe', publishableKey: 'pk_2' };
    vi.mocked(loadStripe).mockRejectedValueOnce(new Error('Failed to load Stripe.js'));
    await expect(loadCardProvider(provider)).rejects.toThrow('blocks js.stripe.com');
    vi.mocked(loadStripe).mockResolvedValueOnce(null);
    await expect(loadCardProvider(provider)).rejects.toHaveProperty(
      'cause.message',
      'Stripe needs a browser.',
    );
    vi.mocked(loadStripe).mockResolvedValueOnce({} as never);
    await expect(loadCardProvider(provider)).resolves.toHaveProperty('Field');
  });
});

it.each(['createPaymentMethod', 'confirmPayment', 'confirmSetup'] as const)(
  '%s of noFieldProvider fails with a message to contact us',
  async (method) => {
    expect(await noFieldProvider[method]('secret')).toEqual({
      ok: false,
      message: expect.stringContaining('contact us'),
    });
  },
);
