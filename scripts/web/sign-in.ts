import type { Page } from 'playwright-core';

/** The number of Alice, of the demo. */
const ALICE = '+15550100002';

/** The number of Olivia, who runs the venue of the demo. */
export const OLIVIA = '+15550100001';

/**
 * The number of Bob, of the demo.
 *
 * @internal
 */
export const BOB = '+15550100003';

/** Signs a demo person in as a person does: the console, the provider's page, the code that the local outbox has, and back to `path`. */
export async function signIn(page: Page, origin: string, path: string, phone: string = ALICE): Promise<void> {
  await page.goto(origin + path);
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click();
  await sendForm(page, 'phone', async () => phone);
  await sendForm(page, 'code', () => codeOf(origin, phone));
  await page.waitForURL((url) => url.origin === origin && url.pathname === new URL(path, origin).pathname);
}

/** The form with this field: a page of the provider has another one before it, for passkeys. */
async function sendForm(page: Page, field: string, value: () => Promise<string>): Promise<void> {
  const input = page.locator(`input[name=${field}]:not([type=hidden])`);
  await input.waitFor();
  await input.fill(await value());
  await page.locator('form', { has: input }).getByRole('button').first().click();
}

/**
 * The last code that the local outbox has for this number; the message may be on its way still. Looks at the outbox count for the address like sign-ins (100 a minute): there are few, and one that was too many is no error.
 *
 * @internal
 */
export async function codeOf(origin: string, phone: string): Promise<string> {
  for (let tries = 0; tries < 90; tries++) {
    const text = await (await fetch(`${origin}/iam/dev/outbox`)).text();
    const { data = [] } = JSON.parse(text) as { data?: { phone: string; text: string }[] };
    const own = data.find((message) => message.phone === phone);
    const code = own === undefined ? undefined : /^\d{6}/.exec(own.text)?.[0];
    if (code !== undefined) return code;
    await new Promise((resolve) => setTimeout(resolve, tries < 5 ? 200 : 1_000));
  }
  throw new Error(`the outbox has no code for ${phone}`);
}

/** Until the page has its title, and nothing in it loads any more. */
export async function whenSettled(page: Page): Promise<void> {
  await page.locator('main:not(:has([aria-busy=true])) h1').first().waitFor({ state: 'attached' });
}
