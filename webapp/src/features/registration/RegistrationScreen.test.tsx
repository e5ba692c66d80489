import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { dateText } from '@/testing/date-text';
import { deferred } from '@/testing/deferred';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import RegistrationScreen from './RegistrationScreen';
import { formPath, openRegistrationForm } from './testing';

const formPathWithQuery = (query: string) => `/vc-admin/diy/regform?${query}`;

describe('RegistrationScreen', () => {
  it.each([
    ['no product', 'interval=yearly&currency=AUD'],
    ['no interval', 'product=standard&currency=AUD'],
    ['no currency', 'product=standard&interval=yearly'],
    ['no parameters', ''],
    ['an empty product', 'product=&interval=yearly&currency=AUD'],
  ])('redirects to the plans when the URL has %s', async (_, query) => {
    serveConfig();
    serveVisitor();
    const location = renderScreen(RegistrationScreen, formPathWithQuery(query));
    await waitFor(() => expect(location.path).toBe('/vc-admin/diy/plans'));
  });

  it('keeps the debug parameter in the redirect to the plans', async () => {
    serveConfig();
    serveVisitor();
    const location = renderScreen(
      RegistrationScreen,
      formPathWithQuery('product=standard&debug=true'),
    );
    await waitFor(() => expect(location.path).toBe('/vc-admin/diy/plans?debug=true'));
  });

  it('redirects a signed-in user to the dashboard', async () => {
    serveConfig();
    serveUser();
    const location = renderScreen(
      RegistrationScreen,
      formPathWithQuery('product=standard&interval=yearly&currency=AUD'),
    );
    await waitFor(() => expect(location.path).toBe('/vc-admin/dash'));
  });

  it.each([
    ['enterprise', 'yearly'],
    ['multi-user', 'monthly'],
  ])(
    'redirects to the contact screen for the plan %s, %s, which has no price',
    async (product, interval) => {
      serveConfig();
      serveVisitor();
      const query = `product=${product}&interval=${interval}`;
      const location = renderScreen(
        RegistrationScreen,
        formPathWithQuery(`${query}&currency=AUD&debug=true`),
      );
      await waitFor(() => expect(location.path).toBe(`/vc-admin/diy/contact?${query}`));
      expect(location.state).toEqual({ debug: true });
    },
  );

  it('shows the title, and says that the form is loading, while the session is loading', async () => {
    serveConfig();
    const { promise: response, resolve: respond } = deferred<Response>();
    server.use(http.get('/vc-admin/user/detail', () => response));
    renderScreen(RegistrationScreen, formPath);
    expect(screen.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('Loading...');
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    respond(HttpResponse.json({ detail: null }));
    expect(await screen.findByLabelText('First name')).toBeVisible();
  });
});

describe('the registration form', () => {
  it('says which characters a name may contain', async () => {
    await openRegistrationForm();
    expect(screen.getByLabelText('First name')).toHaveAccessibleDescription(
      'Letters only, words separated by spaces',
    );
  });

  it('names the terms that the visitor agrees to, and links to them', async () => {
    await openRegistrationForm();
    expect(screen.getByText(/^By submitting you agree/).closest('p')).toHaveTextContent(
      'By submitting you agree to our Terms and Privacy.',
    );
    expect(screen.getByRole('link', { name: 'Terms' })).toHaveAttribute(
      'href',
      'https://www.vision.example/terms',
    );
  });
});

describe('the plan summary', () => {
  it('shows the plan, the price with its tax, and the steps to the first charge', async () => {
    await openRegistrationForm();
    const banner = screen.getByText('You are subscribing to a Professional plan');
    expect(banner).toBeVisible();
    expect(banner.compareDocumentPosition(screen.getByLabelText('First name'))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
    expect(screen.getByText('$816 AUD')).toBeVisible();
    expect(screen.getByText('per year')).toBeVisible();
    expect(screen.getByText('includes 10 % GST')).toBeVisible();
    const date = dateText(Date.now() + 7 * 86_400_000, 'Australia/Sydney');
    await screen.findByText(date); // in the zone of the browser until the time zones are loaded
    expect(
      within(screen.getByRole('region', { name: 'Your choice' })).getByRole('list'),
    ).toHaveTextContent(
      `Today$0You create your accountWhen you add a card$0Your 7-day free trial starts${date}$816First charge, if you add your card today`,
    );
    expect(screen.getByText(/You pay nothing today\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Change plan?' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/plans?debug=true',
    );
  });

  it('shows the date of the first charge in the time zone of the state in the form', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-27T15:30:00Z'), toFake: ['Date'] });
    await openRegistrationForm();
    expect(await screen.findByText('December 5, 2026')).toBeVisible(); // the 5th in Sydney

    await userEvent.selectOptions(
      screen.getByLabelText('State/Province'),
      await screen.findByRole('option', { name: 'Western Australia' }),
    );
    expect(await screen.findByText('December 4, 2026')).toBeVisible();
  });

  it('shows the price per month in the currency of the URL for monthly billing', async () => {
    await openRegistrationForm(formPathWithQuery('product=standard&interval=monthly&currency=eur'));
    expect(screen.getByText('€25 EUR')).toBeVisible();
    expect(screen.getByText('per month')).toBeVisible();
  });

  it('shows the price in the default currency when the currency of the URL is unknown', async () => {
    await openRegistrationForm(formPathWithQuery('product=standard&interval=yearly&currency=ZZZ'));
    expect(screen.getByText('$420 AUD')).toBeVisible();
  });

  it.each(['product=gold&interval=yearly', 'product=standard&interval=weekly'])(
    'is missing when the URL has an unknown plan or interval: %s',
    async (query) => {
      await openRegistrationForm(formPathWithQuery(`${query}&currency=AUD`));
      expect(screen.queryByText(/You are subscribing to/)).not.toBeInTheDocument();
    },
  );
});
