import type { Page } from '@playwright/test';

const owner = { org: 'Harbour Clinic', email: 'ada@harbour.example' };

/** Responds to every token of an email with the preferences of an organisation and an address. */
export async function serveEmailPreferences(page: Page, { org, email } = owner): Promise<void> {
  const notices = [
    { kind: 'card_expires', declined: false },
    { kind: 'plan_renews_soon', declined: true },
  ];
  await page.route('**/vc-admin/auth/emails/show', (route) =>
    route.fulfill({ json: { org, email, notices } }),
  );
}
