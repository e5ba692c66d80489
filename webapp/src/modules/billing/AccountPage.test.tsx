import { screen, waitFor, within } from '@testing-library/react';
import { useConfigStore } from '@/modules/config/config-store';
import { serveConfig, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { AccountPage } from './AccountPage';

const Page = () => (
  <AccountPage title="Any page">
    <p>Content</p>
  </AccountPage>
);

function renderPage(url: string, config: Parameters<typeof serveConfig>[0] = {}) {
  serveConfig(config);
  serveUser();
  renderScreen(Page, url);
}

describe('the navigation of the account area', () => {
  it('links to every page and marks the link of the current page', async () => {
    renderPage('/vc-admin/diy/invoices?debug=true');

    const links = within(await screen.findByRole('navigation')).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Dashboard', '/vc-admin/dash?debug=true'],
      ['Invoices', '/vc-admin/diy/invoices?debug=true'],
      ['Payment methods', '/vc-admin/diy/cards?debug=true'],
      ['Billing details', '/vc-admin/diy/details?debug=true'],
      ['Members', '/vc-admin/diy/members?debug=true'],
      ['Your account', '/vc-admin/diy/account?debug=true'],
    ]);
    const currentLinks = links.filter((link) => link.getAttribute('aria-current') === 'page');
    expect(currentLinks.map((link) => link.textContent)).toEqual(['Invoices']);
  });

  it('marks Invoices on the page of one invoice', async () => {
    renderPage('/vc-admin/diy/invoices/in_1');

    expect(await screen.findByRole('link', { current: 'page' })).toHaveTextContent('Invoices');
  });

  it('is absent for a server that has only the specified cards screen', async () => {
    renderPage('/vc-admin/diy/cards', { provider: { kind: 'acme', capabilities: undefined } });

    await waitFor(() => expect(useConfigStore.getState().state.status).toBe('ready'));
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  });
});
