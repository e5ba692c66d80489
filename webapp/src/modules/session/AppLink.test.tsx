import { render, screen } from '@testing-library/react';
import { type InitialEntry, MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { routes } from '@/lib/paths';
import { useConfigStore } from '@/modules/config/config-store';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { AppLink, Redirect } from './AppLink';
import { useSessionStore } from './session-store';

async function load() {
  await useConfigStore.getState().load();
  await useSessionStore.getState().refresh();
}

/** Returns the address of a link on a screen at this address. */
async function linkAt(at: InitialEntry, intoArea = false) {
  await load();
  render(
    <MemoryRouter initialEntries={[at]}>
      <AppLink to={routes.billing} intoArea={intoArea}>
        Billing
      </AppLink>
    </MemoryRouter>,
  );
  return screen.getByRole('link').getAttribute('href');
}

describe('a link of the app', () => {
  it('has no debug parameter without debug', async () => {
    serveConfig();
    serveVisitor();
    expect(await linkAt('/vc-admin/dash')).toBe(routes.billing);
  });

  it.each<[string, InitialEntry]>([
    ['address', '/vc-admin/dash?debug=true'],
    ['navigation state', { pathname: '/vc-admin/dash', state: { debug: true } }],
  ])('keeps debug of the %s', async (_, at) => {
    serveConfig({ live: true });
    serveVisitor();
    expect(await linkAt(at)).toBe(`${routes.billing}?debug=true`);
  });

  it.each([
    [
      'has debug for a signed-in user if it leads into the area',
      false,
      `${routes.billing}?debug=true`,
    ],
    ['has no debug if it leads into a live area', true, routes.billing],
  ])('%s', async (_, live, address) => {
    serveConfig({ live });
    serveUser();
    expect(await linkAt('/vc-admin/dash', true)).toBe(address);
  });

  it('has no debug for a signed-in user within the area', async () => {
    serveConfig({ live: false });
    serveUser();
    expect(await linkAt('/vc-admin/dash')).toBe(routes.billing);
  });
});

describe('a redirect', () => {
  it.each(['', '?debug=true'])('keeps the debug parameter of its address: "%s"', async (query) => {
    serveConfig();
    serveUser();
    await load();
    render(
      <MemoryRouter initialEntries={[`/vc-admin/diy/end${query}`]}>
        <Routes>
          <Route path={routes.end} element={<Redirect to={routes.plans} />} />
          <Route path={routes.plans} element={<Address />} />
        </Routes>
      </MemoryRouter>,
    );
    expect(screen.getByText(`${routes.plans}${query}`)).toBeVisible();
  });
});

function Address() {
  const { pathname, search } = useLocation();
  return <p>{pathname + search}</p>;
}
