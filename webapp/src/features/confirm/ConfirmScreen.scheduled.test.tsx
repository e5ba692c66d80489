import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Capability, License, OpenPayment, ScheduledChange } from '@/api';
import { aCard } from '@/testing/card-provider';
import { dateText } from '@/testing/date-text';
import {
  aSubscription,
  capabilitiesWithout,
  fullProvider,
  planChangePayment,
} from '@/testing/fixtures';
import { aQuote } from '@/testing/invoice-fixtures';
import {
  aLicenseWithStatus,
  changeState,
  findConfirmButton,
  openConfirmScreen,
  professionalYearly,
  quotePath,
  serveCall,
  serveLicensee,
  standardYearly,
  updatePath,
} from './testing';

const changeTime = '2027-11-21T00:00:00Z';
const changeDate = dateText(changeTime);
const cancelPath = 'org/subscription/scheduled/cancel';

const aScheduledChange = (changes: Partial<ScheduledChange> = {}): ScheduledChange => ({
  priceId: 'standard_monthly',
  product: 'standard',
  interval: 'monthly',
  currency: 'AUD',
  at: changeTime,
  ...changes,
});
const changeToProfessional = aScheduledChange({
  ...professionalYearly,
  priceId: 'professional_yearly',
});

/** Serves a user with the yearly Standard plan. */
function serveStandardLicensee(
  license: Partial<License>,
  missingCapabilities: Capability[] = [],
  openPayment: OpenPayment | null = null,
) {
  serveLicensee({ ...aLicenseWithStatus('active'), ...license }, aCard('4242'), openPayment, {
    provider: { ...fullProvider, capabilities: capabilitiesWithout(...missingCapabilities) },
  });
}

const queryConfirmButtons = () => screen.queryAllByRole('button', { name: 'Confirm' });
const findKeepButton = () => screen.findByRole('button', { name: 'Keep Standard' });

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveCall(quotePath, aQuote());
});

describe('while another change is scheduled', () => {
  it('offers to replace it now or at the renewal, and sends the new change', async () => {
    serveStandardLicensee({ scheduled_change: aScheduledChange() });
    const updateRequests = serveCall(updatePath, aSubscription({ status: 'active' }));
    openConfirmScreen();

    expect(
      await screen.findByText(`Your plan changes to Standard, monthly, on ${changeDate}`),
    ).toBeVisible();
    expect(
      screen.getByText(/^If you confirm, the new change replaces this one\. If/),
    ).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Now' })).toBeChecked();
    expect(screen.getByRole('radio', { name: /^At the next renewal/ })).toBeVisible();

    await waitFor(() => expect(queryConfirmButtons()[0]).not.toHaveAttribute('aria-disabled'));
    await userEvent.click(queryConfirmButtons()[0] as HTMLElement);
    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(updateRequests).toMatchObject([
      { body: { priceId: 'professional_yearly', quote: 'signed_1' } },
    ]);
  });

  it('cancels the scheduled change with Keep, and quotes the new change again', async () => {
    serveStandardLicensee({ scheduled_change: aScheduledChange() });
    openConfirmScreen();
    const keepButton = await findKeepButton();
    const quoteRequests = serveCall(quotePath, aQuote());
    const cancelRequests = serveCall(cancelPath, aSubscription({ status: 'active' }));
    serveStandardLicensee({});

    await userEvent.click(keepButton);

    expect(await screen.findByText('The change was dropped')).toBeVisible();
    expect(screen.getByText(/^Your plan has not changed\. You keep Standard\.$/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Keep Standard' })).not.toBeInTheDocument();
    expect(cancelRequests).toHaveLength(1);
    await waitFor(() => expect(quoteRequests).toHaveLength(1));
  });

  it("shows the server's message when the scheduled change can't be cancelled", async () => {
    serveStandardLicensee({ scheduled_change: aScheduledChange() });
    serveCall(cancelPath, { name: 'ERRCONFLICT', message: 'A payment is on its way.' }, 409);
    openConfirmScreen();
    await userEvent.click(await findKeepButton());
    expect(await screen.findByText('A payment is on its way.')).toBeVisible();
    expect(await findKeepButton()).toBeVisible();
  });

  it('shows why the server refuses a quote, and offers only to cancel the scheduled change', async () => {
    serveStandardLicensee({ scheduled_change: aScheduledChange() });
    const message = 'A plan change is scheduled for the next days. Drop it first.';
    serveCall(quotePath, { name: 'ERRCONFLICT', message }, 409);
    openConfirmScreen();
    expect(await screen.findByText(message)).toBeVisible();
    expect(await findKeepButton()).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    expect(queryConfirmButtons()).toEqual([]);
  });
});

describe('while the same change is scheduled', () => {
  it('offers only an immediate change, and requests a quote for it', async () => {
    serveStandardLicensee({ scheduled_change: changeToProfessional });
    const quoteRequests = serveCall(quotePath, aQuote());
    openConfirmScreen();

    expect(await screen.findByText(`This change is made on ${changeDate}`)).toBeVisible();
    expect(screen.getByText('If you confirm, it is made now instead.')).toBeVisible();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
    expect(await screen.findByText('$342.10 AUD')).toBeVisible();
    expect(quoteRequests).toEqual([
      { body: { priceId: 'professional_yearly', interval: 'yearly', currency: 'AUD' }, query: '' },
    ]);
    expect(await findConfirmButton()).toBeVisible();
  });

  it('has no Confirm button when the provider can’t change a plan now', async () => {
    serveStandardLicensee({ scheduled_change: changeToProfessional }, ['change_now']);
    openConfirmScreen();
    expect(await findKeepButton()).toBeVisible();
    expect(screen.getByText('You have Standard until then.')).toBeVisible();
    expect(queryConfirmButtons()).toEqual([]);
    expect(screen.queryByText(/can’t be made here/)).not.toBeInTheDocument();
  });

  it('says that there is nothing to confirm when this screen scheduled the change before a reload', async () => {
    serveStandardLicensee({ scheduled_change: changeToProfessional });
    openConfirmScreen({ ...changeState, when: 'renewal' });
    expect(
      await screen.findByRole('heading', { name: 'Your change to Professional is scheduled' }),
    ).toBeVisible();
    expect(
      screen.getByText(`It is made on ${changeDate}. There is nothing to confirm.`),
    ).toBeVisible();
  });
});

it('offers only to keep the current plan when the customer chooses it while another plan is scheduled', async () => {
  serveStandardLicensee({ scheduled_change: changeToProfessional });
  openConfirmScreen({ ...changeState, to: standardYearly });
  expect(await findKeepButton()).toBeVisible();
  expect(queryConfirmButtons()).toEqual([]);
});

it('says that the scheduled change takes place if the pending change is not paid', async () => {
  serveStandardLicensee(
    { pending_change: { replaces: aScheduledChange() } },
    [],
    planChangePayment,
  );
  openConfirmScreen();
  expect(
    await screen.findByText(
      /You keep Standard until .*\. Then it changes to Standard, monthly, as scheduled\.$/,
    ),
  ).toBeVisible();
});
