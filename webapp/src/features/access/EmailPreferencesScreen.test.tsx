import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { errorResponse, serveConfig, servePost, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import EmailPreferencesScreen from './EmailPreferencesScreen';

const route = '/vc-admin/auth/emails';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig();
  serveVisitor();
});

const serveCall = (call: 'show' | 'edit', respond: () => Response) =>
  servePost(`${route}/${call}`, respond);
const preferences = {
  org: 'Harbour Clinic',
  email: 'accounts@harbour.example',
  notices: [
    { kind: 'card_expires', declined: true },
    { kind: 'plan_renews_soon', declined: false },
  ],
};

async function openLink() {
  const requests = serveCall('show', () => HttpResponse.json(preferences));
  const location = renderScreen(EmailPreferencesScreen, `${route}?token=SECRET`);
  await screen.findByText('accounts@harbour.example');
  expect(requests).toContainEqual({ token: 'SECRET' });
  return location;
}

const pressSave = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
const checkbox = (name: RegExp) => screen.getByRole('checkbox', { name });

it('shows checked boxes for the emails that are sent, removes the token from the URL and changes no preference', async () => {
  const requests = serveCall('edit', () => HttpResponse.json({}));
  const location = await openLink();
  expect(screen.getByText('Harbour Clinic')).toBeVisible();
  expect(checkbox(/Your card expires/)).not.toBeChecked();
  expect(checkbox(/Your plan renews/)).toBeChecked();
  expect(location.path).toBe(route);
  expect(requests).toEqual([]);
});

it('saves which emails are turned off, and removes the success message after the next change', async () => {
  const requests = serveCall('edit', () => HttpResponse.json({}));
  await openLink();
  await userEvent.click(checkbox(/Your card expires/));
  await userEvent.click(checkbox(/Your plan renews/));
  await pressSave();
  expect(await screen.findByText('Your choice is saved.')).toBeVisible();
  expect(requests).toEqual([{ token: 'SECRET', declined: ['plan_renews_soon'] }]);

  await userEvent.click(checkbox(/Your plan renews/));
  expect(screen.queryByText('Your choice is saved.')).toBeNull();
});

it("shows the server's message and keeps the button when saving fails", async () => {
  await openLink();
  serveCall('edit', () => errorResponse('ERRUNAVAILABLE', 'Please try again.', 503));
  await pressSave();
  expect(await screen.findByText('Please try again.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled();
});

it('says that the link is unknown or too old when the server does not find it', async () => {
  serveCall('show', () => errorResponse('ERRNOTFOUND', 'No.', 404));
  renderScreen(EmailPreferencesScreen, `${route}?token=OLD`);
  expect(
    await screen.findByRole('heading', { name: 'This link is unknown or too old' }),
  ).toBeVisible();
});
