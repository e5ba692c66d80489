import { screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { typeCard } from '@/testing/card-provider';
import { aLicense, anOpenPayment, aQuote, fullProvider } from '@/testing/fixtures';
import { errorResponse, serveConfig, serveSubscriptionCall, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import PaymentScreen from './PaymentScreen';
import { payment, payWith, serveSubscribe, subscriptionResponse, success } from './testing';

const aud = (amount: number) => ({ amount, currency: 'AUD' });
const at = '2031-05-27T12:00:00Z';
const trial = aQuote({ dueNow: aud(0), lines: [], tax: aud(0), next: { ...aud(81600), at } });

const serveQuote = (response: object, status = 200) =>
  serveSubscriptionCall('quote', response, status);

function open(user: Parameters<typeof serveUser>[0] = {}, provider: object = {}) {
  serveConfig({ provider: { ...fullProvider, ...provider } });
  serveUser(user);
  renderScreen(PaymentScreen, payment);
}

const plan = () => screen.findByRole('region', { name: 'Your plan' });
const summary = () => screen.findByRole('region', { name: 'What you pay' });
const button = () => screen.findByRole('button', { name: 'Subscribe' });
const ready = () =>
  waitFor(async () => expect(await button()).not.toHaveAttribute('aria-disabled'));

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('the payment screen with a quote', () => {
  it('labels the amount as the first invoice for a customer who pays invoices', async () => {
    serveQuote(aQuote({ dueNow: aud(81600), lines: [], tax: aud(0), next: { ...aud(81600), at } }));
    open({}, { kind: 'invoice', entry: 'invoice' });
    const text = 'First invoice issued today, for the time after 7 days free$816 AUD';
    await waitFor(async () => expect(await summary()).toHaveTextContent(text));
    expect(await summary()).toHaveTextContent(/Next invoice on .*2031\$816 AUD/);
  });

  it('shows what is due today and after the trial, and sends the quote', async () => {
    const quotes = serveQuote(trial);
    const requests = serveSubscribe(() => subscriptionResponse({ status: 'trialing' }));
    open();
    await ready();
    expect(
      screen.getByText('Your card will be charged after the free trial period.'),
    ).toBeVisible();
    expect(await plan()).toHaveTextContent(
      /Today\$0 AUDYour 7-day free trial starts.*2031\$816 AUDFirst charge, for one year/,
    );
    expect(await summary()).toHaveTextContent(
      /^Total due today \$0 AUDTotal due on .*2031\$816 AUD$/,
    );
    expect(await plan()).toHaveTextContent('You can end it at any time on your billing page.');

    await payWith();
    expect(await screen.findByText(success)).toBeVisible();
    expect(quotes).toEqual([
      { priceId: 'professional_yearly', interval: 'yearly', currency: 'AUD' },
    ]);
    expect(requests).toMatchObject([{ body: { quote: 'signed_1' } }]);
  });

  it('shows the deducted credit', async () => {
    const line = { description: 'Professional', amount: 81600, period: { start: at, end: at } };
    const credit = { creditBefore: aud(2200), creditAfter: aud(0) };
    serveQuote(aQuote({ dueNow: aud(79400), lines: [line], ...credit }));
    open({ pastLicense: aLicense() });
    await ready();
    expect(await summary()).toHaveTextContent('Your credit −$22Total due today $794 AUD');
  });

  it('shows the fresh amount when it differs from the quote', async () => {
    serveQuote(trial);
    const quote = { ...trial, quote: 'signed_2', next: { ...aud(84000), at } };
    const message =
      'The amount may have changed, and nothing was charged. Please look at it again.';
    serveSubscribe(() => HttpResponse.json({ name: 'ERRQUOTE', message, quote }, { status: 409 }));
    open();
    await ready();
    await payWith();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(
      /look at it again\.\$840 AUD is due on .*2031 instead of \$816 AUD\.$/,
    );
    expect(await button()).toHaveFocus();
    expect(await summary()).toHaveTextContent('$840 AUD');
  });

  it('disables the button without an amount', async () => {
    serveQuote({ name: 'ERRPROVIDER', message: 'No answer.' }, 502);
    const requests = serveSubscribe(() => errorResponse('ERRCONFLICT', '', 409));
    open();
    expect(await screen.findByText('The amount could not be computed')).toBeVisible();
    await typeCard();
    expect(await button()).toHaveAttribute('aria-disabled', 'true');
    (await button()).click();
    expect(requests).toEqual([]);
  });

  it('shows the amount of a first payment that is open, and pays it', async () => {
    serveQuote(aQuote({ dueNow: aud(79400), lines: [], next: null }));
    const requests = serveSubscribe(() => subscriptionResponse({ status: 'active' }));
    open({ openPayment: anOpenPayment({ kind: 'first_payment' }), pastLicense: aLicense() });
    await ready();
    expect(await summary()).toHaveTextContent('Total due today $794 AUD');
    expect(await plan()).toHaveTextContent('Today$794 AUD');

    await payWith();
    expect(await screen.findByText(success)).toBeVisible();
    expect(requests).toMatchObject([{ body: { quote: 'signed_1' } }]);
  });
});
