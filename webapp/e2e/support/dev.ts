import { type APIRequestContext, expect } from '@playwright/test';

interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** The newest letter to this address, waited for: letters leave after the answer to a sign-up. */
export async function readMailbox(request: APIRequestContext, to: string): Promise<Letter> {
  let found: Letter | undefined;
  await expect
    .poll(
      async () => {
        const letters: Letter[] = await (await request.get('/dev/mailbox.json')).json();
        found = letters.find((letter) => letter.to === to);
        return found;
      },
      { message: `a letter to ${to}` },
    )
    .toBeDefined();
  return found as Letter;
}

/** The link in the newest email that verifies an address. */
export async function verificationLink(request: APIRequestContext, to: string): Promise<string> {
  const { text } = await readMailbox(request, to);
  const [link] = text.match(/http\S+\/vc-admin\/auth\/verify\?token=\S+/) ?? [];
  expect(link, `a link in: ${text}`).toBeDefined();
  return link as string;
}

/** The link in the newest email that resets a password, once it arrives. */
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

/** Moves the application and the fake provider forwards, such as by '192h'. */
export async function advanceClock(request: APIRequestContext, advance: string): Promise<void> {
  const answer = await request.post('/dev/clock', {
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
    data: { advance },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}
