import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { typeCard } from '@/testing/card-provider';
import { server } from '@/testing/server';
import { clickSubscribe, openPayment } from './testing';

describe('an invalid card', () => {
  it('is reported under the field, and its input is focused', async () => {
    await openPayment();
    await clickSubscribe();
    expect(await screen.findByText('Your card number is incomplete.')).toBeVisible();
    expect(screen.getByLabelText('Card number')).toHaveFocus();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it("shows the provider's message until the card changes", async () => {
    await openPayment();
    const error = { message: 'Your card has expired.' };
    server.use(
      http.post('/dev/payments/payment_methods', () =>
        HttpResponse.json({ error }, { status: 402 }),
      ),
    );
    await typeCard();
    await clickSubscribe();
    expect(await screen.findByText('Your card has expired.')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Card number'), '{Backspace}');
    expect(screen.queryByText('Your card has expired.')).not.toBeInTheDocument();
  });
});
