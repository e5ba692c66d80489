import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aCard } from '@/testing/card-provider';
import { aQuote, aSubscription, fullProvider, planChange } from '@/testing/fixtures';
import {
  findConfirmButton,
  licenseWith,
  openConfirm,
  serveCall,
  serveLicensee,
  updateCall,
} from './testing';

const card = aCard('4242');
const provider = { provider: fullProvider };
const quoteCall = 'org/subscription/quote';
const aud = (amount: number) => ({ amount, currency: 'AUD' });

const summary = () => screen.findByRole('region', { name: 'Summary' });

async function confirm() {
  await waitFor(async () => expect(await findConfirmButton()).not.toHaveAttribute('aria-disabled'));
  await userEvent.click(await findConfirmButton());
}

describe('a pending change with a provider that quotes', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    serveLicensee(licenseWith('active'), card, planChange, provider);
    serveCall(quoteCall, aQuote({ dueNow: aud(39600), next: null }));
  });

  it('is paid with the quote of its invoice', async () => {
    const calls = serveCall(updateCall, aSubscription({ status: 'active' }));
    openConfirm();
    expect(await screen.findByText('$396 AUD')).toBeVisible();
    expect(await summary()).toHaveTextContent(/Due now It can be paid until.*\$396 AUD/);

    await confirm();

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(calls).toMatchObject([{ body: { quote: 'signed_1' } }]);
  });

  it('that has expired meanwhile shows the present amount before it is started again', async () => {
    const quote = aQuote({ quote: 'signed_2', dueNow: aud(34200) });
    const message =
      'The amount may have changed, and nothing was charged. Please look at it again.';
    const calls = serveCall(updateCall, { name: 'ERRQUOTE', message, quote }, 409);
    openConfirm();
    await findConfirmButton();
    serveLicensee(licenseWith('active'), card, null, provider);

    await confirm();

    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(`${message}$342 AUD is due now instead of $396 AUD.`);
    await waitFor(() =>
      expect(screen.queryByText('This change waits for its payment')).not.toBeInTheDocument(),
    );
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Drop the change' })).not.toBeInTheDocument(),
    );
    expect(await summary()).toHaveTextContent('Due now $342 AUD');
    expect(alert).toBeVisible();
    expect(calls).toMatchObject([{ body: { quote: 'signed_1' } }]);

    const secondCalls = serveCall(updateCall, aSubscription({ status: 'active' }));
    await confirm();
    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(secondCalls).toMatchObject([{ body: { quote: 'signed_2' } }]);
  });
});
