import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { typeCard } from '@/testing/card-field';
import { server } from '@/testing/server';
import { openPayment, subscribe } from './testing';

describe('a card that is not good', () => {
  it('is told under the field, and its input takes the focus', async () => {
    await openPayment();
    await subscribe();
    expect(await screen.findByText('Your card number is incomplete.')).toBeVisible();
    expect(screen.getByLabelText('Card number')).toHaveFocus();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it("is told in the provider's words, until it is changed", async () => {
    await openPayment();
    const error = { message: 'Your card has expired.' };
    server.use(
      http.post('/dev/payments/payment_methods', () =>
        HttpResponse.json({ error }, { status: 402 }),
      ),
    );
    await typeCard();
    await subscribe();
    expect(await screen.findByText('Your card has expired.')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Card number'), '{Backspace}');
    expect(screen.queryByText('Your card has expired.')).not.toBeInTheDocument();
  });
});
