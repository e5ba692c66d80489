import { screen, within } from '@testing-library/react';
import { serveConfig, serveUser, serveVisitor } from '@/testing/answers';
import { renderApp } from '@/testing/render-app';

describe('the header', () => {
  const hrefs = async (last: string) => {
    await screen.findByRole('link', { name: last });
    const links = within(screen.getByRole('navigation')).getAllByRole('link');
    return Object.fromEntries(links.map((link) => [link.textContent, link.getAttribute('href')]));
  };
  const always = {
    PRICING: '/vc-admin/diy/plans',
    'Join Meeting': '/',
    Solutions: 'https://www.vision.example/solutions',
  };

  beforeEach(() => serveConfig());

  it('leads a visitor to sign in', async () => {
    serveVisitor();
    renderApp('/vc-admin/diy/plans');
    await screen.findByRole('link', { name: 'Solutions' });

    expect(await hrefs('Sign In')).toEqual({ ...always, 'Sign In': '/vc-admin/dash' });
  });

  it('leads a user to the dashboard and out', async () => {
    serveUser();
    renderApp('/vc-admin/diy/plans');
    await screen.findByRole('link', { name: 'Solutions' });

    expect(await hrefs('Sign Out')).toEqual({
      ...always,
      Dashboard: '/vc-admin/dash',
      'Sign Out': '/vc-admin/auth/logout',
    });
  });

  it('takes debug along within the area', async () => {
    serveVisitor();
    renderApp('/vc-admin/diy/plans?debug=1');

    expect(await hrefs('Sign In')).toMatchObject({
      PRICING: '/vc-admin/diy/plans?debug=true',
      'Sign In': '/vc-admin/dash?debug=true',
      'Join Meeting': '/',
    });
  });

  it('marks where one is', async () => {
    serveVisitor();
    renderApp('/vc-admin/diy/plans');

    expect(await screen.findByRole('link', { name: 'PRICING' })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });

  it('opens its links in place, and closes them with Escape or by leaving', async () => {
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
