import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { errorResponse, serveConfig, servePost, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import ConfirmBillingEmailScreen from './ConfirmBillingEmailScreen';

const route = '/vc-admin/auth/billing-email';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig();
  serveVisitor();
});

const serveCall = (call: 'show' | 'confirm', respond: () => Response) =>
  servePost(`${route}/${call}`, respond);
const linkContent = { org: 'Harbour Clinic', email: 'accounts@harbour.example' };

async function openLink() {
  const requests = serveCall('show', () => HttpResponse.json(linkContent));
  const location = renderScreen(ConfirmBillingEmailScreen, `${route}?token=SECRET`);
  await screen.findByText('Harbour Clinic');
  expect(requests).toContainEqual({ token: 'SECRET' });
  return location;
}

const pressConfirm = () =>
  userEvent.click(screen.getByRole('button', { name: 'Confirm this address' }));

it('shows the organisation and the address, removes the token from the URL and sends no confirmation', async () => {
  const requests = serveCall('confirm', () => HttpResponse.json({}));
  const location = await openLink();
  expect(screen.getByText('accounts@harbour.example')).toBeVisible();
  expect(location.path).toBe(route);
  expect(requests).toEqual([]);
});

it('confirms the address when the button is pressed', async () => {
  const requests = serveCall('confirm', () => HttpResponse.json({}));
  await openLink();
  await pressConfirm();

  const heading = await screen.findByRole('heading', { name: 'Your email address is confirmed' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(requests).toEqual([{ token: 'SECRET' }]);
});

it("shows the server's message and keeps the button when the confirmation fails", async () => {
  await openLink();
  serveCall('confirm', () => errorResponse('ERRNOTFOUND', 'This link is unknown or too old.', 404));
  await pressConfirm();
  expect(await screen.findByText('This link is unknown or too old.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Confirm this address' })).toBeEnabled();
});

it('says that the link is unknown or too old when the server does not find it', async () => {
  serveCall('show', () => errorResponse('ERRNOTFOUND', 'No.', 404));
  renderScreen(ConfirmBillingEmailScreen, `${route}?token=OLD`);
  expect(
    await screen.findByRole('heading', { name: 'This link is unknown or too old' }),
  ).toBeVisible();
});

it('loads the link again when Try again is pressed after a server error', async () => {
  serveCall('show', () => errorResponse('ERRINTERNAL', 'Something went wrong.', 500));
  renderScreen(ConfirmBillingEmailScreen, `${route}?token=SECRET`);
  expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong.');
  serveCall('show', () => HttpResponse.json(linkContent));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Harbour Clinic')).toBeVisible();
});
