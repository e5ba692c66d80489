import { post, signInNewUser, signInOnTrial } from './support/api';
import { expectAccessibleAt320 } from './support/axe';
import { advanceClock, invitationLink } from './support/dev';
import { tabTo, tabToLabel } from './support/keyboard';
import { expect, test } from './support/test';
import { newUser } from './support/user';

const membersPath = '/vc-admin/diy/members';
const password = 'Low-And-Tide-8';

test('an owner invites a colleague by keyboard, who joins, reads whom to ask, and is removed', async ({
  page,
  browser,
  server,
  guard,
}) => {
  const owner = await signInOnTrial(page);
  const email = owner.email.replace('mara', 'sam');
  await advanceClock(page.request, '20m');
  await page.goto(membersPath);
  await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible();
  await expectAccessibleAt320(page);
  guard.expect(403, '/vc-admin/org/members/invite');
  await tabToLabel(page, 'Email');
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  const confirmation = page.getByRole('dialog', { name: "Confirm it's you" });
  await expect(confirmation.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(owner.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`An invitation is on its way to ${email}`)).toBeVisible();

  const context = await browser.newContext({ baseURL: server.url });
  const colleague = await context.newPage();
  await colleague.goto(await invitationLink(page.request, email));
  await expect(
    colleague.getByText(`${owner.org} invites ${email} as Member.`, { exact: true }),
  ).toBeVisible();
  await expect(colleague).toHaveURL('/vc-admin/auth/invitation');
  await expectAccessibleAt320(colleague);
  await tabToLabel(colleague, 'First name');
  await colleague.keyboard.type('Sam');
  await tabToLabel(colleague, 'Last name');
  await colleague.keyboard.type('Roe');
  await tabToLabel(colleague, 'Password');
  await colleague.keyboard.type(password);
  await colleague.keyboard.press('Enter');
  await expect(colleague).toHaveURL(/\/vc-admin\/dash/);

  const ask = (action: string) => `Ask ${owner.firstName} ${owner.lastName} (owner) to ${action}.`;
  await expect(colleague.getByText(ask('change the plan'))).toBeVisible();
  await colleague.goto('/vc-admin/diy/plans?debug=true');
  await expect(colleague.getByText(ask('change the plan'))).toBeVisible();
  await colleague.goto('/vc-admin/diy/cards');
  await expect(colleague.getByText(ask('change the payment methods'))).toBeVisible();
  await colleague.goto('/vc-admin/diy/details');
  await expect(colleague.getByText(ask('change the billing details'))).toBeVisible();
  await expectAccessibleAt320(colleague);
  await colleague.goto('/vc-admin/diy/invoices');
  await expect(colleague.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible();

  await page.reload();
  await tabTo(page, 'button', 'Remove Sam Roe');
  await page.keyboard.press('Enter');
  const removal = page.getByRole('dialog', { name: 'Remove Sam Roe?' });
  await expect(removal).toContainText(
    "Sam's account is deleted because it belongs to no other organisation.",
  );
  await expectAccessibleAt320(page);
  await removal.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Sam Roe was removed')).toBeVisible();

  await colleague.getByRole('link', { name: 'Billing details' }).first().click();
  await expect(colleague.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
  await context.close();
});

test('a member of two organisations switches, and another tab keeps its form until it switches back', async ({
  page,
  browser,
  server,
}) => {
  const owner = await signInNewUser(page.request, newUser());
  const context = await browser.newContext({ baseURL: server.url });
  const tab = await context.newPage();
  const guest = await signInNewUser(tab.request, newUser());
  await post(page.request, '/vc-admin/org/members/invite', { email: guest.email, role: 'billing' });
  await tab.goto(await invitationLink(page.request, guest.email));
  await tab.getByRole('button', { name: 'Join' }).click();
  await expect(tab).toHaveURL(/\/vc-admin\/dash/);
  const switcher = (org: string) => ({ name: `Organisation: ${org}` });
  await expect(tab.getByRole('button', switcher(owner.org))).toBeVisible();

  await tab.goto('/vc-admin/diy/details');
  await tab.getByLabel('Legal name').fill('Tide Pty Ltd');
  const otherTab = await context.newPage();
  await otherTab.goto('/vc-admin/diy/invoices');
  await otherTab.getByRole('button', switcher(owner.org)).click();
  await otherTab.getByRole('button', { name: guest.org, exact: true }).click();
  await expect(otherTab.getByRole('button', switcher(guest.org))).toBeVisible();

  await expect(tab.getByRole('heading', { name: `You switched to ${guest.org}` })).toBeVisible();
  await expectAccessibleAt320(tab);
  await tab.getByRole('button', { name: 'Switch back' }).click();
  await expect(tab.getByLabel('Legal name')).toHaveValue('Tide Pty Ltd');
  await tab.getByRole('button', { name: 'Save' }).click();
  await expect(tab.getByText('Saved')).toBeVisible();
  await expect(
    otherTab.getByRole('heading', { name: `You switched to ${owner.org}` }),
  ).toBeVisible();

  await context.clearCookies();
  await tab.goto('/vc-admin/dash');
  await tab.getByLabel('Email').fill(guest.email);
  await tab.getByLabel('Password', { exact: true }).fill(guest.password);
  await tab.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(tab.getByRole('heading', { name: 'Which organisation?' })).toBeVisible();
  await expectAccessibleAt320(tab);
  await tab.getByRole('button', { name: guest.org }).click();
  await expect(tab.getByRole('button', switcher(guest.org))).toBeVisible();
  await context.close();
});
