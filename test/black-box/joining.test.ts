import { TOTP } from 'otpauth';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, OLIVIA, signIn, whenSettled } from '../../scripts/web/sign-in.ts';
import { newPage, overflow, picture, seriousFaults } from './browsing.ts';
import { findChromium, launchChromium } from './chromium.ts';
import { type LocalSystem, localSystem } from './local-system.ts';
import { until } from './until.ts';

/** Each person calls from an address of their own, as limits count by address; the test, which looks at the outboxes, from none. */
const CLIENT_ADDRESS_HEADER = 'x-real-ip';
const PHONE_WIDTH = { width: 360, height: 760 };
const PERSON = {
  mail: 'ada.quinn@example.com',
  name: 'Ada Quinn',
  phone: '+15550170001',
  birthDate: '1988-04-12',
  taxId: '078-05-1120',
};
const ACTOR = {
  mail: 'ben.kerr@example.com',
  name: 'Ben Kerr',
  phone: '+15550170002',
  birthDate: '1985-02-03',
  taxId: '219-09-9999',
};
const ADDRESS = { country: 'US', street: '1 Main Street', postalCode: '62701', city: 'Springfield', region: 'IL' };
const DAY_MS = 86_400_000;
const PDF = Buffer.from('%PDF-1.7 a document');

const executable = findChromium();
if (executable === null)
  process.stderr.write('joining: skipped, no Chromium here (apt-get install chromium, or CHROMIUM_PATH)\n');

describe.skipIf(executable === null)('becoming a customer in Chromium', () => {
  let system: LocalSystem;
  let browser: Browser;
  let origin: string;
  let page: Page;
  let actorPage: Page;
  let photo: Buffer;
  /** Of the virtual authenticator of her browser. */
  let device: CDPSession;
  let authenticatorId: string;
  let recoveryCodes: string[] = [];
  const complaints: string[] = [];
  /** Faults of pages, by what they are called. */
  const faults: string[] = [];

  beforeAll(async () => {
    system = await localSystem({ CLIENT_ADDRESS_HEADER });
    await system.start();
    origin = system.origin;
    browser = await launchChromium(executable ?? '');
    const phone = { viewport: PHONE_WIDTH };
    page = await pageOf('198.51.100.1', phone);
    const german = { locale: 'de-DE', colorScheme: 'dark' } as const;
    actorPage = await pageOf('198.51.100.2', { ...phone, ...german });
    photo = await sharp({ create: { width: 200, height: 260, channels: 3, background: '#a0785a' } })
      .jpeg()
      .toBuffer();
  });

  afterAll(async () => {
    await browser?.close();
    await system?.stop('SIGTERM');
  });

  async function pageOf(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const extraHTTPHeaders = { [CLIENT_ADDRESS_HEADER]: address };
    const made = await newPage(browser, complaints, { ...options, extraHTTPHeaders });
    // Whoever is told so sees another page than the one that the test waits for.
    made.on('response', (response) => {
      if (response.status() === 429) complaints.push(`too many requests: ${response.url()}`);
    });
    return made;
  }

  /** Holds a page to what each has to be: readable by all, in either theme, and no wider than a phone. */
  async function look(at: Page, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.emulateMedia({ colorScheme });
      for (const fault of await seriousFaults(at)) faults.push(`${name}, ${colorScheme}: ${fault}`);
      await picture(at, `${name}-${colorScheme}`);
    }
    const wider = await overflow(at);
    if (wider > 0) faults.push(`${name}: ${wider} px wider than a phone`);
  }

  /** Fills the fields of the form that has the first of them, and sends it. */
  async function answer(at: Page, fields: Readonly<Record<string, string>>, button = 'button'): Promise<void> {
    const [first = ''] = Object.keys(fields);
    const form = at.locator('form', { has: at.locator(`[name=${first}]:not([type=hidden])`) });
    for (const [name, value] of Object.entries(fields)) {
      const field = form.locator(`[name=${name}]:not([type=hidden])`);
      if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(value);
      else await field.fill(value);
    }
    await form.locator(button).first().click();
  }

  async function show(at: Page, name: string, file: Buffer): Promise<void> {
    const mimeType = file === PDF ? 'application/pdf' : 'image/jpeg';
    await at.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: file });
    await at.locator('form:has(input[type=file]) button').first().click();
  }

  async function attest(at: Page): Promise<void> {
    for (const box of await at.locator('input[type=checkbox]').all()) await box.check();
    await at.locator('form button').first().click();
  }

  /** Until the page has this question: `2 / 8` say. */
  const step = (at: Page, shown: string) => at.getByText(shown).waitFor();

  /** The six digits that the last mail to this address names. */
  async function mailedCode(address: string): Promise<string> {
    const look = async () => {
      const { data } = (await (await fetch(`${origin}/iam/dev/mail.json`)).json()) as {
        data: { recipient: string; text: string }[];
      };
      return data.flatMap(({ recipient, text }) => (recipient === address ? (/\b\d{6}\b/.exec(text) ?? []) : []));
    };
    const [code = ''] = await until(`a code for ${address}`, look, (codes) => codes.length > 0);
    return code;
  }

  async function signUp(at: Page, { mail, name, phone }: typeof PERSON, prefix: string): Promise<void> {
    await at.goto(`${origin}/iam/sign-up`);
    await look(at, `${prefix}-1-mail`);
    await answer(at, { mail });
    await at.locator('input[name=code]').waitFor();
    await look(at, `${prefix}-2-code`);
    await answer(at, { code: await mailedCode(mail) });
    await answer(at, { name });
    await at.locator('input[name=phone]').waitFor();
    await look(at, `${prefix}-4-phone`);
    await answer(at, { phone });
    await at.locator('input[name=code]').waitFor();
    await answer(at, { code: await codeOf(origin, phone) });
    await at.waitForURL(/\/iam\/identity/);
  }

  test('leads a stranger from a mail address to an account that may trade', async () => {
    await signUp(page, PERSON, 'person');
    await step(page, '1 / 8');
    await look(page, 'identity-1');
    await answer(page, { legalName: PERSON.name });
    await step(page, '2 / 8');
    await answer(page, { birthDate: '2020-01-01' });
    await page.getByText('You have to be 18 years old.').waitFor();
    await look(page, 'identity-2-wrong');
    await answer(page, { birthDate: PERSON.birthDate });
    await step(page, '3 / 8');
    await look(page, 'identity-3');
    await answer(page, ADDRESS);
    await step(page, '4 / 8');
    await answer(page, { taxId: PERSON.taxId });
    await step(page, '5 / 8');
    await look(page, 'identity-5');
    await show(page, 'passport.jpg', photo);
    await step(page, '6 / 8');
    await show(page, 'bill.pdf', PDF);
    await step(page, '7 / 8');
    await show(page, 'me.jpg', photo);
    await step(page, '8 / 8');
    await look(page, 'identity-8');
    await attest(page);
    await page.locator('button[value=submit]').waitFor();
    await look(page, 'identity-review');
    expect(await page.content()).not.toContain(PERSON.taxId);
    await page.locator('button[value=submit]').click();
    await page.waitForURL(/\/iam\/identity/);
    // The simulator has nothing against her; its word comes by the job of five minutes where it did not come at once.
    const standing = async () => {
      await page.reload();
      return (await page.getByRole('status').textContent()) ?? '';
    };
    await until('the identity is confirmed', standing, (said) => said.includes('Your identity is confirmed'));
    await look(page, 'identity-approved');
  });

  test('lets her say that she is an accredited investor as the next step, or go on without', async () => {
    await page.getByRole('link', { name: 'Say that you are an accredited investor' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accredited investors' }).waitFor();
    await page.getByRole('link', { name: 'Go to the exchange' }).waitFor();
    await look(page, 'accreditation');
    const certify = page.getByRole('button', { name: 'Certify' });
    await certify.click();
    await page.getByText('Tick this to certify it').waitFor();
    await look(page, 'accreditation-wrong');
    await page.getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('You have certified that you are an accredited investor.').waitFor();
    await page.getByLabel('What it goes by').selectOption('professional_letter');
    await page.getByRole('button', { name: 'Ask for a verification' }).click();
    await page.getByText('A third party has verified').waitFor();
    await look(page, 'accreditation-verified');
  });

  test('gives her a passkey, an authenticator app and recovery codes', async () => {
    device = await page.context().newCDPSession(page);
    await device.send('WebAuthn.enable');
    const made = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    authenticatorId = made.authenticatorId;
    await page.goto(`${origin}/iam/security`);
    await look(page, 'security');
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey is added.').waitFor();

    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const key = (await page.locator('section[aria-labelledby=totp] code').textContent())?.replaceAll(' ', '');
    await look(page, 'security-app');
    await answer(page, { code: '000000' });
    await page.getByText('The code is wrong or out of date.').waitFor();
    await look(page, 'security-wrong');
    await answer(page, { code: new TOTP({ secret: key ?? '' }).generate() });
    await page.getByText('The authenticator app is added.').waitFor();

    await page.getByRole('button', { name: 'Make new codes' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    recoveryCodes = await page.locator('ol.codes li').allTextContents();
    expect(recoveryCodes).toHaveLength(10);
    await look(page, 'security-codes');
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText('10 are left.').waitFor();
    await look(page, 'security-full');
  });

  test('lets her sign in to the console by the passkey alone', async () => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    // The page offers a passkey by itself, too: she wants to press the button.
    await device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await page.goto(`${origin}/account`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const withPasskey = page.getByRole('button', { name: 'Sign in with a passkey' });
    await withPasskey.waitFor();
    await look(page, 'sign-in');
    await device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
    await withPasskey.click();
    await page.waitForURL(`${origin}/account`);
    await whenSettled(page);
    await page.getByText(PERSON.name).first().waitFor();
  });

  test('asks who signs in by a code for more once she has an app, and lets her end that browser', async () => {
    const other = await pageOf('198.51.100.3', { viewport: PHONE_WIDTH });
    await other.goto(`${origin}/account`);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await answer(other, { phone: PERSON.phone });
    await other.getByText(PERSON.phone).waitFor();
    await answer(other, { code: await codeOf(origin, PERSON.phone) });
    await other.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await look(other, 'second-step');
    await answer(other, { code: recoveryCodes[0] ?? '' });
    await other.waitForURL(`${origin}/account`);
    await other.goto(`${origin}/iam/security`);
    await other.getByText(`You are signed in as ${PERSON.name}.`).waitFor();

    await page.goto(`${origin}/iam/security`);
    await page.getByText('9 are left.').waitFor();
    await look(page, 'security-two-browsers');
    await page
      .getByRole('button', { name: /^End: / })
      .first()
      .click();
    await page.getByText('That has ended.').waitFor();
    await other.reload();
    await other.locator('input[name=phone]').waitFor();
  });

  test('lets her allow an agent within limits by asset and a last day, see them, and take all of it back', async () => {
    const callback = 'http://127.0.0.1:9/callback';
    const registered = await fetch(`${origin}/iam/api/login/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [CLIENT_ADDRESS_HEADER]: '198.51.100.4' },
      body: JSON.stringify({ client_name: 'Night desk', redirect_uris: [callback] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const guarded = await fetch(`${origin}/.well-known/oauth-protected-resource/agent/mcp`);
    const { resource } = (await guarded.json()) as { resource: string };
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: callback,
      scope: 'openid profile',
      state: 'as-it-was',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      resource,
    });
    await page.route(`${callback}*`, (route) => route.fulfill({ body: 'the application' }));
    await page.goto(`${origin}/iam/api/login/oauth/authorize?${asked}`);
    await page.getByRole('heading', { name: 'Allow access for Night desk?' }).waitFor();
    await look(page, 'consent');

    await page.getByLabel('It may place and cancel orders').check();
    await page.getByText('Limits by asset').click();
    await page.locator('input[name=asset_1]').fill('ACME');
    await page.locator('input[name=position_1]').fill('many');
    await page.locator('button[value=allow]').click();
    await page.getByRole('heading', { name: 'Allow access for Night desk?' }).waitFor();
    await look(page, 'consent-wrong');

    await page.locator('input[name=position_1]').fill('100');
    await page.locator('input[name=order_1]').fill('25');
    await page.locator('input[name=daily_notional]').fill('5000');
    await page.locator('input[name=until]').fill(new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10));
    await page.locator('button[value=allow]').click();
    await page.getByText('the application').waitFor();
    expect(new URL(page.url()).searchParams.get('state')).toBe('as-it-was');

    await page.goto(`${origin}/iam/security`);
    await page.getByText('Night desk').first().waitFor();
    await page.getByText('orders of a day: up to 5,000 US dollars').waitFor();
    await look(page, 'security-with-an-agent');
    await page.getByRole('button', { name: /Night desk/ }).click();
    await page.getByText('That has ended.').waitFor();
    expect(await page.getByText('Night desk').count()).toBe(0);
  });

  test('takes a company as a customer: whoever acts for it states it in German, an operator looks at the people behind it', async () => {
    await signUp(actorPage, ACTOR, 'actor');
    await actorPage.getByRole('link', { name: /Unternehmen/ }).click();
    await look(actorPage, 'entity-choice');
    await actorPage.locator('form button').first().click();
    await step(actorPage, '1 / 10');
    await look(actorPage, 'entity-1');
    await answer(actorPage, { legalName: 'Kerr Review Partners LLC', form: 'company' });
    await step(actorPage, '2 / 10');
    await look(actorPage, 'entity-2');
    await answer(actorPage, { formationCountry: 'US', formationRegion: 'DE', registrationNumber: 'DE-7654321' });
    await step(actorPage, '3 / 10');
    await answer(actorPage, ADDRESS);
    await step(actorPage, '4 / 10');
    await answer(actorPage, { taxId: '12-1234567' });
    await step(actorPage, '5 / 10');
    await look(actorPage, 'entity-5');
    await answer(actorPage, {
      activity: 'Invests the savings of its two founders.',
      sourceOfFunds: 'Sale of a former company in 2024.',
    });
    await step(actorPage, '6 / 10');
    for (const role of ['owner', 'control', 'authorised']) await actorPage.locator(`[name=role_${role}]`).check();
    const { name: legalName, birthDate, taxId } = ACTOR;
    await answer(actorPage, { share: '20', legalName, birthDate, ...ADDRESS, taxId, title: 'Managing director' });
    await actorPage.getByText('25 bis 100 Prozent').waitFor();
    await look(actorPage, 'entity-6-wrong');
    await answer(actorPage, { share: '100', taxId });
    await actorPage.locator('ul.things li').waitFor();
    await look(actorPage, 'entity-6');
    await actorPage.locator('button[value=go]').first().click();
    for (const [at, file] of ['7 / 10', '8 / 10', '9 / 10'].entries()) {
      await step(actorPage, file);
      await look(actorPage, `entity-${at + 7}`);
      await show(actorPage, 'paper.pdf', PDF);
    }
    await step(actorPage, '10 / 10');
    await look(actorPage, 'entity-10');
    await attest(actorPage);
    await actorPage.locator('button[value=submit]').waitFor();
    await look(actorPage, 'entity-review');
    await actorPage.locator('button[value=submit]').click();
    await actorPage.getByRole('status').waitFor();
    await look(actorPage, 'entity-handed-in');

    const operator = await pageOf('198.51.100.4');
    await signIn(operator, origin, '/operator/identities', OLIVIA);
    await operator.getByRole('link', { name: ACTOR.name }).click();
    await operator.getByRole('heading', { level: 1, name: ACTOR.name }).waitFor();
    await picture(operator, 'queue-masked');
    await operator.getByRole('button', { name: 'Show in the clear' }).click();
    await operator.getByText('Kerr Review Partners LLC').first().waitFor();
    for (const fault of await seriousFaults(operator)) faults.push(`queue of operators: ${fault}`);
    await picture(operator, 'queue-of-operators');
    await operator.getByRole('button', { name: 'Approve' }).click();
    const dialog = operator.getByRole('dialog');
    await dialog.getByText('You have not opened 3 documents.').waitFor();
    await dialog.getByLabel('Why?').fill('Looked at by phone');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.waitFor({ state: 'detached' });

    const standing = async () => {
      await actorPage.reload();
      return (await actorPage.getByRole('status').textContent()) ?? '';
    };
    await until('the entity is confirmed', standing, (said) => said.includes('ist bestätigt'));
    await look(actorPage, 'entity-approved');
    await actorPage.getByRole('link', { name: 'Sagen, dass Sie akkreditierter Anleger sind' }).click();
    await actorPage.getByRole('heading', { level: 1, name: 'Akkreditierte Anleger' }).waitFor();
    await look(actorPage, 'accreditation-german');
  });

  test('asks before it signs somebody out whom a link has led there', async () => {
    await actorPage.goto(`${origin}/iam/api/login/oauth/logout`);
    await look(actorPage, 'sign-out');
    await actorPage.locator('button[value=stay]').click();
    await actorPage.getByRole('heading', { level: 1 }).waitFor();
    await actorPage.goto(`${origin}/iam/api/login/oauth/logout`);
    await actorPage.locator('button[value=sign_out]').click();
    await actorPage.getByRole('heading', { level: 1 }).waitFor();
    await look(actorPage, 'signed-out');
    await actorPage.goto(`${origin}/iam/entity`);
    await actorPage.getByRole('link', { name: 'Weiter zur Börse' }).waitFor();
  });

  test('had no page with a serious fault of accessibility or wider than a phone, and none complained', () => {
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
