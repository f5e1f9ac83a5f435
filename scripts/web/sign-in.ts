import type { Page } from 'playwright-core';

/** The number of Alice, of the demo. */
const ALICE = '+15550100002';

/** Signs a demo person in as a person does: the console, the provider's page, the code that the local outbox has, and back to `path`. */
export async function signIn(page: Page, origin: string, path: string, phone: string = ALICE): Promise<void> {
  await page.goto(origin + path);
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click();
  await page.locator('input[name=phone]').fill(phone);
  await page.locator('form button').first().click();
  const field = page.locator('input[name=code]');
  await field.waitFor();
  await field.fill(await codeOf(origin, phone));
  await page.locator('form button').first().click();
  await page.waitForURL((url) => url.origin === origin && url.pathname === new URL(path, origin).pathname);
}

interface Sent {
  readonly to?: string;
  readonly phone?: string;
  readonly text?: string;
}

/** The last code that the local outbox has for this number; the message may be on its way still. */
async function codeOf(origin: string, phone: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const text = await (await fetch(`${origin}/iam/dev/outbox`)).text();
    const messages = (JSON.parse(text) as { data?: Sent[]; messages?: Sent[] } | Sent[]) ?? [];
    const list = Array.isArray(messages) ? messages : (messages.messages ?? messages.data ?? []);
    const own = list.filter((message) => JSON.stringify(message).includes(phone));
    const codes = own
      .map((message) => /(\d{6}) is your/.exec(JSON.stringify(message))?.[1])
      .filter((code) => code !== undefined);
    const code = codes[0];
    if (code !== undefined) return code;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the outbox has no code for ${phone}`);
}
