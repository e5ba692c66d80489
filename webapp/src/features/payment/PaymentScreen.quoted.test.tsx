import { screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { typeCard } from '@/testing/card-provider';
import { aLicense, anOpenPayment, fullProvider } from '@/testing/fixtures';
import { errorResponse, serveConfig, serveSubscriptionCall, serveUser } from '@/testing/handlers';
import { aQuote, aud } from '@/testing/invoice-fixtures';
import { renderScreen } from '@/testing/render-screen';
import PaymentScreen from './PaymentScreen';
import {
  paymentPath,
  serveSubscribe,
  subscribeWithCard,
  subscriptionResponse,
  successTitle,
} from './testing';

const nextChargeAt = '2031-05-27T12:00:00Z';
const trialQuote = aQuote({
  dueNow: aud(0),
  lines: [],
  tax: aud(0),
  next: { ...aud(81600), at: nextChargeAt },
  afterNext: { ...aud(81600), at: '2032-05-27T12:00:00Z' },
});

const serveQuote = (response: object, status = 200) =>
  serveSubscriptionCall('quote', response, status);

/** Opens the payment screen of a server with quotes. */
function openPaymentScreenWithQuotes(
  user: Parameters<typeof serveUser>[0] = {},
  provider: object = {},
) {
  serveConfig({ provider: { ...fullProvider, ...provider } });
  serveUser(user);
  renderScreen(PaymentScreen, paymentPath);
}

const findPlanRegion = () => screen.findByRole('region', { name: 'Your plan' });
const findAmountsRegion = () => screen.findByRole('region', { name: 'What you pay' });
const findSubscribeButton = () => screen.findByRole('button', { name: 'Subscribe' });
const waitForQuote = () =>
  waitFor(async () => expect(await findSubscribeButton()).not.toHaveAttribute('aria-disabled'));

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('the payment screen with a quote', () => {
  it('shows the first and the next invoice to a customer who pays invoices', async () => {
    serveQuote(
      aQuote({
        dueNow: aud(81600),
        lines: [],
        tax: aud(0),
        next: { ...aud(81600), at: nextChargeAt },
      }),
    );
    openPaymentScreenWithQuotes({}, { kind: 'invoice', entry: 'invoice' });
    const text =
      'First invoice issued today, for the time after 7 days freeProfessional, yearly$816 AUD';
    await waitFor(async () => expect(await findAmountsRegion()).toHaveTextContent(text));
    expect(await findAmountsRegion()).toHaveTextContent(/Next invoice on .*2031\$816 AUD/);
  });

  it('shows the amounts due after the trial and today, and sends the quote', async () => {
    const quoteRequests = serveQuote(trialQuote);
    const requests = serveSubscribe(() => subscriptionResponse({ status: 'trialing' }));
    openPaymentScreenWithQuotes();
    await waitForQuote();
    expect(
      screen.getByText('Your card will be charged after the free trial period.'),
    ).toBeVisible();
    expect(await findPlanRegion()).toHaveTextContent(
      /Due today\$0 AUDYour 7-day free trial starts.*2031\$816 AUDTrial ends, first charge.*2032\$816 AUDRenews every year at this price/,
    );
    expect(await findAmountsRegion()).toHaveTextContent(
      /^Total due on .*2031Professional, yearly\$816 AUDincludes 10 % GST$/,
    );
    expect(screen.getByText(/^\$0 today, \$816 AUD on .*2031$/)).toBeVisible();
    expect(await findPlanRegion()).toHaveTextContent(
      'You can end it at any time on your dashboard.',
    );

    await subscribeWithCard();
    expect(await screen.findByText(successTitle)).toBeVisible();
    expect(quoteRequests).toEqual([
      { priceId: 'professional_yearly', interval: 'yearly', currency: 'AUD' },
    ]);
    expect(requests).toMatchObject([{ body: { quote: 'signed_1' } }]);
  });

  it('shows the credit and the amount due after it is used', async () => {
    const line = {
      description: 'Professional',
      amount: 81600,
      period: { start: nextChargeAt, end: nextChargeAt },
    };
    const credit = { creditBefore: aud(2200), creditAfter: aud(0) };
    serveQuote(aQuote({ dueNow: aud(79400), lines: [line], ...credit }));
    openPaymentScreenWithQuotes({ pastLicense: aLicense() });
    await waitForQuote();
    expect(await findAmountsRegion()).toHaveTextContent(
      'Your credit −$22.00Total due today Professional, yearly$794.00 AUD',
    );
    expect(screen.getByText('$794.00 AUD today')).toBeVisible();
  });

  it.each([
    [
      { ...aud(73200), at: '2032-05-27T12:00:00Z' },
      /2031No chargeTrial ends, your credit pays.*2032\$732 AUDFirst charge/,
    ],
    [undefined, /2031No chargeTrial ends, your credit pays/],
  ])(
    'shows no charge of zero after a trial that credit continues (first charge: %o)',
    async (afterCredit, text) => {
      const next = { ...aud(0), at: nextChargeAt };
      const credit = { creditBefore: aud(90000), creditAfter: aud(90000) };
      serveQuote({ ...trialQuote, ...credit, next, afterCredit, afterNext: undefined });
      openPaymentScreenWithQuotes();
      await waitForQuote();
      expect(await findPlanRegion()).toHaveTextContent(text);
    },
  );

  it('shows the new amount when the server refuses the quote', async () => {
    serveQuote(trialQuote);
    const quote = { ...trialQuote, quote: 'signed_2', next: { ...aud(84000), at: nextChargeAt } };
    const message =
      'The amount may have changed, and nothing was charged. Please look at it again.';
    serveSubscribe(() => HttpResponse.json({ name: 'ERRQUOTE', message, quote }, { status: 409 }));
    openPaymentScreenWithQuotes();
    await waitForQuote();
    await subscribeWithCard();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(
      /look at it again\.\$840 AUD is due on .*2031 instead of \$816 AUD\.$/,
    );
    expect(await findSubscribeButton()).toHaveFocus();
    expect(await findAmountsRegion()).toHaveTextContent('$840 AUD');
  });

  it('disables the button and sends no request when the quote fails', async () => {
    serveQuote({ name: 'ERRPROVIDER', message: 'No answer.' }, 502);
    const requests = serveSubscribe(() => errorResponse('ERRCONFLICT', '', 409));
    openPaymentScreenWithQuotes();
    expect(await screen.findByText('The amount could not be computed')).toBeVisible();
    await typeCard();
    expect(await findSubscribeButton()).toHaveAttribute('aria-disabled', 'true');
    (await findSubscribeButton()).click();
    expect(requests).toEqual([]);
  });

  it('shows the amount of an open first payment, all amounts in one format, and sends its quote', async () => {
    serveQuote(aQuote({ dueNow: aud(79400), tax: aud(7218), lines: [], next: null }));
    const requests = serveSubscribe(() => subscriptionResponse({ status: 'active' }));
    openPaymentScreenWithQuotes({
      openPayment: anOpenPayment({ kind: 'first_payment' }),
      pastLicense: aLicense(),
    });
    await waitForQuote();
    expect(await findAmountsRegion()).toHaveTextContent(
      'Total due today Professional, yearly$794.00 AUD',
    );
    expect(await findPlanRegion()).toHaveTextContent(
      'Due today$794.00 AUDFirst charge, for one yearEvery year$816.00 AUD',
    );

    await subscribeWithCard();
    expect(await screen.findByText(successTitle)).toBeVisible();
    expect(requests).toMatchObject([{ body: { quote: 'signed_1' } }]);
  });
});
