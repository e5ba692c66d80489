import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { catalogueWithoutTrials, fullProvider } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import RegisteredScreen from './RegisteredScreen';
import { loadDraft } from './registration-draft';

/** Opens the screen with this navigation state as a visitor. */
function openRegisteredScreen(state: unknown, search = '') {
  serveConfig();
  serveVisitor();
  return renderScreen(RegisteredScreen, { pathname: '/vc-admin/diy/registered', search, state });
}

const state = { email: 'mara@harbour.example', name: 'Mara' };

describe('RegisteredScreen', () => {
  it('shows the email address and asks to verify it', () => {
    openRegisteredScreen(state);
    expect(screen.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
    expect(screen.getByRole('main')).toHaveTextContent(
      'Thank you, Mara. An email was sent to mara@harbour.example',
    );
    expect(
      screen.getByText(
        'Please check your inbox to verify your account and login with your credentials',
      ),
    ).toBeVisible();
  });

  it('passes the address to the sign-in form', async () => {
    const location = openRegisteredScreen(state);
    const link = screen.getByRole('link', { name: 'Sign In' });
    expect(link).toHaveAttribute('href', '/vc-admin/dash');
    await userEvent.click(link);
    expect(location).toEqual({ path: '/vc-admin/dash', state: { email: state.email } });
  });

  it.each([
    [null, '', '/vc-admin/diy/plans'],
    ['nonsense', '', '/vc-admin/diy/plans'],
    [{ email: 5 }, '?debug=true', '/vc-admin/diy/plans?debug=true'],
  ])(
    'redirects to the plans with the state %j and the query "%s"',
    (invalidState, search, target) => {
      const location = openRegisteredScreen(invalidState, search);
      expect(screen.queryByRole('heading')).not.toBeInTheDocument();
      expect(location.path).toBe(target);
    },
  );

  it('shows the steps to the trial and the price of the chosen plan', async () => {
    const choice = { product: 'professional', interval: 'yearly', currency: 'AUD' };
    openRegisteredScreen({ ...state, choice });
    const steps = screen.getByRole('region', { name: 'What comes next' });
    await waitFor(() =>
      expect(steps).toHaveTextContent(
        /CardSign in and add it: \$0 todayTrial7 days free, then \$816 AUD per year$/,
      ),
    );
    expect(within(steps).getByText('Email').closest('li')).toHaveAttribute('aria-current', 'step');
  });

  it.each([
    [
      'begins with a trial',
      {},
      /SubscriptionSign in and subscribe: \$0 todayTrial7 days free, then \$816 AUD per year$/,
    ],
    [
      'has no trial',
      { catalogue: catalogueWithoutTrials() },
      /SubscriptionSign in and subscribePlan\$816 AUD per year$/,
    ],
  ])(
    'asks for no card if the provider has no card field and the plan %s',
    async (_, config, text) => {
      serveVisitor();
      serveConfig({ ...config, provider: { ...fullProvider, entry: 'redirect' } });
      const choice = { product: 'professional', interval: 'yearly', currency: 'AUD' };
      renderScreen(RegisteredScreen, {
        pathname: '/vc-admin/diy/registered',
        search: '',
        state: { ...state, choice },
      });
      const steps = screen.getByRole('region', { name: 'What comes next' });
      await waitFor(() => expect(steps).toHaveTextContent(text));
    },
  );

  it('counts down a minute before the email can be sent again', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const requests = servePost('/vc-admin/auth/verify/resend', () =>
      HttpResponse.json({}, { status: 202 }),
    );
    openRegisteredScreen({ ...state, sentAt: Date.now() });
    const button = await screen.findByRole('button', { name: 'Send the email again' });
    expect(button).toHaveTextContent('Send the email again in 1:00');
    await userEvent.click(button);
    expect(requests).toEqual([]);

    act(() => void vi.advanceTimersByTime(18_000));
    expect(button).toHaveTextContent('Send the email again in 0:42');
    act(() => void vi.advanceTimersByTime(42_000));
    await userEvent.click(button);
    expect(await screen.findByText(/a new link is on its way/)).toBeVisible();
    expect(button).toHaveTextContent('Send the email again in 1:00');
  });

  it('sends the email again immediately when the time of the last email is unknown', async () => {
    const requests = servePost('/vc-admin/auth/verify/resend', () =>
      HttpResponse.json({}, { status: 202 }),
    );
    openRegisteredScreen(state);
    await userEvent.click(await screen.findByRole('button', { name: 'Send the email again' }));
    expect(await screen.findByText(/a new link is on its way/)).toBeVisible();
    expect(requests).toEqual([{ email: state.email }]);
  });

  it.each([
    ['the submitted form', '?product=professional&interval=yearly&currency=AUD'],
    ['nothing, when it is unknown', ''],
  ])('leads back to the form with %s', async (_, search) => {
    const draft = { firstName: 'Mara', org: 'Harbour', password: 'Tide-And-Time-7', city: 5 };
    const location = openRegisteredScreen(
      { ...state, ...(search && { form: { draft, search } }) },
      '?debug=true',
    );
    await userEvent.click(screen.getByRole('link', { name: 'Wrong address? Correct it' }));
    expect(location.path).toBe(`/vc-admin/diy/regform${search ? `${search}&` : '?'}debug=true`);
    expect(loadDraft()).toEqual(search ? { firstName: 'Mara', org: 'Harbour' } : {});
    expect(sessionStorage.getItem('registrationDraft')).not.toContain('Tide-And-Time-7');
  });

  it("shows the server's message when the email can't be sent again", async () => {
    servePost('/vc-admin/auth/verify/resend', () =>
      errorResponse('ERRRATE', 'Please wait a little.', 429),
    );
    openRegisteredScreen(state);
    await userEvent.click(await screen.findByRole('button', { name: 'Send the email again' }));
    expect(await screen.findByText('Please wait a little.')).toBeVisible();
  });
});
