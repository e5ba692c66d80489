import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { BillPayment, Config } from '@/api';
import { capabilitiesWithout } from '@/testing/fixtures';
import { serveConfig } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import CardsScreen from './CardsScreen';
import { aBankAccount, serveCall, serveCards, serveList } from './testing';

const provider: Config['provider'] = {
  kind: 'acme',
  entry: 'redirect',
  capabilities: capabilitiesWithout(),
};
const before = aBankAccount('0006');
const added = aBankAccount('0042');
const pathname = '/vc-admin/diy/cards';
const button = () => screen.findByRole('button', { name: 'Add a payment method' });

/** Returns the row of the bank account with these last digits. */
async function findAccount(digits: string) {
  const [name] = await screen.findAllByText(`Bank account •••• ${digits}`);
  return within(name?.closest('li') as HTMLElement);
}

/** Opens the screen and leaves it for the provider's page; `state` is its navigation state. */
async function leave(state?: object) {
  const pages = serveCall('cards/page', { url: 'https://pay.example/method' });
  renderScreen(CardsScreen, { pathname, state });
  await findAccount('0006');
  await userEvent.click(await button());
  await waitFor(() =>
    expect(window.location.assign).toHaveBeenCalledWith('https://pay.example/method'),
  );
  return pages;
}

const comeBack = () => renderScreen(CardsScreen, { pathname, search: '?returned=1' });

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveCards([before], before.id);
  serveConfig({ provider });
});

afterEach(() => sessionStorage.clear());

it('leads to the provider’s page, and again when the browser restores the screen', async () => {
  const pages = await leave();
  expect(await button()).toHaveAttribute('aria-busy', 'true');
  act(() => window.dispatchEvent(new Event('pageshow')));
  expect(await button()).not.toHaveAttribute('aria-busy', 'true');
  expect(pages).toEqual([{}]);
});

it('shows why the page can’t be opened', async () => {
  serveCall('cards/page', { name: 'ERRBUSY', message: 'Please wait a moment.' }, 409);
  renderScreen(CardsScreen, pathname);
  await findAccount('0006');
  await userEvent.click(await button());
  expect(await screen.findByRole('alert')).toHaveTextContent('Please wait a moment.');
});

it('makes the method that was saved on the page the default one', async () => {
  await leave();
  cleanup();
  serveList([added, before]);
  const bodies = serveCall('cards/add', { ...added, payment: null });
  const location = comeBack();

  expect(
    await screen.findByText(
      'Bank account •••• 0042 was added and is your default payment method now.',
    ),
  ).toBeVisible();
  expect(await (await findAccount('0042')).findByText('Default')).toBeVisible();
  expect(bodies).toEqual([{ paymentMethodId: added.id, set_default: true }]);
  expect(location.path).toBe(pathname);
});

it('shows that an overdue bill was paid with the method', async () => {
  await leave();
  cleanup();
  serveList([added, before]);
  const payment: BillPayment = {
    status: 'paid',
    invoiceId: 'in_1',
    amount: 3900,
    currency: 'AUD',
    message: '',
    payment_intent: null,
  };
  serveCall('cards/add', { ...added, payment });
  comeBack();

  expect(await screen.findByText(/Your overdue bill of \$39 AUD was paid\./)).toBeVisible();
});

it('goes back to the screen that requested a method', async () => {
  const state = { redirectTo: '/vc-admin/diy/confirm', mode: 'update' };
  await leave(state);
  cleanup();
  serveList([added, before]);
  serveCall('cards/add', { ...added, payment: null });
  const location = comeBack();

  await waitFor(() => expect(location.path).toBe('/vc-admin/diy/confirm'));
  expect(location.state).toEqual(state);
});

it('says that nothing was added when the customer comes back without saving', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await leave();
  cleanup();
  const location = comeBack();
  expect(await screen.findByText('Checking your payment methods...')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(4000));

  expect(await screen.findByText('No payment method was added')).toBeVisible();
  expect(await button()).toBeEnabled();
  expect(location.path).toBe(pathname);
});

it('shows why a saved method did not become the default one', async () => {
  await leave();
  cleanup();
  serveList([added, before]);
  serveCall('cards/add', { name: 'ERRBUSY', message: 'Please wait a moment.' }, 409);
  comeBack();

  expect(await screen.findByText('Please wait a moment.')).toBeVisible();
  expect(await findAccount('0042')).toBeDefined();
});

it('shows only the list when the visit is unknown', async () => {
  serveList([added, before]);
  comeBack();
  await findAccount('0042');
  expect(screen.queryByText(/was added/)).not.toBeInTheDocument();
  expect(screen.queryByText('Checking your payment methods...')).not.toBeInTheDocument();
});

it('shows the list as failed when the methods can’t be loaded after the visit', async () => {
  await leave();
  cleanup();
  server.use(http.get('/vc-admin/org/customer/cards', () => HttpResponse.error()));
  comeBack();
  expect(await screen.findByText(/could not be loaded/)).toBeVisible();
});
