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

/** Renders a link on a screen at this entry of the history, and returns the link's URL. */
async function linkUrlAt(entry: InitialEntry, entersArea = false) {
  await load();
  render(
    <MemoryRouter initialEntries={[entry]}>
      <AppLink to={routes.cards} entersArea={entersArea}>
        Cards
      </AppLink>
    </MemoryRouter>,
  );
  return screen.getByRole('link').getAttribute('href');
}

describe('a link of the app', () => {
  it('has no debug parameter without debug', async () => {
    serveConfig();
    serveVisitor();
    expect(await linkUrlAt('/vc-admin/dash')).toBe(routes.cards);
  });

  it.each<[string, InitialEntry]>([
    ['URL', '/vc-admin/dash?debug=true'],
    ['navigation state', { pathname: '/vc-admin/dash', state: { debug: true } }],
  ])('keeps the debug parameter of the %s', async (_, entry) => {
    serveConfig({ live: true });
    serveVisitor();
    expect(await linkUrlAt(entry)).toBe(`${routes.cards}?debug=true`);
  });

  it.each([
    [
      'has the debug parameter for a signed-in user if it leads into the area',
      false,
      `${routes.cards}?debug=true`,
    ],
    ['has no debug parameter if it leads into a live area', true, routes.cards],
  ])('%s', async (_, live, url) => {
    serveConfig({ live });
    serveUser();
    expect(await linkUrlAt('/vc-admin/dash', true)).toBe(url);
  });

  it('has no debug parameter for a signed-in user without entersArea', async () => {
    serveConfig({ live: false });
    serveUser();
    expect(await linkUrlAt('/vc-admin/dash')).toBe(routes.cards);
  });
});

describe('a redirect', () => {
  it.each(['', '?debug=true'])(
    'has the debug parameter only if the current URL has it: "%s"',
    async (query) => {
      serveConfig();
      serveUser();
      await load();
      render(
        <MemoryRouter initialEntries={[`/vc-admin/diy/end${query}`]}>
          <Routes>
            <Route path={routes.end} element={<Redirect to={routes.plans} />} />
            <Route path={routes.plans} element={<CurrentUrl />} />
          </Routes>
        </MemoryRouter>,
      );
      expect(screen.getByText(`${routes.plans}${query}`)).toBeVisible();
    },
  );
});

function CurrentUrl() {
  const { pathname, search } = useLocation();
  return <p>{pathname + search}</p>;
}
