import { type APIRequestContext, expect } from '@playwright/test';

interface Email {
  to: string;
  subject: string;
  text: string;
  /** The URL in the List-Unsubscribe header; absent in required emails. */
  unsubscribe?: string;
}

/** Waits for an email to this address with this subject, and returns the newest one. */
export function readEmail(
  request: APIRequestContext,
  to: string,
  subject: RegExp,
  timeout?: number,
): Promise<Email> {
  const matches = (email: Email) => subject.test(email.subject);
  return findEmail(request, to, matches, `with the subject ${subject}`, timeout);
}

/** Waits for a verification email with another link than the previous one, and returns its link. */
export const verificationLink = (
  request: APIRequestContext,
  recipient: string,
  previousLink?: string,
) => emailLink(request, recipient, '/vc-admin/auth/verify', previousLink);

/** Waits for the email that confirms a billing email and returns its link. */
export const billingEmailLink = (request: APIRequestContext, recipient: string) =>
  emailLink(request, recipient, '/vc-admin/auth/billing-email');

/** Waits for an invitation and returns its link. */
export const invitationLink = (request: APIRequestContext, recipient: string) =>
  emailLink(request, recipient, '/vc-admin/auth/invitation');

/** Waits for a password reset email and returns its link. */
export const resetLink = (request: APIRequestContext, recipient: string) =>
  emailLink(request, recipient, '/vc-admin/auth/reset');

/** Waits for the email that confirms a new email of a user and returns its link. */
export const emailChangeLink = (request: APIRequestContext, recipient: string) =>
  emailLink(request, recipient, '/vc-admin/auth/email');

/** Waits for the email with this subject about a change, and returns the link that undoes the change. */
export async function undoLink(request: APIRequestContext, recipient: string, subject: RegExp) {
  const { text } = await readEmail(request, recipient, subject);
  return text.match(/http\S+\/vc-admin\/auth\/undo\?token=\S+/)?.[0] as string;
}

/** Waits for an email with a link to this path, other than the previous one, and returns the link. */
async function emailLink(
  request: APIRequestContext,
  to: string,
  path: string,
  previousLink?: string,
): Promise<string> {
  const link = new RegExp(`http\\S+${path}\\?token=\\S+`);
  const linkOf = ({ text }: Email) => text.match(link)?.[0];
  const matches = (email: Email) => ![undefined, previousLink].includes(linkOf(email));
  return linkOf(await findEmail(request, to, matches, `with a link to ${path}`)) as string;
}

/** Waits for an email to this address that matches, and returns the newest one. Emails are sent after the response. */
async function findEmail(
  request: APIRequestContext,
  to: string,
  matches: (email: Email) => boolean,
  description: string,
  timeout?: number,
): Promise<Email> {
  let newestEmail: Email | undefined;
  await expect
    .poll(
      async () => {
        const emails: Email[] = await (await request.get('/dev/mailbox.json')).json();
        newestEmail = emails.find((email) => email.to === to && matches(email));
        return newestEmail;
      },
      { message: `an email to ${to} ${description}`, timeout },
    )
    .toBeDefined();
  return newestEmail as Email;
}

/** Moves the clock of the application and the fake provider by a duration such as '192h'. */
export async function advanceClock(request: APIRequestContext, advance: string): Promise<void> {
  const response = await request.post('/dev/clock', {
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
    data: { advance },
  });
  expect(response.ok(), await response.text()).toBe(true);
}
