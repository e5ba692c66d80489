import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { aCard } from '@/testing/card-field';
import { server } from '@/testing/server';
import {
  change,
  confirmButton,
  licensed,
  list,
  serveCall,
  serveLicensee,
  show,
  subscription,
  to,
  update,
} from './confirm-fixtures';

const card = aCard('4242');

async function confirm() {
  show(change);
  await userEvent.click(await confirmButton());
}

/** The fake provider is asked about the payment and answers in turn. */
function serveIntent(...answers: { status: string; last_payment_error?: { message: string } }[]) {
  const sent: unknown[] = [];
  const next = () => HttpResponse.json({ id: 'pi_1', ...answers.shift() });
  server.use(
    http.get('/dev/payments/intents/pi_1_secret', next),
    http.post('/dev/payments/intents/pi_1_secret/confirm', async ({ request }) => {
      sent.push(await request.json());
      return next();
    }),
  );
  return sent;
}

const answerBank = async (name: 'Complete' | 'Fail') => {
  const dialog = await screen.findByRole('dialog', { name: 'Is this you?' });
  await userEvent.click(within(dialog).getByRole('button', { name }));
};

// Whoever has paid is logged out a second later: not in the middle of the next test.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  serveLicensee(licensed('active'), card);
});

afterEach(() => void vi.useRealTimers());

describe('a change that fails', () => {
  it("says 'Your card was declined.', that nothing was charged, and can be tried again", async () => {
    serveCall(update, subscription('past_due', 'requires_payment_method'));
    await confirm();

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Your card was declined.');
    expect(alert).toHaveTextContent('Nothing was charged.');
    expect(alert.parentElement).toHaveFocus();
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_1');
    expect(await confirmButton()).not.toHaveAttribute('aria-disabled');
  });

  it('shows where that leaves the plan', async () => {
    serveCall(update, subscription('past_due', 'requires_payment_method'));
    show(change);
    const button = await confirmButton();
    serveLicensee(licensed('past_due', to), card);
    await userEvent.click(button);

    expect(await screen.findByText('(past due)')).toBeVisible();
    expect(screen.getByText('What is still open')).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('Your card was declined.');
  });

  it.each([
    ['the message of the answer', { name: 'ERRCONFLICT', message: 'You pay in AUD.' }, 409],
    ['the same in general words', { name: 'ERRINTERNAL', message: 'Something broke.' }, 500],
  ])('says %s', async (_, answer, status) => {
    serveCall(update, answer, status);
    await confirm();

    expect(await screen.findByRole('alert')).toHaveTextContent(answer.message);
  });

  it('says that nobody knows when the answer got lost', async () => {
    server.use(http.post(`/vc-admin/${update}`, () => HttpResponse.error()));
    await confirm();

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Network Error');
    expect(alert).toHaveTextContent('We could not find out whether it went through.');
  });

  it("says 'Internal Server Error' when nobody has other words", async () => {
    serveCall(update, subscription('canceled'));
    await confirm();

    expect(await screen.findByRole('alert')).toHaveTextContent('Internal Server Error');
  });
});

describe('a card that wants authentication', () => {
  beforeEach(() => void serveCall(update, subscription('past_due', 'requires_action')));

  it('gets it, and then all is well', async () => {
    const sent = serveIntent({ status: 'requires_action' }, { status: 'succeeded' });
    await confirm();
    await answerBank('Complete');

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(sent).toEqual([{ outcome: 'complete' }]);
  });

  it("fails with the provider's words", async () => {
    const message = 'We are unable to authenticate your payment method.';
    serveIntent(
      { status: 'requires_action' },
      { status: 'requires_payment_method', last_payment_error: { message } },
    );
    await confirm();
    await answerBank('Fail');

    expect(await screen.findByRole('alert')).toHaveTextContent(message);
  });
});

describe('trying again after a declined card', () => {
  const conflict = { name: 'ERRCONFLICT', message: 'This is your current plan already.' };

  beforeEach(() => {
    serveLicensee(licensed('past_due', to), card);
    serveCall(update, conflict, 409);
    serveCall(list, { data: [subscription('past_due', 'requires_payment_method')] });
  });

  it('pays the open invoice with the card that is the default one by now', async () => {
    const sent = serveIntent({ status: 'succeeded' });
    await confirm();

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(sent).toEqual([{ payment_method: 'pm_4242' }]);
    expect(localStorage).toHaveLength(0);
  });

  it("says 'retry payment later' when that is declined too", async () => {
    server.use(
      http.post('/dev/payments/intents/pi_1_secret/confirm', () =>
        HttpResponse.json({ error: { message: 'Your card was declined.' } }, { status: 402 }),
      ),
    );
    await confirm();

    expect(await screen.findByRole('alert')).toHaveTextContent('retry payment later');
    await waitFor(() => expect(localStorage.getItem('latestInvoiceId')).toBe('in_1'));
  });
});
