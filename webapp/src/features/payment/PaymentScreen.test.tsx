import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { screen, waitFor, within } from '@testing-library/react';
import { dateText } from '@/testing/date-text';
import { aLicense, owedPayment, plainProvider } from '@/testing/fixtures';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { usePhoneViewport, useTabletViewport } from '@/testing/viewport';
import PaymentScreen from './PaymentScreen';
import { openPaymentScreen, paymentPath } from './testing';

vi.mock('@stripe/stripe-js/pure', () => ({ loadStripe: vi.fn() }));

const plansPath = '/vc-admin/diy/plans';
const priceQuery = 'product=professional&currency=AUD&interval=yearly';
const paymentPathWithQuery = (query: string) => `/vc-admin/diy/payment?${query}`;

/** Opens this path and expects a redirect to the target. */
async function expectRedirect(path: string, target: string) {
  const location = renderScreen(PaymentScreen, path);
  await waitFor(() => expect(location.path).toBe(target));
}

describe('PaymentScreen', () => {
  it('redirects to the plans without the debug parameter', async () => {
    serveConfig();
    serveUser();
    await expectRedirect(paymentPathWithQuery(priceQuery), plansPath);
  });

  it('shows the form without the debug parameter when the area is live', async () => {
    serveConfig({ live: true });
    serveUser();
    renderScreen(PaymentScreen, paymentPathWithQuery(priceQuery));
    expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeVisible();
  });

  it('names the tax that the price includes', async () => {
    await openPaymentScreen();
    const amounts = within(screen.getByRole('region', { name: 'What you pay' }));
    expect(amounts.getByText('includes 10 % GST')).toBeVisible();
  });

  it('redirects a visitor to the plans', async () => {
    serveConfig();
    serveVisitor();
    await expectRedirect(paymentPath, `${plansPath}?debug=true`);
  });

  it('redirects an organisation without a customer to the plans', async () => {
    serveConfig();
    serveUser({}, { org: { stripeCustomerId: undefined } });
    await expectRedirect(paymentPath, `${plansPath}?debug=true`);
  });

  it('redirects a user with a license to the plans', async () => {
    serveConfig();
    serveUser({ license: aLicense() });
    await expectRedirect(paymentPath, `${plansPath}?debug=true`);
  });

  it.each([
    'product=gold&currency=AUD&interval=yearly',
    'product=enterprise&currency=AUD&interval=yearly',
    'product=standard&currency=XXX&interval=yearly',
    'product=standard&currency=AUD&interval=weekly',
    'product=standard&currency=AUD',
  ])('redirects to the plans for a price that is not sold: %s', async (query) => {
    serveConfig();
    serveUser();
    await expectRedirect(paymentPathWithQuery(`${query}&debug=true`), `${plansPath}?debug=true`);
  });

  it('links to the pay screen instead of showing the form while an invoice is owed', async () => {
    serveConfig();
    serveUser({ pastLicense: aLicense(), openPayment: owedPayment });
    renderScreen(PaymentScreen, paymentPath);
    expect(
      await screen.findByText(
        'Your last invoice of $39 AUD is not paid. You can pay it at any time, and then subscribe again.',
      ),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: 'Pay $39 AUD' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/pay?debug=true',
    );
    expect(screen.queryByRole('button', { name: 'Subscribe' })).not.toBeInTheDocument();
  });

  it('shows a contact address instead of the form while a payment is disputed', async () => {
    serveConfig();
    serveUser({ pastLicense: aLicense(), hold: 'disputed' });
    renderScreen(PaymentScreen, paymentPath);
    expect(await screen.findByText(/payment of your organisation is disputed/)).toBeVisible();
    expect(screen.getByRole('link', { name: /@/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Subscribe' })).not.toBeInTheDocument();
  });

  it('renders nothing while the session is loading', async () => {
    serveConfig();
    serveUser();
    renderScreen(PaymentScreen, paymentPath);
    expect(screen.getByRole('main')).toBeEmptyDOMElement();
    expect(await screen.findByRole('heading', { name: 'Payment' })).toBeVisible();
  });
});

describe('the payment screen on a phone', () => {
  beforeEach(usePhoneViewport);

  it('shows the plan and its price, and the charges in a closed details element', async () => {
    await openPaymentScreen();
    expect(screen.getByText('You are subscribing to a Professional plan')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Change plan?' })).toBeVisible();
    const summary = screen.getByText('$816 AUD per year').closest('summary');
    expect(summary).toHaveTextContent('$816 AUD per year$0 AUDtoday');
    expect(summary?.closest('details')).not.toHaveAttribute('open');
  });
});

describe('the payment screen on a tablet', () => {
  beforeEach(useTabletViewport);

  it('shows the charges in an open details element', async () => {
    await openPaymentScreen();
    expect(screen.getByText('$816 AUD per year').closest('details')).toHaveAttribute('open');
    expect(screen.getByText('You are subscribing to a Professional plan')).toBeVisible();
  });
});

describe('the note about the card', () => {
  it('does not mention Stripe with another provider', async () => {
    await openPaymentScreen();
    const note = screen.getByText(/Your card goes straight/).closest('p');
    expect(note).not.toHaveTextContent('Stripe');
    expect(note?.querySelector('svg')).toBeInTheDocument();
  });

  it("says 'Secured by Stripe' with Stripe", async () => {
    const card = { mount() {}, destroy() {}, on() {}, off() {}, update() {} };
    const elements = () => ({ create: () => card, getElement: () => card, update() {} });
    const unusedMethods = { createToken() {}, createPaymentMethod() {}, confirmCardPayment() {} };
    vi.mocked(loadStripe).mockResolvedValue({ elements, ...unusedMethods } as unknown as Stripe);
    serveConfig({ provider: { ...plainProvider, kind: 'stripe', publishableKey: 'pk_secured' } });
    serveUser();
    renderScreen(PaymentScreen, paymentPath);
    expect(await screen.findByText('Secured by Stripe.')).toBeVisible();
  });
});

describe('the charge', () => {
  const summary = () => within(screen.getByRole('region', { name: 'What you pay' }));
  const plan = () => within(screen.getByRole('region', { name: 'Your plan' }));

  it('is due on the date on which the trial ends', async () => {
    await openPaymentScreen({
      trials: { professional: { days: 7, endsAt: '2031-05-27T12:00:00Z' } },
    });
    expect(
      screen.getByText('Your card will be charged after the free trial period.'),
    ).toBeVisible();
    expect(plan().getByText('You are subscribing to a Professional plan')).toBeVisible();
    const date = dateText('2031-05-27T12:00:00Z');
    expect(screen.getByRole('region', { name: 'What you pay' })).toHaveTextContent(
      `Total due on ${date}Professional, yearly$816 AUDincludes 10 % GST`,
    );
    expect(screen.getByText(`$0 today, $816 AUD on ${date}`)).toBeVisible();
    expect(plan().getByRole('link', { name: 'sales@vision.example' })).toHaveAttribute(
      'href',
      'mailto:sales@vision.example',
    );
  });

  it('is due now when the trial was used', async () => {
    await openPaymentScreen({ pastLicense: aLicense() });
    expect(screen.getByText('Your subscription will start now.')).toBeVisible();
    expect(plan().getByRole('list')).toHaveTextContent(
      'Due today$816 AUDFirst charge, for one yearEvery year$816 AUDNext charge',
    );
    expect(plan().getByText(/^Renews every year at this price\./)).toBeVisible();
    expect(screen.getByRole('region', { name: 'What you pay' })).toHaveTextContent(
      /^Total due today Professional, yearly\$816 AUDincludes 10 % GST$/,
    );
    expect(screen.getByText('$816 AUD today')).toBeVisible();
  });

  it('is due now for a plan without a trial, with the price of its interval and currency', async () => {
    serveConfig();
    serveUser({ trials: {} });
    renderScreen(
      PaymentScreen,
      paymentPathWithQuery('product=standard&currency=gbp&interval=monthly&debug=true'),
    );
    expect(await screen.findByText('Your subscription will start now.')).toBeVisible();
    expect(plan().getByText(/^First charge, for one month/)).toBeVisible();
    expect(summary().getByText('£22 GBP')).toBeVisible();
  });

  it('has $0 today as the largest figure during a trial, and the renewal as the last step', async () => {
    await openPaymentScreen({
      trials: { professional: { days: 7, endsAt: '2031-05-27T12:00:00Z' } },
    });
    const [today, trialEnd, renewal] = plan().getAllByRole('listitem');
    expect(today).toHaveTextContent('Due today$0 AUDYour 7-day free trial starts');
    const date = dateText('2031-05-27T12:00:00Z');
    expect(trialEnd).toHaveTextContent(`${date}$816 AUDTrial ends, first charge`);
    expect(renewal).toHaveTextContent('Every year$816 AUDRenews at this price');
    expect(plan().getByText('$0 AUD')).toHaveClass('text-2xl');
    expect(summary().getByText('$816 AUD')).toHaveClass('text-lg sm:text-xl');
  });

  it('is due when the trial ends, without a date, when the server does not report trials', async () => {
    await openPaymentScreen({ trialUsed: undefined, trials: undefined });
    expect(
      screen.getByText('Your card will be charged after the free trial period.'),
    ).toBeVisible();
    expect(summary().getByText('when your trial ends')).toBeVisible();
  });

  it('is shown although the card field can’t be loaded', async () => {
    vi.mocked(loadStripe).mockRejectedValue(new Error('Failed to load Stripe.js'));
    serveConfig({ provider: { ...plainProvider, kind: 'stripe', publishableKey: 'pk_test' } });
    serveUser();
    renderScreen(PaymentScreen, paymentPath);
    expect(await screen.findByText('$0 AUD')).toBeVisible();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The card field could not be loaded');
    expect(within(alert).getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
