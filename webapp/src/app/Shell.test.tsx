import { screen } from '@testing-library/react';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { renderApp } from './testing';

describe('a navigation', () => {
  beforeEach(() => {
    serveConfig();
    serveVisitor();
  });

  it('scrolls to the top', async () => {
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
    const { user } = renderApp('/vc-admin/diy/contact');
    await screen.findByRole('heading', { name: 'Contact sales' });
    expect(scroll).not.toHaveBeenCalled();

    await user.click(screen.getByRole('link', { name: 'PRICING' }));
    await screen.findByRole('heading', { name: 'Plans for every practice' });

    expect(scroll).toHaveBeenCalledExactlyOnceWith(0, 0);
  });
});
