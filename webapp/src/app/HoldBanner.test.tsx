import { screen, within } from '@testing-library/react';
import { aLicense, anOpenPayment } from '@/testing/fixtures';
import { serveConfig, serveUser } from '@/testing/handlers';
import { renderApp } from './testing';

const bannerQuery = { name: 'Disputed payment' };

describe('the banner about a disputed payment', () => {
  it.each(['/vc-admin/dash', '/vc-admin/diy/plans', '/vc-admin/diy/contact'])(
    'on %s explains the restriction and links to an email address',
    async (url) => {
      serveConfig();
      serveUser({ hold: 'disputed', pastLicense: aLicense() });
      renderApp(url);
      const banner = within(await screen.findByRole('region', bannerQuery));
      expect(
        banner.getByText(/payment of your organisation is disputed.*you can’t subscribe or change/),
      ).toBeVisible();
      expect(banner.getByRole('link')).toHaveAttribute(
        'href',
        expect.stringMatching(/^mailto:.+@/),
      );
    },
  );

  it.each([
    ['', 'November 21', undefined],
    [' in the time zone of its invoice', 'November 20', 'Pacific/Honolulu'],
  ])('has the date of the dispute%s', async (_, date, disputeTimeZone) => {
    serveConfig();
    serveUser({ hold: 'disputed', disputedAt: '2026-11-21T00:00:00Z', disputeTimeZone });
    renderApp('/vc-admin/diy/contact');
    const banner = within(await screen.findByRole('region', bannerQuery));
    const sentence = `A payment of your organisation was disputed on ${date}, 2026.`;
    expect(banner.getByText((text) => text.startsWith(sentence))).toBeVisible();
  });

  it('is replaced by the banner about an open payment if the user has both', async () => {
    serveConfig();
    serveUser({ hold: 'disputed', openPayment: anOpenPayment() });
    renderApp('/vc-admin/diy/contact');
    expect(await screen.findByRole('region', { name: 'Open payment' })).toBeVisible();
    expect(screen.queryByRole('region', bannerQuery)).not.toBeInTheDocument();
  });

  it('is shown for a license on hold', async () => {
    serveConfig();
    serveUser({ license: aLicense({ hold: 'disputed' }) });
    renderApp('/vc-admin/diy/contact');
    expect(await screen.findByRole('region', bannerQuery)).toBeVisible();
  });

  it.each([null, undefined, 'refunded'])('is hidden when the hold is %s', async (hold) => {
    serveConfig();
    serveUser({ hold: hold as null });
    renderApp('/vc-admin/dash');
    await screen.findByText(/^Signed in as/);
    expect(screen.queryByRole('region', bannerQuery)).not.toBeInTheDocument();
  });
});
