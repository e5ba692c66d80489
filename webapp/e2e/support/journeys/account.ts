import { expect, type Page } from '@playwright/test';
import { post, signInNewUser, signInOnTrial } from '../api';
import { advanceClock, invitationLink } from '../dev';
import { newUser } from '../user';
import { expectText, type Journey, openScreen } from './journey';

const membersPath = '/vc-admin/diy/members';

/** Invites an address to the organisation of the signed-in owner, and returns the link. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await post(page.request, '/vc-admin/org/members/invite', { email, role });
  return invitationLink(page.request, email);
}

/** The screens of a user's own account, of members, and of several organisations. */
export const accountJourneys: readonly Journey[] = [
  {
    name: 'the account of a user',
    async run(page, context) {
      await signInNewUser(page.request);
      await openScreen(page, '/vc-admin/diy/account');
      await expectText(page, 'This device');
      await context.show('account');
    },
  },
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
