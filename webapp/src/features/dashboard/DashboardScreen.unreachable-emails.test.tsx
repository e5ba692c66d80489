import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { capabilitiesWithout, fullProvider } from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import DashboardScreen from './DashboardScreen';

const title = 'We can’t reach accounts@harbour.example';

it('names the unreachable address and sends its confirmation link again', async () => {
  serveConfig();
  serveUser({ unreachableEmails: ['accounts@harbour.example'] });
  const requests = servePost('/vc-admin/org/billing/email/resend', () => HttpResponse.json({}));
  renderScreen(DashboardScreen, '/vc-admin/dash');

  const notice = (await screen.findByText(title)).closest('div') as HTMLElement;
  expect(within(notice).getByRole('link', { name: 'Enter another billing email' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/details',
  );
  await userEvent.click(within(notice).getByRole('button', { name: 'Send the link' }));
  expect(
    await screen.findByText('A link is on its way to accounts@harbour.example.'),
  ).toBeVisible();
  expect(requests).toEqual([{ email: 'accounts@harbour.example' }]);
});

it.each([
  ['when all addresses can be reached', { unreachableEmails: undefined }, capabilitiesWithout()],
  [
    'on a server without billing details',
    { unreachableEmails: ['accounts@harbour.example'] },
    capabilitiesWithout('billing_details'),
  ],
])('shows no notice %s', async (_, user, capabilities) => {
  serveConfig({ provider: { ...fullProvider, capabilities } });
  serveUser(user);
  renderScreen(DashboardScreen, '/vc-admin/dash');
  await screen.findByText(/^Signed in as/);
  expect(screen.queryByText(title)).toBeNull();
});
