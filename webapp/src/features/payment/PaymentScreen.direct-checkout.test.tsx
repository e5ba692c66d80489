import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Config } from '@/api';
import { useSessionStore } from '@/modules/session/session-store';
import { aNextAction, anOrder, billingDetails, capabilitiesWithout } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import PaymentScreen from './PaymentScreen';
import {
  clickSubscribe,
  paymentAddress,
  serveSubscribe,
  subscriptionResponse,
  successTitle,
} from './testing';

const invoiceProvider = {
  kind: 'invoice',
  entry: 'invoice',
  capabilities: capabilitiesWithout('pay_invoice', 'quotes', 'saved_methods'),
} as const;
const redirectProvider = {
  kind: 'acme',
  entry: 'redirect',
  capabilities: capabilitiesWithout('quotes'),
} as const;
const instructions = [
  { label: 'Account number', value: '12345678' },
  { label: 'Reference', value: 'INV-1' },
  { label: 'Amount', value: '$816 AUD' },
  { label: 'Due', value: '6 December 2026' },
];
const transfer = aNextAction({ kind: 'wait', instructions });

function openPaymentOf(provider: object) {
  serveConfig({ provider: provider as Config['provider'] });
  serveUser();
  renderScreen(PaymentScreen, paymentAddress);
  return screen.findByRole('button', { name: 'Subscribe' });
}

/** Serves the billing details and edits of them; returns the bodies of the edits. */
function serveDetails(respond: () => Response = () => HttpResponse.json(billingDetails)) {
  server.use(
    http.get('/vc-admin/org/billing/details', () =>
      HttpResponse.json({ ...billingDetails, purchaseOrder: 'PO 7' }),
    ),
  );
  return servePost('/vc-admin/org/billing/edit', respond);
}

describe('paying by invoice', () => {
  it('saves the details, subscribes without a card and shows how to pay', async () => {
    const edits = serveDetails();
    const requests = serveSubscribe(() =>
      subscriptionResponse({ status: 'trialing', outcome: 'succeeded', next: transfer }),
    );
    await openPaymentOf(invoiceProvider);
    expect(screen.getByRole('heading', { name: 'Pay by invoice' })).toBeVisible();
    expect(screen.queryByLabelText('Card number')).not.toBeInTheDocument();
    const email = screen.getByLabelText('Email for invoices');
    expect(email).toHaveValue('ada@clinic.example');
    await userEvent.clear(email);
    await userEvent.type(email, 'accounts@clinic.example');
    expect(screen.getByLabelText(/Purchase order number/)).toHaveValue('PO 7');
    await clickSubscribe();

    expect(await screen.findByRole('heading', { name: successTitle })).toBeVisible();
    const howToPay = within(screen.getByRole('region', { name: 'How to pay' }));
    for (const { label, value } of instructions) {
      expect(howToPay.getByText(label)).toBeVisible();
      expect(howToPay.getByText(value)).toBeVisible();
    }
    expect(edits).toEqual([{ billingEmail: 'accounts@clinic.example', purchaseOrder: 'PO 7' }]);
    expect(requests[0]?.body).toEqual({
      customerId: 'cus_1',
      priceId: 'professional_yearly',
      interval: 'yearly',
      currency: 'AUD',
    });
    expect(useSessionStore.getState().session.status).toBe('signedIn');
  });

  it('shows a wrong email at its field and does not subscribe', async () => {
    const fields = { billingEmail: 'Invalid email address!' };
    serveDetails(() =>
      HttpResponse.json({ name: 'ERRVALIDATION', message: 'No.', fields }, { status: 400 }),
    );
    const requests = serveSubscribe(() => subscriptionResponse({}));
    await openPaymentOf(invoiceProvider);
    await clickSubscribe();
    expect(await screen.findByText('Invalid email address!')).toBeVisible();
    expect(screen.getByLabelText('Email for invoices')).toBeInvalid();
    expect(requests).toHaveLength(0);
  });

  it('has no fields when the server has no billing details', async () => {
    const requests = serveSubscribe(() =>
      subscriptionResponse({ status: 'trialing', outcome: 'succeeded', next: transfer }),
    );
    const capabilities = capabilitiesWithout(
      'pay_invoice',
      'quotes',
      'saved_methods',
      'billing_details',
    );
    await openPaymentOf({ ...invoiceProvider, capabilities });
    expect(screen.getByRole('heading', { name: 'Pay by invoice' })).toBeVisible();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    await clickSubscribe();

    expect(await screen.findByRole('heading', { name: successTitle })).toBeVisible();
    expect(requests).toHaveLength(1);
  });

  it('shows that the order is reviewed first', async () => {
    serveDetails();
    const reason = 'We check your order before your plan starts.';
    serveSubscribe(() => {
      serveUser({ order: anOrder() });
      const next = aNextAction({ kind: 'wait', reason });
      return subscriptionResponse({ outcome: 'processing', next });
    });
    await openPaymentOf(invoiceProvider);
    await clickSubscribe();
    await waitFor(() =>
      expect(useSessionStore.getState().session).toHaveProperty('user.order.priceId'),
    );
    expect(screen.getByRole('heading', { name: 'Your order has been received' })).toBeVisible();
    expect(screen.getByText(reason)).toBeVisible();
    expect(screen.getByText(/^The account and the reference for your transfer are/)).toBeVisible();
  });

  it('shows why subscribing was refused', async () => {
    serveDetails();
    serveSubscribe(() => errorResponse('ERRCONFLICT', 'An invoice of yours is unpaid.', 409));
    await openPaymentOf(invoiceProvider);
    await clickSubscribe();
    expect(await screen.findByRole('alert')).toHaveTextContent('An invoice of yours is unpaid.');
  });
});

describe('paying on the page of the provider', () => {
  it('redirects when the server requires it', async () => {
    const next = aNextAction({ kind: 'redirect', url: 'https://pay.example/1' });
    const requests = serveSubscribe(() => subscriptionResponse({ outcome: 'redirect', next }));
    await openPaymentOf(redirectProvider);
    expect(screen.queryByLabelText('Card number')).not.toBeInTheDocument();
    await clickSubscribe();
    await vi.waitFor(() =>
      expect(window.location.assign).toHaveBeenCalledWith('https://pay.example/1'),
    );
    expect(requests[0]?.body).not.toHaveProperty('paymentMethodId');
    expect(screen.getByRole('button', { name: 'Subscribe' })).toHaveAttribute('aria-busy', 'true');
  });

  it.each([
    [
      'if the page saves a method',
      capabilitiesWithout('quotes'),
      /choose how to pay after the trial/,
    ],
    [
      'if the provider has no such page',
      capabilitiesWithout('quotes', 'method_page'),
      /You choose how to pay when the trial ends/,
    ],
  ])('says when a trial is paid %s', async (_, capabilities, text) => {
    await openPaymentOf({ ...redirectProvider, capabilities });
    expect(screen.getByText(text)).toHaveTextContent(/[Nn]othing is charged today/);
  });

  it('does not open the page when nothing is due', async () => {
    serveSubscribe(() => subscriptionResponse({ status: 'trialing', outcome: 'succeeded' }));
    await openPaymentOf(redirectProvider);
    await clickSubscribe();
    expect(await screen.findByText(successTitle)).toBeVisible();
  });
});

it('shows that the card field of an unknown provider could not be loaded', async () => {
  serveConfig({
    provider: { kind: 'other', entry: 'card_field', capabilities: capabilitiesWithout('quotes') },
  });
  serveUser();
  renderScreen(PaymentScreen, paymentAddress);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^The card field could not be loaded.*Check your connection\.Try again$/,
  );
});
