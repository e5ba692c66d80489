import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import type { UserAccount } from '@/api';
import { fullProvider } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { serveUserAccount } from './testing';
import UserAccountScreen from './UserAccountScreen';

const newEmail = { email: 'mara@new.example', expiresAt: '2026-11-23T00:00:00Z' };
const accepted = () => HttpResponse.json({}, { status: 202 });

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

/** Opens the account screen and returns the section with the email. */
async function openEmailSection(account: Partial<UserAccount> = {}) {
  serveConfig({ provider: fullProvider });
  serveUser();
  serveUserAccount(account);
  renderScreen(UserAccountScreen, '/vc-admin/diy/account');
  return within(await screen.findByRole('region', { name: 'Email' }));
}

it('requests another email and shows it as not confirmed', async () => {
  const requests = servePost('/vc-admin/user/email', () => {
    serveUserAccount({ newEmail });
    return accepted();
  });
  const section = await openEmailSection();
  expect(section.getByText('mara@harbour.example')).toBeVisible();
  await userEvent.type(section.getByLabelText('New email'), ' Mara@New.example{Enter}');

  expect(await section.findByText('Not confirmed yet')).toBeVisible();
  expect(section.getByText('mara@new.example')).toBeVisible();
  expect(section.getByText('Please check the inbox of your new email')).toBeVisible();
  expect(section.getByLabelText('New email')).toHaveValue('');
  expect(requests).toEqual([{ email: 'mara@new.example' }]);
});

it('sends no invalid email', async () => {
  const requests = servePost('/vc-admin/user/email', accepted);
  const section = await openEmailSection();
  await userEvent.type(section.getByLabelText('New email'), 'mara{Enter}');
  expect(section.getByLabelText('New email')).toHaveAccessibleDescription('Invalid email address!');
  expect(section.getByLabelText('New email')).toHaveFocus();
  expect(requests).toEqual([]);
});

it("shows the server's message at the field", async () => {
  const message = 'This is your email already';
  servePost('/vc-admin/user/email', () =>
    errorResponse('ERRVALIDATION', message, 400, { email: message }),
  );
  const section = await openEmailSection();
  await userEvent.type(section.getByLabelText('New email'), 'mara@harbour.example{Enter}');
  await waitFor(() =>
    expect(section.getByLabelText('New email')).toHaveAccessibleDescription(message),
  );
});

it('cancels the pending change after the user has confirmed the identity', async () => {
  const responses = [
    () => errorResponse('ERRREAUTHENTICATE', 'Please confirm that it is you.', 403),
    () => {
      serveUserAccount();
      return accepted();
    },
  ];
  const requests = servePost('/vc-admin/user/email/cancel', () =>
    (responses.shift() ?? accepted)(),
  );
  const section = await openEmailSection({ newEmail });
  await userEvent.click(
    section.getByRole('button', { name: 'Cancel the change to mara@new.example' }),
  );
  const dialog = await screen.findByRole('dialog', { name: "Confirm it's you" });
  servePost('/auth/login', () => HttpResponse.json({}));
  await userEvent.type(within(dialog).getByLabelText('Password'), 'Tide-And-Time-7');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Sign In' }));

  await waitFor(() => expect(section.queryByText('Not confirmed yet')).not.toBeInTheDocument());
  expect(section.getByRole('heading', { name: 'Email' })).toHaveFocus();
  expect(requests).toHaveLength(2);
});

it('no longer says that a link was sent when the change is cancelled', async () => {
  servePost('/vc-admin/user/email', () => {
    serveUserAccount({ newEmail });
    return accepted();
  });
  servePost('/vc-admin/user/email/cancel', () => {
    serveUserAccount();
    return accepted();
  });
  const section = await openEmailSection();
  await userEvent.type(section.getByLabelText('New email'), 'mara@new.example{Enter}');
  const sent = 'Please check the inbox of your new email';
  expect(await section.findByText(sent)).toBeVisible();
  await userEvent.click(section.getByRole('button', { name: /^Cancel/ }));

  await waitFor(() => expect(section.queryByText(sent)).not.toBeInTheDocument());
  expect(section.queryByText('Not confirmed yet')).not.toBeInTheDocument();
});

it('keeps the pending change and says why it was not cancelled', async () => {
  servePost('/vc-admin/user/email/cancel', () => errorResponse('ERRINTERNAL', 'No luck.', 500));
  const section = await openEmailSection({ newEmail });
  await userEvent.click(section.getByRole('button', { name: /^Cancel/ }));
  expect(await section.findByText('The new email was not cancelled')).toBeVisible();
  expect(section.getByText('Not confirmed yet')).toBeVisible();
});
