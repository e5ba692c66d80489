import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { UserDetail } from '@/api';
import type { Member, Members } from '@/api/members';
import { fullProvider } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import MembersScreen from './MembersScreen';

const aMember = (changes: Partial<Member> = {}): Member => ({
  userId: 'usr_1',
  firstName: 'Ada',
  lastName: 'Lee',
  email: 'ada@riverside.example',
  role: 'owner',
  joinedAt: '2026-11-20T00:00:00Z',
  ...changes,
});

const sam = aMember({
  userId: 'usr_2',
  firstName: 'Sam',
  lastName: 'Roe',
  email: 'sam@riverside.example',
  role: 'member',
  deletesAccount: true,
});

const invitation = {
  email: 'kim@riverside.example',
  role: 'billing',
  inviter: 'Ada Lee',
  expiresAt: '2026-12-01T00:00:00Z',
} as const;

const ok = () => HttpResponse.json({});
const organisation = { org: { name: 'Riverside Clinic' } };

const serveMembers = (members: Members) =>
  server.use(http.get('/vc-admin/org/members', () => HttpResponse.json(members)));

async function openMembersScreen(members: Members, user: Partial<UserDetail> = {}) {
  serveConfig({ provider: fullProvider, live: true });
  serveUser(user, organisation);
  serveMembers(members);
  const location = renderScreen(MembersScreen, '/vc-admin/diy/members');
  await screen.findByRole('region', { name: 'Current members' });
  return location;
}

const row = (name: string) => {
  const item = screen.getByText(name).closest('li');
  if (!item) throw new Error(`${name} is in no row`);
  return within(item);
};
const section = (name: string) => within(screen.getByRole('region', { name }));
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

it('lists the members with what their roles allow', async () => {
  await openMembersScreen({ members: [aMember(), { ...sam, role: 'billing' }] });

  expect(row('Ada Lee').getByText('Owner – everything')).toBeVisible();
  expect(row('Ada Lee').getByText('You')).toBeVisible();
  expect(
    row('Sam Roe').getByText('Billing – plan and payments, receives billing emails'),
  ).toBeVisible();
});

it('tells members of the same name apart by their emails', async () => {
  const namesake = { ...sam, userId: 'usr_3', email: 'roe@riverside.example' };
  await openMembersScreen({ members: [aMember(), sam, namesake], invitations: [] });

  await press('Remove Sam Roe (roe@riverside.example)');
  expect(
    screen.getByRole('dialog', { name: 'Remove Sam Roe (roe@riverside.example)?' }),
  ).toBeVisible();
  expect(screen.getByLabelText('Change the role of Sam Roe (sam@riverside.example)')).toBeVisible();
});

it('asks the only owner to add a second one, and offers no button to leave', async () => {
  await openMembersScreen({ members: [aMember(), sam], invitations: [] });

  expect(screen.getByText('Only you can manage members. Add a second owner.')).toBeVisible();
  expect(row('Ada Lee').queryByRole('button')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Leave/ })).not.toBeInTheDocument();
});

it('shows a member the list of members, and no button except the one to leave', async () => {
  await openMembersScreen({ members: [aMember({ userId: 'usr_9' }), { ...sam, userId: 'usr_1' }] });

  expect(screen.queryByRole('region', { name: 'Invite' })).not.toBeInTheDocument();
  const buttons = within(screen.getByRole('main')).getAllByRole('button');
  expect(buttons.map((button) => button.textContent)).toEqual(['Leave Riverside Clinic']);
});

describe('an invitation', () => {
  const path = '/vc-admin/org/members/invite';

  it('is sent with the role after the user has signed in again', async () => {
    const responses = [() => errorResponse('ERRREAUTHENTICATE', 'Please confirm.', 403), ok];
    const requests = servePost(path, () => (responses.shift() ?? ok)());
    const signIns = servePost('/auth/login', ok);
    await openMembersScreen(
      { members: [aMember()], invitations: [] },
      { organisations: [{ id: 'org_1', name: 'Riverside Clinic', role: 'owner' }] },
    );
    expect(screen.getByRole('link', { name: 'Set the billing email.' })).toBeVisible();
    const form = section('Invite');
    await userEvent.type(form.getByLabelText('Email'), 'Kim@Riverside.example');
    await userEvent.click(form.getByLabelText(/^Billing –/));
    serveMembers({ members: [aMember()], invitations: [invitation] });
    await press('Send invitation');
    const dialog = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
    await userEvent.type(dialog.getByLabelText('Password'), 'Tide-And-Time-7{Enter}');

    expect(
      await form.findByText('An invitation is on its way to kim@riverside.example'),
    ).toBeVisible();
    const body = { email: 'kim@riverside.example', role: 'billing' };
    expect(requests).toEqual([body, body]);
    expect(signIns).toEqual([
      { username: 'ada@clinic.example', password: 'Tide-And-Time-7', organisation: 'org_1' },
    ]);
    expect(row('kim@riverside.example').getByText(/works until/)).toBeVisible();
  });

  it('is not sent without an address, and shows why the server refuses it', async () => {
    const message = 'This person is a member already.';
    const requests = servePost(path, () => errorResponse('ERRCONFLICT', message, 409));
    await openMembersScreen({ members: [aMember()], invitations: [] });
    const email = section('Invite').getByLabelText('Email');
    await press('Send invitation');
    expect(email).toHaveFocus();
    expect(requests).toEqual([]);

    await userEvent.type(email, 'sam@riverside.example{Enter}');
    expect(await screen.findByText(message)).toBeVisible();
    expect(email).toHaveValue('sam@riverside.example');
  });

  it('is sent again after it has expired', async () => {
    const requests = servePost('/vc-admin/org/members/resend', ok);
    await openMembersScreen({
      members: [aMember()],
      invitations: [{ ...invitation, expired: true }],
    });
    expect(row(invitation.email).getByText('Expired')).toBeVisible();
    serveMembers({ members: [aMember()], invitations: [invitation] });
    await press(`Send again to ${invitation.email}`);

    expect(
      await screen.findByText(`A new invitation is on its way to ${invitation.email}`),
    ).toBeVisible();
    expect(requests).toEqual([{ email: invitation.email }]);
    expect(screen.queryByText('Expired')).not.toBeInTheDocument();
  });

  it('is revoked', async () => {
    const other = { ...invitation, email: 'lee@riverside.example' };
    const requests = servePost('/vc-admin/org/members/revoke', ok);
    await openMembersScreen({ members: [aMember()], invitations: [invitation, other] });
    serveMembers({ members: [aMember()], invitations: [other] });
    await press(`Revoke the invitation of ${invitation.email}`);

    expect(await screen.findByText(/was revoked$/)).toBeVisible();
    expect(requests).toEqual([{ email: invitation.email }]);
    expect(screen.getByRole('heading', { name: 'Invitations' })).toHaveFocus();
  });

  it('is revoked, which removes the message that it is on its way', async () => {
    servePost(path, ok);
    servePost('/vc-admin/org/members/revoke', ok);
    await openMembersScreen({ members: [aMember()], invitations: [] });
    expect(section('Invitations').getByText('No open invitations.')).toBeVisible();
    serveMembers({ members: [aMember()], invitations: [invitation] });
    await userEvent.type(section('Invite').getByLabelText('Email'), `${invitation.email}{Enter}`);
    const sent = `An invitation is on its way to ${invitation.email}`;
    expect(await screen.findByText(sent)).toBeVisible();
    serveMembers({ members: [aMember()], invitations: [] });
    await press(`Revoke the invitation of ${invitation.email}`);

    expect(
      await screen.findByText(`The invitation of ${invitation.email} was revoked`),
    ).toBeVisible();
    await waitFor(() => expect(screen.queryByText(sent)).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Invitations' })).toHaveFocus());
  });
});

it('changes a role', async () => {
  const requests = servePost('/vc-admin/org/members/edit', ok);
  await openMembersScreen({ members: [aMember(), sam], invitations: [] });
  await press('Change the role of Sam Roe');
  const roles = within(screen.getByRole('group', { name: 'Role of Sam Roe' }));
  expect(roles.getByLabelText(/^Member –/)).toHaveFocus();
  await userEvent.click(roles.getByLabelText('Owner – everything'));
  serveMembers({ members: [aMember(), { ...sam, role: 'owner' }], invitations: [] });
  await press('Save');

  expect(await screen.findByText('The role of Sam Roe is now Owner')).toBeVisible();
  expect(requests).toEqual([{ userId: 'usr_2', role: 'owner' }]);
  expect(row('Sam Roe').getByText('Owner – everything')).toBeVisible();
  const button = await screen.findByRole('button', { name: 'Change the role of Sam Roe' });
  expect(button).toHaveFocus();
});

it('keeps a role, and the focus on its button, when the change is cancelled', async () => {
  await openMembersScreen({ members: [aMember(), sam], invitations: [] });
  await press('Change the role of Sam Roe');
  await press('Cancel');

  expect(screen.getByRole('button', { name: 'Change the role of Sam Roe' })).toHaveFocus();
});

it('focuses the heading when an owner has given up the role', async () => {
  servePost('/vc-admin/org/members/edit', ok);
  const owner = aMember({ ...sam, role: 'owner' });
  await openMembersScreen({ members: [aMember(), owner], invitations: [] });
  await press('Change the role of Ada Lee');
  const roles = within(screen.getByRole('group', { name: 'Your role' }));
  await userEvent.click(roles.getByLabelText(/^Member –/));
  serveMembers({ members: [aMember({ role: 'member' }), owner] });
  await press('Save');

  expect(await screen.findByText('Your role is now Member')).toBeVisible();
  await waitFor(() =>
    expect(screen.getByRole('heading', { name: 'Current members' })).toHaveFocus(),
  );
});

describe('a removal', () => {
  const requestRemoval = async (member: Member) => {
    await openMembersScreen({ members: [aMember(), member], invitations: [] });
    await press('Remove Sam Roe');
    return within(screen.getByRole('dialog', { name: 'Remove Sam Roe?' }));
  };

  it('says that the account is deleted, and removes the member', async () => {
    const requests = servePost('/vc-admin/org/members/del', ok);
    const dialog = await requestRemoval(sam);
    expect(
      dialog.getByText("Sam's account is deleted because it belongs to no other organisation."),
    ).toBeVisible();
    serveMembers({ members: [aMember()], invitations: [] });
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }));

    expect(await screen.findByText('Sam Roe was removed')).toBeVisible();
    expect(requests).toEqual([{ userId: 'usr_2' }]);
    expect(screen.getByRole('heading', { name: 'Current members' })).toHaveFocus();
  });

  it('says that the account is kept for other organisations, and can be cancelled', async () => {
    const requests = servePost('/vc-admin/org/members/del', ok);
    const dialog = await requestRemoval({ ...sam, deletesAccount: undefined });
    expect(dialog.getByText('Sam keeps the account in other organisations.')).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));

    expect(requests).toEqual([]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('shows the message and the new list if another owner has removed the member meanwhile', async () => {
    servePost('/vc-admin/org/members/del', () =>
      errorResponse('ERRNOTFOUND', 'There is no such member.', 404),
    );
    const dialog = await requestRemoval(sam);
    serveMembers({ members: [aMember()], invitations: [] });
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }));

    expect(await screen.findByText('There is no such member.')).toBeVisible();
    expect(screen.queryByText('Sam Roe')).not.toBeInTheDocument();
  });
});

describe('leaving', () => {
  const self = { ...sam, userId: 'usr_1' };
  const owner = aMember({ userId: 'usr_9' });

  async function leave(response: object) {
    const location = await openMembersScreen({ members: [owner, self] });
    const requests = servePost('/vc-admin/org/members/leave', () => {
      if ('organisation' in response && response.organisation) {
        serveUser({ orgId: 'org_2' }, { org: { id: 'org_2', name: 'Harbour Clinic' } });
      } else serveVisitor();
      return HttpResponse.json(response);
    });
    server.use(http.get('/vc-admin/auth/logout', ok));
    await press('Leave Riverside Clinic');
    const dialog = within(screen.getByRole('dialog', { name: 'Leave Riverside Clinic?' }));
    expect(dialog.getByText(/^Your account is deleted/)).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(location.path).toBe('/vc-admin/dash'));
    expect(requests).toEqual([{}]);
    return location;
  }

  it('the last organisation opens the sign-in form', async () => {
    const location = await leave({ organisation: null });
    expect(location.state).toEqual({ leftOrganisation: 'Riverside Clinic' });
  });

  it('one of several organisations opens the dashboard of another one', async () => {
    await leave({ organisation: 'org_2' });
  });
});
