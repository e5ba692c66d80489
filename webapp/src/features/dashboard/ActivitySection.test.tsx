import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { aBilledSubscription } from '@/testing/fixtures';
import { aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { openDashboard, serveBilling } from './testing';

/** An activity of the response, with these changes. */
const anActivity = (changes: Record<string, unknown> = {}) => ({
  id: '7',
  at: '2026-11-27T09:30:00Z',
  kind: 'plan.changed',
  actor: 'member',
  name: 'Sam Roe',
  priceId: 'professional_yearly',
  ...changes,
});

/** Serves pages of activities and returns the ids before which they were requested. */
function serveActivity(...pages: object[][]) {
  const cursors: (string | null)[] = [];
  server.use(
    http.get('/vc-admin/org/activity', ({ request }) => {
      cursors.push(new URL(request.url).searchParams.get('before'));
      const index = cursors.length - 1;
      return HttpResponse.json({ data: pages[index] ?? [], hasMore: index < pages.length - 1 });
    }),
  );
  return cursors;
}

async function openActivity() {
  serveBilling(aBilledSubscription());
  openDashboard();
  await userEvent.click(await screen.findByRole('button', { name: 'Show activity' }));
}

const texts = async () => {
  const region = within(await screen.findByRole('region', { name: 'Activity' }));
  const rows = await region.findAllByRole('listitem');
  return rows.map((row) => row.querySelector('p')?.textContent);
};

it('loads the activity when it is opened, and says who did what', async () => {
  const cursors = serveActivity([
    anActivity(),
    anActivity({ id: '6', actor: 'support', name: '', kind: 'operator.lifted_hold' }),
    anActivity({ id: '5', actor: 'provider', name: '' }),
    anActivity({ id: '4', name: '', kind: 'plan.resumed' }),
    anActivity({ id: '3', kind: 'member.role_changed', member: 'Ben Lee', role: 'billing' }),
    anActivity({ id: '2', actor: 'provider', kind: 'payment.received', amount: aud(81600) }),
    anActivity({ id: '1', kind: 'invoice.issued', number: 'K7Q2-0001', amount: aud(81600) }),
  ]);
  serveBilling(aBilledSubscription());
  openDashboard();
  const button = await screen.findByRole('button', { name: 'Show activity' });
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(cursors).toEqual([]);

  button.focus();
  await userEvent.keyboard('{Enter}');

  expect(await texts()).toEqual([
    'Sam Roe changed the plan to Professional, yearly.',
    'Our support lifted the hold on the account.',
    'The plan was changed to Professional, yearly.',
    'A former member resumed the plan.',
    'Sam Roe changed the role of Ben Lee to Billing.',
    'A payment of $816 AUD arrived.',
    'Invoice K7Q2-0001 of $816 AUD was issued.',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Hide activity' }));
  expect(screen.queryByText('Our support lifted the hold on the account.')).toBeNull();
});

it('distinguishes members who left from members whom others removed', async () => {
  serveActivity([
    anActivity({ id: '5', kind: 'member.left' }),
    anActivity({ id: '4', kind: 'member.left', name: undefined }),
    anActivity({ id: '3', kind: 'member.removed', name: undefined }),
    anActivity({ id: '2', kind: 'member.removed' }),
    anActivity({ id: '1', kind: 'member.removed', actor: 'support', name: undefined }),
  ]);
  await openActivity();
  expect(await texts()).toEqual([
    'Sam Roe left.',
    'A member left.',
    'A former member removed a member.',
    'Sam Roe removed a member.',
    'Our support removed a member.',
  ]);
});

it('begins each sentence with a capital, also without a plan or a name', async () => {
  serveActivity([
    anActivity({ id: '6', actor: 'provider', kind: 'plan.started', priceId: undefined }),
    anActivity({ id: '5', actor: 'provider', kind: 'plan.started' }),
    anActivity({ id: '4', kind: 'plan.started', priceId: undefined }),
    anActivity({ id: '3', actor: 'provider', kind: 'member.role_changed', role: 'owner' }),
    anActivity({ id: '2', actor: 'support', kind: 'organisation.developer_license_granted' }),
    anActivity({ id: '1', actor: 'support', kind: 'organisation.developer_license_ended' }),
  ]);
  await openActivity();
  expect(await texts()).toEqual([
    'Another plan was chosen.',
    'Professional, yearly was chosen.',
    'Sam Roe chose another plan.',
    'The role of a former member was changed to Owner.',
    'Our support granted a developer licence.',
    'Our support ended the developer licence.',
  ]);
});

it('leaves out malformed rows and unknown kinds', async () => {
  serveActivity([
    anActivity({ id: '9', kind: 'plan.new_kind' }),
    anActivity({ id: '8', at: 'yesterday' }),
    anActivity({ id: '7', actor: 'robot' }),
    anActivity({ id: '6', kind: 'constructor' }),
    anActivity({ id: '5', kind: 'plan.status_changed', status: 'constructor' }),
    anActivity({ id: '4', kind: 'payment.refunded', amount: 'all' }),
    anActivity({ id: '3' }),
    {},
  ]);
  await openActivity();
  expect(await texts()).toEqual(['Sam Roe changed the plan to Professional, yearly.']);
});

it('shows older activities on request', async () => {
  const cursors = serveActivity([anActivity()], [anActivity({ id: '3', kind: 'plan.resumed' })]);
  await openActivity();
  await userEvent.click(await screen.findByRole('button', { name: 'Show older activity' }));
  expect(await screen.findByText('Sam Roe resumed the plan.')).toBeVisible();
  expect(cursors).toEqual([null, '7']);
  expect(screen.queryByRole('button', { name: 'Show older activity' })).toBeNull();
});

it('keeps the focus on the button for older activities when they fail to load', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveActivity([anActivity()], []);
  await openActivity();
  const button = await screen.findByRole('button', { name: 'Show older activity' });
  const failure = 'Older activities could not be loaded.';
  server.use(http.get('/vc-admin/org/activity', () => HttpResponse.error()));
  await userEvent.click(button);
  expect(await screen.findByText(failure)).toBeVisible();
  expect(button).toHaveFocus();

  serveActivity([anActivity({ id: '3', kind: 'plan.resumed' })]);
  await userEvent.click(button);
  expect(await screen.findByText('Sam Roe resumed the plan.')).toBeVisible();
  expect(screen.queryByText(failure)).toBeNull();
});

it('does not say that nothing has happened while there are older activities', async () => {
  serveActivity([anActivity({ kind: 'plan.new_kind' })], []);
  await openActivity();
  const button = await screen.findByRole('button', { name: 'Show older activity' });
  expect(screen.queryByText('Nothing has happened yet.')).toBeNull();
  await userEvent.click(button);
  expect(await screen.findByText('Nothing has happened yet.')).toBeVisible();
});

it('says when nothing has happened', async () => {
  serveActivity([]);
  await openActivity();
  expect(await screen.findByText('Nothing has happened yet.')).toBeVisible();
});

it('reports a failure, and tries again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  server.use(http.get('/vc-admin/org/activity', () => HttpResponse.error()));
  await openActivity();
  expect(
    await screen.findByText('The activity could not be loaded. Nothing was changed.'),
  ).toBeVisible();
  serveActivity([anActivity()]);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await texts()).toHaveLength(1);
});

it.each([
  ['a member without a billing role', { role: 'member' } as const, []],
  ['a server without the capability', {}, ['activity'] as const],
])('hides the section from %s', async (_, user, missing) => {
  serveBilling(aBilledSubscription(), {}, user, [...missing]);
  openDashboard();
  await screen.findByRole('region', { name: 'Latest invoices' });
  expect(screen.queryByRole('button', { name: 'Show activity' })).toBeNull();
});
