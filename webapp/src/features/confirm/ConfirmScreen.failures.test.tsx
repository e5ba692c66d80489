import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { aCard } from '@/testing/card-provider';
import { aSubscription, planChangePayment } from '@/testing/fixtures';
import { server } from '@/testing/server';
import {
  aLicenseWithStatus,
  findConfirmButton,
  keptPlanPattern,
  openAndConfirm,
  openConfirmScreen,
  serveCall,
  serveIntent,
  serveLicensee,
  updatePath,
} from './testing';

const card = aCard('4242');

/** Presses a button in the fake provider's authentication dialog. */
async function answerAuthentication(button: 'Complete' | 'Fail') {
  const dialog = await screen.findByRole('dialog', { name: 'Is this you?' });
  await userEvent.click(within(dialog).getByRole('button', { name: button }));
}

beforeEach(() => {
  serveLicensee(aLicenseWithStatus('active'), card);
});

describe('a change that fails', () => {
  it('says that the card was declined and the plan has not changed, and allows another confirmation', async () => {
    serveCall(
      updatePath,
      aSubscription({ status: 'incomplete', payment: 'requires_payment_method' }),
    );
    await openAndConfirm();

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Your card was declined.');
    expect(alert).toHaveTextContent(keptPlanPattern);
    expect(alert).not.toHaveTextContent('Nothing was charged');
    expect(alert.parentElement).toHaveFocus();
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_1');
    expect(await findConfirmButton()).not.toHaveAttribute('aria-disabled');
  });

  it('shows the reason of the decline, and offers to pay with another card or keep the plan', async () => {
    serveCall(
      updatePath,
      aSubscription({ status: 'incomplete', payment: 'requires_payment_method' }),
    );
    openConfirmScreen(undefined, '?debug=true');
    const button = await findConfirmButton();
    const reason = 'Your card has insufficient funds.';
    serveLicensee(aLicenseWithStatus('active'), card, {
      ...planChangePayment,
      reason,
      failedMethodId: card.id,
    });
    await userEvent.click(button);

    expect(await screen.findByRole('link', { name: 'Pay with another card' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/pay?debug=true',
    );
    expect(screen.getByRole('button', { name: 'Keep Standard yearly' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Confirm' })).not.toBeInTheDocument();
    expect(screen.getByText('$396 AUD')).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent(`Your card was declined.${reason}`);
  });

  it('says until when the customer keeps the trial after a decline', async () => {
    const trial = aLicenseWithStatus('trialing');
    const license = { ...trial, raw: { ...trial.raw, trial_end: 1_800_000_000 } };
    serveLicensee(license, card);
    serveCall(
      updatePath,
      aSubscription({ status: 'incomplete', payment: 'requires_payment_method' }),
    );
    await openAndConfirm();

    expect(await screen.findByRole('alert')).toHaveTextContent(
      /Your plan has not changed\. You keep your Standard trial until .*2027\./,
    );
  });

  it.each([
    ['a conflict', { name: 'ERRCONFLICT', message: 'You pay in AUD.' }, 409],
    ['an internal error', { name: 'ERRINTERNAL', message: 'Something broke.' }, 500],
  ])("shows the server's message after %s", async (_, body, status) => {
    serveCall(updatePath, body, status);
    await openAndConfirm();

    expect(await screen.findByRole('alert')).toHaveTextContent(body.message);
  });

  it('reports an unknown outcome when the response is lost', async () => {
    server.use(http.post(`/vc-admin/${updatePath}`, () => HttpResponse.error()));
    await openAndConfirm();

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Network Error');
    expect(alert).toHaveTextContent('We could not find out whether it went through.');
  });

  it("shows 'Internal Server Error' when the update returns a canceled subscription without a message", async () => {
    serveCall(updatePath, aSubscription({ status: 'canceled' }));
    await openAndConfirm();

    expect(await screen.findByRole('alert')).toHaveTextContent('Internal Server Error');
  });
});

describe('a card that requires authentication', () => {
  beforeEach(
    () =>
      void serveCall(
        updatePath,
        aSubscription({ status: 'incomplete', payment: 'requires_action' }),
      ),
  );

  it('completes the change after the authentication', async () => {
    const requests = serveIntent({ status: 'requires_action' }, { status: 'succeeded' });
    await openAndConfirm();
    await answerAuthentication('Complete');

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(requests).toEqual([{ outcome: 'complete' }]);
  });

  it("shows the provider's message and offers to authenticate again when the authentication fails", async () => {
    const message = 'We are unable to authenticate your payment method.';
    serveIntent(
      { status: 'requires_action' },
      { status: 'requires_payment_method', last_payment_error: { message } },
    );
    await openAndConfirm();
    await answerAuthentication('Fail');

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(message);
    expect(alert).toHaveTextContent(keptPlanPattern);
    expect(await screen.findByRole('button', { name: 'Authenticate' })).toBeVisible();
  });
});
