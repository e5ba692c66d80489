import { screen } from '@testing-library/react';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { renderApp } from './testing';

const findTitle = (name: RegExp | string) => screen.findByRole('heading', { level: 1, name });

describe('the app', () => {
  beforeEach(() => {
    serveConfig();
    serveVisitor();
  });

  it.each(['/vc-admin/diy', '/vc-admin/diy/'])('redirects %s to the plans', async (path) => {
    const { location } = renderApp(`${path}?debug=true`);

    expect(await findTitle('Plans for every practice')).toBeVisible();
    expect(location.path).toBe('/vc-admin/diy/plans?debug=true');
    expect(document.title).toBe('Plans and pricing · Vision');
  });

  it.each(['/vc-admin/diy/plan', '/vc-admin/diy/regform/extra', '/elsewhere'])(
    'shows the not-found screen at %s, with links',
    async (path) => {
      renderApp(`${path}?debug=true`);

      expect(await findTitle(/can’t find this page/)).toBeVisible();
      expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute(
        'href',
        '/vc-admin/diy/plans?debug=true',
      );
    },
  );

  it('moves the focus to the title of the new screen', async () => {
    const { user } = renderApp('/vc-admin/diy/nowhere');

    await user.click(await screen.findByRole('link', { name: 'See the plans' }));

    expect(await findTitle('Plans for every practice')).toHaveFocus();
  });

  it('has Skip to content as the first link in the tab order', async () => {
    const { user } = renderApp('/vc-admin/diy/plans');
    await screen.findByRole('radio', { name: 'AUD' });

    await user.tab();

    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
    expect(screen.getByRole('main')).toHaveAttribute('id', 'main');
  });
});
