import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { completeAddressChanges } from '../../../../application/mail/change-mail-address.ts';
import { confirmMailAddress } from '../../../../application/mail/confirm-mail-address.ts';
import type { Database } from '../../../../data/database.ts';
import { listBrowserSessions } from '../../../../data/identity/browser-sessions.ts';
import { deleteExpiredRecords } from '../../../../data/identity/expired-records.ts';
import { findMailAddress } from '../../../../data/identity/mail-address.ts';
import { addressChangeContext } from '../../../../data/identity/mail-address-changes.ts';
import { findUser } from '../../../../data/identity/users.ts';
import { SEALED_TABLES } from '../../../../data/keys/sealed-tables.ts';
import { type DevMail, listDevMails } from '../../../../data/mail/dev-mails.ts';
import { DAY_MS, MINUTE_MS } from '../../../../domain/calendar/durations.ts';
import { maskedAddress } from '../../../../domain/mail/mail-address.ts';
import { Browser, type Page } from '../../fixtures/browser.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, signIn } from '../../fixtures/sign-in.ts';

const SECURITY = 'http://localhost/iam/security';

let db: Database;
let now = Date.now();

/** From now on it is later. */
function pass(ms: number): void {
  now = Math.max(now, Date.now()) + ms;
  vi.useFakeTimers({ toFake: ['Date'], now });
}

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

beforeEach(() => pass(2 * MINUTE_MS));

afterEach(() => {
  vi.useRealTimers();
});

const mailsTo = async (address: string): Promise<DevMail[]> =>
  (await listDevMails(db)).filter(({ recipient }) => recipient === address);

/** The newest mail of a kind at an address, once it is there. */
const mailOf = (address: string, kind: string): Promise<DevMail> =>
  vi.waitFor(async () => {
    const mail = (await mailsTo(address)).find((each) => each.kind === kind);
    if (mail === undefined) throw new Error(`no ${kind}`);
    return mail;
  });

async function codeSentTo(address: string): Promise<string> {
  const { text } = await mailOf(address, 'mail_confirm');
  return /\b\d{6}\b/.exec(text)?.[0] ?? '';
}

interface Person {
  readonly trader: Trader;
  readonly browser: Browser;
  send(fields: Record<string, string>): Promise<Page>;
}

async function person({ confirmed = true } = {}): Promise<Person> {
  const trader = await createTrader(db);
  if (confirmed) await confirmMailAddress(env, { userId: trader.userId, address: trader.email, language: 'en' });
  const browser = new Browser();
  await browser.signIn(SECURITY, trader.phone);
  return { trader, browser, send: async (fields) => browser.send(SECURITY, await browser.open(SECURITY), fields) };
}

const addressOf = ({ trader }: Person) => findMailAddress(db, trader.userId, env.IAM_KEY_ENCRYPTION_KEY);

const stateOf = async ({ trader }: Person) =>
  (
    await env.DB.prepare('SELECT state FROM mail_address_changes WHERE user_id = ? ORDER BY id DESC')
      .bind(trader.userId)
      .first<{ state: string }>()
  )?.state;

/** Asks for another address and shows its code. */
async function change(who: Person, address: string): Promise<Page> {
  expect((await who.send({ step: 'mail_ask', mail: address })).location).toBe('?done=mail_asked');
  return who.send({ step: 'mail_confirm', mail_code: await codeSentTo(address.toLowerCase()) });
}

describe('another mail address', () => {
  it('waits for a day once its code was shown, is told at the one before, and then takes its place', async () => {
    const mine = await person();
    const { email } = mine.trader;
    const other = `new-${email}`;
    expect((await change(mine, other.toUpperCase())).location).toBe('?done=mail_waits');
    expect((await mailOf(email, 'address_change_waits')).text).toContain('stop it on the security page');
    expect((await mine.browser.open(SECURITY)).html).toContain(`we write to ${other}`);
    await completeAddressChanges(env, Date.now() + DAY_MS - MINUTE_MS);
    expect(await addressOf(mine)).toBe(email);
    expect((await mine.send({ step: 'mail_ask', mail: `third-${email}` })).status, 'one waits').toBe(400);
    pass(DAY_MS + MINUTE_MS);
    await completeAddressChanges(env, Date.now());
    expect(await addressOf(mine)).toBe(other);
    expect((await findUser(db, mine.trader.userId))?.email, 'as claims and operators have it').toBe(other);
    await mailOf(email, 'address_changed');
    const kept = await env.DB.prepare(
      'SELECT state, address_sealed, code_hash FROM mail_address_changes WHERE user_id = ?',
    )
      .bind(mine.trader.userId)
      .first();
    expect(kept).toEqual({ state: 'done', address_sealed: '', code_hash: '' });
    const { results } = await env.DB.prepare("SELECT type FROM sign_ins WHERE user_id = ? AND type LIKE 'address%'")
      .bind(mine.trader.userId)
      .all<{ type: string }>();
    expect(results.map(({ type }) => type).toSorted()).toEqual(['address_change_asked', 'address_changed']);
    await deleteExpiredRecords(db, Date.now() + 2 * DAY_MS);
    expect(await stateOf(mine)).toBeUndefined();
  });

  it('takes effect at once for who has none', async () => {
    const mine = await person({ confirmed: false });
    expect((await mine.browser.open(SECURITY)).html).toContain('You have no confirmed address');
    expect((await change(mine, mine.trader.email)).location).toBe('?done=mail_done');
    expect(await addressOf(mine)).toBe(mine.trader.email);
    expect((await mailsTo(mine.trader.email)).map(({ kind }) => kind)).toEqual(['mail_confirm']);
  });

  it('is stopped at the page, by the end of the sessions, and by a kill switch', async () => {
    const stopped = await person();
    await change(stopped, `new-${stopped.trader.email}`);
    const another = new Browser();
    pass(2 * MINUTE_MS);
    await another.signIn(SECURITY, stopped.trader.phone);
    const page = await another.send(SECURITY, await another.open(SECURITY), { step: 'mail_stop' });
    expect(page.location).toBe('?done=mail_stopped');
    expect(await stateOf(stopped)).toBe('stopped');
    expect((await stopped.send({ step: 'mail_stop' })).status, 'nothing is under way').toBe(400);

    const ended = await person();
    await change(ended, `new-${ended.trader.email}`);
    expect((await ended.send({ step: 'sessions_end' })).status).toBe(303);
    expect(await stateOf(ended)).toBe('stopped');

    const endedBrowser = await person();
    await change(endedBrowser, `new-${endedBrowser.trader.email}`);
    const [asking] = await listBrowserSessions(db, endedBrowser.trader.userId, Date.now());
    pass(2 * MINUTE_MS);
    const owner = new Browser();
    await owner.signIn(SECURITY, endedBrowser.trader.phone);
    const kept = await owner.send(SECURITY, await owner.open(SECURITY), { step: 'browser_end', id: 'none' });
    expect(kept.status).toBe(400);
    expect(await stateOf(endedBrowser), 'no browser was ended').toBe('waiting');
    const gone = await owner.send(SECURITY, await owner.open(SECURITY), {
      step: 'browser_end',
      id: asking?.hash ?? '',
    });
    expect(gone.status).toBe(303);
    expect(await stateOf(endedBrowser)).toBe('stopped');
    // However it was stopped, the trail says so, once.
    const entries = "SELECT count(*) AS entries FROM sign_ins WHERE user_id = ? AND type = 'address_change_stopped'";
    for (const each of [stopped, ended, endedBrowser])
      expect(await env.DB.prepare(entries).bind(each.trader.userId).first()).toEqual({ entries: 1 });

    const killed = await person();
    await change(killed, `new-${killed.trader.email}`);
    pass(2 * MINUTE_MS);
    const { bearer } = await signIn((await createTrader(db, { owner: 'venue', roles: ['operator'] })).phone);
    const pulled = await call(`POST /iam/v1/users/${killed.trader.userId}/kill-switch`, { headers: bearer });
    expect(pulled.status).toBe(200);
    pass(DAY_MS);
    await completeAddressChanges(env, Date.now());
    expect(await stateOf(killed)).toBe('lapsed');
    for (const each of [stopped, ended, endedBrowser, killed]) expect(await addressOf(each)).toBe(each.trader.email);
  });

  it('goes on when another browser is signed out through an application, with the session that asked over', async () => {
    const away = await person();
    await change(away, `new-${away.trader.email}`);
    pass(13 * 60 * MINUTE_MS);
    await deleteExpiredRecords(db, Date.now());
    const another = new Browser();
    await another.signIn(SECURITY, away.trader.phone);
    const logout = SECURITY.replace('/security', '/api/login/oauth/logout');
    const out = await another.send(logout, await another.open(logout), { answer: 'sign_out' });
    expect([out.status, out.html.includes('You are signed out')]).toEqual([200, true]);
    expect(await listBrowserSessions(db, away.trader.userId, Date.now())).toEqual([]);
    expect(await stateOf(away)).toBe('waiting');
  });

  it('that fails keeps back no other, can be stopped still, and is shown masked to an older session', async () => {
    const broken = await person();
    await change(broken, `new-${broken.trader.email}`);
    pass(MINUTE_MS);
    const whole = await person();
    const other = `new-${whole.trader.email}`;
    await change(whole, other);
    const [, sealed] = SEALED_TABLES.filter(({ table }) => table.startsWith('mail_'));
    expect(sealed?.columns[0]?.context('x')).toBe(addressChangeContext('x'));
    pass(11 * MINUTE_MS);
    const masked = (await whole.browser.open(SECURITY)).html;
    expect(masked).not.toContain(other);
    expect(masked).toContain(maskedAddress(other));
    await env.DB.prepare("UPDATE mail_addresses SET address_sealed = 'nothing' WHERE user_id = ?")
      .bind(broken.trader.userId)
      .run();
    await env.DB.exec(
      `CREATE TRIGGER broken BEFORE UPDATE ON mail_addresses WHEN NEW.user_id = '${broken.trader.userId}' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    );
    await completeAddressChanges(env, Date.now() + DAY_MS);
    await env.DB.exec('DROP TRIGGER broken');
    expect(await stateOf(broken)).toBe('waiting');
    expect(await stateOf(whole)).toBe('done');
    const page = await broken.browser.open(SECURITY);
    expect(page.status).toBe(200);
    expect(page.html).toContain('cannot be shown now');
    expect((await broken.send({ step: 'mail_stop' })).location).toBe('?done=mail_stopped');
  });

  it('is asked for and waits like any where no stated key opens the one before, and then takes its place', async () => {
    const closed = await person();
    await env.DB.prepare("UPDATE mail_addresses SET address_sealed = 'nothing' WHERE user_id = ?")
      .bind(closed.trader.userId)
      .run();
    const other = `new-${closed.trader.email}`;
    await change(closed, other);
    expect(await stateOf(closed)).toBe('waiting');
    await completeAddressChanges(env, Date.now() + DAY_MS - MINUTE_MS);
    expect(await addressOf(closed)).toBeNull();
    await completeAddressChanges(env, Date.now() + DAY_MS);
    expect(await addressOf(closed)).toBe(other);
  });

  it('says nothing of an address that is somebody’s, at the page and by its answers', async () => {
    const theirs = await person();
    const { email } = theirs.trader;
    const mine = await person();
    const taken = await mine.send({ step: 'mail_ask', mail: email });
    expect(taken.location).toBe('?done=mail_asked');
    expect((await mailOf(email, 'address_in_use')).text).not.toMatch(/\b\d{6}\b/);
    const shown = (await mine.browser.open(SECURITY)).html;
    const free = await person();
    const other = `free-${free.trader.email}`;
    await free.send({ step: 'mail_ask', mail: other });
    const like = (await free.browser.open(SECURITY)).html;
    const partOf = (html: string) => /<section aria-labelledby="mail-address">.*?<\/section>/s.exec(html)?.[0] ?? '';
    const plain = (html: string) =>
      partOf(html).replaceAll(/value="[^"]*"|We write to [^.]*\.[^.]*\.|sent to \S+/g, '');
    expect(plain(shown)).toBe(plain(like));
    expect((await mine.send({ step: 'mail_confirm', mail_code: '123456' })).status).toBe(400);
    // One that becomes somebody's while it waits is theirs.
    await free.send({ step: 'mail_confirm', mail_code: await codeSentTo(other) });
    await confirmMailAddress(env, { userId: theirs.trader.userId, address: other, language: 'en' });
    await completeAddressChanges(env, Date.now() + DAY_MS + MINUTE_MS);
    expect(await stateOf(free)).toBe('lapsed');
    await mailOf(free.trader.email, 'address_change_lapsed');
    expect(await addressOf(free)).toBe(free.trader.email);
  });

  it('is asked for three times a day, its code tried five times, and only with a factor of the last minutes', async () => {
    const mine = await person();
    const { email } = mine.trader;
    expect((await mine.send({ step: 'mail_ask', mail: 'nobody' })).html).toContain('This is no mail address.');
    expect((await mine.send({ step: 'mail_ask', mail: email.toUpperCase() })).html).toContain(
      'the address that you have',
    );
    expect((await mine.send({ step: 'mail_ask', mail: `a-${email}` })).status).toBe(303);
    expect((await mine.send({ step: 'mail_ask', mail: `b-${email}` })).status, 'within a minute').toBe(400);
    const code = await codeSentTo(`a-${email}`);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries++)
      expect((await mine.send({ step: 'mail_confirm', mail_code: wrong })).status).toBe(400);
    expect((await mine.send({ step: 'mail_confirm', mail_code: code })).status, 'no try is left').toBe(400);
    for (const letter of ['b', 'c']) {
      pass(2 * MINUTE_MS);
      expect((await mine.send({ step: 'mail_ask', mail: `${letter}-${email}` })).status).toBe(303);
    }
    pass(2 * MINUTE_MS);
    expect((await mine.send({ step: 'mail_ask', mail: `d-${email}` })).html).toContain('three times a day');
    const before = await codeSentTo(`b-${email}`);
    expect((await mine.send({ step: 'mail_confirm', mail_code: before })).status, 'of the one before').toBe(400);
    pass(11 * MINUTE_MS);
    const stale = await mine.send({ step: 'mail_confirm', mail_code: await codeSentTo(`c-${email}`) });
    expect(stale.html).toContain('Phone number');
    expect(await addressOf(mine)).toBe(email);
  });
});
