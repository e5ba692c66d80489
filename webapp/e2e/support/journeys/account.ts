import { expect, type Page } from '@playwright/test';
import { post, signInNewUser, signInOnTrial } from '../api';
import { advanceClock, invitationLink } from '../dev';
import { newUser, type User } from '../user';
import { expectText, type Journey, openScreen } from './journey';

const membersPath = '/vc-admin/diy/members';

/** Invites an address to the organisation of the signed-in owner, and returns the link. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await post(page.request, '/vc-admin/org/members/invite', { email, role });
  return invitationLink(page.request, email);
}

/** Invites a new user to the organisation of the owner and accepts the invitation. The owner is signed in again then. */
async function addMember(
  page: Page,
  owner: User,
  email: string,
  [firstName, lastName]: readonly [string, string],
) {
  const link = await invite(page, email, 'member');
  await page.context().clearCookies();
  const token = new URL(link).searchParams.get('token');
  await post(page.request, '/vc-admin/auth/invitation/accept', {
    token,
    firstName,
    lastName,
    password: 'Low-And-Tide-8',
  });
  await page.context().clearCookies();
  await post(page.request, '/auth/login', { username: owner.email, password: owner.password });
}

/** The screens of members and of several organisations. */
export const accountJourneys: readonly Journey[] = [
  {
    name: 'members',
    async run(page, context) {
      const { email, password } = await signInNewUser(page.request);
      await openScreen(page, membersPath);
      await expectText(page, 'Only you can manage members.');
      await context.show('members-one');
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await context.show('members-errors');
      await invite(page, email.replace('mara', 'sam'), 'billing');
      await advanceClock(page.request, '170h');
      await page.context().clearCookies();
      await post(page.request, '/auth/login', { username: email, password });
      await invite(page, email.replace('mara', 'kim'), 'member');
      await openScreen(page, membersPath);
      await expectText(page, 'Expired');
      await context.show('members');
      await page.getByRole('button', { name: /^Revoke the invitation of kim/ }).click();
      await expectText(page, /was revoked$/);
    },
  },
  {
    name: 'changes of members',
    async run(page, context) {
      const owner = await signInNewUser(page.request);
      const name = ['Wilhelmina Alexandrina', 'Wolfeschlegelsteinhausenbergerdorff'] as const;
      await addMember(
        page,
        owner,
        `${name.join('.').replace(' ', '.').toLowerCase()}@${owner.email}`.replace('@mara@', '@'),
        name,
      );
      await addMember(page, owner, owner.email.replace('mara', 'sam'), ['Sam', 'Roe']);
      await openScreen(page, membersPath);
      await page.getByLabel('Email', { exact: true }).fill(owner.email.replace('mara', 'kim'));
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await expectText(page, /^An invitation is on its way/);
      await page.getByRole('button', { name: 'Change the role of Sam Roe' }).click();
      await context.show('members-role');
      await page
        .getByRole('group', { name: 'Role of Sam Roe' })
        .getByLabel(/^Owner/)
        .check();
      await page.getByRole('button', { name: 'Save' }).click();
      await expectText(page, 'The role of Sam Roe is now Owner');
      await page.getByRole('button', { name: /^Remove Wilhelmina/ }).click();
      await context.show('members-remove');
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await expectText(page, /was removed$/);
      await page.getByRole('button', { name: /^Leave/ }).click();
      await context.show('members-leave');
      await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
      await expectText(page, /^You left/);
    },
  },
  {
    name: 'an invitation and the screens of a member',
    async run(page, context) {
      const owner = await signInOnTrial(page);
      const email = owner.email.replace('mara', 'sam');
      const link = await invite(page, email, 'member');
      await openScreen(page, link);
      await expectText(page, 'Sign out and continue');
      await context.show('invitation-other-account');
      await page.getByRole('button', { name: 'Sign out and continue' }).click();
      await expect(page.getByLabel('First name')).toBeVisible();
      await context.show('invitation');
      await page.getByRole('button', { name: 'Join' }).click();
      await context.show('invitation-errors');
      await page.getByLabel('First name').fill('Sam');
      await page.getByLabel('Last name').fill('Roe');
      await page.getByLabel('Password', { exact: true }).fill('Low-And-Tide-8');
      await page.getByRole('button', { name: 'Join' }).click();
      await expectText(page, /^Ask .+ to change the plan/);
      await context.show('member-dashboard');
      await openScreen(page, '/vc-admin/diy/plans?debug=true');
      await expectText(page, /^Ask .+ to /);
      await context.show('member-plans');
      await openScreen(page, '/vc-admin/diy/cards');
      await expectText(page, /^Ask .+ to /);
      await context.show('member-cards');
      await openScreen(page, '/vc-admin/diy/details');
      await expectText(page, /^Ask .+ to /);
      await context.show('member-details');
      await openScreen(page, membersPath);
      await expectText(page, /^Leave /);
      await context.show('member-members');
      context.guard.expect(404, '/vc-admin/auth/invitation/show');
      await openScreen(page, link);
      await expectText(page, 'Ask for a new invitation.');
      await context.show('invitation-unusable');
    },
  },
  {
    name: 'several organisations',
    async run(page, context) {
      const owner = await signInNewUser(page.request, newUser());
      const guest = newUser();
      await page.context().clearCookies();
      await signInNewUser(page.request, guest);
      await page.context().clearCookies();
      const signIn = (user: typeof owner) =>
        post(page.request, '/auth/login', { username: user.email, password: user.password });
      await signIn(owner);
      const link = await invite(page, guest.email, 'billing');
      await page.context().clearCookies();
      await openScreen(page, link);
      await expect(page.getByLabel('Email')).toHaveValue(guest.email);
      await context.show('invitation-sign-in');
      await page.getByLabel('Password', { exact: true }).fill(guest.password);
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Join' })).toBeVisible();
      await context.show('invitation-join');
      await page.getByRole('button', { name: 'Join' }).click();
      const switcher = page.getByRole('button', { name: `Organisation: ${owner.org}` });
      await switcher.click();
      await context.show('organisations-switcher');
      const tab = await page.context().newPage();
      await tab.goto('/vc-admin/diy/invoices');
      await tab.getByRole('button', { name: `Organisation: ${owner.org}` }).click();
      await tab.getByRole('button', { name: guest.org, exact: true }).click();
      await expectText(page, /^You switched to/);
      await tab.close();
      await context.show('organisations-switched');
      await page.context().clearCookies();
      await openScreen(page, '/vc-admin/dash');
      await page.getByLabel('Email').fill(guest.email);
      await page.getByLabel('Password', { exact: true }).fill(guest.password);
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await expectText(page, 'Which organisation?');
      await context.show('organisations-choice');
    },
  },
];
