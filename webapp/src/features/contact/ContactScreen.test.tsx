import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import { ContactScreen } from './ContactScreen';

const path = '/vc-admin/diy/contact';

beforeEach(serveVisitor);

describe('the contact screen', () => {
  it.each([
    ['enterprise', 'For Enterprise solutions, send your query to us'],
    ['multi-user', 'For Multi-User solutions, send your query to us'],
    ['gold', 'Send your query to us'],
  ])('for the plan %s shows the heading "%s"', async (product, heading) => {
    serveConfig();
    renderScreen(ContactScreen, `${path}?product=${product}&interval=yearly`);

    expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
  });

  it.each(['', '?interval=yearly', '?product=enterprise&interval=weekly'])(
    'names no plan for the query "%s"',
    async (query) => {
      serveConfig();
      renderScreen(ContactScreen, path + query);

      expect(await screen.findByRole('heading', { name: 'Send your query to us' })).toBeVisible();
    },
  );

  it('names the plan when the query has no interval', async () => {
    serveConfig();
    renderScreen(ContactScreen, `${path}?product=enterprise`);

    expect(await screen.findByRole('heading', { name: /^For Enterprise solutions/ })).toBeVisible();
  });

  it('links to the email address and the phone number', async () => {
    serveConfig({ contact: { email: 'sales@vision.example', phone: '+61 (2) 5550 0100' } });
    renderScreen(ContactScreen, path);

    expect(await screen.findByRole('link', { name: 'sales@vision.example' })).toHaveAttribute(
      'href',
      'mailto:sales@vision.example',
    );
    expect(screen.getByRole('link', { name: '+61 (2) 5550 0100' })).toHaveAttribute(
      'href',
      'tel:+61255500100',
    );
  });

  it('links to the plans and keeps the debug parameter', async () => {
    serveConfig();
    const location = renderScreen(ContactScreen, { pathname: path, state: { debug: true } });

    await userEvent.click(await screen.findByRole('link', { name: 'Compare the plans' }));

    expect(location.path).toBe('/vc-admin/diy/plans?debug=true');
  });

  it('shows a message when the configuration can’t be loaded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    server.use(http.get('/vc-admin/diy/config.json', () => HttpResponse.error()));
    renderScreen(ContactScreen, path);

    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again later!');
    expect(screen.getByRole('heading', { name: 'Contact sales' })).toBeVisible();
  });
});
