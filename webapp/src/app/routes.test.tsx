import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { aLicense, anOrganisation, aUser } from '@/testing/fixtures';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { renderApp } from './testing';

const choice = 'product=professional&interval=yearly&currency=AUD';

const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name });

beforeEach(() => serveConfig());

describe('every screen is at its address', () => {
  it.each([
    ['/vc-admin/diy/plans', 'Plans for every practice'],
    [`/vc-admin/diy/regform?${choice}`, 'Create your account'],
    ['/vc-admin/diy/contact?product=enterprise&interval=yearly', 'Contact sales'],
    ['/vc-admin/dash', 'Sign in'],
    ['/vc-admin/auth/forgot', 'Forgotten password'],
    ['/vc-admin/auth/reset', 'This link can not be used'],
  ])('%s shows "%s" to a visitor', async (address, title) => {
    serveVisitor();
    const { location } = renderApp(address);

    expect(await findTitle(title)).toBeVisible();
    expect(location.path).toBe(address);
  });

  it.each([
    [`/vc-admin/diy/payment?${choice}&debug=true`, 'Payment'],
    ['/vc-admin/diy/cards', 'Payment cards'],
  ])('%s shows "%s" to a user', async (address, title) => {
    serveUser();
    server.use(http.get('/vc-admin/org/customer/cards', () => HttpResponse.json({ data: [] })));
    const { location } = renderApp(address);

    expect(await findTitle(title)).toBeVisible();
    expect(location.path).toBe(address);
  });

  it('/vc-admin/diy/confirm shows the choice of the plans page', async () => {
    const license = aLicense();
    serveUser({ license });
    const to = { product: 'professional', interval: 'yearly', currency: 'AUD' };
    const user = { ...aUser({ license }), org: anOrganisation() };
    renderApp({ pathname: '/vc-admin/diy/confirm', state: { user, to, from: to, mode: 'update' } });

    expect(await findTitle('Confirm your plan')).toBeVisible();
    expect(await screen.findByText('CHANGING TO')).toBeVisible();
  });
});
