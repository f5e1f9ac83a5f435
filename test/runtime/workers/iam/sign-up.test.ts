import { env } from 'cloudflare:workers';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { confirmMailAddress } from '../../../../application/mail/confirm-mail-address.ts';
import { mailAddressHash, userOfMailAddress } from '../../../../application/mail/mail-addresses.ts';
import { confirmPhone, finishSignUp, signUpOf } from '../../../../application/onboarding/sign-up.ts';
import type { Database } from '../../../../data/database.ts';
import { listDevOutbox } from '../../../../data/identity/dev-outbox.ts';
import { deleteExpiredRecords } from '../../../../data/identity/expired-records.ts';
import { accounts, organizations, users } from '../../../../data/schema/accounts.ts';
import { domainEvents } from '../../../../data/schema/audit.ts';
import { browserSessions } from '../../../../data/schema/identity.ts';
import { signUps } from '../../../../data/schema/onboarding.ts';
import { Browser, type Page } from '../../fixtures/browser.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { mailedTo } from '../../fixtures/mailed.ts';
import { migrate } from '../../fixtures/migrate.ts';

const SIGN_UP = 'http://localhost/iam/sign-up';
const DAY_MS = 86_400_000;

let db: Database;
let people = 0;

beforeAll(async () => {
  db = await migrate();
  await db.insert(organizations).values({ id: 'demo', name: 'Demo', createdAt: 0 }).onConflictDoNothing();
});

afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

function person() {
  people += 1;
  return { mail: `ann.${people}@example.com`, phone: `+1415555${String(7000 + people)}`, name: 'Ann O’Neill' };
}

/** Sends the form of a page, and follows to the page that it leads to. */
async function answer(browser: Browser, page: Page, written: Readonly<Record<string, string>>, url = SIGN_UP) {
  const sent = await browser.send(url, page, written);
  return sent.location === null ? sent : browser.open(new URL(sent.location, url).href);
}

async function mailCodeOf(mail: string): Promise<string> {
  const [newest] = await mailedTo(mail);
  return /\d{6}/.exec(newest?.text ?? '')?.[0] ?? 'none';
}

const messagesTo = async (phone: string) =>
  (await listDevOutbox(db)).filter((message) => message.phone === phone).map(({ text }) => text);

async function messageTo(phone: string, count = 1): Promise<string> {
  return vi.waitUntil(async () => {
    const sent = await messagesTo(phone);
    return sent.length >= count && sent[0];
  });
}

async function upTo(
  step: 'mail_code' | 'name' | 'phone' | 'phone_code',
  who = person(),
  browser = new Browser(),
  url = SIGN_UP,
): Promise<{ browser: Browser; page: Page; who: ReturnType<typeof person> }> {
  let page = await answer(browser, await browser.open(url), { mail: who.mail }, url);
  const steps = [
    ['mail_code', async () => ({ code: await mailCodeOf(who.mail) })],
    ['name', async () => ({ name: who.name })],
    ['phone', async () => ({ phone: who.phone })],
  ] as const;
  for (const [at, written] of steps) {
    if (at === step) break;
    page = await answer(browser, page, await written(), url);
  }
  return { browser, page, who };
}

const codeIn = (message: string) => /\d{6}/.exec(message)?.[0] ?? 'none';

describe('signing up', () => {
  it('leads from the mail address to an account whose identity is not proven, and signs the browser in', async () => {
    const { browser, page, who } = await upTo(
      'phone_code',
      person(),
      new Browser(),
      `${SIGN_UP}?client_id=app&state=1`,
    );
    expect(page.html).toContain('Question 5 of 5');
    const code = codeIn(await messageTo(who.phone));
    const done = await browser.send(`${SIGN_UP}?client_id=app&state=1`, page, { code });
    expect(done).toMatchObject({ status: 303, location: 'identity?client_id=app&state=1' });
    const [user] = await db.select().from(users).where(eq(users.phone, who.phone));
    expect(user).toMatchObject({ owner: 'demo', email: who.mail, name: who.name, roles: ['trader'] });
    const [account] = await db
      .select()
      .from(accounts)
      .where(eq(accounts.userId, user?.id ?? ''));
    expect(account).toMatchObject({ owner: 'demo', kycStatus: 'pending', accreditationStatus: 'none', usPerson: true });
    const [event] = await db
      .select()
      .from(domainEvents)
      .where(eq(domainEvents.id, user?.id ?? ''));
    expect(event?.type).toBe('person.signed_up');
    expect(event?.payload).not.toMatch(/ann\.|O’Neill|\+1415/);
    expect(await browser.open(SIGN_UP)).toMatchObject({ status: 303, location: 'identity' });
  });

  it('asks one question a page, in the language of the browser, and says what is wrong beside it', async () => {
    const browser = new Browser();
    const page = await browser.open(SIGN_UP, { 'accept-language': 'de' });
    expect(page.html).toContain('Konto eröffnen');
    expect(page.html.match(/<label/g)).toHaveLength(1);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const wrong = await browser.send(SIGN_UP, page, { mail: 'ann@localhost<script>' });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('aria-invalid="true"');
    expect(wrong.html).not.toContain('localhost<script>');
  });

  it('a mail address that is confirmed already gets the same page, and a mail that says so in place of a code', async () => {
    const who = person();
    const { userId } = await createTrader(db);
    await confirmMailAddress(env, { userId, address: who.mail, language: 'en' });
    const { browser, page } = await upTo('mail_code', who);
    const other = await upTo('mail_code');
    const withoutNames = ({ html }: Page, mail: string) =>
      html.replaceAll(mail, 'MAIL').replaceAll(/name="form_token" value="[^"]+"/g, '');
    expect(withoutNames(page, who.mail)).toBe(withoutNames(other.page, other.who.mail));
    expect((await mailedTo(who.mail)).map(({ kind }) => kind)).toEqual(['signup_exists']);
    expect((await mailedTo(other.who.mail)).map(({ kind }) => kind)).toEqual(['mail_confirm']);
    const mailHash = await mailAddressHash(env, who.mail);
    const [row] = await db.select().from(signUps).where(eq(signUps.mailHash, mailHash));
    expect(row).toMatchObject({ codeHash: '', mailConfirmedAt: null });
    expect((await answer(browser, page, { code: '000000' })).status).toBe(400);
  });

  it('a phone that has an account gets the same page, and only its owner is told', async () => {
    const trader = await createTrader(db);
    const { browser, page } = await upTo('phone_code', { ...person(), phone: trader.phone });
    expect(page.html).toContain(`We have sent a message to ${trader.phone}`);
    const message = await messageTo(trader.phone);
    expect(message).toContain('has an account there already');
    expect(message).not.toMatch(/\d{6}/);
    expect((await answer(browser, page, { code: '123456' })).status).toBe(400);
    later(20 * 60_000);
    await upTo('phone_code', { ...person(), phone: trader.phone });
    expect(await messageTo(trader.phone, 2), 'wrong codes are told of').toContain(
      'A wrong code was tried for your number.',
    );
    expect(await db.select().from(users).where(eq(users.phone, trader.phone))).toHaveLength(1);
  });

  it('a phone of somebody who is dismissed, or in another spelling, is nobody else’s', async () => {
    const trader = await createTrader(db);
    const phone = `+490171${String(Date.now()).slice(-7)}`;
    await db.update(users).set({ phone, deactivatedAt: 1 }).where(eq(users.id, trader.userId));
    const written = phone.replace('+490171', '+49 (0)171 ');
    const { browser, page } = await upTo('phone_code', { ...person(), phone: written });
    expect(page.html).toContain(phone.replace('+490171', '+49171'));
    const message = await messageTo(phone);
    expect(message).toContain('has an account there already');
    expect(message).not.toMatch(/\d{6}/);
    expect((await answer(browser, page, { code: '123456' })).status).toBe(400);
  });

  it('a code that was mailed is tried five times, serves once, and ends after 15 minutes', async () => {
    const { browser, page, who } = await upTo('mail_code');
    const code = await mailCodeOf(who.mail);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tried = 0; tried < 5; tried++) expect((await answer(browser, page, { code: wrong })).status).toBe(400);
    expect((await answer(browser, page, { code })).status).toBe(400);
    expect((await browser.send(SIGN_UP, page, { answer: 'again' })).status).toBe(400);
    later(61_000);
    expect((await browser.send(SIGN_UP, page, { answer: 'again' })).status).toBe(303);
    const second = await mailCodeOf(who.mail);
    expect(second).not.toBe('none');
    later(15 * 60_000);
    expect((await answer(browser, page, { code: second })).status).toBe(400);
  });

  it.each([
    ['of another origin', { origin: 'https://evil.example.com' }],
    ['without an origin', { origin: '' }],
  ])('takes no form %s', async (_, headers) => {
    const browser = new Browser();
    const page = await browser.open(SIGN_UP);
    const { mail } = person();
    expect((await browser.send(SIGN_UP, page, { mail }, headers)).status).toBe(403);
    expect(await mailedTo(mail)).toEqual([]);
  });

  it('takes no form of another browser, and none of another sign-up', async () => {
    const mine = await upTo('mail_code');
    const theirs = await upTo('mail_code');
    expect((await theirs.browser.send(SIGN_UP, mine.page, { code: await mailCodeOf(mine.who.mail) })).status).toBe(403);
    expect((await new Browser().send(SIGN_UP, mine.page, { code: await mailCodeOf(mine.who.mail) })).status).toBe(403);
  });

  it('skips no question: the form of a later one does nothing', async () => {
    const { browser, page } = await upTo('mail_code');
    const skipped = { ...page, html: page.html.replace('value="mail_code"', 'value="finish"') };
    expect((await browser.send(SIGN_UP, skipped, {})).location).toBe('sign-up');
    const phone = { ...page, html: page.html.replace('value="mail_code"', 'value="phone"') };
    expect((await browser.send(SIGN_UP, phone, { phone: '+14155559999' })).location).toBe('sign-up');
    expect(await messagesTo('+14155559999')).toEqual([]);
  });

  it('makes one user of a form that is sent twice, and goes on after a crash', async () => {
    const { browser, page, who } = await upTo('phone_code');
    const code = codeIn(await messageTo(who.phone));
    const token = browser.cookie('exchange-sign-up');
    // The code is taken, and nothing else is done before the Worker ends.
    await browser.send(SIGN_UP, page, { code: '999999' });
    const before = await signUpOf(env, token);
    if (before === null) throw new Error('fixture: no sign-up');
    expect(await confirmPhone(env, before, code, '203.0.113.9')).toBe(true);
    const open = await browser.open(SIGN_UP);
    expect(open.html).toContain('Almost done');
    const signUp = await signUpOf(env, token);
    if (signUp === null) throw new Error('fixture: no sign-up');
    const caller = { clientAddress: '203.0.113.9', device: null, later: () => undefined };
    const terms = { requestId: 'r-1', language: 'en', caller } as const;
    // One that made the user, and did not get to answer.
    expect((await finishSignUp(env, signUp, terms)).ok).toBe(true);
    expect(await db.select().from(users).where(eq(users.phone, who.phone))).toHaveLength(1);
    expect(await db.select().from(accounts).where(eq(accounts.id, signUp.row.userId))).toHaveLength(1);
    expect(await userOfMailAddress(env, who.mail)).toBe(signUp.row.userId);
    // What the browser has kept of its sign-up signs nobody in: the person does so by the account.
    expect(await signUpOf(env, token)).toBeNull();
    const sessions = () => db.select().from(browserSessions).where(eq(browserSessions.userId, signUp.row.userId));
    expect(await sessions()).toHaveLength(1);
    const repeated = await browser.send(SIGN_UP, open, {});
    expect([repeated.status, repeated.location]).toEqual([303, 'sign-up']);
    expect(await browser.open(SIGN_UP)).toMatchObject({ status: 303, location: 'identity' });
    expect((await browser.open('http://localhost/iam/identity')).status).toBe(401);
    expect(await sessions()).toHaveLength(1);
  });

  it('makes nobody whose mail address has become somebody else’s meanwhile', async () => {
    const { browser, page, who } = await upTo('phone_code');
    const { userId } = await createTrader(db);
    await confirmMailAddress(env, { userId, address: who.mail, language: 'en' });
    const taken = await browser.send(SIGN_UP, page, { code: codeIn(await messageTo(who.phone)) });
    expect(taken.html).toContain('has an account already');
    expect(await db.select().from(users).where(eq(users.phone, who.phone))).toEqual([]);
    expect(await userOfMailAddress(env, who.mail)).toBe(userId);
  });

  it('two that confirm one number make one account', async () => {
    const phone = person().phone;
    const [first, second] = [
      await upTo('phone_code', { ...person(), phone }),
      await upTo('phone', { ...person(), phone }),
    ];
    const code = codeIn(await messageTo(phone));
    expect((await first.browser.send(SIGN_UP, first.page, { code })).location).toBe('identity');
    const page = await answer(second.browser, second.page, { phone });
    expect(await messageTo(phone, 2)).toContain('has an account there already');
    expect((await answer(second.browser, page, { code })).status).toBe(400);
    expect(await db.select().from(users).where(eq(users.phone, phone))).toHaveLength(1);
  });

  it('bounds what an address begins, and the messages by phone', async () => {
    const browser = new Browser();
    for (let begun = 0; begun < 10; begun++) {
      browser.setCookie('exchange-sign-up', '');
      expect((await answer(browser, await browser.open(SIGN_UP), { mail: person().mail })).status).toBe(200);
    }
    browser.setCookie('exchange-sign-up', '');
    expect((await answer(browser, await browser.open(SIGN_UP), { mail: person().mail })).status).toBe(429);
    const many = await upTo('phone');
    for (let sent = 0; sent < 5; sent++) {
      const page = await answer(many.browser, many.page, { phone: person().phone });
      await answer(many.browser, page, { answer: 'other' });
    }
    const last = person().phone;
    expect((await answer(many.browser, many.page, { phone: last })).html).toContain('No more codes');
    expect(await messagesTo(last)).toEqual([]);
  });

  it('sends a mail address five mails a day, then one an hour, and two more for who has not asked: nobody keeps its owner out', async () => {
    const { mail } = person();
    const stranger = new Browser();
    let asked = 0;
    const ask = async (browser: Browser) => {
      browser.setCookie('exchange-sign-up', '');
      // However it is written, it is one mailbox.
      asked += 1;
      return answer(browser, await browser.open(SIGN_UP), { mail: asked === 3 ? mail.replace('@', '+more@') : mail });
    };
    const mailed = async () => (await mailedTo(mail)).length + (await mailedTo(mail.replace('@', '+more@'))).length;
    for (let begun = 0; begun < 5; begun++) expect((await ask(stranger)).html).toContain('Question 2 of 5');
    expect(await mailed()).toBe(5);
    // The sixth gets the same page, and no mail; another code neither.
    const page = await ask(stranger);
    expect(page.html).toContain('Question 2 of 5');
    expect((await stranger.send(SIGN_UP, page, { answer: 'again' })).status, 'too soon, as for anybody').toBe(400);
    later(61_000);
    expect((await stranger.send(SIGN_UP, page, { answer: 'again' })).status).toBe(303);
    expect(await mailed()).toBe(5);
    // An hour later the stranger takes the one that everybody has together, as they may each hour.
    later(61 * 60_000);
    await ask(stranger);
    expect(await mailed()).toBe(6);
    const owner = new Browser();
    await ask(owner);
    await ask(owner);
    expect(await mailed(), 'the owner from an address of their own').toBe(8);
    const last = await ask(owner);
    expect([last.status, await mailed()]).toEqual([200, 8]);
    await db
      .update(signUps)
      .set({ mails: 60 })
      .where(and(eq(signUps.mailHash, await mailAddressHash(env, mail)), gt(signUps.mails, 0)));
    await ask(new Browser());
    expect(await mailed()).toBe(8);
  });

  it('keeps half of the messages by phone of a day for addresses that have had few', async () => {
    const phoneOf = async (at: Awaited<ReturnType<typeof upTo>>) => {
      const phone = person().phone;
      const page = await answer(at.browser, at.page, { phone });
      return { page, isSent: !page.html.includes('No more codes') };
    };
    const many = await upTo('phone');
    for (let sent = 0; sent < 2; sent++) {
      const { page, isSent } = await phoneOf(many);
      expect(isSent).toBe(true);
      await answer(many.browser, page, { answer: 'other' });
    }
    const [used] = await db.select({ count: sql<number>`sum(phone_codes)` }).from(signUps);
    const others = {
      address: 'others',
      mailHash: 'others',
      facts: '',
      codeHash: '',
      codeExpiresAt: 0,
      mails: 0,
      mailedAt: 0,
    };
    const row = { ...others, id: 'others', userId: 'others', createdAt: Date.now(), expiresAt: Date.now() + DAY_MS };
    await db.insert(signUps).values({ ...row, phoneCodes: 2_500 - (used?.count ?? 0) });
    expect((await phoneOf(many)).isSent).toBe(false);
    expect((await phoneOf(await upTo('phone'))).isSent).toBe(true);
    await db.update(signUps).set({ phoneCodes: 5_000 }).where(eq(signUps.id, 'others'));
    expect((await phoneOf(await upTo('phone'))).isSent).toBe(false);
    await db.delete(signUps).where(eq(signUps.id, 'others'));
  });

  it('ends after a day, with everything that was said', async () => {
    const { browser } = await upTo('name');
    later(DAY_MS + 1_000);
    expect((await browser.open(SIGN_UP)).html).toContain('Question 1 of 5');
    await deleteExpiredRecords(db, Date.now());
    expect(await db.select().from(signUps).where(lt(signUps.expiresAt, Date.now()))).toEqual([]);
  });

  it('keeps no address, name or number in the clear, and no code', async () => {
    const { who } = await upTo('phone_code');
    const rows = JSON.stringify(await db.select().from(signUps));
    expect(rows).not.toMatch(new RegExp(`${who.mail}|${who.name}|${who.phone.slice(1)}|${await mailCodeOf(who.mail)}`));
  });
});
