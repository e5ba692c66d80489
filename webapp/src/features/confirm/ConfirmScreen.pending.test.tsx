import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { rememberInvoice } from '@/modules/payments/latest-invoice';
import { aCard } from '@/testing/card-provider';
import { aSubscription, fullProvider, planChangePayment } from '@/testing/fixtures';
import { aQuote, aud } from '@/testing/invoice-fixtures';
import {
  aLicenseWithStatus,
  confirmChange,
  findConfirmButton,
  findSummary,
  keptPlanPattern,
  openConfirmScreen,
  professionalYearly,
  quotePath,
  serveCall,
  serveIntent,
  serveLicensee,
  updatePath,
} from './testing';

const card = aCard('4242');

describe('a pending change', () => {
  beforeEach(() => void serveLicensee(aLicenseWithStatus('active'), card, planChangePayment));

  it('shows the amount, the current plan, and why the payment failed', async () => {
    serveLicensee(aLicenseWithStatus('active'), card, {
      ...planChangePayment,
      reason: 'Insufficient funds.',
    });
    openConfirmScreen();
    await findConfirmButton();

    expect(screen.getByText('This change waits for its payment')).toBeVisible();
    expect(screen.getByText('Insufficient funds.')).toBeVisible();
    expect(screen.getByText(keptPlanPattern)).toBeVisible();
    expect(screen.getByText('$396 AUD')).toBeVisible();
  });

  const declined = {
    reason: 'Your card has insufficient funds.',
    failedMethodId: card.id,
    failedAt: '2026-11-28T01:00:00Z',
  };

  it('has one way on when the default card was declined: another card, or keeping the plan', async () => {
    serveLicensee(aLicenseWithStatus('active'), card, { ...planChangePayment, ...declined });
    openConfirmScreen();

    expect(await screen.findByRole('link', { name: 'Pay with another card' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Keep Standard yearly' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Confirm' })).not.toBeInTheDocument();
    const notice = screen.getByText(/was declined/);
    expect(notice.textContent?.replaceAll('\u00a0', ' ')).toMatch(
      /^Visa •••• 4242 was declined on .*28.* 2026: Your card has insufficient funds\.$/,
    );
  });

  it.each([
    ['another default card was chosen', { ...declined, failedMethodId: 'pm_0341' }],
    ['only the authentication is missing', { ...declined, failedMethodId: undefined }],
  ])('can be confirmed when %s', async (_, changes) => {
    serveLicensee(aLicenseWithStatus('active'), card, { ...planChangePayment, ...changes });
    openConfirmScreen();

    expect(await findConfirmButton()).not.toHaveAttribute('aria-disabled');
    expect(screen.getByRole('link', { name: 'Pay with another card' })).toBeVisible();
  });

  it('is paid with the default card when the customer confirms it again', async () => {
    rememberInvoice({ id: 'in_1', payment_intent: { status: 'requires_payment_method' } });
    serveCall(
      updatePath,
      aSubscription({ status: 'incomplete', payment: 'requires_payment_method' }),
    );
    const requests = serveIntent({ status: 'succeeded' });
    openConfirmScreen();
    await confirmChange();

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(requests).toEqual([{ payment_method: 'pm_4242' }]);
    expect(localStorage).toHaveLength(0);
  });

  it('can be dropped; the screen then says that the customer keeps the current plan', async () => {
    const requests = serveCall(
      'org/subscription/pending/cancel',
      aSubscription({ status: 'active' }),
    );
    openConfirmScreen();
    await findConfirmButton();
    serveLicensee(aLicenseWithStatus('active'), card);
    await userEvent.click(screen.getByRole('button', { name: 'Keep Standard yearly' }));

    expect(await screen.findByText('The change was dropped')).toBeVisible();
    expect(screen.getByText(keptPlanPattern)).toBeVisible();
    await waitFor(() =>
      expect(
        screen.queryByRole('button', { name: 'Keep Standard yearly' }),
      ).not.toBeInTheDocument(),
    );
    expect(await findConfirmButton()).not.toHaveAttribute('aria-disabled');
    expect(requests).toEqual([{ body: {}, query: '' }]);
  });

  it('is reported as completed when its payment arrives before it is dropped', async () => {
    serveCall('org/subscription/pending/cancel', aSubscription({ status: 'active' }));
    openConfirmScreen();
    await findConfirmButton();
    serveLicensee(aLicenseWithStatus('active', professionalYearly), card);
    await userEvent.click(screen.getByRole('button', { name: 'Keep Standard yearly' }));

    expect(await screen.findByRole('heading', { name: 'Your plan has changed' })).toBeVisible();
  });
});

describe('a pending change with a quote', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    serveLicensee(aLicenseWithStatus('active'), card, planChangePayment, {
      provider: fullProvider,
    });
    serveCall(quotePath, aQuote({ dueNow: aud(39600), next: null }));
  });

  it('shows the amount of the unpaid invoice, and sends the quote with the confirmation', async () => {
    const updateRequests = serveCall(updatePath, aSubscription({ status: 'active' }));
    openConfirmScreen();
    expect(await screen.findByText('$396.00 AUD')).toBeVisible();
    expect(await findSummary()).toHaveTextContent(/Due now It can be paid until.*\$396.00 AUD/);

    await confirmChange();

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(updateRequests).toMatchObject([{ body: { quote: 'signed_1' } }]);
  });

  it('shows the new amount when the pending change has expired, and sends the new quote with the next confirmation', async () => {
    const quote = aQuote({ quote: 'signed_2', dueNow: aud(34200) });
    const message =
      'The amount may have changed, and nothing was charged. Please look at it again.';
    const updateRequests = serveCall(updatePath, { name: 'ERRQUOTE', message, quote }, 409);
    openConfirmScreen();
    await findConfirmButton();
    serveLicensee(aLicenseWithStatus('active'), card, null, { provider: fullProvider });

    await confirmChange();

    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(`${message}$342.00 AUD is due now instead of $396.00 AUD.`);
    await waitFor(() =>
      expect(screen.queryByText('This change waits for its payment')).not.toBeInTheDocument(),
    );
    await waitFor(() =>
      expect(
        screen.queryByRole('button', { name: 'Keep Standard yearly' }),
      ).not.toBeInTheDocument(),
    );
    expect(await findSummary()).toHaveTextContent('Due now $342.00 AUD');
    expect(alert).toBeVisible();
    expect(updateRequests).toMatchObject([{ body: { quote: 'signed_1' } }]);

    const secondUpdateRequests = serveCall(updatePath, aSubscription({ status: 'active' }));
    await confirmChange();
    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(secondUpdateRequests).toMatchObject([{ body: { quote: 'signed_2' } }]);
  });
});
