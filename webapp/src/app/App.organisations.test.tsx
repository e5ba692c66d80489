import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { UserDetail } from '@/api';
import { useSessionStore } from '@/modules/session/session-store';
import { billingDetails, fullProvider } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { renderApp } from './testing';

const riverside = { id: 'org_1', name: 'Riverside Clinic', role: 'owner' } as const;
const harbour = { id: 'org_2', name: 'Harbour Clinic', role: 'billing' } as const;

/** Serves a member of both organisations whose session is in this one. */
function serveMemberOf({ id, name, role }: typeof riverside | typeof harbour): void {
  const organisations: UserDetail['organisations'] = [riverside, harbour];
  serveUser({ orgId: id, role, organisations }, { org: { id, name } });
}

/** Serves the switch and returns its requests. */
function serveSwitch(): unknown[] {
  const requests = servePost('/vc-admin/user/organisation', () => {
    const { id } = requests.at(-1) as { id: string };
    serveMemberOf(id === riverside.id ? riverside : harbour);
    return HttpResponse.json({});
  });
  return requests;
}

const refresh = () => act(() => useSessionStore.getState().refresh());

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig({ provider: fullProvider, live: true });
  servePost('/vc-admin/org/invoices/list', () => HttpResponse.json({ data: [], hasMore: false }));
  server.use(
    http.get('/vc-admin/org/billing', () =>
      HttpResponse.json({ subscription: null, next: null, credit: null, card: null, end: null }),
    ),
    http.get('/vc-admin/org/billing/details', () => HttpResponse.json(billingDetails)),
  );
});

describe('the switcher', () => {
  it('opens the dashboard of another organisation', async () => {
    serveMemberOf(riverside);
    const requests = serveSwitch();
    const { user, location } = renderApp('/vc-admin/diy/invoices');
    await user.click(await screen.findByRole('button', { name: 'Organisation: Riverside Clinic' }));
    await user.click(screen.getByRole('button', { name: 'Harbour Clinic' }));

    expect(
      await screen.findByRole('button', { name: 'Organisation: Harbour Clinic' }),
    ).toBeVisible();
    await waitFor(() => expect(location.path).toBe('/vc-admin/dash'));
    expect(requests).toEqual([{ id: 'org_2' }]);
  });

  it('is absent for a user of one organisation', async () => {
    serveUser({ role: 'owner', organisations: [riverside] });
    renderApp('/vc-admin/diy/invoices');

    expect(await screen.findByRole('navigation', { name: 'Account' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Organisation/ })).not.toBeInTheDocument();
  });
});

describe('after a sign-in', () => {
  const choiceList = () => within(screen.getByRole('list', { name: 'Your organisations' }));

  async function signIn() {
    serveVisitor();
    const requests = servePost('/auth/login', () => {
      serveMemberOf(riverside);
      return HttpResponse.json({});
    });
    const { user } = renderApp('/vc-admin/dash');
    await user.type(await screen.findByLabelText('Email'), 'ada@clinic.example');
    await user.type(screen.getByLabelText('Password'), 'Tide-And-Time-7{Enter}');
    expect(await screen.findByRole('heading', { name: 'Which organisation?' })).toBeVisible();
    expect(requests).toEqual([{ username: 'ada@clinic.example', password: 'Tide-And-Time-7' }]);
    return user;
  }

  it('asks for the organisation, and switches to another one than the last', async () => {
    const requests = serveSwitch();
    const user = await signIn();
    const choices = choiceList().getAllByRole('button');
    expect(choices.map((button) => button.textContent)).toEqual([
      'Riverside ClinicOwner',
      'Harbour ClinicBilling',
    ]);
    await user.click(choiceList().getByRole('button', { name: /^Harbour Clinic/ }));

    expect(
      await screen.findByRole('button', { name: 'Organisation: Harbour Clinic' }),
    ).toBeVisible();
    expect(requests).toEqual([{ id: 'org_2' }]);
  });

  it('stays in the last organisation without a request', async () => {
    const requests = serveSwitch();
    const user = await signIn();
    await user.click(choiceList().getByRole('button', { name: /^Riverside Clinic/ }));

    expect(
      await screen.findByRole('button', { name: 'Organisation: Riverside Clinic' }),
    ).toBeVisible();
    expect(requests).toEqual([]);
  });
});

it('a sign-in on the page of an invitation goes on with the invitation', async () => {
  serveVisitor();
  const serveStep = (step: string) =>
    servePost('/vc-admin/auth/invitation/show', () =>
      HttpResponse.json({
        ...{ organisation: 'Seaside Clinic', email: 'ada@clinic.example', role: 'member', step },
      }),
    );
  serveStep('sign_in');
  servePost('/auth/login', () => {
    serveMemberOf(riverside);
    serveStep('join');
    return HttpResponse.json({});
  });
  const { user } = renderApp('/vc-admin/auth/invitation?token=SECRET');
  await user.type(await screen.findByLabelText('Password'), 'Tide-And-Time-7{Enter}');

  expect(await screen.findByRole('button', { name: 'Join' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Which organisation?' })).not.toBeInTheDocument();
});

describe('a form in a tab whose user switches in another tab', () => {
  const legalName = () => screen.findByLabelText<HTMLInputElement>('Legal name');

  async function typeAndSwitchElsewhere() {
    serveMemberOf(riverside);
    const { user, location } = renderApp('/vc-admin/diy/details');
    await user.clear(await legalName());
    await user.type(await legalName(), 'Riverside Pty Ltd');
    serveMemberOf(harbour);
    return { user, location };
  }

  it('is kept, and shown again after switching back', async () => {
    const requests = serveSwitch();
    const { user } = await typeAndSwitchElsewhere();
    await refresh();
    expect(
      await screen.findByRole('heading', { name: 'You switched to Harbour Clinic' }),
    ).toBeVisible();
    expect(await legalName()).not.toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Switch back' }));

    await waitFor(async () => expect(await legalName()).toBeVisible());
    expect(await legalName()).toHaveValue('Riverside Pty Ltd');
    expect(requests).toEqual([{ id: 'org_1' }]);
  });

  it('closes a dialog that was open', async () => {
    const sam = {
      userId: 'usr_2',
      firstName: 'Sam',
      lastName: 'Roe',
      email: 'sam@clinic.example',
      joinedAt: '2026-11-20T00:00:00Z',
    };
    const self = { ...sam, userId: 'usr_1', firstName: 'Ada', role: 'owner' };
    server.use(
      http.get('/vc-admin/org/members', () =>
        HttpResponse.json({ members: [self, { ...sam, role: 'member' }] }),
      ),
    );
    serveMemberOf(riverside);
    const { user } = renderApp('/vc-admin/diy/members');
    await user.click(await screen.findByRole('button', { name: 'Remove Sam Roe' }));
    expect(screen.getByRole('dialog', { name: 'Remove Sam Roe?' })).toBeVisible();
    serveMemberOf(harbour);
    await refresh();

    const heading = await screen.findByRole('heading', { name: 'You switched to Harbour Clinic' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(screen.queryByRole('dialog', { hidden: true })).not.toBeInTheDocument();
  });

  it('is left when the user goes to the other organisation', async () => {
    serveSwitch();
    const { user, location } = await typeAndSwitchElsewhere();
    await refresh();
    await user.click(await screen.findByRole('button', { name: 'Go there' }));

    expect(
      await screen.findByRole('button', { name: 'Organisation: Harbour Clinic' }),
    ).toBeVisible();
    await waitFor(() => expect(location.path).toBe('/vc-admin/dash'));
  });

  it('is kept when the server refuses a call that names the organisation', async () => {
    const names: (string | null)[] = [];
    server.use(
      http.post('/vc-admin/org/billing/edit', ({ request }) => {
        names.push(request.headers.get('X-Organisation-Id'));
        return errorResponse('ERRORGANISATION', 'You switched to Harbour Clinic.', 409);
      }),
    );
    const { user } = await typeAndSwitchElsewhere();
    await user.click(screen.getByRole('button', { name: 'Save' }));

    expect(
      await screen.findByRole('heading', { name: 'You switched to Harbour Clinic' }),
    ).toBeVisible();
    expect(names).toEqual(['org_1']);
    expect(await legalName()).toHaveValue('Riverside Pty Ltd');
  });

  it('is interrupted at once when the other tab announces the switch', async () => {
    await typeAndSwitchElsewhere();
    const otherTab = new BroadcastChannel('diy-session');
    otherTab.postMessage('signedIn org_2');

    expect(
      await screen.findByRole('heading', { name: 'You switched to Harbour Clinic' }),
    ).toBeVisible();
    otherTab.close();
  });
});

it.each([
  ['payment', '/vc-admin/diy/payment', 'Payment'],
  ['confirm', '/vc-admin/diy/confirm', 'Confirm your plan'],
])('the %s screen names the organisation that pays', async (_, pathname, title) => {
  serveMemberOf(riverside);
  const state = {
    user: { id: 'usr_1', orgId: 'org_1' },
    to: { product: 'professional', interval: 'yearly', currency: 'AUD' },
    mode: 'update',
  };
  const search = 'product=professional&currency=AUD&interval=yearly';
  renderApp({ pathname, search, state });

  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  await waitFor(() => expect(screen.getByText('For Riverside Clinic')).toBeVisible());
});

it('sends no organisation with calls to a server that reports none', async () => {
  const names: (string | null)[] = [];
  serveUser();
  server.use(
    http.get('/vc-admin/org/billing/details', ({ request }) => {
      names.push(request.headers.get('X-Organisation-Id'));
      return HttpResponse.json(billingDetails);
    }),
  );
  renderApp('/vc-admin/diy/details');

  expect(await screen.findByLabelText('Legal name')).toBeVisible();
  expect(names).toEqual([null]);
});
