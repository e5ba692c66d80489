import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { purchaseNotice, rememberPurchaseNotice } from '@/modules/session/purchase-notice';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { renderApp } from './testing';

describe('the header', () => {
  /** Waits for the link with this name, and returns the URL of each link in the navigation by its text. */
  const findLinkUrls = async (name: string) => {
    await screen.findByRole('link', { name });
    const links = within(screen.getByRole('navigation')).getAllByRole('link');
    return Object.fromEntries(links.map((link) => [link.textContent, link.getAttribute('href')]));
  };
  const commonLinks = {
    PRICING: '/vc-admin/diy/plans',
    'Join Meeting': '/',
    Solutions: 'https://www.vision.example/solutions',
  };

  beforeEach(() => serveConfig());

  it('links to the sign-in form for a visitor', async () => {
    serveVisitor();
    renderApp('/vc-admin/diy/plans');
    await screen.findByRole('link', { name: 'Solutions' });

    expect(await findLinkUrls('Sign In')).toEqual({ ...commonLinks, 'Sign In': '/vc-admin/dash' });
  });

  it('has a Sign Out link for a signed-in user', async () => {
    serveUser();
    renderApp('/vc-admin/diy/plans');
    await screen.findByRole('link', { name: 'Solutions' });

    expect(await findLinkUrls('Sign Out')).toMatchObject({
      'Join Meeting': '/',
      'Sign Out': '/vc-admin/auth/logout',
    });
  });

  const notice = { title: 'You paid', text: '', email: 'ada@clinic.example' };
  it.each([
    ['a visitor', 'keeps', serveVisitor, 'Sign In', notice],
    ['a signed-in user', 'removes', serveUser, 'Sign Out', null],
  ] as const)('for %s %s the notice about a purchase', async (_who, _what, serve, link, stored) => {
    rememberPurchaseNotice(notice);
    serve();
    renderApp('/vc-admin/diy/plans');
    await findLinkUrls(link);
    expect(purchaseNotice()).toEqual(stored);
  });

  it.each([
    [false, '?debug=true'],
    [true, ''],
  ])(
    'adds debug to the links of a user unless the area is live (live: %s)',
    async (live, query) => {
      serveConfig({ live });
      serveUser();
      renderApp('/vc-admin/diy/plans?debug=false');
      await screen.findByRole('link', { name: 'Solutions' });

      expect(await findLinkUrls('Sign Out')).toMatchObject({
        PRICING: `/vc-admin/diy/plans${query}`,
        Dashboard: `/vc-admin/dash${query}`,
      });
    },
  );

  it('keeps debug on links within the area', async () => {
    serveVisitor();
    renderApp('/vc-admin/diy/plans?debug=1');

    expect(await findLinkUrls('Sign In')).toMatchObject({
      PRICING: '/vc-admin/diy/plans?debug=true',
      'Sign In': '/vc-admin/dash?debug=true',
      'Join Meeting': '/',
    });
  });

  it('marks the link of the current screen', async () => {
    serveVisitor();
    renderApp('/vc-admin/diy/plans');

    expect(await screen.findByRole('link', { name: 'PRICING' })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });

  it('opens its menu with the button, and closes it with Escape and with a navigation', async () => {
    serveVisitor();
    const { user } = renderApp('/vc-admin/diy/plans');
    const menu = screen.getByRole('button', { name: 'Menu' });
    expect(menu).toHaveAttribute('aria-expanded', 'false');

    await user.click(menu);
    expect(menu).toHaveAttribute('aria-expanded', 'true');
    await user.keyboard('{Escape}');
    expect(menu).toHaveAttribute('aria-expanded', 'false');

    await user.click(menu);
    await user.click(screen.getByRole('link', { name: 'PRICING' }));
    expect(menu).toHaveAttribute('aria-expanded', 'false');
  });
});

describe('the account menu', () => {
  const serveLogout = () =>
    server.use(http.get('/vc-admin/auth/logout', () => HttpResponse.json({})));

  it('links to the screens of the account and closes with Escape', async () => {
    serveConfig();
    serveUser();
    const { user } = renderApp('/vc-admin/diy/plans?debug=true');
    const button = await screen.findByRole('button', { name: 'Byron Clinic' });
    expect(button).toHaveAttribute('aria-expanded', 'false');

    button.focus();
    await user.keyboard('{Enter}');
    expect(button).toHaveAttribute('aria-expanded', 'true');
    await user.tab();
    expect(screen.getByRole('link', { name: 'Invoices' })).toHaveFocus();
    for (const [name, page] of [
      ['Invoices', 'invoices'],
      ['Payment methods', 'cards'],
    ] as const) {
      expect(screen.getByRole('link', { name })).toHaveAttribute(
        'href',
        `/vc-admin/diy/${page}?debug=true`,
      );
    }

    await user.keyboard('{Escape}');
    expect(button).toHaveAttribute('aria-expanded', 'false');
    expect(button).toHaveFocus();
  });

  it.each([
    ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
    ['a click elsewhere', () => fireEvent.pointerDown(document.body)],
  ])('closes with %s in a browser that does not focus a clicked button', async (_action, close) => {
    serveConfig();
    serveUser();
    renderApp('/vc-admin/diy/plans');
    const button = await screen.findByRole('button', { name: 'Byron Clinic' });

    fireEvent.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    close();
    expect(button).toHaveAttribute('aria-expanded', 'false');
  });

  it('signs out with its button', async () => {
    serveConfig();
    serveUser();
    serveLogout();
    const { user } = renderApp('/vc-admin/diy/plans?debug=true');
    await user.click(await screen.findByRole('button', { name: 'Byron Clinic' }));
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    expect(await screen.findByRole('link', { name: 'Sign In' })).toBeVisible();
  });
});

describe('Sign Out', () => {
  const logout = '/vc-admin/auth/logout';

  beforeEach(() => {
    serveConfig();
    serveUser();
    server.use(http.get('/vc-admin/org/customer/cards', () => HttpResponse.json({ data: [] })));
  });

  async function signOutFrom(url: string) {
    const app = renderApp(url);
    await app.user.click(await screen.findByRole('link', { name: 'Sign Out' }));
    return app;
  }

  it.each(['/vc-admin/diy/cards?debug=true', '/vc-admin/diy/plans?debug=true'])(
    'ends the session by a call and opens the sign-in form from %s',
    async (url) => {
      const sentHeaders: Headers[] = [];
      server.use(
        http.get(logout, ({ request }) => {
          sentHeaders.push(request.headers);
          return HttpResponse.json({});
        }),
      );
      const { location } = await signOutFrom(url);

      expect(await screen.findByRole('link', { name: 'Sign In' })).toBeVisible();
      // The URL changes when the script of the sign-in form is loaded.
      await waitFor(() => expect(location.path).toBe('/vc-admin/dash?debug=true'), {
        timeout: 60_000,
      });
      expect(sentHeaders.map((headers) => headers.get('X-Requested-With'))).toEqual([
        'XMLHttpRequest',
      ]);
    },
  );

  it('logs a failure and keeps the session and the screen', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const failure = { name: 'ERRINTERNAL', message: 'Something went wrong.' };
    server.use(http.get(logout, () => HttpResponse.json(failure, { status: 500 })));
    const { location } = await signOutFrom('/vc-admin/diy/cards?debug=true');

    await vi.waitFor(() => expect(log).toHaveBeenCalled());
    expect(location.path).toBe('/vc-admin/diy/cards?debug=true');
    expect(screen.getByRole('link', { name: 'Sign Out' })).toBeVisible();
  });
});
