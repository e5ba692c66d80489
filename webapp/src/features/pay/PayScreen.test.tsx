import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { aCard, serveAuthentication } from '@/testing/card-provider';
import {
  aLicense,
  aNextAction,
  aProcessingPayment,
  aSubscription,
  authenticationPayment,
  overduePayment,
  owedPayment,
  planChangePayment,
} from '@/testing/fixtures';
import { serveConfig, serveSubscriptionCall, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { signInAgain } from '@/testing/sign-in-again';
import {
  openPayScreen,
  pressButton,
  professionalLicense,
  serveOpenPayment,
  servePay,
} from './testing';

/** Returns the queries within the section with the amount and the dates of the payment. */
const paymentDetails = () => within(screen.getByRole('region', { name: 'What you pay' }));

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('the pay screen', () => {
  it('shows the sign-in form to a visitor, and the invoice after signing in', async () => {
    serveConfig();
    serveVisitor();
    openPayScreen();
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Forgotten password?' })).toBeVisible();

    await signInAgain(() => serveOpenPayment(overduePayment));
    expect(await screen.findByRole('heading', { name: 'Pay your overdue invoice' })).toBeVisible();
  });

  it('shows a failure to load the user after signing in, and loads the user with Try again', async () => {
    serveConfig();
    serveVisitor();
    openPayScreen();
    await signInAgain(() =>
      server.use(http.get('/vc-admin/user/detail', () => HttpResponse.json({}, { status: 502 }))),
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again later!');

    serveOpenPayment(overduePayment);
    await pressButton('Try again');
    expect(await screen.findByRole('heading', { name: 'Pay your overdue invoice' })).toBeVisible();
  });

  it('offers no expired card, and selects another one', async () => {
    const cards = [
      aCard('4242', { exp_month: 12, exp_year: 2026 }),
      aCard('4444', { exp_month: 1, exp_year: 2027 }),
    ];
    const now = Date.parse('2027-01-10T00:00:00Z') / 1000;
    serveOpenPayment(overduePayment, { now }, cards);
    openPayScreen();

    expect(await screen.findByRole('radio', { name: /4242.*, expired$/ })).toBeDisabled();
    expect(screen.getByRole('radio', { name: /4444.*, expires soon$/ })).toBeChecked();
    expect(screen.getByText('Expired')).toBeVisible();
  });

  it('shows a payment that is processing, without a button to pay', async () => {
    serveOpenPayment(null, { license: null, processing: aProcessingPayment() });
    openPayScreen();
    expect(
      await screen.findByRole('heading', { name: 'Your payment is on its way' }),
    ).toBeVisible();
    expect(screen.getByText(/^\$816 AUD from bank account •••• 6819, expected by /)).toBeVisible();
    expect(screen.queryByRole('button', { name: /Pay/ })).not.toBeInTheDocument();
  });

  it('offers contact when an overdue plan has no invoice that can be paid', async () => {
    const raw = { ...aLicense().raw, status: 'past_due' as const };
    serveOpenPayment(null, { license: { ...aLicense(), raw } });
    openPayScreen();
    expect(
      await screen.findByRole('heading', { name: 'No invoice can be paid now' }),
    ).toBeVisible();
    expect(screen.getByText(/Look again in an hour, or contact us/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Contact us' })).toHaveAttribute(
      'href',
      expect.stringContaining('/contact'),
    );
  });

  it('says that there is nothing to pay when no payment is open', async () => {
    serveOpenPayment(null);
    openPayScreen();
    expect(await screen.findByRole('heading', { name: 'Nothing to pay' })).toBeVisible();
  });

  it('shows the amount, its purpose and date, and the next automatic attempt', async () => {
    serveOpenPayment(overduePayment);
    openPayScreen();
    expect(await screen.findByRole('heading', { name: 'Pay your overdue invoice' })).toBeVisible();
    expect(screen.getByText(/The last payment for Standard did not go through/)).toBeVisible();
    expect(paymentDetails().getByText('$39 AUD')).toBeVisible();
    expect(paymentDetails().getByText('Open since')).toBeVisible();
    expect(paymentDetails().getByText(/21.*2026|2026.*21/)).toBeVisible();
    expect(paymentDetails().getByText('Next automatic attempt')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Pay $39 AUD' })).toBeVisible();
  });

  it('asks to approve a payment without mentioning a failure or another attempt', async () => {
    serveOpenPayment({ ...overduePayment, approval: true });
    servePay(aSubscription({ status: 'past_due', payment: 'requires_action' }));
    serveAuthentication('pi_1_secret');
    openPayScreen();
    expect(await screen.findByRole('heading', { name: 'Approve your payment' })).toBeVisible();
    expect(
      screen.getByText(
        'Your bank wants you to approve the payment of $39 AUD for Standard. Approve it to keep your plan.',
      ),
    ).toBeVisible();
    expect(screen.queryByText(/did not go through|automatic attempt/)).not.toBeInTheDocument();

    await pressButton('Approve and pay $39 AUD');
    await pressButton('Fail');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Your invoice is still open.');
    expect(alert).not.toHaveTextContent('We try again');
  });

  it('shows the total of the invoice and the credit used for it', async () => {
    serveOpenPayment({
      ...overduePayment,
      amount: 735,
      total: 3900,
      creditUsed: 3165,
      amountPaid: 0,
    });
    openPayScreen();
    expect(await screen.findByRole('button', { name: 'Pay $7.35 AUD' })).toBeVisible();
    const region = screen.getByRole('region', { name: 'What you pay' });
    expect(region).toHaveTextContent(
      /^Amount due\$7.35 AUDTotal\$39.00Credit used−\$31.65Open since/,
    );
  });

  it('shows the date on which the plan ends without payment', async () => {
    serveOpenPayment(overduePayment, {
      license: { ...aLicense(), plan_ends_at: '2026-12-06T00:00:00Z' },
    });
    openPayScreen();
    expect(await screen.findByText('Plan ends without payment')).toBeVisible();
    expect(paymentDetails().getByText(/6.*2026/)).toBeVisible();
  });

  it('shows the current plan and the deadline while a change waits for its payment', async () => {
    serveOpenPayment(planChangePayment);
    openPayScreen();
    expect(
      await screen.findByText(/Your plan has not changed\. You keep Standard\./),
    ).toBeVisible();
    expect(paymentDetails().getByText('Open until')).toBeVisible();
  });

  it('selects the default card and offers the other saved cards and a new one', async () => {
    serveOpenPayment(overduePayment);
    openPayScreen();
    const group = await screen.findByRole('group', { name: 'Pay with' });
    expect(within(group).getAllByRole('radio')).toHaveLength(3);
    expect(
      screen.getByRole('radio', { name: 'Visa ending in 4242, your default card' }),
    ).toBeChecked();
    expect(screen.queryByLabelText('Card number')).not.toBeInTheDocument();
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();

    await userEvent.click(screen.getByRole('radio', { name: 'Another card' }));
    expect(screen.getByLabelText('Card number')).toBeVisible();
    expect(
      screen.getByRole('checkbox', { name: 'Use this card for future payments' }),
    ).toBeChecked();
  });

  it('says why and when the last attempt failed, and selects another card than the declined one', async () => {
    const declined = {
      reason: 'Your card has insufficient funds.',
      failedMethodId: 'pm_4242',
      failedAt: '2026-11-28T01:00:00Z',
    };
    serveOpenPayment({ ...overduePayment, ...declined });
    openPayScreen();
    expect(await screen.findByRole('radio', { name: /4444/ })).toBeChecked();
    expect(screen.getByText(/was declined/).textContent?.replaceAll('\u00a0', ' ')).toMatch(
      /^Visa •••• 4242 was declined on .*28.* 2026: Your card has insufficient funds\.$/,
    );
  });

  it('says that the bank returned the last payment and when, not that it was declined', async () => {
    serveOpenPayment({
      ...overduePayment,
      reason: '',
      failedMethodId: 'pm_4242',
      failedAt: '2026-12-14T14:00:00Z',
      returned: true,
      timeZone: 'Australia/Sydney',
    });
    openPayScreen();
    const text = await screen.findByText(/^Your bank returned the payment from/);
    expect(text.textContent?.replaceAll('\u00a0', ' ')).toMatch(
      /^Your bank returned the payment from Visa •••• 4242 on .*15.* 2026\.$/,
    );
    expect(screen.getByText(/^Your bank returned the last payment for Standard\./)).toBeVisible();
    expect(screen.queryByText(/declined|did not go through/)).not.toBeInTheDocument();
  });

  it('selects a new card when the only saved card was declined', async () => {
    serveOpenPayment({ ...overduePayment, failedMethodId: 'pm_4242' }, {}, [aCard('4242')]);
    openPayScreen();
    expect(await screen.findByRole('radio', { name: 'Another card' })).toBeChecked();
    expect(screen.getByLabelText('Card number')).toBeVisible();
  });

  it('shows the card field when no card is saved', async () => {
    serveOpenPayment(overduePayment, {}, []);
    openPayScreen();
    expect(await screen.findByLabelText('Card number')).toBeVisible();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });

  it('shows the card field when the saved cards can’t be loaded', async () => {
    serveOpenPayment(overduePayment);
    server.use(
      http.get('/vc-admin/org/customer/cards', () => HttpResponse.json({}, { status: 502 })),
    );
    openPayScreen();
    expect(await screen.findByText('Your saved cards could not be loaded')).toBeVisible();
    expect(screen.getByLabelText('Card number')).toBeVisible();
  });
});

describe('the owed invoice of a plan that has ended', () => {
  const user = { license: null, pastLicense: aLicense() };

  it('is shown with its plan, and can be paid before subscribing again', async () => {
    serveOpenPayment(owedPayment, user);
    const bodies = servePay(aSubscription({ status: 'canceled', payment: 'succeeded' }), 200, () =>
      serveOpenPayment(null, user),
    );
    openPayScreen();
    expect(await screen.findByRole('heading', { name: 'Pay your last invoice' })).toBeVisible();
    expect(screen.getByText(/Your Standard plan has ended/)).toBeVisible();
    expect(paymentDetails().getByText('Open since')).toBeVisible();
    await pressButton('Pay $39 AUD');
    expect(await screen.findByRole('heading', { name: 'Your invoice is paid' })).toHaveFocus();
    expect(screen.getByRole('link', { name: 'Subscribe again' })).toBeVisible();
    expect(bodies).toMatchObject([{ invoiceId: 'in_1', amount: 3900 }]);
  });

  it('stays open when the card is declined', async () => {
    serveOpenPayment(owedPayment, user);
    servePay({
      ...aSubscription({ status: 'canceled', payment: 'requires_payment_method' }),
      outcome: 'card_declined',
    });
    openPayScreen();
    await pressButton('Pay $39 AUD');
    expect(await screen.findByRole('alert')).toHaveTextContent('Your invoice is still open.');
  });
});

describe('the card of a trial that is not approved', () => {
  const trial = { ...aLicense(), raw: { ...aLicense().raw, status: 'trialing' as const } };
  const setupResponse = {
    ...aSubscription({ status: 'trialing' }),
    outcome: 'confirm_setup',
    next: aNextAction({ kind: 'confirm_setup', secret: 'seti_1_secret' }),
  };

  it('is approved with an authentication and without a charge', async () => {
    serveOpenPayment(authenticationPayment, { license: trial });
    const bodies = servePay(setupResponse);
    serveAuthentication('seti_1_secret');
    openPayScreen();
    expect(await screen.findByRole('heading', { name: 'Approve your card' })).toBeVisible();
    await pressButton('Approve this card');
    serveOpenPayment(null, { license: trial });
    await pressButton('Complete');
    expect(await screen.findByRole('heading', { name: 'Your card is approved' })).toBeVisible();
    expect(screen.getByText(/Nothing was charged/)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'See the invoice' })).not.toBeInTheDocument();
    expect(bodies).toEqual([{ setup: true, paymentMethodId: 'pm_4242' }]);
  });

  it('asks for a card if its failed authentication has saved none', async () => {
    serveOpenPayment(authenticationPayment, { license: trial }, []);
    openPayScreen();
    expect(await screen.findByText(/Enter it again, or enter another card/)).toBeVisible();
    expect(screen.getByLabelText('Card number')).toBeVisible();
  });

  it('asks for no card while a saved card can be approved', async () => {
    serveOpenPayment(authenticationPayment, { license: trial });
    openPayScreen();
    expect(await screen.findByRole('button', { name: 'Approve this card' })).toBeVisible();
    expect(screen.queryByText(/Enter it again/)).not.toBeInTheDocument();
  });

  it('shows the reason when its authentication fails', async () => {
    serveOpenPayment(authenticationPayment, { license: trial });
    servePay(setupResponse);
    serveAuthentication('seti_1_secret');
    openPayScreen();
    await pressButton('Approve this card');
    await pressButton('Fail');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('We are unable to authenticate your payment method.');
    expect(alert).toHaveTextContent('Nothing was charged.');
  });
});

describe('dropping a plan change', () => {
  it('says that the customer keeps the current plan', async () => {
    serveOpenPayment(planChangePayment);
    const bodies = serveSubscriptionCall(
      'pending/cancel',
      aSubscription({ status: 'active' }),
      200,
      () => serveOpenPayment(null),
    );
    openPayScreen();
    await pressButton('Keep Standard yearly');
    expect(await screen.findByRole('heading', { name: 'The change was dropped' })).toBeVisible();
    expect(screen.getByText(/^You keep Standard\.$/)).toBeVisible();
    expect(bodies).toEqual([{}]);
  });

  it('reports that the plan has changed when the payment arrives before the change is dropped', async () => {
    serveOpenPayment(planChangePayment);
    serveSubscriptionCall('pending/cancel', aSubscription({ status: 'active' }), 200, () =>
      serveOpenPayment(null, { license: professionalLicense }),
    );
    openPayScreen();
    await pressButton('Keep Standard yearly');
    expect(await screen.findByRole('heading', { name: 'Your plan has changed' })).toBeVisible();
  });

  it("shows the server's message when the change can't be dropped", async () => {
    serveOpenPayment(planChangePayment);
    serveSubscriptionCall('pending/cancel', { name: 'ERRPROVIDER', message: 'No answer.' }, 502);
    openPayScreen();
    await pressButton('Keep Standard yearly');
    expect(await screen.findByRole('alert')).toHaveTextContent('No answer.');
  });

  it('is not offered for an overdue invoice', async () => {
    serveOpenPayment(overduePayment);
    openPayScreen();
    await screen.findByRole('button', { name: 'Pay $39 AUD' });
    expect(screen.queryByRole('button', { name: 'Keep Standard yearly' })).not.toBeInTheDocument();
  });
});
