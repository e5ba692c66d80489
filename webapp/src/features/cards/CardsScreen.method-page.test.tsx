import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Config } from '@/api';
import { capabilitiesWithout } from '@/testing/fixtures';
import { serveConfig } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import CardsScreen from './CardsScreen';
import { aBankAccount, anOverduePayment, serveCall, serveCards, serveList } from './testing';

const provider: Config['provider'] = {
  kind: 'acme',
  entry: 'redirect',
  capabilities: capabilitiesWithout(),
};
const oldAccount = aBankAccount('0006');
const newAccount = aBankAccount('0042');
const pathname = '/vc-admin/diy/cards';
const findAddButton = () => screen.findByRole('button', { name: 'Add a payment method' });

/** Returns the row of the bank account with these last digits. */
async function findAccount(digits: string) {
  const [name] = await screen.findAllByText(`Bank account •••• ${digits}`);
  return within(name?.closest('li') as HTMLElement);
}

/** Opens the cards screen and then the provider's page; returns the bodies of the requests for the page. */
async function openMethodPage(state?: object) {
  const pageRequests = serveCall('cards/page', { url: 'https://pay.example/method' });
  renderScreen(CardsScreen, { pathname, state });
  await findAccount('0006');
  await userEvent.click(await findAddButton());
  await waitFor(() =>
    expect(window.location.assign).toHaveBeenCalledWith('https://pay.example/method'),
  );
  return pageRequests;
}

/** Renders the screen anew at the URL to which the provider's page returns. */
function returnFromPage() {
  cleanup();
  return renderScreen(CardsScreen, { pathname, search: '?returned=1' });
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveCards([oldAccount], oldAccount.id);
  serveConfig({ provider });
});

it('opens the provider’s page, and enables the button again when the browser restores the screen', async () => {
  const pageRequests = await openMethodPage();
  expect(await findAddButton()).toHaveAttribute('aria-busy', 'true');
  act(() => window.dispatchEvent(new Event('pageshow')));
  expect(await findAddButton()).not.toHaveAttribute('aria-busy', 'true');
  expect(pageRequests).toEqual([{}]);
});

it("shows the server's message when the page can’t be opened", async () => {
  serveCall('cards/page', { name: 'ERRBUSY', message: 'Please wait a moment.' }, 409);
  renderScreen(CardsScreen, pathname);
  await findAccount('0006');
  await userEvent.click(await findAddButton());
  expect(await screen.findByRole('alert')).toHaveTextContent('Please wait a moment.');
});

it('makes the payment method that was saved on the provider’s page the default one', async () => {
  await openMethodPage();
  serveList([newAccount, oldAccount]);
  const addRequests = serveCall('cards/add', { ...newAccount, payment: null });
  const location = returnFromPage();

  expect(
    await screen.findByText(
      'Bank account •••• 0042 was added and is your default payment method now.',
    ),
  ).toBeVisible();
  expect(await (await findAccount('0042')).findByText('Default')).toBeVisible();
  expect(addRequests).toEqual([{ paymentMethodId: newAccount.id, set_default: true }]);
  expect(location.path).toBe(pathname);
});

it('shows that an overdue invoice was paid with the new method', async () => {
  await openMethodPage();
  serveList([newAccount, oldAccount]);
  serveCall('cards/add', { ...newAccount, payment: anOverduePayment() });
  returnFromPage();

  expect(await screen.findByText(/Your overdue invoice of \$39 AUD was paid\./)).toBeVisible();
});

it('returns to the screen that requested a method with its navigation state', async () => {
  const state = { redirectTo: '/vc-admin/diy/confirm', mode: 'update' };
  await openMethodPage(state);
  serveList([newAccount, oldAccount]);
  serveCall('cards/add', { ...newAccount, payment: null });
  const location = returnFromPage();

  await waitFor(() => expect(location.path).toBe('/vc-admin/diy/confirm'));
  expect(location.state).toEqual(state);
});

it('says that a method may not be confirmed yet when the customer returns without a new one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await openMethodPage();
  const location = returnFromPage();
  expect(await screen.findByText('Checking your payment methods...')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(4000));

  expect(await screen.findByText('No new payment method yet')).toBeVisible();
  expect(screen.getByText(/If you saved one, it is not confirmed yet\./)).toBeVisible();
  expect(screen.queryByText(/nothing has changed/)).toBeNull();
  expect(await findAddButton()).toBeEnabled();
  expect(location.path).toBe(pathname);
});

it("lists the new method with the server's message when it can’t become the default one", async () => {
  await openMethodPage();
  serveList([newAccount, oldAccount]);
  serveCall('cards/add', { name: 'ERRBUSY', message: 'Please wait a moment.' }, 409);
  returnFromPage();

  expect(await screen.findByText('Please wait a moment.')).toBeVisible();
  expect(await findAccount('0042')).toBeDefined();
});

it('shows the list without a result when the tab has stored no visit', async () => {
  serveList([newAccount, oldAccount]);
  returnFromPage();
  await findAccount('0042');
  expect(screen.queryByText(/was added/)).not.toBeInTheDocument();
  expect(screen.queryByText('Checking your payment methods...')).not.toBeInTheDocument();
});

it('says that the methods could not be loaded when the list fails after the visit', async () => {
  await openMethodPage();
  server.use(http.get('/vc-admin/org/customer/cards', () => HttpResponse.error()));
  returnFromPage();
  expect(await screen.findByText(/could not be loaded/)).toBeVisible();
});
