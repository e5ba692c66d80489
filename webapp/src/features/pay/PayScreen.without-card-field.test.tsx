import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Capability, Card, Config, OpenPayment } from '@/api';
import { rememberFailure } from '@/modules/payments/page-visit';
import { aCard } from '@/testing/card-provider';
import { dateText } from '@/testing/date-text';
import {
  aLicense,
  aNextAction,
  aSubscription,
  capabilitiesWithout,
  overduePayment,
  owedPayment,
  planChangePayment,
} from '@/testing/fixtures';
import { serveConfig, serveSubscriptionCall } from '@/testing/handlers';
import { server } from '@/testing/server';
import { openPayScreen, pressButton, serveOpenPayment, servePay } from './testing';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('the pay screen of a provider that collects by invoice', () => {
  const transferAction = aNextAction({
    kind: 'wait',
    instructions: [{ label: 'Reference', value: 'INV-1' }],
  });
  const provider: Config['provider'] = {
    kind: 'invoice',
    entry: 'invoice',
    capabilities: capabilitiesWithout(),
  };

  it('shows how to transfer the amount, without a pay button', async () => {
    serveOpenPayment(overduePayment, { next: transferAction });
    serveConfig({ provider });
    openPayScreen();
    expect(await screen.findByRole('heading', { name: 'Pay your invoice' })).toBeVisible();
    expect(screen.getByText('INV-1')).toBeVisible();
    expect(screen.getByText(/^Your invoice for Standard is overdue. Transfer/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /^(Pay|Approve)/ })).not.toBeInTheDocument();
  });

  it('copies the reference, names the purpose and links to the invoice with its PDF', async () => {
    const user = userEvent.setup(); // provides a clipboard
    serveOpenPayment(null, { next: { ...transferAction, invoice: 'in_7' } });
    serveConfig({ provider });
    openPayScreen();
    await user.click(await screen.findByRole('button', { name: 'Copy Reference' }));
    expect(await screen.findByRole('button', { name: 'Reference copied' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('INV-1');
    expect(screen.getByText(/^This invoice pays for Standard, /)).toBeVisible();
    const link = screen.getByRole('link', { name: 'Show the invoice and its PDF' });
    expect(link).toHaveAttribute('href', expect.stringContaining('/invoices/in_7'));
  });

  it('copies the amount as the form of a bank accepts it', async () => {
    const user = userEvent.setup();
    const amount = {
      ...{ label: 'Amount', value: '$1,816 AUD' },
      amount: { amount: 181600, currency: 'AUD' },
    };
    serveOpenPayment(null, { next: { ...transferAction, instructions: [amount] } });
    serveConfig({ provider });
    openPayScreen();
    await user.click(await screen.findByRole('button', { name: 'Copy Amount' }));
    expect(await screen.findByRole('button', { name: 'Amount copied' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('1816.00');
  });

  it('formats the amount to transfer like the other amounts of the screen', async () => {
    const money = { amount: 42000, currency: 'AUD' };
    const amount = { label: 'Amount', value: '$420 AUD', amount: money };
    const next = { ...transferAction, instructions: [amount] };
    serveOpenPayment(
      { ...overduePayment, amount: 42000, total: 45050, creditUsed: 3050 },
      { next },
    );
    serveConfig({ provider });
    openPayScreen();
    expect(await screen.findByText('$450.50')).toBeVisible();
    expect(await screen.findByText('$420.00 AUD')).toBeVisible();
    expect(screen.queryByText('$420 AUD')).not.toBeInTheDocument();
  });

  it('reports that the customer has paid, and says until when no reminder is sent', async () => {
    serveOpenPayment(overduePayment, { next: transferAction });
    serveConfig({ provider });
    const path = '/vc-admin/org/invoices/in_1/transfer';
    const reportedAction = {
      ...transferAction,
      reportedAt: '2026-12-08T00:00:00Z',
      remindersPausedUntil: '2026-12-13T00:00:00Z',
    };
    server.use(
      http.post(path, () => {
        serveOpenPayment(overduePayment, { next: reportedAction });
        serveConfig({ provider });
        return HttpResponse.json({});
      }),
    );
    openPayScreen();
    expect(await screen.findByRole('button', { name: 'I have paid' })).toHaveClass('bg-brand');
    expect(screen.getByRole('link', { name: 'Go to your dashboard' })).not.toHaveClass('bg-brand');
    await pressButton('I have paid');
    const [day, end] = [reportedAction.reportedAt, reportedAction.remindersPausedUntil].map(
      (time) => dateText(time),
    );
    expect(
      await screen.findByText(
        `You told us on ${day} that you have paid. We send no reminder until ${end}.`,
      ),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'I have paid' })).not.toBeInTheDocument();
  });

  it('offers to report the payment again when the reminders continue, and shows why the server refused the report', async () => {
    const next = { ...transferAction, reportedAt: '2026-12-08T00:00:00Z' };
    serveOpenPayment(overduePayment, { next });
    serveConfig({ provider });
    const body = { name: 'ERRCONFLICT', message: "This invoice can't be paid now." };
    server.use(
      http.post('/vc-admin/org/invoices/in_1/transfer', () =>
        HttpResponse.json(body, { status: 409 }),
      ),
    );
    openPayScreen();
    const text = `You told us on ${dateText(next.reportedAt)} that you have paid. The payment has not arrived yet.`;
    expect(await screen.findByText(text)).toBeVisible();
    await pressButton('I have paid');
    expect(await screen.findByText(body.message)).toBeVisible();
  });

  it('offers no report on a server without transfer reports', async () => {
    serveOpenPayment(overduePayment, { next: transferAction });
    const capabilities = capabilitiesWithout('transfer_reports');
    serveConfig({ provider: { ...provider, capabilities } });
    openPayScreen();
    expect(await screen.findByText('INV-1')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'I have paid' })).not.toBeInTheDocument();
  });

  it('mentions the ended plan when the transfer pays its last invoice', async () => {
    serveOpenPayment(owedPayment, { next: transferAction, license: null, pastLicense: aLicense() });
    serveConfig({ provider });
    openPayScreen();
    expect(await screen.findByText(/Your Standard plan has ended.*Transfer/)).toBeVisible();
  });

  it.each([
    [
      'an overdue invoice',
      { ...overduePayment, amount: 51600, total: 81600, amountPaid: 30000 },
      null,
    ],
    ['an invoice that is not due yet', null, { amount: 51600, total: 81600, amountPaid: 30000 }],
  ])('shows the total and the paid part of %s', async (_, openPayment, invoiced) => {
    const dueTime = '2026-12-05T00:00:00Z';
    const license = {
      ...aLicense(),
      invoiced: invoiced && { ...invoiced, currency: 'AUD', at: dueTime },
    };
    serveOpenPayment(openPayment, { next: transferAction, license });
    serveConfig({ provider });
    openPayScreen();
    const region = await screen.findByRole('region', { name: 'How to pay' });
    expect(region).toHaveTextContent('Total$816Paid−$300ReferenceINV-1');
  });

  it('lets the customer drop a plan change, and reports the result', async () => {
    serveOpenPayment(planChangePayment, { next: transferAction });
    serveConfig({ provider });
    serveSubscriptionCall('pending/cancel', aSubscription({ status: 'active' }), 200, () =>
      serveOpenPayment(null),
    );
    openPayScreen();
    await pressButton('Keep Standard yearly');
    expect(await screen.findByRole('heading', { name: 'The change was dropped' })).toBeVisible();
  });
});

describe('the pay screen of a provider with its own payment page', () => {
  const provider = { kind: 'acme', entry: 'redirect' } as const;
  const bankAccount: Card = { ...aCard('0042'), label: 'Bank account ••42' };
  const serveRedirectProvider = (
    openPayment: OpenPayment | null,
    cards: Card[],
    missingCapabilities: Capability[] = [],
  ) => {
    serveOpenPayment(openPayment, {}, cards);
    const capabilities = capabilitiesWithout(...missingCapabilities);
    serveConfig({ provider: { ...provider, capabilities } });
  };

  it('offers the saved methods, and sends no saved method when the customer chooses another one', async () => {
    serveRedirectProvider(overduePayment, [bankAccount]);
    const bodies = servePay(aSubscription({ status: 'active' }), 200, () =>
      serveOpenPayment(null, {}, [bankAccount]),
    );
    openPayScreen();
    expect(
      await screen.findByRole('radio', { name: 'Bank account ••42, your default payment method' }),
    ).toBeChecked();
    await userEvent.click(screen.getByRole('radio', { name: 'Another payment method' }));
    expect(screen.getByText(/You continue on the page of our payment provider/)).toBeVisible();
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
    await pressButton('Pay $39 AUD');
    expect(await screen.findByRole('heading', { name: 'Your invoice is paid' })).toBeVisible();
    expect(bodies).toMatchObject([{ amount: 3900, makeDefault: false }]);
    expect(bodies[0]).not.toHaveProperty('paymentMethodId');
  });

  it('enables the pay button again when the page is restored after the redirect', async () => {
    serveRedirectProvider(overduePayment, []);
    const next = aNextAction({ kind: 'redirect', url: 'https://pay.example/1' });
    servePay(aSubscription({ outcome: 'redirect', next }));
    openPayScreen();
    await pressButton('Pay $39 AUD');
    const button = screen.getByRole('button', { name: 'Pay $39 AUD' });
    await vi.waitFor(() =>
      expect(window.location.assign).toHaveBeenCalledWith('https://pay.example/1'),
    );
    expect(button).toHaveAttribute('aria-busy', 'true');

    act(() => window.dispatchEvent(new Event('pageshow')));
    expect(button).not.toHaveAttribute('aria-busy', 'true');
  });

  it('offers only the page of the provider when the provider saves no methods', async () => {
    serveRedirectProvider(overduePayment, [bankAccount], ['saved_methods']);
    openPayScreen();
    expect(await screen.findByText(/You continue on the page/)).toBeVisible();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });

  it.each([
    ['', 'Your payment has not arrived yetIf you have just paid, please wait'],
    ['Your bank declined.', 'This is not paid yetYour bank declined. Nothing was charged.'],
  ])(
    'says after the return that the payment is still open, with the reason "%s"',
    async (reason, text) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
      serveRedirectProvider({ ...overduePayment, reason }, []);
      openPayScreen('?returned=1');
      expect(await screen.findByText('Checking your payment...')).toBeVisible();
      expect(screen.queryByRole('button')).not.toBeInTheDocument();

      await act(() => vi.advanceTimersByTimeAsync(8000));
      expect(await screen.findByRole('alert')).toHaveTextContent(text);
      expect(await screen.findByRole('button', { name: 'Pay $39 AUD' })).toBeVisible();
    },
  );

  it('does not say that nothing was charged if the last failure is older than the visit to the page', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const payment = {
      ...overduePayment,
      reason: 'Your bank declined.',
      failedAt: '2026-01-01T00:00:00Z',
    };
    rememberFailure(payment);
    serveRedirectProvider(payment, []);
    openPayScreen('?returned=1');
    await act(() => vi.advanceTimersByTimeAsync(8000));
    const alert = await screen.findByText('Your payment has not arrived yet');
    expect(alert).toBeVisible();
    expect(screen.queryByText(/Nothing was charged/)).not.toBeInTheDocument();
  });

  it.each([
    [
      'a method was saved',
      [bankAccount],
      undefined,
      /^Nothing was charged\. Your first payment is on/,
      false,
    ],
    [
      'no method was saved',
      [],
      undefined,
      /^You have not saved a payment method yet\. Your trial goes on/,
      true,
    ],
    [
      'why the method was refused',
      [],
      'Your bank declined.',
      /^Your bank declined\. Your trial goes on/,
      true,
    ],
  ])(
    'says after the return that the trial has started and %s',
    async (_, cards, methodRefusal, text, lacksMethod) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
      const license = aLicense({
        raw: { ...aLicense().raw, status: 'trialing', trial_end: 1_795_000_000 },
      });
      serveOpenPayment(null, { license, methodRefusal }, cards);
      serveConfig({ provider: { ...provider, capabilities: capabilitiesWithout() } });
      openPayScreen('?returned=1');
      if (lacksMethod) {
        expect(await screen.findByText('Checking your payment...')).toBeVisible();
        await act(() => vi.advanceTimersByTimeAsync(8000));
      }
      expect(
        await screen.findByRole('heading', { name: 'Your free trial has started' }),
      ).toBeVisible();
      expect(screen.getByText(text)).toBeVisible();
      expect(screen.queryAllByRole('link', { name: 'Add a payment method' })).toHaveLength(
        lacksMethod ? 1 : 0,
      );
    },
  );

  it('says that the payment is complete when it arrives after the return', async () => {
    serveRedirectProvider(overduePayment, [bankAccount]);
    openPayScreen('?returned=1');
    await screen.findByText('Checking your payment...');
    serveRedirectProvider(null, [bankAccount]);
    expect(await screen.findByRole('heading', { name: 'Your payment is complete' })).toBeVisible();
    expect(screen.getByText('Standard is your plan.')).toBeVisible();
  });
});
