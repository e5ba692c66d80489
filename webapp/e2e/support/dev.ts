import { type APIRequestContext, expect } from '@playwright/test';

interface Email {
  to: string;
  subject: string;
  text: string;
  /** The address of List-Unsubscribe; absent in emails that are required. */
  unsubscribe?: string;
}

/** Waits for an email to this address, which is sent after the response, and returns the newest one. */
export function readMailbox(request: APIRequestContext, to: string): Promise<Email> {
  return readEmail(request, to, /./);
}

/** Waits for an email to this address with this subject and returns the newest one. */
export async function readEmail(
  request: APIRequestContext,
  to: string,
  subject: RegExp,
  timeout?: number,
): Promise<Email> {
  let found: Email | undefined;
  await expect
    .poll(
      async () => {
        const emails: Email[] = await (await request.get('/dev/mailbox.json')).json();
        found = emails.find((email) => email.to === to && subject.test(email.subject));
        return found;
      },
      { message: `an email to ${to} with the subject ${subject}`, timeout },
    )
    .toBeDefined();
  return found as Email;
}

/** Waits for a verification email with another link than the previous one, and returns its link. */
export async function verificationLink(
  request: APIRequestContext,
  to: string,
  previous?: string,
): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const { text } = await readMailbox(request, to);
      [link] = text.match(/http\S+\/vc-admin\/auth\/verify\?token=\S+/) ?? [];
      return link !== undefined && link !== previous;
    })
    .toBe(true);
  return link as string;
}

/** Returns the link of the email that confirms a billing email. */
export async function billingEmailLink(request: APIRequestContext, to: string): Promise<string> {
  const { text } = await readMailbox(request, to);
  const [link] = text.match(/http\S+\/vc-admin\/auth\/billing-email\?token=\S+/) ?? [];
  expect(link, `a link in: ${text}`).toBeDefined();
  return link as string;
}

/** Waits for a password reset email and returns its link. */
export async function resetLink(request: APIRequestContext, to: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const { text } = await readMailbox(request, to);
      [link] = text.match(/http\S+\/vc-admin\/auth\/reset\?token=\S+/) ?? [];
      return link;
    })
    .toBeDefined();
  return link as string;
}

/** Moves the clock of the application and the fake provider, such as by '192h'. */
export async function advanceClock(request: APIRequestContext, advance: string): Promise<void> {
  const response = await request.post('/dev/clock', {
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
    data: { advance },
  });
  expect(response.ok(), await response.text()).toBe(true);
}
