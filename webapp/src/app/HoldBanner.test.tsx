import { screen, within } from '@testing-library/react';
import { aLicense, anOpenPayment } from '@/testing/fixtures';
import { serveConfig, serveUser } from '@/testing/handlers';
import { renderApp } from './testing';

const bannerName = { name: 'Disputed payment' };

describe('the banner about a disputed payment', () => {
  it.each(['/vc-admin/dash', '/vc-admin/diy/plans', '/vc-admin/diy/contact'])(
    'on %s describes what is not possible and whom to contact',
    async (address) => {
      serveConfig();
      serveUser({ hold: 'disputed', pastLicense: aLicense() });
      renderApp(address);
      const banner = within(await screen.findByRole('region', bannerName));
      expect(
        banner.getByText(/payment of your organisation is disputed.*you can’t subscribe or change/),
      ).toBeVisible();
      expect(banner.getByRole('link')).toHaveAttribute(
        'href',
        expect.stringMatching(/^mailto:.+@/),
      );
    },
  );

  it('is replaced by the banner about an open payment', async () => {
    serveConfig();
    serveUser({ hold: 'disputed', openPayment: anOpenPayment() });
    renderApp('/vc-admin/diy/contact');
    expect(await screen.findByRole('region', { name: 'Open payment' })).toBeVisible();
    expect(screen.queryByRole('region', bannerName)).not.toBeInTheDocument();
  });

  it('is shown for a license on hold', async () => {
    serveConfig();
    serveUser({ license: aLicense({ hold: 'disputed' }) });
    renderApp('/vc-admin/dash');
    expect(await screen.findByRole('region', bannerName)).toBeVisible();
  });

  it.each([null, undefined, 'refunded'])('is hidden for the hold %s', async (hold) => {
    serveConfig();
    serveUser({ hold: hold as null });
    renderApp('/vc-admin/dash');
    await screen.findByRole('heading', { name: 'Byron Clinic' });
    expect(screen.queryByRole('region', bannerName)).not.toBeInTheDocument();
  });
});
