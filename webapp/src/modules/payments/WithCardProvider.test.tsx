import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { StrictMode, useState } from 'react';
import { typeCard } from '@/testing/card-provider';
import { server } from '@/testing/server';
import { CardField } from './CardField';
import { useCardProvider, WithCardProvider } from './WithCardProvider';

vi.mock('@stripe/stripe-js/pure', () => ({ loadStripe: vi.fn() }));

const fake = { kind: 'fake' } as const;

/** A screen that adds a card and shows its id or the error. */
function Screen() {
  const cardProvider = useCardProvider();
  const [id, setId] = useState('');
  const [error, setError] = useState<string>();

  async function add() {
    const result = await cardProvider?.createPaymentMethod();
    if (result?.ok) setId(result.paymentMethodId);
    else setError(result?.message);
  }

  return (
    <>
      <CardField error={error} onChange={() => setError(undefined)} />
      <button type="button" onClick={add}>
        Add
      </button>
      <output>{id}</output>
    </>
  );
}

function renderProvider(provider: { kind: string; publishableKey?: string } = fake) {
  return render(
    <StrictMode>
      <WithCardProvider provider={provider} placeholder={<p>A skeleton</p>}>
        <Screen />
      </WithCardProvider>
    </StrictMode>,
  );
}

describe('adding a card', () => {
  it('creates a payment method at the provider', async () => {
    server.use(
      http.post('/dev/payments/payment_methods', () => HttpResponse.json({ id: 'pm_42' })),
    );
    renderProvider();
    expect(screen.getByText('A skeleton')).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('Loading...');
    await typeCard('4242424242424242');
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('pm_42')).toBeVisible();
    expect(screen.getAllByLabelText('Card number')).toHaveLength(1);
  });

  it('shows an error under the field until it is corrected', async () => {
    renderProvider();
    await typeCard('4242424242424241');
    expect(screen.getByText('Your card number is invalid.')).toBeVisible();
    expect(screen.getByRole('group', { name: 'Card details' })).toHaveAccessibleDescription(
      'Your card number is invalid.',
    );
    await userEvent.type(screen.getByLabelText('Card number'), '{Backspace}2');
    expect(screen.queryByText('Your card number is invalid.')).not.toBeInTheDocument();
  });
});

describe('a provider that cannot be reached', () => {
  it('shows an error, and loads the script again after Try again', async () => {
    vi.mocked(loadStripe).mockRejectedValueOnce(new Error('Failed to load Stripe.js'));
    renderProvider({ kind: 'stripe', publishableKey: 'pk_test_blocked' });
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The card field could not be loaded');
    expect(alert).toHaveTextContent(
      /Nothing was charged\. .* switch off what blocks js\.stripe\.com/,
    );

    vi.mocked(loadStripe).mockRejectedValueOnce(new Error('Failed to load Stripe.js'));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(loadStripe).toHaveBeenCalledTimes(2));
    expect(await screen.findByRole('alert')).toBeVisible();
  });
});

describe("Stripe's card field", () => {
  /** A card element that reports its events only when `emit` is called. */
  function stubStripe() {
    const listeners: Record<string, () => void> = {};
    const on = (event: string, listener: () => void) => {
      listeners[event] = listener;
    };
    const card = { mount() {}, destroy() {}, on, off() {}, update() {} };
    const elements = () => ({ create: () => card, getElement: () => card, update() {} });
    const unusedMethods = { createToken() {}, createPaymentMethod() {}, confirmCardPayment() {} };
    vi.mocked(loadStripe).mockResolvedValue({ elements, ...unusedMethods } as unknown as Stripe);
    return { emit: (event: string) => act(() => listeners[event]?.()) };
  }

  it.each([
    ['is replaced by an error with Try again when it is not ready after 30 seconds', false],
    ['stays when it is ready', true],
  ])('%s', async (_, isReady) => {
    vi.useFakeTimers();
    const { emit } = stubStripe();
    renderProvider({ kind: 'stripe', publishableKey: `pk_test_${isReady}` });
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(screen.getByText('Card details')).toBeVisible();
    if (isReady) await emit('ready');
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(screen.queryByText('Card details') !== null).toBe(isReady);
    expect(screen.queryByRole('button', { name: 'Try again' }) !== null).toBe(!isReady);
  });
});

describe('a screen without a card field', () => {
  it('can confirm a payment', async () => {
    server.use(
      http.get('/dev/payments/intents/s', () => HttpResponse.json({ status: 'succeeded' })),
    );
    function Confirm() {
      const cardProvider = useCardProvider();
      const [result, setResult] = useState('');
      const confirm = async () =>
        setResult(JSON.stringify(await cardProvider?.confirmPayment('s')));
      return (
        <button type="button" onClick={confirm}>
          Confirm {result}
        </button>
      );
    }
    render(
      <WithCardProvider provider={fake} placeholder={null}>
        <Confirm />
      </WithCardProvider>,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(screen.getByRole('button')).toHaveTextContent('"ok":true'));
  });
});
