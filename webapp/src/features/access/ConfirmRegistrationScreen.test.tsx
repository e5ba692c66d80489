import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import type { RegistrationSummary } from '@/api';
import { errorResponse, serveConfig, servePost, serveUser, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import ConfirmRegistrationScreen from './ConfirmRegistrationScreen';

const route = '/vc-admin/auth/confirm';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig();
  serveVisitor();
});

const serveCall = (call: 'show' | 'confirm' | 'reject', respond: () => Response) =>
  servePost(`/vc-admin/auth/verify/${call}`, respond);
const linkContent = { org: 'Harbour Clinic', email: 'mara@harbour.example' };
const pressYes = () => userEvent.click(screen.getByRole('button', { name: 'Yes, this is me' }));
const pressReject = () =>
  userEvent.click(screen.getByRole('button', { name: 'I did not register' }));

async function openLink(changes: Partial<RegistrationSummary> = {}) {
  const requests = serveCall('show', () => HttpResponse.json({ ...linkContent, ...changes }));
  const location = renderScreen(ConfirmRegistrationScreen, `${route}?token=SECRET&debug=true`);
  await screen.findByText('Harbour Clinic');
  expect(requests).toContainEqual({ token: 'SECRET' });
  return location;
}

describe('confirming a registration', () => {
  it('shows the organisation and the address, and moves the token from the URL to the history state', async () => {
    const location = await openLink();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(
      'Confirm your registration',
    );
    expect(screen.getByText('mara@harbour.example')).toBeVisible();
    expect(location.path).toBe(`${route}?debug=true`);
    expect(location.state).toEqual({ token: 'SECRET' });
  });

  it('reads the token from the history state after a reload', async () => {
    const requests = serveCall('show', () => HttpResponse.json(linkContent));
    renderScreen(ConfirmRegistrationScreen, { pathname: route, state: { token: 'SECRET' } });
    await screen.findByText('Harbour Clinic');
    expect(requests).toEqual([{ token: 'SECRET' }]);
  });

  it('neither confirms nor deletes the registration before a button is pressed', async () => {
    const confirmRequests = serveCall('confirm', () => HttpResponse.json({}));
    const rejectRequests = serveCall('reject', () => HttpResponse.json({}));
    await openLink();
    expect(confirmRequests).toEqual([]);
    expect(rejectRequests).toEqual([]);
  });

  it('asks for the password after Yes, confirms the registration with it and opens the dashboard', async () => {
    const location = await openLink();
    const confirmRequests = serveCall('confirm', () => {
      serveUser();
      return HttpResponse.json({});
    });
    await pressYes();
    const password = screen.getByLabelText('Password chosen at registration');
    expect(password).toHaveFocus();
    await userEvent.type(password, 'Tide-And-Time-7{Enter}');
    await waitFor(() => expect(location.path).toBe('/vc-admin/dash?debug=true'));
    expect(confirmRequests).toEqual([{ token: 'SECRET', password: 'Tide-And-Time-7' }]);
  });

  it.each([
    ['a wrong password', 'ERRCREDENTIALS', 'This is not the password.', 401],
    ['too many attempts', 'ERRRATE', 'That was tried too often.', 429],
  ])(
    "shows the server's message at the password field after %s",
    async (_, name, message, status) => {
      await openLink();
      serveCall('confirm', () => errorResponse(name, message, status));
      await pressYes();
      const password = screen.getByLabelText('Password chosen at registration');
      await userEvent.type(password, 'wrong{Enter}');
      await waitFor(() => expect(password).toHaveAccessibleDescription(message));
      expect(password).toHaveFocus();
    },
  );

  it('passes the email address on to the password reset screen', async () => {
    const location = await openLink();
    await pressYes();
    await userEvent.click(screen.getByRole('link', { name: 'Forgotten password?' }));
    expect(location.path).toBe('/vc-admin/auth/forgot?debug=true');
    expect(location.state).toEqual({ email: 'mara@harbour.example' });
  });

  it('sends no request without a password', async () => {
    const confirmRequests = serveCall('confirm', () => HttpResponse.json({}));
    await openLink();
    await pressYes();
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(screen.getByLabelText('Password chosen at registration')).toHaveAccessibleDescription(
      'Password is required',
    );
    expect(confirmRequests).toEqual([]);
  });

  it('deletes the registration after "I did not register"', async () => {
    const rejectRequests = serveCall('reject', () => HttpResponse.json({}));
    await openLink();
    await pressReject();
    const heading = await screen.findByRole('heading', { name: 'The registration was deleted' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(rejectRequests).toEqual([{ token: 'SECRET' }]);
  });

  it("shows the server's message and keeps the buttons when the registration can’t be deleted", async () => {
    await openLink();
    serveCall('reject', () =>
      errorResponse('ERRCONFLICT', 'This registration has been confirmed', 409),
    );
    await pressReject();
    expect(await screen.findByRole('alert')).toHaveTextContent('has been confirmed');
    expect(screen.getByRole('button', { name: 'Yes, this is me' })).toBeVisible();
  });
});

const orgError = 'An organisation with this name is already registered';
const emailError = 'This email address is already registered';

describe('a registration whose name another organisation has verified first', () => {
  it('says that the name is taken and confirms the registration with another name', async () => {
    const location = await openLink({ taken: ['org'] });
    const confirmRequests = serveCall('confirm', () => {
      serveUser();
      return HttpResponse.json({});
    });
    expect(screen.getByRole('alert')).toHaveTextContent(
      'Another organisation with this name was verified first.',
    );
    expect(screen.queryByText(/another browser/)).not.toBeInTheDocument();

    const org = screen.getByLabelText('Organization');
    expect(org).toHaveValue('Harbour Clinic');
    await userEvent.clear(org);
    await userEvent.type(org, ' Harbour Clinic Sydney ');
    await userEvent.type(
      screen.getByLabelText('Password chosen at registration'),
      'Tide-And-Time-7{Enter}',
    );

    await waitFor(() => expect(location.path).toBe('/vc-admin/dash?debug=true'));
    expect(confirmRequests).toEqual([
      { token: 'SECRET', password: 'Tide-And-Time-7', org: 'Harbour Clinic Sydney' },
    ]);
  });

  it('sends no request without a name and a password', async () => {
    const confirmRequests = serveCall('confirm', () => HttpResponse.json({}));
    await openLink({ taken: ['org'] });
    const org = screen.getByLabelText('Organization');
    await userEvent.clear(org);
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(org).toHaveAccessibleDescription('Org name is required');
    expect(org).toHaveFocus();
    expect(screen.getByLabelText('Password chosen at registration')).toHaveAccessibleDescription(
      'Password is required',
    );
    expect(confirmRequests).toEqual([]);
  });

  it('asks for another name when the name is taken after the page was loaded', async () => {
    await openLink();
    serveCall('confirm', () => errorResponse('ERRDUPLICATE', orgError, 400, { org: orgError }));
    await pressYes();
    expect(screen.queryByLabelText('Organization')).not.toBeInTheDocument();
    const password = screen.getByLabelText('Password chosen at registration');
    await userEvent.type(password, 'Tide-And-Time-7{Enter}');

    const org = await screen.findByLabelText('Organization');
    expect(org).toHaveAccessibleDescription(orgError);
    expect(org).toHaveFocus();
    expect(password).toHaveValue('Tide-And-Time-7');
  });
});

describe('a registration whose email address has an account', () => {
  it('links to the sign-in form and the password reset, with the address', async () => {
    const location = await openLink({ taken: ['org', 'email'] });
    expect(screen.getByRole('heading', { name: 'This address has an account' })).toBeVisible();
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Forgotten password?' })).toHaveAttribute(
      'href',
      '/vc-admin/auth/forgot?debug=true',
    );
    await userEvent.click(screen.getByRole('link', { name: 'Sign in' }));
    expect(location).toEqual({
      path: '/vc-admin/dash?debug=true',
      state: { email: 'mara@harbour.example' },
    });
  });

  it('says so when the account was verified after the page was loaded', async () => {
    await openLink();
    serveCall('confirm', () =>
      errorResponse('ERRDUPLICATE', emailError, 400, { email: emailError }),
    );
    await pressYes();
    await userEvent.type(
      screen.getByLabelText('Password chosen at registration'),
      'Tide-And-Time-7{Enter}',
    );
    const heading = await screen.findByRole('heading', { name: 'This address has an account' });
    await waitFor(() => expect(heading).toHaveFocus());
  });
});

describe('a registration that was replaced', () => {
  it('asks to look for the newest email', async () => {
    await openLink({ replaced: true });
    expect(screen.getByRole('heading', { name: 'This registration was replaced' })).toBeVisible();
    expect(screen.getByText(/look for our newest email/)).toBeVisible();
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute(
      'href',
      '/vc-admin/dash?debug=true',
    );
    expect(screen.getByRole('link', { name: 'Choose a plan' })).toBeVisible();
  });
});

describe('loading the registration', () => {
  it('says that the link is unknown or too old when the server does not find it', async () => {
    serveCall('show', () => errorResponse('ERRNOTFOUND', 'No.', 404));
    renderScreen(ConfirmRegistrationScreen, `${route}?token=OLD`);
    expect(
      await screen.findByRole('heading', { name: 'This link is unknown or too old' }),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/vc-admin/dash');
  });

  it('loads the registration again when Try again is pressed after a server error', async () => {
    serveCall('show', () => errorResponse('ERRINTERNAL', 'Something went wrong.', 500));
    renderScreen(ConfirmRegistrationScreen, `${route}?token=SECRET`);
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong.');
    serveCall('show', () => HttpResponse.json(linkContent));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Harbour Clinic')).toBeVisible();
  });
});
