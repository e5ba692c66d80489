import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { rememberInvoice } from '@/modules/payments/latest-invoice';
import { aCard } from '@/testing/card-provider';
import {
  aNextAction,
  aSubscription,
  capabilitiesWithout,
  fullProvider,
  overdue,
  owed,
  planChange,
} from '@/testing/fixtures';
import { servePost, serveUser } from '@/testing/handlers';
import { server } from '@/testing/server';
import {
  change,
  findConfirmButton,
  licenseWith,
  listCall,
  openConfirm,
  professionalYearly,
  renewal,
  serveCall,
  serveLicensee,
  updateCall,
} from './testing';

const card = aCard('4242');

async function confirm() {
  openConfirm(change);
  await userEvent.click(await findConfirmButton());
}

/** Serves these results for the confirmations at the fake provider, in turn. */
function serveIntent(...responses: { status: string; last_payment_error?: { message: string } }[]) {
  const next = () => HttpResponse.json({ id: 'pi_1', ...responses.shift() });
  server.use(http.get('/dev/payments/intents/pi_1_secret', next));
  return servePost('/dev/payments/intents/pi_1_secret/confirm', next);
}

const completeAuthentication = async (name: 'Complete' | 'Fail') => {
  const dialog = await screen.findByRole('dialog', { name: 'Is this you?' });
  await userEvent.click(within(dialog).getByRole('button', { name }));
};

beforeEach(() => {
  serveLicensee(licenseWith('active'), card);
});

const unchangedText = /Your plan has not changed\. You keep Standard until .*2027\./;

describe('a change that fails', () => {
  it("says 'Your card was declined.' and that the plan has not changed, and can be tried again", async () => {
    serveCall(
      updateCall,
      aSubscription({ status: 'incomplete', payment: 'requires_payment_method' }),
    );
    await confirm();

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Your card was declined.');
    expect(alert).toHaveTextContent(unchangedText);
    expect(alert).not.toHaveTextContent('Nothing was charged');
    expect(alert.parentElement).toHaveFocus();
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_1');
    expect(await findConfirmButton()).not.toHaveAttribute('aria-disabled');
  });

  it('offers another card and to drop the change', async () => {
    serveCall(
      updateCall,
      aSubscription({ status: 'incomplete', payment: 'requires_payment_method' }),
    );
    openConfirm(change, '?debug=true');
    const button = await findConfirmButton();
    const reason = 'Your card has insufficient funds.';
    serveLicensee(licenseWith('active'), card, { ...planChange, reason });
    await userEvent.click(button);

    expect(await screen.findByRole('link', { name: 'Pay with another card' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/pay?debug=true',
    );
    expect(screen.getByRole('button', { name: 'Drop the change' })).toBeVisible();
    expect(screen.getByText('$396 AUD')).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent(`Your card was declined.${reason}`);
  });

  it('shows until when the trial is kept', async () => {
    const trial = licenseWith('trialing');
    const license = { ...trial, raw: { ...trial.raw, trial_end: 1_800_000_000 } };
    serveLicensee(license, card);
    serveCall(
      updateCall,
      aSubscription({ status: 'incomplete', payment: 'requires_payment_method' }),
    );
    await confirm();

    expect(await screen.findByRole('alert')).toHaveTextContent(
      /Your plan has not changed\. You keep your Standard trial until .*2027\./,
    );
  });

  it.each([
    ["the server's message", { name: 'ERRCONFLICT', message: 'You pay in AUD.' }, 409],
    ['a general message', { name: 'ERRINTERNAL', message: 'Something broke.' }, 500],
  ])('shows %s', async (_, body, status) => {
    serveCall(updateCall, body, status);
    await confirm();

    expect(await screen.findByRole('alert')).toHaveTextContent(body.message);
  });

  it('reports an unknown outcome when the response is lost', async () => {
    server.use(http.post(`/vc-admin/${updateCall}`, () => HttpResponse.error()));
    await confirm();

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Network Error');
    expect(alert).toHaveTextContent('We could not find out whether it went through.');
  });

  it("shows 'Internal Server Error' for a failure without a message", async () => {
    serveCall(updateCall, aSubscription({ status: 'canceled' }));
    await confirm();

    expect(await screen.findByRole('alert')).toHaveTextContent('Internal Server Error');
  });
});

describe('a card that requires authentication', () => {
  beforeEach(
    () =>
      void serveCall(
        updateCall,
        aSubscription({ status: 'incomplete', payment: 'requires_action' }),
      ),
  );

  it('succeeds after the authentication', async () => {
    const requests = serveIntent({ status: 'requires_action' }, { status: 'succeeded' });
    await confirm();
    await completeAuthentication('Complete');

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(requests).toEqual([{ outcome: 'complete' }]);
  });

  it("fails with the provider's message", async () => {
    const message = 'We are unable to authenticate your payment method.';
    serveIntent(
      { status: 'requires_action' },
      { status: 'requires_payment_method', last_payment_error: { message } },
    );
    await confirm();
    await completeAuthentication('Fail');

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(message);
    expect(alert).toHaveTextContent(unchangedText);
    expect(await screen.findByRole('button', { name: 'Authenticate' })).toBeVisible();
  });
});

describe('a pending plan change', () => {
  beforeEach(() => void serveLicensee(licenseWith('active'), card, planChange));

  it('shows the amount, which plan is kept, and why it was not paid', async () => {
    serveLicensee(licenseWith('active'), card, { ...planChange, reason: 'Insufficient funds.' });
    openConfirm(change);
    await findConfirmButton();

    expect(screen.getByText('This change waits for its payment')).toBeVisible();
    expect(screen.getByText('Insufficient funds.')).toBeVisible();
    expect(screen.getByText(unchangedText)).toBeVisible();
    expect(screen.getByText('$396 AUD')).toBeVisible();
  });

  it('is paid with the default card by confirming it again', async () => {
    rememberInvoice({ id: 'in_1', payment_intent: { status: 'requires_payment_method' } });
    serveCall(
      updateCall,
      aSubscription({ status: 'incomplete', payment: 'requires_payment_method' }),
    );
    const requests = serveIntent({ status: 'succeeded' });
    await confirm();

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(requests).toEqual([{ payment_method: 'pm_4242' }]);
    expect(localStorage).toHaveLength(0);
  });

  it('can be dropped', async () => {
    const requests = serveCall(
      'org/subscription/pending/cancel',
      aSubscription({ status: 'active' }),
    );
    openConfirm(change);
    await findConfirmButton();
    serveLicensee(licenseWith('active'), card);
    await userEvent.click(screen.getByRole('button', { name: 'Drop the change' }));

    expect(await screen.findByText('The change was dropped')).toBeVisible();
    expect(screen.getByText(unchangedText)).toBeVisible();
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Drop the change' })).not.toBeInTheDocument(),
    );
    expect(await findConfirmButton()).not.toHaveAttribute('aria-disabled');
    expect(requests).toEqual([{ body: {}, query: '' }]);
  });

  it('is reported as made when it was paid before it could be dropped', async () => {
    serveCall('org/subscription/pending/cancel', aSubscription({ status: 'active' }));
    openConfirm(change);
    await findConfirmButton();
    serveLicensee(licenseWith('active', professionalYearly), card);
    await userEvent.click(screen.getByRole('button', { name: 'Drop the change' }));

    expect(await screen.findByRole('heading', { name: 'Your plan has changed' })).toBeVisible();
  });
});

describe('while another payment is open', () => {
  it.each([
    ['an overdue bill', licenseWith('past_due'), overdue],
    [
      'a change to another plan',
      licenseWith('active'),
      { ...planChange, priceId: 'professional_monthly' },
    ],
  ])(
    'disables the confirmation because of %s and links to its payment',
    async (_, license, open) => {
      serveLicensee(license, card, open);
      openConfirm(change);

      expect(await findConfirmButton()).toHaveAttribute('aria-disabled', 'true');
      expect(await findConfirmButton()).toHaveAccessibleDescription(
        /A payment of yours is still open/,
      );
      expect(screen.getByRole('link', { name: 'Pay it first' })).toHaveAttribute(
        'href',
        '/vc-admin/diy/pay',
      );
    },
  );

  const transfer = aNextAction({
    kind: 'wait',
    instructions: [{ label: 'Reference', value: 'INV-1' }],
  });
  const byInvoice = {
    ...fullProvider,
    entry: 'invoice',
    capabilities: capabilitiesWithout('saved_methods', 'pay_invoice'),
  } as const;

  it.each([
    [
      'an owed bill',
      null,
      owed,
      null,
      'The last bill of your former plan is not paid. Pay it first',
    ],
    [
      'an invoice',
      licenseWith('active'),
      null,
      transfer,
      'A payment of yours is still open. Pay it first',
    ],
    [
      'the invoice of this change',
      licenseWith('active'),
      planChange,
      transfer,
      'See how to pay it',
    ],
  ])(
    'requests no quote because of %s and has one link to the pay screen',
    async (_, license, open, next, text) => {
      const quotes = serveCall('org/subscription/quote', {}, 500);
      serveCall(listCall, { data: [aSubscription({ status: 'canceled' })] });
      serveLicensee(license, card, open, { provider: byInvoice });
      serveUser({
        license,
        pastLicense: license ? null : licenseWith('canceled'),
        openPayment: open,
        next,
      });
      openConfirm(license ? change : renewal);

      expect(await findConfirmButton()).toHaveAccessibleDescription(new RegExp(text));
      const payLinks = screen
        .getAllByRole('link')
        .filter((link) => link.getAttribute('href') === '/vc-admin/diy/pay');
      expect(payLinks).toHaveLength(1);
      expect(quotes).toEqual([]);
      expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    },
  );
});

it('requests no quote for a new subscription while a payment is disputed', async () => {
  const quotes = serveCall('org/subscription/quote', {}, 500);
  serveCall(listCall, { data: [aSubscription({ status: 'canceled' })] });
  serveLicensee(null, card, null, { provider: fullProvider });
  serveUser({ license: null, pastLicense: licenseWith('canceled'), hold: 'disputed' });
  openConfirm(renewal);
  const button = await findConfirmButton();
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).toHaveAccessibleDescription(/disputed.*you can’t subscribe.*contact us/);
  expect(quotes).toEqual([]);
});

it('shows the result of a bill that was paid on the cards screen', async () => {
  openConfirm({ ...change, notice: 'Your overdue bill of $39 AUD was paid.' });
  expect(await screen.findByText('Your overdue bill of $39 AUD was paid.')).toBeVisible();
});
