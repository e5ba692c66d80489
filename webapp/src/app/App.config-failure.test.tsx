import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { routes } from '@/lib/paths';
import { aLicense, aUser } from '@/testing/fixtures';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { renderApp } from './testing';

const choice = { product: 'professional', interval: 'yearly', currency: 'AUD' };
const query = new URLSearchParams({ ...choice, customer: 'cus_1', debug: 'true' });
const confirmState = { user: aUser(), from: { ...choice, product: 'standard' }, to: choice };

const failConfig = () =>
  server.use(http.get('/vc-admin/diy/config.json', () => HttpResponse.error()));

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  failConfig();
});

describe('when the configuration fails to load', () => {
  it.each([
    [routes.plans, 'Plans for every practice', serveVisitor],
    [routes.regform, 'Create your account', serveVisitor],
    [routes.contact, 'Contact sales', serveVisitor],
    [routes.cards, 'Payment methods', serveUser],
    [routes.payment, 'Payment', serveUser],
    [routes.confirm, 'Confirm your plan', () => serveUser({ license: aLicense() })],
    [routes.dash, 'Dashboard', serveUser],
  ])('%s shows its title, and the error in one column', async (pathname, title, serve) => {
    serve();
    renderApp({ pathname, search: `?${query}`, state: { ...confirmState, mode: 'update' } });

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(/try again later!.*Network Error/i);
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeInTheDocument();
    const columns = [...document.querySelectorAll('.page')].filter((column) =>
      column.contains(alert),
    );
    expect(columns).toHaveLength(1);
  });

  it('loads the screen after Try again', async () => {
    serveVisitor();
    const { user } = renderApp(`${routes.regform}?${query}`);
    const tryAgain = await screen.findByRole('button', { name: 'Try again' });
    serveConfig();
    await user.click(tryAgain);

    expect(await screen.findByLabelText('Organization')).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
