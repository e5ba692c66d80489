import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Capability, License, PriceQuote } from '@/api';
import { aCard } from '@/testing/card-provider';
import { dateText } from '@/testing/date-text';
import { deferred } from '@/testing/deferred';
import { aSubscription, capabilitiesWithout, fullProvider } from '@/testing/fixtures';
import { aQuote, aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import {
  aLicenseWithStatus,
  changeState,
  confirmChange,
  findConfirmButton,
  findSummary,
  listPath,
  openConfirmScreen,
  priceChoice,
  professionalYearly,
  quotePath,
  resubscriptionState,
  serveCall,
  serveLicensee,
  standardYearly,
  subscribePath,
  updatePath,
} from './testing';

const card = aCard('4242');

/** Serves a user with this license and a provider with all capabilities except `missingCapabilities`. */
const serveLicenseeWithoutCapabilities = (
  license: License | null,
  missingCapabilities: Capability[] = [],
): unknown[] =>
  serveLicensee(license, card, null, {
    provider: { ...fullProvider, capabilities: capabilitiesWithout(...missingCapabilities) },
  });

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveLicenseeWithoutCapabilities(aLicenseWithStatus('active'));
});

describe('a quoted change', () => {
  it('shows the amount due now, its lines, and the next charge', async () => {
    const quoteRequests = serveCall(quotePath, aQuote());
    openConfirmScreen();

    expect(await screen.findByText(/^Professional until .*2027/)).toBeVisible();
    const summary = await findSummary();
    for (const text of ['$664.90', '−$322.80', 'Due now $342.10 AUD', '$31.10 AUD']) {
      expect(summary).toHaveTextContent(text);
    }
    expect(summary).toHaveTextContent(/Next charge on .*2027\$816.00 AUD/);
    expect(summary).toHaveTextContent(
      'Renews every year. We write to you 14 days before. You can end it at any time',
    );
    expect(quoteRequests).toEqual([{ body: priceChoice, query: '' }]);
  });

  it('states by when the invoice of an upgrade is due and when the plan changes', async () => {
    serveCall(quotePath, aQuote({ dueAt: '2026-12-05T01:00:00Z' }));
    openConfirmScreen();

    const due = new RegExp(`^Due by ${dateText('2026-12-05T01:00:00Z')}`);
    expect(await screen.findByText(due)).toHaveTextContent('Your plan changes when it is paid.');
    const summary = await findSummary();
    expect(summary).toHaveTextContent('Invoice $342.10 AUD');
    expect(summary).not.toHaveTextContent('Due now');
  });

  it('shows credit in one row when there was none before the change', async () => {
    const credit = { creditBefore: aud(0), creditAfter: aud(24200), dueNow: aud(0) };
    const lines = aQuote().lines.map((line) => ({ ...line, amount: -line.amount }));
    serveCall(quotePath, aQuote({ ...credit, lines }));
    openConfirmScreen();

    await screen.findByText('Kept as credit');
    expect(await findSummary()).toHaveTextContent('Kept as credit $242.00Due now $0.00 AUD');
    expect(screen.queryByText(/is used for your next charges/)).not.toBeInTheDocument();
  });

  it('shows the sum of the credit from before and from the change', async () => {
    const credit = { creditBefore: aud(1000), creditAfter: aud(25200), dueNow: aud(0) };
    serveCall(quotePath, aQuote({ ...credit, lines: [] }));
    openConfirmScreen();

    expect(
      await screen.findByText('Your credit of $252.00 AUD is used for your next charges.'),
    ).toBeVisible();
    expect(await findSummary()).toHaveTextContent('Kept as credit $242.00Due now $0.00 AUD');
  });

  it('can be confirmed only after the amount is loaded, and sends the quote', async () => {
    const { promise: response, resolve: respond } = deferred<Response>();
    server.use(http.post(`/vc-admin/${quotePath}`, () => response));
    const updateRequests = serveCall(updatePath, aSubscription({ status: 'active' }));
    openConfirmScreen();
    expect(await screen.findByText('Loading the amount...')).toBeInTheDocument();
    await userEvent.click(await findConfirmButton());
    expect(screen.queryByText('Please wait...')).not.toBeInTheDocument();

    respond(HttpResponse.json(aQuote()));
    await confirmChange();
    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(updateRequests).toEqual([{ body: { ...priceChoice, quote: 'signed_1' }, query: '' }]);
  });

  it('shows the new amount when the server refuses the quote, and requires another confirmation', async () => {
    serveCall(quotePath, aQuote());
    const quote = aQuote({ quote: 'signed_2', dueNow: aud(34200) });
    const message =
      'The amount may have changed, and nothing was charged. Please look at it again.';
    serveCall(updatePath, { name: 'ERRQUOTE', message, quote }, 409);
    openConfirmScreen();
    await confirmChange();

    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(`${message}$342.00 AUD is due now instead of $342.10 AUD.`);
    expect(alert.parentElement).toHaveFocus();
    expect(await findSummary()).toHaveTextContent('Due now $342.00 AUD');

    const updateRequests = serveCall(updatePath, aSubscription({ status: 'active' }));
    await confirmChange();
    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(updateRequests).toMatchObject([{ body: { quote: 'signed_2' } }]);
  });

  it('renews the quote before it expires, and announces a different amount', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    serveCall(quotePath, aQuote());
    openConfirmScreen();
    await screen.findByText('$342.10 AUD');
    serveCall(quotePath, aQuote({ quote: 'signed_2', dueNow: aud(34200) }));
    await act(async () => void vi.advanceTimersByTime(0)); // the timer starts after the rendering
    await act(async () => void vi.advanceTimersByTime(575_000));

    const text =
      'The amounts have changed meanwhile. $342.00 AUD is due now instead of $342.10 AUD.';
    const announcement = await screen.findByText(text);
    expect(announcement).toHaveAttribute('role', 'status');
    expect(await findConfirmButton()).toBeVisible();
    expect(await findSummary()).toHaveTextContent('Due now $342.00 AUD');
  });

  it('renews an expired quote when the page becomes visible, and keeps it if the renewal fails', async () => {
    serveCall(quotePath, aQuote());
    openConfirmScreen();
    await screen.findByText('$342.10 AUD');
    const quoteRequests = serveCall(quotePath, { name: 'ERRINTERNAL', message: 'Later.' }, 500);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(quoteRequests).toEqual([]);

    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_000);
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(quoteRequests).toHaveLength(1));
    expect(await findConfirmButton()).not.toHaveAttribute('aria-disabled');
    expect(await findSummary()).toHaveTextContent('Due now $342.10 AUD');
  });

  it('reports that a different amount was charged, and stays signed in', async () => {
    serveCall(quotePath, aQuote());
    const charged_differs = { quoted: aud(34210), charged: aud(33210) };
    serveCall(updatePath, { ...aSubscription({ status: 'active' }), charged_differs });
    openConfirmScreen();
    await confirmChange();

    const text = 'You were charged $332.10 AUD instead of the quoted $342.10 AUD.';
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole('link', { name: 'See the invoice' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/invoices',
    );
    expect(screen.queryByText(/^Logging you out/)).not.toBeInTheDocument();
  });

  it('shows the different amount of the invoice while the payment is processing', async () => {
    serveCall(quotePath, aQuote());
    const charged_differs = { quoted: aud(34210), charged: aud(33210) };
    serveCall(updatePath, {
      ...aSubscription({ status: 'incomplete', payment: 'processing' }),
      charged_differs,
    });
    openConfirmScreen();
    await confirmChange();

    expect(await screen.findByText('Your payment is on its way')).toBeVisible();
    expect(
      screen.getByText('Your invoice is $332.10 AUD instead of the quoted $342.10 AUD.'),
    ).toBeVisible();
  });

  it('can’t be confirmed when its quote fails, and requests another one with Try again', async () => {
    serveCall(quotePath, { name: 'ERRCONFLICT', message: 'Your invoice is being collected.' }, 409);
    openConfirmScreen();
    const alert = await screen.findByText('Your invoice is being collected.');
    expect(alert).toBeVisible();
    expect(await findConfirmButton()).toHaveAttribute('aria-disabled', 'true');

    serveCall(quotePath, aQuote());
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('$342.10 AUD')).toBeVisible();
  });

  it('sends the quote with a new subscription', async () => {
    serveLicenseeWithoutCapabilities(null);
    serveCall(listPath, { data: [aSubscription({ status: 'canceled' })] });
    const line = { ...aQuote().lines[0], amount: 81600 } as PriceQuote['lines'][0];
    const quoteRequests = serveCall(quotePath, aQuote({ dueNow: aud(81600), lines: [line] }));
    const subscribeRequests = serveCall(subscribePath, aSubscription({ status: 'active' }));
    openConfirmScreen(resubscriptionState);
    await confirmChange();

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(quoteRequests).toEqual([{ body: { ...priceChoice, no_trial: true }, query: '' }]);
    expect(subscribeRequests).toMatchObject([{ body: { quote: 'signed_1', no_trial: true } }]);
  });
});

describe('the choice between now and the renewal', () => {
  const findNowOption = () => screen.findByRole('radio', { name: 'Now' });
  const findRenewalOption = () =>
    screen.findByRole('radio', { name: /^(At the next|When my trial)/ });
  const cheaperChangeState = {
    ...changeState,
    from: professionalYearly,
    to: { product: 'standard', interval: 'yearly', currency: 'AUD' },
  };

  beforeEach(() => void serveCall(quotePath, aQuote()));

  it.each([
    ['a more expensive plan', standardYearly, changeState],
    ['a cheaper plan', professionalYearly, cheaperChangeState],
    [
      'a shorter interval',
      standardYearly,
      { ...changeState, to: { ...professionalYearly, interval: 'monthly' } },
    ],
  ])('preselects now for %s and says that this ends the trial', async (_, currentPlan, state) => {
    serveLicenseeWithoutCapabilities(aLicenseWithStatus('trialing', currentPlan));
    openConfirmScreen(state);
    expect(await findNowOption()).toBeChecked();
    expect(await findNowOption()).toHaveAccessibleDescription(
      'Updating your plan ends your active trial.',
    );
    expect(await findRenewalOption()).toHaveAccessibleName(/^When my trial ends/);
  });

  it('shows the amount that is charged now, and the card', async () => {
    serveLicenseeWithoutCapabilities(aLicenseWithStatus('trialing'));
    serveCall(quotePath, aQuote({ dueNow: aud(81600) }));
    openConfirmScreen();
    expect(await screen.findByText('$816.00 AUD now, from Visa •••• 4242')).toBeVisible();
    expect(await findSummary()).toHaveTextContent(
      /Due now Your trial ends and Professional starts\s*\$816.00 AUD/,
    );
  });

  it('offers only the renewal when the provider can’t change to a cheaper plan now', async () => {
    serveLicenseeWithoutCapabilities(aLicenseWithStatus('active', professionalYearly), [
      'change_now_cheaper',
    ]);
    const quoteRequests = serveCall(quotePath, aQuote());
    openConfirmScreen(cheaperChangeState);
    expect(
      await screen.findByText(`At the next renewal, on ${dateText(1_800_000_000_000)}`),
    ).toBeVisible();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
    await screen.findByText('$342.10 AUD');
    expect(quoteRequests).toMatchObject([{ body: { when: 'renewal' } }]);
  });

  it('quotes and schedules a change at the renewal', async () => {
    serveLicenseeWithoutCapabilities(aLicenseWithStatus('active', professionalYearly));
    const quoteRequests = serveCall(quotePath, aQuote({ dueNow: aud(0), lines: [] }));
    const updateRequests = serveCall(updatePath, aSubscription({ status: 'active' }));
    openConfirmScreen(cheaperChangeState);
    await userEvent.click(await findRenewalOption());
    const body = { ...priceChoice, priceId: 'standard_yearly', when: 'renewal' };
    await waitFor(() => expect(quoteRequests.at(-1)).toEqual({ body, query: '' }));
    expect(await findSummary()).toHaveTextContent('Due now $0.00 AUD');
    await confirmChange();

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(updateRequests).toEqual([{ body: { ...body, quote: 'signed_1' }, query: '' }]);
  });

  it('says under both timings what becomes credit and what is charged next', async () => {
    serveLicenseeWithoutCapabilities(aLicenseWithStatus('active', professionalYearly));
    const at = '2027-11-21T00:00:00Z';
    // 87,390 − 39,000 = 48,390 are left. They pay 39,000 in November 2027, and 9,390 of the 39,000 a year later.
    const afterCredit = { ...aud(29610), at: '2028-11-21T00:00:00Z' };
    const nowQuote = aQuote({
      dueNow: aud(0),
      creditAfter: aud(48390),
      next: { ...aud(0), at },
      afterCredit,
    });
    const renewalQuote = aQuote({ dueNow: aud(0), lines: [], next: { ...aud(39000), at } });
    const requestedTimings: string[] = [];
    server.use(
      http.post(`/vc-admin/${quotePath}`, async ({ request }) => {
        const { when } = (await request.json()) as { when?: string };
        requestedTimings.push(when ?? 'now');
        return HttpResponse.json(when === 'renewal' ? renewalQuote : nowQuote);
      }),
    );
    openConfirmScreen(cheaperChangeState);

    const creditText = '$483.90 AUD becomes credit, which is not paid out.';
    const useText = `It pays Standard until ${dateText(afterCredit.at)}, then $296.10 AUD.`;
    expect(await screen.findByText(`${creditText} ${useText}`)).toBeVisible();
    expect(await findNowOption()).toHaveAccessibleDescription(expect.stringContaining(creditText));
    const renewalText = `Nothing becomes credit. The next charge is $390.00 AUD on ${dateText(at)}.`;
    expect(screen.getByText(renewalText)).toBeVisible();
    const summary = await findSummary();
    expect(summary).toHaveTextContent(`Next charge on ${dateText(afterCredit.at)}$296.10 AUD`);
    expect(requestedTimings.toSorted()).toEqual(['now', 'renewal']);

    await userEvent.click(await findRenewalOption());
    await waitFor(() => expect(requestedTimings).toHaveLength(3)); // the quote that would be confirmed
    expect(requestedTimings.at(-1)).toBe('renewal');
    expect(screen.getByText(`${creditText} ${useText}`)).toBeVisible();
  });

  it('shows no next charge of zero when it is unknown what follows the credit', async () => {
    serveLicenseeWithoutCapabilities(aLicenseWithStatus('active', professionalYearly));
    const next = { ...aud(0), at: '2027-11-21T00:00:00Z' };
    serveCall(quotePath, aQuote({ dueNow: aud(0), creditAfter: aud(48390), next }));
    openConfirmScreen(cheaperChangeState);
    await waitFor(async () => {
      const text = `Next charge on ${dateText(next.at)}No charge`;
      expect(await findSummary()).toHaveTextContent(text);
    });
    await waitFor(async () =>
      expect(await findNowOption()).toHaveAccessibleDescription(
        /\$483\.90 AUD becomes credit, which is not paid out\. It is used for your next charges\.$/,
      ),
    );
  });

  it('is hidden when the provider can’t change a plan at the renewal', async () => {
    serveLicenseeWithoutCapabilities(aLicenseWithStatus('active'), ['at_period_end']);
    openConfirmScreen();
    await screen.findByText('$342.10 AUD');
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });
});
