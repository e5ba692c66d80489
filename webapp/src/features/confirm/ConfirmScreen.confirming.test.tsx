import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { aCard } from '@/testing/card-provider';
import { deferred } from '@/testing/deferred';
import { aNextAction, aSubscription, capabilitiesWithout } from '@/testing/fixtures';
import { server } from '@/testing/server';
import {
  aLicenseWithStatus,
  changeState,
  findConfirmButton,
  listPath,
  openAndConfirm,
  openConfirmScreen,
  priceChoice,
  professionalYearly,
  resubscriptionState,
  serveCall,
  serveLicensee,
  subscribePath,
  updatePath,
} from './testing';

const card = aCard('4242');

it('confirms without a card and shows the transfer details when customers pay invoices', async () => {
  serveLicensee(aLicenseWithStatus('active'), null, null, {
    provider: {
      kind: 'invoice',
      entry: 'invoice',
      capabilities: capabilitiesWithout('quotes', 'saved_methods'),
    },
  });
  const next = aNextAction({
    kind: 'wait',
    instructions: [{ label: 'Reference', value: 'INV-2' }],
  });
  const updateRequests = serveCall(updatePath, {
    ...aSubscription({ status: 'incomplete' }),
    outcome: 'processing',
    next,
  });
  await openAndConfirm();
  expect(await screen.findByRole('heading', { name: 'Pay your invoice' })).toBeVisible();
  expect(screen.getByText('INV-2')).toBeVisible();
  expect(updateRequests[0]?.body).toEqual(priceChoice);
});

describe('confirming a change of plan', () => {
  beforeEach(() => void serveLicensee(aLicenseWithStatus('trialing'), card));

  it.each(['', '?debug=true'])(
    'sends the update with the query "%s" of the page and reports the success',
    async (query) => {
      const updateRequests = serveCall(updatePath, aSubscription({ status: 'active' }));
      await openAndConfirm(changeState, query);

      await screen.findByText('Subscription update, success!');
      expect(screen.getByText('Logging you out... please wait and login again!')).toBeVisible();
      expect(updateRequests).toEqual([{ body: priceChoice, query }]);
    },
  );

  it('shows and focuses a busy view until the response arrives', async () => {
    const { promise: response, resolve: respond } = deferred<Response>();
    server.use(http.post(`/vc-admin/${updatePath}`, () => response));
    await openAndConfirm();

    const busyView = screen.getByRole('status');
    expect(busyView).toHaveTextContent('Please wait...');
    expect(busyView).toHaveTextContent('Updating your subscription');
    expect(busyView).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Confirm' })).not.toBeInTheDocument();

    respond(HttpResponse.json(aSubscription({ status: 'active' })));
    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
  });

  it('reports the success when the change is refused because another tab has made it', async () => {
    serveCall(
      updatePath,
      { name: 'ERRCONFLICT', message: 'This is your current plan already.' },
      409,
    );
    openConfirmScreen();
    await findConfirmButton();
    serveLicensee(aLicenseWithStatus('active', professionalYearly), card);
    await userEvent.click(await findConfirmButton());

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
  });

  it('says that the payment is on its way, and stays signed in, while the payment is processing', async () => {
    serveCall(updatePath, aSubscription({ status: 'incomplete', payment: 'processing' }));
    await openAndConfirm();

    expect(await screen.findByText('Your payment is on its way')).toBeVisible();
    expect(window.location.assign).not.toHaveBeenCalled();
  });
});

describe('confirming a new subscription after the last one has ended', () => {
  const customer = { customerId: 'cus_1', paymentMethodId: 'pm_4242' };
  beforeEach(() => void serveLicensee(null, card));

  it('subscribes without a trial when a subscription was canceled before', async () => {
    const listRequests = serveCall(listPath, { data: [aSubscription({ status: 'canceled' })] });
    const subscribeRequests = serveCall(subscribePath, aSubscription({ status: 'active' }));
    openConfirmScreen(resubscriptionState, '?debug=true');
    await findConfirmButton();
    expect(screen.getByText('Your Standard plan has ended.')).toBeVisible();
    expect(screen.getByText('(ended)')).toBeVisible();
    expect(screen.getByText('Your subscription will start now.')).toBeVisible();

    await userEvent.click(await findConfirmButton());

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(listRequests).toEqual([{ body: { status: 'canceled' }, query: '' }]);
    expect(subscribeRequests).toEqual([
      { body: { ...priceChoice, ...customer, no_trial: true }, query: '?debug=true' },
    ]);
  });

  it('allows a trial when no subscription was canceled before', async () => {
    serveCall(listPath, { data: [] });
    const subscribeRequests = serveCall(subscribePath, aSubscription({ status: 'trialing' }));
    await openAndConfirm(resubscriptionState);

    expect(await screen.findByText('Subscription update, success!')).toBeVisible();
    expect(subscribeRequests).toEqual([
      { body: { ...priceChoice, ...customer, no_trial: false }, query: '' },
    ]);
  });
});
