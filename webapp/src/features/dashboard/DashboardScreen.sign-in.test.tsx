import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Config } from '@/api';
import { rememberPurchaseNotice } from '@/modules/session/purchase-notice';
import { deferred } from '@/testing/deferred';
import { errorResponse, serveConfig, servePost, serveUser, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import DashboardScreen from './DashboardScreen';

let consoleError: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
});

/** Opens the dashboard as a visitor, who sees the sign-in form. */
async function openSignInForm(query = '', state?: unknown, config: Partial<Config> = {}) {
  serveConfig({ loginQuery: { realm: 'diy' }, ...config });
  serveVisitor();
  const location = renderScreen(DashboardScreen, {
    pathname: '/vc-admin/dash',
    search: query,
    state,
  });
  await screen.findByRole('heading', { name: 'Sign in' });
  return location;
}

/** Serves the sign-in call; returns the queries and bodies of the requests, in one list. */
function serveSignIn(respond: () => Response | Promise<Response>) {
  const requests: unknown[] = [];
  server.use(
    http.post('/auth/login', async ({ request }) => {
      requests.push(new URL(request.url).search, await request.json());
      return respond();
    }),
  );
  return requests;
}

async function signIn(email = 'Ada@Clinic.Example', password = 'Secret123') {
  await userEvent.type(screen.getByLabelText('Email'), email);
  await userEvent.type(screen.getByLabelText('Password'), `${password}{Enter}`);
}

describe('the sign-in form', () => {
  it('sends the email in lower case with the login query, and opens the dashboard', async () => {
    const location = await openSignInForm('?verified=1&debug=true');
    const requests = serveSignIn(() => {
      serveUser();
      return HttpResponse.json({});
    });
    await signIn();
    await screen.findByText(/^Signed in as/);
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Dashboard' })).toHaveFocus());
    expect(requests).toEqual([
      '?realm=diy',
      { username: 'ada@clinic.example', password: 'Secret123' },
    ]);
    expect(location.path).toBe('/vc-admin/dash?debug=true');
  });

  it('has fields for password managers and can show the password', async () => {
    await openSignInForm();
    expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username');
    const password = screen.getByLabelText('Password');
    expect(password).toHaveAttribute('autocomplete', 'current-password');
    expect(password).toHaveAttribute('type', 'password');
    await userEvent.click(screen.getByRole('button', { name: 'Show Password' }));
    expect(password).toHaveAttribute('type', 'text');
  });

  it('requires both fields and focuses an empty one', async () => {
    await openSignInForm();
    const button = screen.getByRole('button', { name: 'Sign In' });
    await userEvent.click(button);
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('email is required');
    expect(screen.getByLabelText('Email')).toHaveFocus();
    await userEvent.type(screen.getByLabelText('Email'), 'ada@clinic.example');
    await userEvent.click(button);
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Password is required');
    expect(screen.getByLabelText('Password')).toHaveFocus();
    expect(screen.getByLabelText('Email')).toBeValid();
  });

  it('sends no second request while one is pending', async () => {
    await openSignInForm();
    const { promise, resolve } = deferred();
    const requests = serveSignIn(async () => {
      await promise;
      return errorResponse('ERRCREDENTIALS', 'No.', 401);
    });
    await signIn();
    const button = screen.getByRole('button', { name: 'Sign In' });
    expect(button).toHaveAttribute('aria-busy', 'true');
    await userEvent.click(button);
    resolve();
    await screen.findByRole('alert');
    expect(requests).toHaveLength(2); // the query and the body
  });

  it('is filled in with the email address of a registration', async () => {
    await openSignInForm('', { email: 'mara@harbour.example' });
    expect(screen.getByLabelText('Email')).toHaveValue('mara@harbour.example');
  });

  it('links to the plans and keeps the debug parameter', async () => {
    await openSignInForm('?debug=true');
    expect(screen.getByRole('link', { name: 'Choose a plan' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/plans?debug=true',
    );
  });
});

describe('a forgotten password', () => {
  it('opens the password reset screen with the address in the form', async () => {
    const location = await openSignInForm('?debug=true');
    await userEvent.type(screen.getByLabelText('Email'), 'Ada@Clinic.Example');
    await userEvent.click(screen.getByRole('link', { name: 'Forgotten password?' }));
    expect(location.path).toBe('/vc-admin/auth/forgot?debug=true');
    expect(location.state).toEqual({ email: 'ada@clinic.example' });
  });

  it('is reported as changed after a password reset, with the address filled in', async () => {
    await openSignInForm('', { email: 'ada@clinic.example', passwordChanged: true });
    expect(screen.getByRole('status')).toHaveTextContent('Your password was changed');
    expect(screen.getByLabelText('Email')).toHaveValue('ada@clinic.example');
  });
});

describe('a failed sign-in', () => {
  it.each([
    ['ERRCREDENTIALS', 'The email or the password is not right.', 401],
    ['ERRRATE', 'Too many attempts. Please wait a minute.', 429],
    ['ERRINTERNAL', 'Something went wrong on our side.', 500],
  ])("with %s shows the server's message and logs the error", async (name, message, status) => {
    await openSignInForm();
    serveSignIn(() => errorResponse(name, message, status));
    await signIn();
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(screen.getByLabelText('Email')).toHaveValue('Ada@Clinic.Example');
    expect(consoleError).toHaveBeenCalledWith('Signing in failed:', expect.anything());
  });

  it("shows 'Network Error' when the server can’t be reached", async () => {
    await openSignInForm();
    serveSignIn(() => HttpResponse.error());
    await signIn();
    expect(await screen.findByRole('alert')).toHaveTextContent('Network Error');
  });

  it('explains that the address is not verified, and sends the email again', async () => {
    await openSignInForm();
    serveSignIn(() => errorResponse('ERRUNVERIFIED', 'Not verified.', 403));
    const resendRequests = servePost('/vc-admin/auth/verify/resend', () =>
      HttpResponse.json({}, { status: 202 }),
    );
    await signIn();
    expect(await screen.findByText('Please verify your email address first')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Send the email again' }));
    expect(await screen.findByText(/a new link is on its way/)).toBeVisible();
    expect(resendRequests).toEqual([{ email: 'ada@clinic.example' }]);
  });
});

describe('after a payment that signed the user out', () => {
  it('reports the purchase and fills in the email address', async () => {
    rememberPurchaseNotice({
      title: 'You paid $816 AUD',
      text: 'Professional is your plan now.',
      email: 'ada@clinic.example',
    });
    await openSignInForm();
    expect(screen.getByRole('status')).toHaveTextContent(
      'You paid $816 AUDProfessional is your plan now. Sign in to go on.',
    );
    expect(screen.getByLabelText('Email')).toHaveValue('ada@clinic.example');
  });
});

describe('after the link in the verification email', () => {
  it('shows that the address is verified', async () => {
    await openSignInForm('?verified=1');
    const notice = screen.getByRole('status');
    expect(notice).toHaveTextContent('Your email address is verified');
    expect(notice).toHaveTextContent('Sign in to go on.');
  });

  it('says that the link is invalid, and sends a new one to a valid address in the form', async () => {
    const respond = vi.fn(() => HttpResponse.json({}, { status: 202 }));
    server.use(http.post('/vc-admin/auth/verify/resend', respond));
    await openSignInForm('?verified=0');
    expect(screen.getByText('This link is unknown or too old')).toBeVisible();

    const resendButton = screen.getByRole('button', { name: 'Send the email again' });
    await userEvent.click(resendButton);
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('email is required');
    expect(screen.getByLabelText('Email')).toHaveFocus();

    await userEvent.type(screen.getByLabelText('Email'), 'ada@');
    await userEvent.click(resendButton);
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Invalid email address!');
    expect(respond).not.toHaveBeenCalled();

    await userEvent.type(screen.getByLabelText('Email'), 'clinic.example');
    await userEvent.click(resendButton);
    expect(await screen.findByText(/^If this account waits to be verified/)).toBeVisible();
    expect(respond).toHaveBeenCalledOnce();
  });

  it('offers no new link when the server can’t send one', async () => {
    await openSignInForm('?verified=0', undefined, { provider: { kind: 'stripe' } });
    expect(screen.getByText('This link is unknown or too old')).toBeVisible();
    expect(
      screen.getByText('Please open the link in the newest email, or register again.'),
    ).toBeVisible();
    expect(screen.queryByText(/new link/)).not.toBeInTheDocument();
  });
});

it('loads the user again when Try again is pressed after a failure', async () => {
  serveConfig();
  server.use(http.get('/vc-admin/user/detail', () => errorResponse('ERRINTERNAL', 'Oh no', 500)));
  renderScreen(DashboardScreen, '/vc-admin/dash');
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again later!');
  serveUser();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Signed in as Ada Byron, ada@clinic.example')).toBeVisible();
});
