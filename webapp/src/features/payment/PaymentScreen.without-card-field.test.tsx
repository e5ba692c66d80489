import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Config } from '@/api';
import { useSessionStore } from '@/modules/session/session-store';
import { aNextAction, anOrder, billingDetails, capabilitiesWithout } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser } from '@/testing/handlers';
import { aQuote, aud } from '@/testing/invoice-fixtures';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import PaymentScreen from './PaymentScreen';
import {
  clickSubscribe,
  paymentPath,
  serveSubscribe,
  subscriptionResponse,
  successTitle,
} from './testing';

const invoiceProvider = {
  kind: 'invoice',
  entry: 'invoice',
  capabilities: capabilitiesWithout('quotes', 'saved_methods'),
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
const transferAction = aNextAction({ kind: 'wait', instructions });

/** Opens the payment screen of a server with this provider, and waits for the button. */
function openPaymentScreenOfProvider(provider: object) {
  serveConfig({ provider: provider as Config['provider'] });
  serveUser();
  renderScreen(PaymentScreen, paymentPath);
  return screen.findByRole('button', { name: 'Subscribe' });
}

/** Serves the billing details, and this response to edits of them; returns the bodies of the edits. */
function serveDetails(respond: () => Response = () => HttpResponse.json(billingDetails)) {
  server.use(
    http.get('/vc-admin/org/billing/details', () =>
      HttpResponse.json({ ...billingDetails, purchaseOrder: 'PO 7' }),
    ),
  );
  return servePost('/vc-admin/org/billing/edit', respond);
}

describe('paying by invoice', () => {
  it('saves the details, subscribes without a card and shows the transfer instructions', async () => {
    const editRequests = serveDetails();
    const requests = serveSubscribe(() =>
      subscriptionResponse({ status: 'trialing', outcome: 'succeeded', next: transferAction }),
    );
    await openPaymentScreenOfProvider(invoiceProvider);
    expect(screen.getByRole('heading', { name: 'Pay by invoice' })).toBeVisible();
    expect(screen.queryByLabelText('Card number')).not.toBeInTheDocument();
    const email = screen.getByLabelText('Email for invoices');
    expect(email).toHaveValue('ada@clinic.example');
    await userEvent.clear(email);
    await userEvent.type(email, 'accounts@clinic.example');
    expect(screen.getByLabelText(/Purchase order number/)).toHaveValue('PO 7');
    await clickSubscribe();

    expect(await screen.findByRole('heading', { name: successTitle })).toBeVisible();
    const instructionsRegion = within(screen.getByRole('region', { name: 'How to pay' }));
    for (const { label, value } of instructions) {
      expect(instructionsRegion.getByText(label)).toBeVisible();
      expect(instructionsRegion.getByText(value)).toBeVisible();
    }
    expect(editRequests).toEqual([
      { billingEmail: 'accounts@clinic.example', purchaseOrder: 'PO 7' },
    ]);
    expect(requests[0]?.body).toEqual({
      customerId: 'cus_1',
      priceId: 'professional_yearly',
      interval: 'yearly',
      currency: 'AUD',
    });
    expect(useSessionStore.getState().session.status).toBe('signedIn');
  });

  it('announces an order without dates that start today', async () => {
    serveDetails();
    servePost('/vc-admin/org/subscription/quote', () =>
      HttpResponse.json(aQuote({ dueNow: aud(81600), approvalDueDays: 14 })),
    );
    const capabilities = capabilitiesWithout('saved_methods');
    await openPaymentScreenOfProvider({ ...invoiceProvider, capabilities });

    const amounts = await screen.findByRole('region', { name: 'What you pay' });
    await waitFor(() =>
      expect(amounts).toHaveTextContent('invoice after approval, due 14 days later'),
    );
    expect(amounts).toHaveTextContent('$816.00 AUD');
    const plan = screen.getByRole('region', { name: 'Your plan' });
    expect(plan).toHaveTextContent('Invoice after approval, due 14 days later');
    expect(document.body).not.toHaveTextContent(/today|Next invoice/i);
  });

  it("shows the server's message about the email at its field and does not subscribe", async () => {
    const fields = { billingEmail: 'Invalid email address!' };
    serveDetails(() => errorResponse('ERRVALIDATION', 'No.', 400, fields));
    const requests = serveSubscribe(() => subscriptionResponse({}));
    await openPaymentScreenOfProvider(invoiceProvider);
    await clickSubscribe();
    expect(await screen.findByText('Invalid email address!')).toBeVisible();
    expect(screen.getByLabelText('Email for invoices')).toBeInvalid();
    expect(requests).toHaveLength(0);
  });

  it('subscribes without fields when the server has no billing details', async () => {
    const requests = serveSubscribe(() =>
      subscriptionResponse({ status: 'trialing', outcome: 'succeeded', next: transferAction }),
    );
    const capabilities = capabilitiesWithout('quotes', 'saved_methods', 'billing_details');
    await openPaymentScreenOfProvider({ ...invoiceProvider, capabilities });
    expect(screen.getByRole('heading', { name: 'Pay by invoice' })).toBeVisible();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    await clickSubscribe();

    expect(await screen.findByRole('heading', { name: successTitle })).toBeVisible();
    expect(requests).toHaveLength(1);
  });

  it('says that the order is checked before the plan starts', async () => {
    serveDetails();
    const reason = 'We check your order before your plan starts.';
    serveSubscribe(() => {
      serveUser({ order: anOrder() });
      const next = aNextAction({ kind: 'wait', reason });
      return subscriptionResponse({ outcome: 'processing', next });
    });
    await openPaymentScreenOfProvider(invoiceProvider);
    await clickSubscribe();
    await waitFor(() =>
      expect(useSessionStore.getState().session).toHaveProperty('user.order.priceId'),
    );
    expect(screen.getByRole('heading', { name: 'Your order has been received' })).toBeVisible();
    expect(screen.getByText(reason)).toBeVisible();
    expect(screen.getByText(/^The account and the reference for your transfer are/)).toBeVisible();
  });

  it("shows the server's message when it refuses the subscription", async () => {
    serveDetails();
    serveSubscribe(() => errorResponse('ERRCONFLICT', 'An invoice of yours is unpaid.', 409));
    await openPaymentScreenOfProvider(invoiceProvider);
    await clickSubscribe();
    expect(await screen.findByRole('alert')).toHaveTextContent('An invoice of yours is unpaid.');
  });
});

describe('paying on the page of the provider', () => {
  it('opens the page when the server responds with a redirect', async () => {
    const next = aNextAction({ kind: 'redirect', url: 'https://pay.example/1' });
    const requests = serveSubscribe(() => subscriptionResponse({ outcome: 'redirect', next }));
    await openPaymentScreenOfProvider(redirectProvider);
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
      'the page saves a payment method',
      capabilitiesWithout('quotes'),
      /choose how to pay after the trial/,
    ],
    [
      'the provider has no such page',
      capabilitiesWithout('quotes', 'method_page'),
      /You choose how to pay when the trial ends/,
    ],
  ])(
    'says when the customer chooses a payment method for the time after the trial, if %s',
    async (_, capabilities, text) => {
      await openPaymentScreenOfProvider({ ...redirectProvider, capabilities });
      expect(screen.getByText(text)).toHaveTextContent(/[Nn]othing is charged today/);
    },
  );

  it('shows the success when the server responds without a redirect', async () => {
    serveSubscribe(() => subscriptionResponse({ status: 'trialing', outcome: 'succeeded' }));
    await openPaymentScreenOfProvider(redirectProvider);
    await clickSubscribe();
    expect(await screen.findByText(successTitle)).toBeVisible();
  });
});

it('says that the card field could not be loaded when the provider is unknown', async () => {
  serveConfig({
    provider: { kind: 'other', entry: 'card_field', capabilities: capabilitiesWithout('quotes') },
  });
  serveUser();
  renderScreen(PaymentScreen, paymentPath);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^The card field could not be loaded.*Check your connection\..*Try again$/,
  );
});
