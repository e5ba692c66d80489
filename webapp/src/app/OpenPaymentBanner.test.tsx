import { screen, within } from '@testing-library/react';
import { serveOpenPayment } from '@/features/pay/testing';
import {
  anOpenPayment,
  authenticationPayment,
  fullProvider,
  owedPayment,
  planChangePayment,
} from '@/testing/fixtures';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { renderApp } from './testing';

const findBanner = async () => within(await screen.findByRole('region', { name: 'Open payment' }));

describe('the banner about an open payment', () => {
  it.each([
    ['A payment of $39 AUD for Standard is overdue.', 'Pay now', anOpenPayment()],
    [
      'Your bank wants you to approve the payment of $39 AUD for Standard.',
      'Approve it',
      anOpenPayment({ approval: true }),
    ],
    [
      'Your first payment of $39 AUD for Standard has not been made yet.',
      'Pay now',
      anOpenPayment({ kind: 'first_payment' }),
    ],
    ['The last invoice of your Standard plan, $39 AUD, is not paid.', 'Pay now', owedPayment],
    [
      'Your change to Professional waits for a payment of $396 AUD.',
      'Pay or drop the change',
      planChangePayment,
    ],
    [
      'Your change to Standard, monthly waits for a payment of $396 AUD.',
      'Pay or drop the change',
      { ...planChangePayment, priceId: 'standard_monthly' },
    ],
    ['Your bank has not approved your card yet.', 'Approve your card', authenticationPayment],
  ])('shows "%s" and links to the pay screen', async (text, link, payment) => {
    serveOpenPayment(payment);
    renderApp('/vc-admin/diy/cards');
    const banner = await findBanner();
    expect(banner.getByText(text)).toBeVisible();
    expect(banner.getByRole('link', { name: link })).toHaveAttribute(
      'href',
      '/vc-admin/diy/pay?debug=true',
    );
  });

  it('links to the payment instructions if customers pay by invoice', async () => {
    serveOpenPayment(anOpenPayment());
    serveConfig({ provider: { ...fullProvider, entry: 'invoice' } });
    renderApp('/vc-admin/diy/cards');
    expect((await findBanner()).getByRole('link', { name: 'See how to pay' })).toBeVisible();
  });

  it.each(['/vc-admin/diy/plans', '/vc-admin/diy/cards', '/vc-admin/diy/contact'])(
    'is shown on %s',
    async (url) => {
      serveOpenPayment(anOpenPayment());
      renderApp(url);
      expect((await findBanner()).getByRole('link', { name: 'Pay now' })).toBeVisible();
    },
  );

  it('links to the pay screen and is hidden there', async () => {
    serveOpenPayment(anOpenPayment());
    const { user, location } = renderApp('/vc-admin/diy/cards?debug=true');
    await user.click((await findBanner()).getByRole('link', { name: 'Pay now' }));
    expect(await screen.findByRole('heading', { name: 'Pay your overdue invoice' })).toBeVisible();
    expect(location.path).toBe('/vc-admin/diy/pay?debug=true');
    expect(screen.queryByRole('region', { name: 'Open payment' })).not.toBeInTheDocument();
  });

  it('is hidden without an open payment', async () => {
    serveOpenPayment(null);
    renderApp('/vc-admin/diy/cards');
    await screen.findByRole('heading', { name: 'Payment methods' });
    expect(screen.queryByRole('region', { name: 'Open payment' })).not.toBeInTheDocument();
  });

  it('is hidden for a visitor', async () => {
    serveConfig();
    serveVisitor();
    renderApp('/vc-admin/dash');
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(screen.queryByRole('region', { name: 'Open payment' })).not.toBeInTheDocument();
  });
});
