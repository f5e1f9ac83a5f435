import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { base64url } from 'jose';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { recordSignIn } from '../../../../application/identity/sign-ins/record-sign-in.ts';
import { claimsOfUser } from '../../../../application/identity/tokens/claims-of-user.ts';
import { confirmMailAddress } from '../../../../application/mail/confirm-mail-address.ts';
import { userOfMailAddress } from '../../../../application/mail/mail-addresses.ts';
import { mailerOf } from '../../../../application/mail/mailers/mailer-of.ts';
import { type Mail, postMail } from '../../../../application/mail/post-mail.ts';
import { sendMail } from '../../../../application/mail/send-mail.ts';
import { carryOverdueMails, forgetMails } from '../../../../application/mail/sweep-mails.ts';
import { tellByMail } from '../../../../application/mail/tell-by-mail.ts';
import { unsubscribeAddress } from '../../../../application/mail/unsubscribe-token.ts';
import { addAccreditationRecord } from '../../../../data/accounts/accreditation-records.ts';
import type { Database } from '../../../../data/database.ts';
import { listDevOutbox } from '../../../../data/identity/dev-outbox.ts';
import { findMailAddress } from '../../../../data/identity/mail-address.ts';
import { findUser } from '../../../../data/identity/users.ts';
import { type DevMail, listDevMails } from '../../../../data/mail/dev-mails.ts';
import { listToldFacts, SOURCED_KINDS } from '../../../../data/mail/mail-sources.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../domain/calendar/durations.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import type { MailKind } from '../../../../domain/mail/mail-kinds.ts';
import { receivedForDue } from '../../../../domain/partner/reports/turnaround.ts';
import { consumeMail } from '../../../../workers/queues/consume-mail.ts';
import { call } from '../../fixtures/call.ts';
import { createCurrency, USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity } from '../../fixtures/partner-client.ts';
import { plansOf } from '../../fixtures/plans-of.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { APP, createApp, signIn, tokenRequest } from '../../fixtures/sign-in.ts';
import { findingEvent, tellFinding, waitingVerification } from '../../fixtures/verification-provider.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  await createCurrency(db);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Row {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
  readonly due_at: number;
  readonly content_sealed: string;
}

/** A queue that carries nothing: the test does. */
const still = (): { of: Env; sent: string[] } => {
  const sent: string[] = [];
  const MAIL = {
    sendBatch: async (messages: Iterable<{ body: { id: string } }>) => {
      for (const { body } of messages) sent.push(body.id);
    },
  } as unknown as Env['MAIL'];
  return { of: { ...env, MAIL }, sent };
};
const overHttp = (of: Env): Env => ({
  ...of,
  MAIL_PROVIDER: 'http',
  MAIL_URL: 'https://mail.example/emails',
  MAIL_TOKEN: 't',
});

async function reader(terms: Parameters<typeof createTrader>[1] = {}): Promise<Trader> {
  const trader = await createTrader(db, terms);
  await confirmMailAddress(env, { userId: trader.userId, address: trader.email, language: 'en' });
  return trader;
}

const mailTo = (userId: string | null, terms: Partial<Mail> = {}): Mail => ({
  id: uuidv7(),
  userId,
  to: null,
  kind: 'key_created',
  language: 'en',
  facts: { name: 'bot-of-mine' },
  ...terms,
});

const rowOf = (id: string) => env.DB.prepare('SELECT * FROM mail_messages WHERE id = ?').bind(id).first<Row>();
const mailsTo = async (address: string, kind: MailKind): Promise<DevMail[]> =>
  (await listDevMails(db)).filter((mail) => mail.recipient === address && mail.kind === kind);
const sentTo = (address: string, kind: MailKind, count = 1): Promise<DevMail[]> =>
  vi.waitFor(async () => {
    const mails = await mailsTo(address, kind);
    expect(mails).toHaveLength(count);
    return mails;
  });

async function consumed(body: unknown, of: Env) {
  const batch = createMessageBatch('mail', [{ id: 'm', timestamp: new Date(), body, attempts: 1 }]);
  const retry = vi.spyOn(batch.messages[0] as Message, 'retry');
  await consumeMail(batch, of);
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  return { isDone: explicitAcks.length === 1, delay_s: retry.mock.calls[0]?.[0]?.delaySeconds ?? null };
}

const answers = (status: number, headers: Record<string, string> = {}) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status, headers }));

describe('posting a mail', () => {
  it('brings it to its reader once for each id, and forgets what it said', async () => {
    const { userId, email } = await reader();
    const mail = mailTo(userId);
    await postMail(env, mail);
    await postMail(env, { ...mail, facts: { name: 'another' } });
    const [sent] = await sentTo(email, 'key_created');
    expect(sent).toMatchObject({ id: mail.id, subject: 'An API key was created' });
    expect(sent?.text).toContain('bot-of-mine');
    await vi.waitFor(async () => expect(await rowOf(mail.id)).toMatchObject({ state: 'sent', content_sealed: '' }));
  });

  it('leaves neither address nor facts in clear in D1, nor in the queue', async () => {
    const { of, sent } = still();
    const { userId, email } = await reader();
    const [toUser, toAddress] = [
      mailTo(userId),
      mailTo(null, { to: 'olivia@example.com', kind: 'mail_confirm', facts: { code: '654321' } }),
    ];
    await postMail(of, toUser);
    await postMail(of, toAddress);
    const rows = await Promise.all([rowOf(toUser.id), rowOf(toAddress.id)]);
    const { results } = await env.DB.prepare('SELECT * FROM mail_addresses').all();
    const stored = JSON.stringify([rows, results, sent]);
    for (const secret of [email, 'olivia', 'bot-of-mine', '654321']) expect(stored).not.toContain(secret);
    expect(await findMailAddress(db, userId, env.IAM_KEY_ENCRYPTION_KEY)).toBe(email);
    // A row that is moved to another id does not open.
    await env.DB.prepare('UPDATE mail_messages SET content_sealed = ? WHERE id = ?')
      .bind(rows[1]?.content_sealed, toUser.id)
      .run();
    await expect(sendMail(of, toUser.id)).rejects.toThrow();
  });

  it('writes nothing for who has no confirmed address, and refuses an address that is none', async () => {
    const { of } = still();
    const { userId } = await createTrader(db);
    const mail = mailTo(userId);
    await postMail(of, mail);
    expect(await rowOf(mail.id)).toBeNull();
    await expect(postMail(of, mailTo(null, { to: 'x@example.com\r\nBcc: y@example.com' }))).rejects.toThrow(RangeError);
    await expect(postMail(of, mailTo(null))).rejects.toThrow(RangeError);
  });

  it('waits where no stated key opens the address of its reader, and keeps back nobody else', async () => {
    const closed = await reader();
    const other = await reader();
    await env.DB.prepare("UPDATE mail_addresses SET address_sealed = 'unknown.key' WHERE user_id = ?")
      .bind(closed.userId)
      .run();
    const [lost, carried] = [mailTo(closed.userId), mailTo(other.userId)];
    await postMail(env, lost);
    await postMail(env, carried);
    await sentTo(other.email, 'key_created');
    await vi.waitFor(async () => expect(await rowOf(lost.id)).toMatchObject({ state: 'queued', attempts: 1 }));
    const user = await findUser(db, closed.userId);
    const claims = await claimsOfUser(env, user, ['email']);
    expect(claims).toEqual({ email: user?.email, email_verified: false });
  });

  it('waits for the key that opens the address of when it was posted, until it is too late', async () => {
    const { of } = still();
    const { userId, email } = await reader();
    const next = base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
    const closed = { ...of, IAM_KEY_ENCRYPTION_KEY: next };
    const [mail, late] = [mailTo(userId), mailTo(userId)];
    await postMail(closed, mail);
    await postMail(closed, late);
    const again = (await sendMail(closed, mail.id)) ?? 0;
    expect(again - Date.now()).toBeGreaterThan(59 * MINUTE_MS);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'queued', attempts: 1 });
    // Somebody takes the account over meanwhile: what was posted before is none of theirs.
    expect(await confirmMailAddress(closed, { userId, address: `new-${email}`, language: 'en' })).toBe(true);
    vi.useFakeTimers({ toFake: ['Date'], now: again });
    const both = { ...of, IAM_KEY_ENCRYPTION_KEY: `${next} ${env.IAM_KEY_ENCRYPTION_KEY}` };
    expect(await sendMail(both, mail.id)).toBeNull();
    expect(await mailsTo(email, 'key_created')).toHaveLength(1);
    expect(await mailsTo(`new-${email}`, 'key_created')).toEqual([]);
    const told = await env.DB.prepare("SELECT id FROM mail_messages WHERE user_id = ? AND kind = 'address_changed'")
      .bind(userId)
      .first<{ id: string }>();
    expect(await sendMail(both, told?.id ?? '')).toBeNull();
    expect(await mailsTo(email, 'address_changed')).toHaveLength(1);
    const { good_until: goodUntil } = (await rowOf(late.id)) as unknown as { good_until: number };
    vi.setSystemTime(goodUntil - MINUTE_MS);
    expect(await sendMail(closed, late.id)).toBe(goodUntil);
    vi.setSystemTime(goodUntil);
    expect(await sendMail(closed, late.id)).toBeNull();
    expect(await rowOf(late.id)).toMatchObject({ state: 'dropped', reason: 'too_late' });
  });

  it('is bounded for an address, and for a user by class', async () => {
    const { of } = still();
    const to = `${uuidv7()}@example.com`;
    const confirms = Array.from({ length: 6 }, () => mailTo(null, { to, kind: 'mail_confirm' }));
    for (const mail of confirms) await postMail(of, mail);
    expect(await Promise.all(confirms.map(async ({ id }) => (await rowOf(id)) !== null))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    const { userId } = await reader();
    const told = Array.from({ length: 51 }, () => mailTo(userId, { kind: 'allotment' }));
    for (const mail of told) await postMail(of, mail);
    expect(await rowOf(told[49]?.id ?? '')).not.toBeNull();
    expect(await rowOf(told[50]?.id ?? '')).toBeNull();
    const keys = Array.from({ length: 51 }, () => mailTo(userId));
    for (const mail of keys) await postMail(of, mail);
    expect(await rowOf(keys[49]?.id ?? '')).not.toBeNull();
    expect(await rowOf(keys[50]?.id ?? '')).toBeNull();
    // Keys use up nothing of what else is told.
    const removed = mailTo(userId, { kind: 'factor_removed', facts: {} });
    await postMail(of, removed);
    expect(await rowOf(removed.id)).not.toBeNull();
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await sendMail(of, keys[48]?.id ?? '');
    await sendMail(of, keys[49]?.id ?? '');
    const texts = new Map((await listDevMails(db)).map(({ id, text }) => [id, text]));
    expect(texts.get(keys[48]?.id ?? '')).not.toContain('there may be more');
    expect(texts.get(keys[49]?.id ?? '')).toContain('there may be more');
  });

  it('an address is one person’s', async () => {
    const [mine, theirs] = [await reader(), await createTrader(db)];
    const address = mine.email.toUpperCase();
    expect(await confirmMailAddress(env, { userId: theirs.userId, address, language: 'en' })).toBe(false);
    expect(await userOfMailAddress(env, address)).toBe(mine.userId);
    expect(await confirmMailAddress(env, { userId: mine.userId, address: `new-${mine.email}`, language: 'de' })).toBe(
      true,
    );
    expect(await userOfMailAddress(env, address)).toBeNull();
  });

  it('a changed address is told to the one before, which gets what was posted by then', async () => {
    const { of } = still();
    const { userId, email } = await reader();
    const other = await reader();
    const waiting = mailTo(userId);
    await postMail(of, waiting);
    // One that stays, and one that is another's, are no change.
    expect(await confirmMailAddress(env, { userId, address: email.toUpperCase(), language: 'de' })).toBe(true);
    expect(await confirmMailAddress(env, { userId, address: other.email, language: 'en' })).toBe(false);
    const address = `new-${email}`;
    expect(await confirmMailAddress(env, { userId, address, language: 'en' })).toBe(true);
    const [told] = await sentTo(email.toUpperCase(), 'address_changed');
    expect(told?.text).toContain('n•••@');
    expect(told?.text).not.toContain(address);
    expect(told?.subject).toBe('Ihre E-Mail-Adresse wurde geändert');
    await sendMail(of, waiting.id);
    expect(await mailsTo(email, 'key_created')).toHaveLength(1);
    const next = mailTo(userId);
    await postMail(of, next);
    await sendMail(of, next.id);
    expect(await mailsTo(address, 'key_created')).toHaveLength(1);
    expect(await mailsTo(address, 'address_changed')).toHaveLength(0);
    // Two at once: each address that was there for a moment hears of the next.
    const both = [`a-${email}`, `b-${email}`];
    const confirmed = both.map((each) => confirmMailAddress(env, { userId, address: each, language: 'en' }));
    expect(await Promise.all(confirmed)).toEqual([true, true]);
    await sentTo(address, 'address_changed');
    const between = await vi.waitFor(async () => {
      const mails = await Promise.all(both.map((each) => mailsTo(each, 'address_changed')));
      expect(mails.flat()).toHaveLength(1);
      return mails.flat();
    });
    expect(between).toHaveLength(1);
  });
});

describe('sending a mail', () => {
  it('asks the provider once, whoever comes beside or afterwards, under the id of the message', async () => {
    const { of } = still();
    const asked = answers(200);
    const mail = mailTo((await reader()).userId);
    await postMail(of, mail);
    const http = overHttp(of);
    await Promise.all([sendMail(http, mail.id), sendMail(http, mail.id), sendMail(http, mail.id)]);
    await sendMail(http, mail.id);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(new Headers(asked.mock.calls[0]?.[1]?.headers).get('idempotency-key')).toBe(mail.id);
  });

  it('is tried again after 5xx and 429, when the provider says, under the same id', async () => {
    const { of } = still();
    const asked = answers(429, { 'retry-after': '600' });
    const mail = mailTo((await reader()).userId);
    await postMail(of, mail);
    const { isDone, delay_s } = await consumed({ id: mail.id }, overHttp(of));
    expect([isDone, Math.round((delay_s ?? 0) / 10) * 10]).toEqual([false, 600]);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'queued', attempts: 1 });
    // Before its time it is nobody's.
    expect(await consumed({ id: mail.id }, overHttp(of))).toEqual({ isDone: true, delay_s: null });
    expect(asked).toHaveBeenCalledTimes(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * MINUTE_MS });
    asked.mockImplementation(async () => new Response());
    expect(await consumed({ id: mail.id }, overHttp(of))).toEqual({ isDone: true, delay_s: null });
    const ids = asked.mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'));
    expect(ids).toEqual([mail.id, mail.id]);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'sent' });
  });

  it('ends at once where the provider refuses it, and after eight tries', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { of } = still();
    const [refused, hopeless] = [mailTo((await reader()).userId), mailTo((await reader()).userId)];
    await postMail(of, refused);
    await postMail(of, hopeless);
    answers(422);
    expect(await sendMail(overHttp(of), refused.id)).toBeNull();
    expect(await rowOf(refused.id)).toMatchObject({ state: 'refused', reason: 'status 422', content_sealed: '' });
    await env.DB.prepare('UPDATE mail_messages SET attempts = 7 WHERE id = ?').bind(hopeless.id).run();
    answers(500);
    expect(await sendMail(overHttp(of), hopeless.id)).toBeNull();
    expect(await rowOf(hopeless.id)).toMatchObject({ state: 'refused', attempts: 8 });
    expect(JSON.stringify(error.mock.calls)).not.toContain('bot-of-mine');
  });

  it('drops what is too late, what its reader has switched off since, and what nobody carries', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { of } = still();
    const { userId } = await reader();
    const [late, off, none] = [mailTo(userId), mailTo(userId, { kind: 'allotment' }), mailTo(userId)];
    for (const mail of [late, off, none]) await postMail(of, mail);
    await env.DB.prepare('UPDATE mail_messages SET good_until = 1 WHERE id = ?').bind(late.id).run();
    await env.DB.prepare(`INSERT INTO mail_preferences VALUES (?, 'allotment', 0, 1)`).bind(userId).run();
    await sendMail(of, late.id);
    await sendMail(of, off.id);
    await sendMail({ ...of, MAIL_PROVIDER: '' }, none.id);
    expect(await Promise.all([late, off, none].map(async ({ id }) => (await rowOf(id))?.reason))).toEqual([
      'too_late',
      'switched_off',
      'no_provider',
    ]);
  });

  it('is carried by the job where the queue has lost it, or its sender died', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { of, sent } = still();
    const lost = mailTo((await reader()).userId);
    const away = { sendBatch: () => Promise.reject(new Error('away')) } as unknown as Env['MAIL'];
    await postMail({ ...env, MAIL: away }, lost);
    const now = Date.now();
    await carryOverdueMails(of, now);
    expect(sent).not.toContain(lost.id);
    await carryOverdueMails(of, now + 3 * MINUTE_MS);
    expect(sent).toContain(lost.id);
    // Claimed by one who died: nobody's until the claim is over.
    await env.DB.prepare(`UPDATE mail_messages SET state = 'sending', attempts = 1, due_at = ? WHERE id = ?`)
      .bind(now + 5 * MINUTE_MS, lost.id)
      .run();
    const asked = answers(200);
    await sendMail(overHttp(of), lost.id);
    expect(asked).not.toHaveBeenCalled();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 6 * MINUTE_MS });
    await sendMail(overHttp(of), lost.id);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('a message of the queue that is malformed is done with, and one that fails on our side comes again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    for (const body of [null, {}, { id: '' }, { id: 'x', more: 1 }])
      expect(await consumed(body, env)).toEqual({ isDone: true, delay_s: null });
    const broken = { batch: () => Promise.reject(new Error('away')), prepare: () => ({ bind: () => ({}) }) };
    expect(await consumed({ id: 'x' }, { ...env, DB: broken } as unknown as Env)).toEqual({
      isDone: false,
      delay_s: 30,
    });
  });

  it('is forgotten after a month', async () => {
    const { of } = still();
    const mail = mailTo((await reader()).userId);
    await postMail(of, mail);
    await forgetMails(env, Date.now() + 30 * DAY_MS);
    expect(await rowOf(mail.id)).not.toBeNull();
    await forgetMails(env, Date.now() + 32 * DAY_MS);
    expect(await rowOf(mail.id)).toBeNull();
  });
});

describe('preferences', () => {
  const kindsOf = (body: unknown) =>
    new Map(
      (body as { data: { kinds: { kind: MailKind; on: boolean }[] } }).data.kinds.map(({ kind, on }) => [kind, on]),
    );

  it('are read and switched by their person, and mail of security is not', async () => {
    const { phone, email } = await reader();
    const { bearer: headers } = await signIn(phone);
    const before = await call('GET /iam/v1/mail-preferences', { headers });
    expect(before).toMatchObject({
      status: 200,
      body: { data: { language: 'en', address: `${email[0]}•••@example.com` } },
    });
    expect([kindsOf(before.body).get('order_filled'), kindsOf(before.body).get('allotment')]).toEqual([false, true]);
    const put = (json: unknown) => call('PUT /iam/v1/mail-preferences', { headers, json });
    const changed = await put({ language: 'de', kinds: { order_filled: true, allotment: false } });
    expect(changed).toMatchObject({ status: 200, body: { data: { language: 'de' } } });
    expect([kindsOf(changed.body).get('order_filled'), kindsOf(changed.body).get('allotment')]).toEqual([true, false]);
    for (const kinds of [{ key_created: false, allotment: true }, { nothing: true }])
      expect(await put({ kinds })).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect((await put({ kinds: {}, more: 1 })).status).toBe(400);
    const after = kindsOf((await call('GET /iam/v1/mail-preferences', { headers })).body);
    expect([after.get('key_created'), after.get('allotment')]).toEqual([true, false]);
  });

  it('end by the address in a mail in one POST, without signing in; a GET only asks', async () => {
    const { userId, email, phone } = await reader();
    await postMail(env, mailTo(userId, { kind: 'allotment', facts: { asset: 'ACME' } }));
    const [mail] = await sentTo(email, 'allotment');
    expect(mail?.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const where = mail?.headers['List-Unsubscribe']?.slice(1, -1) ?? '';
    expect(where).toBe(await unsubscribeAddress(env, { userId, kind: 'allotment' }));
    const { bearer: headers } = await signIn(phone);
    const isOn = async () => kindsOf((await call('GET /iam/v1/mail-preferences', { headers })).body).get('allotment');
    const asked = await call(`GET ${where}`);
    expect(asked.status).toBe(200);
    expect(asked.body).toContain('method="post"');
    expect(asked.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await isOn()).toBe(true);
    const form = { 'List-Unsubscribe': 'One-Click' };
    const url = new URL(where);
    const altered = (name: string, value: string) => {
      const other = new URL(url);
      other.searchParams.set(name, value);
      return other.href;
    };
    const stranger = await reader();
    for (const wrong of [
      altered('token', 'x'),
      altered('user', stranger.userId),
      altered('kind', 'order_filled'),
      altered('kind', 'nothing'),
      await unsubscribeAddress(env, { userId, kind: 'key_created' }),
    ])
      expect((await call(`POST ${wrong}`, { form })).status, wrong).toBe(403);
    expect((await call(`POST ${where}`, { form: {} })).status).toBe(400);
    expect(await isOn()).toBe(true);
    expect(await call(`POST ${where}`, { form })).toMatchObject({ status: 200 });
    expect(await isOn()).toBe(false);
    const again = mailTo(userId, { kind: 'allotment' });
    await postMail(still().of, again);
    expect(await rowOf(again.id)).toBeNull();
  });
});

describe('the local outbox', () => {
  it('shows mails in a frame that runs nothing, and is nowhere else', async () => {
    const { userId, email } = await reader();
    await postMail(env, mailTo(userId, { facts: { name: '<script>alert(1)</script>' } }));
    await sentTo(email, 'key_created');
    const page = await call('GET /iam/dev/mail');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.body).toMatch(/<iframe title="[^"]*" sandbox srcdoc="/);
    expect(page.body).not.toContain('<script');
    const { body } = await call('GET /iam/dev/mail.json');
    expect((body as { data: DevMail[] }).data[0]).toMatchObject({ recipient: email, kind: 'key_created' });
    for (const path of ['/dev/mail', '/dev/mail.json']) {
      const request = new Request(`http://localhost/iam${path}`, { headers: { 'cf-connecting-ip': freshAddress() } });
      const deployed = { ...env, ENVIRONMENT: 'staging' } as unknown as Env;
      expect((await profiles.iam.fetch(request, deployed, createExecutionContext())).status, path).toBe(404);
    }
    expect(mailerOf({ ...env, ENVIRONMENT: 'staging' } as unknown as Env)).toBeNull();
  });
});

describe('what is told', () => {
  it('a sign-in from a device or network that was not seen before, once for each', async () => {
    const { phone, email, userId } = await reader();
    const home = freshAddress();
    const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    let now = Date.now();
    const enter = async (address: string, headers: Record<string, string>) => {
      // A phone gets a code each half minute.
      now += MINUTE_MS;
      vi.useFakeTimers({ toFake: ['Date'], now });
      await call('POST /iam/api/login/oauth/send-code', { form: { phone, client_id: APP } });
      const password = await vi.waitFor(async () => {
        const sent = (await listDevOutbox(db)).find((message) => message.phone === phone && message.createdAt >= now);
        expect(sent).toBeDefined();
        return /\d{6}/.exec(sent?.text ?? '')?.[0] ?? '';
      });
      const form = {
        grant_type: 'password',
        client_id: APP,
        username: phone,
        password,
        scope: 'openid offline_access',
      };
      const { status, body } = await call('POST /iam/api/login/oauth/access_token', { form, headers, address });
      expect(status).toBe(200);
      return (body as { refresh_token: string }).refresh_token;
    };
    await enter(home, firefox);
    const [mail] = await sentTo(email, 'sign_in_new_device');
    expect(mail?.text).toContain('Firefox on Linux');
    expect(mail?.text).toContain(home);
    const token = await enter(home, firefox);
    // From elsewhere, but the same sign-in.
    await tokenRequest({ grant_type: 'refresh_token', client_id: APP, refresh_token: token });
    await enter(freshAddress(), firefox);
    await sentTo(email, 'sign_in_new_device', 2);
    const posted = env.DB.prepare(
      `SELECT count(*) AS n FROM mail_messages WHERE user_id = ? AND kind = 'sign_in_new_device'`,
    );
    expect(await posted.bind(userId).first('n')).toBe(2);
    now += 91 * DAY_MS;
    await enter(home, firefox);
    await sentTo(email, 'sign_in_new_device', 3);
  });

  it('keys that are made and revoked, at once, and by the job where that failed', async () => {
    const { phone, email, userId } = await reader();
    const { bearer: headers } = await signIn(phone);
    const made = await call('POST /iam/v1/keys', { headers, json: { name: 'grid-bot', scopes: ['read'] } });
    const { id } = (made.body as { data: { id: string } }).data;
    await sentTo(email, 'key_created');
    expect((await call(`DELETE /iam/v1/keys/${id}`, { headers })).status).toBe(200);
    const [mail] = await sentTo(email, 'key_revoked');
    expect(mail?.text).toContain('grid-bot');
    const { of, sent } = still();
    await tellByMail(of, Date.now());
    const ids = ['key_created', 'key_revoked'].map((kind) => `${kind}:${id}:${userId}`);
    for (const told of ids) expect(sent).not.toContain(told);
    await env.DB.prepare('DELETE FROM mail_messages WHERE user_id = ?').bind(userId).run();
    await tellByMail(of, Date.now());
    for (const told of ids) expect(sent.filter((each) => each === told)).toHaveLength(1);
    await tellByMail(of, Date.now());
    for (const told of ids) expect(sent.filter((each) => each === told)).toHaveLength(1);
  });

  it('withdrawals that are asked for', async () => {
    const { phone, email } = await reader({ cash: 10_000 });
    const { tenant: headers } = await signIn(phone);
    const json = { assetId: USD, amount: 12.34, reference: 'IBAN XX00' };
    const asked = await call('POST /exchange/v1/account/withdrawals', { headers, json });
    expect(asked.status).toBe(200);
    await tellByMail(env, Date.now());
    const [mail] = await sentTo(email, 'withdrawal_asked');
    expect(mail?.text).toContain('12.34 USD');
  });

  it('accreditation that is decided, in the batch that decides it, and that ends within 30 days, once', async () => {
    const investor = await reader();
    const request = await waitingVerification(db, investor);
    expect((await tellFinding(findingEvent(request))).status).toBe(200);
    await tellByMail(env, Date.now());
    const { results } = await env.DB.prepare('SELECT kind FROM mail_messages WHERE user_id = ?')
      .bind(investor.userId)
      .all();
    expect(results).toEqual([{ kind: 'accreditation_decided' }]);
    const other = await reader();
    const record = {
      id: uuidv7(),
      account: other.accountId,
      kind: 'third_party',
      verifier: 'V',
      evidence: 'E',
      evidenceKind: null,
    } as const;
    const now = Date.now();
    const dates = { at: now - DAY_MS, expiresAt: now + 31 * DAY_MS, createdAt: now };
    const open = { endedAt: null, endedBy: null, endedReason: null, textVersion: null, text: null, verification: null };
    await addAccreditationRecord(db, { ...record, ...dates, ...open, actor: other.userId });
    const { of, sent } = still();
    const ends = `accreditation_ends:${record.id}:${other.userId}`;
    await tellByMail(of, now);
    expect(sent).not.toContain(ends);
    for (const at of [now + DAY_MS + HOUR_MS, now + 2 * DAY_MS]) await tellByMail(of, at);
    expect(sent.filter((each) => each === ends)).toHaveLength(1);
  });

  it('to each reader a few in a run, whatever another has: who has had too many keeps back nobody', async () => {
    const { of, sent } = still();
    const [busy, quiet] = [await reader(), await reader()];
    const refusals = (of: Trader, count: number) =>
      env.DB.batch(
        Array.from({ length: count }, () => uuidv7()).map((id) =>
          env.DB.prepare(
            `INSERT INTO order_refusals (id, account, owner, user_id, action, order_id, book, code, rule, facts, at) VALUES (?, ?, ?, ?, 'place', ?, 'BTC-USD', 'INSUFFICIENT_BALANCE', 'x', '{}', ?)`,
          ).bind(id, of.accountId, of.owner, of.userId, id, Date.now()),
        ),
      );
    for (const { userId } of [busy, quiet])
      await env.DB.prepare(`INSERT INTO mail_preferences VALUES (?, 'order_refused', 1, 1)`).bind(userId).run();
    await refusals(busy, 120);
    await refusals(quiet, 1);
    const toldTo = ({ userId }: Trader) => sent.filter((id) => id.startsWith('order_refused:') && id.endsWith(userId));
    await tellByMail(of, Date.now());
    expect([toldTo(busy).length, toldTo(quiet).length]).toEqual([5, 1]);
    for (let run = 0; run < 12; run++) await tellByMail(of, Date.now());
    expect(toldTo(busy)).toHaveLength(50);
    await refusals(quiet, 1);
    const found = await listToldFacts(db, 'order_refused', { now: Date.now(), since: Date.now() - HOUR_MS }, 50);
    expect(found.map(({ userId }) => userId)).toEqual([quiet.userId]);
    await tellByMail(of, Date.now());
    expect(toldTo(quiet)).toHaveLength(2);
  });

  it.each([
    ['key_created', 's USING INDEX sqlite_autoindex_sign_ins_1 (id>?)'],
    ['key_revoked', 's USING INDEX sqlite_autoindex_sign_ins_1 (id>?)'],
    ['withdrawal_asked', '(id>?)'],
    ['withdrawal_done', 'e USING INDEX domain_events_operator (id>?)'],
    ['accreditation_decided', '(id>?)'],
    ['accreditation_ends', '(expires_at>? AND expires_at<?)'],
    ['identity_ends', '(expires_at>? AND expires_at<?)'],
    ['endpoint_disabled', 'w USING INDEX webhook_endpoints_disabled (disabled_at>?)'],
    ['approval_asked', '(expires_at>?)'],
    ['allotment', 'l USING INDEX listing_events_updated (updated_at>?)'],
    ['order_refused', 'm USING COVERING INDEX mail_preferences_on (kind=?)'],
    ['order_filled', 'm USING COVERING INDEX mail_preferences_on (kind=?)'],
    ['market_halted', 'e USING INDEX domain_events_operator (id>?)'],
    ['kill_switch_pulled', 's USING INDEX sqlite_autoindex_sign_ins_1 (id>?)'],
    ['action_waits', 'c USING INDEX corporate_actions_open (tried_at>?)'],
    ['transfer_late', 't USING INDEX transfer_instructions_waiting (created_at>? AND created_at<?)'],
  ] as const)('finds %s without reading a table to its end', async (kind, start) => {
    const now = Date.now();
    const [plan = []] = await plansOf((noted) => listToldFacts(noted, kind, { now, since: now - HOUR_MS }, 50));
    expect(plan.join('\n')).toContain(start);
    // Lists within a row, a hundred orders of a reader, and what was found are read to their end.
    const scans = plan
      .filter((step) => /^SCAN |AUTOMATIC/.test(step))
      .filter((step) => !/json_each|^SCAN (?:s|t|x|\(subquery-\d+\))$/.test(step));
    expect(scans).toEqual([]);
  });

  it('has a plan for each kind that is told from D1', () => {
    expect(SOURCED_KINDS).toHaveLength(16);
  });

  it('orders that were refused, to who wants that', async () => {
    const { userId, accountId, owner } = await reader();
    const refuse = (id: string) =>
      env.DB.prepare(
        `INSERT INTO order_refusals (id, account, owner, user_id, action, order_id, book, code, rule, facts, at) VALUES (?, ?, ?, ?, 'place', ?, 'BTC-USD', 'INSUFFICIENT_BALANCE', 'x', '{}', ?)`,
      )
        .bind(id, accountId, owner, userId, id, Date.now())
        .run();
    const { of, sent } = still();
    const id = uuidv7();
    await refuse(id);
    await tellByMail(of, Date.now());
    expect(sent).toEqual([]);
    await env.DB.prepare(`INSERT INTO mail_preferences VALUES (?, 'order_refused', 1, 1)`).bind(userId).run();
    await tellByMail(of, Date.now());
    expect(sent).toEqual([`order_refused:${id}:${userId}`]);
  });

  it('what operators did, partners need and markets do: from D1, to whom it is about and who wants it', async () => {
    await createPair(db, 'ACME');
    const operator = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
    const [second, auditor] = [
      await reader({ owner: VENUE_OWNER, roles: ['operator'] }),
      await reader({ owner: VENUE_OWNER, roles: ['auditor'] }),
    ];
    const organization = uuidv7();
    const partner = await reader({ owner: organization, roles: ['cross_lister'] });
    const [colleague, investor] = [await reader({ owner: organization }), await reader({ cash: 5_000 })];
    const client = await signedIn(operator);
    const withdrawal = { accountId: investor.accountId, assetId: USD, amount: 1.5, reason: 'asked by phone' };
    expect((await client.post('/v1/operator/withdrawals', withdrawal)).status).toBe(200);
    const now = Date.now();
    const run = (sql: string, ...values: unknown[]) =>
      env.DB.prepare(sql)
        .bind(...values)
        .run();
    const disabled = (id: string, reason: string) =>
      run(
        `INSERT INTO webhook_endpoints (id, organization, url, events, secret, created_at, disabled_reason, disabled_at) VALUES (?, ?, 'https://p.example', '[]', 's', 1, ?, ?)`,
        id,
        organization,
        reason,
        now,
      );
    const [endpoint, own, approval, listing, [bought, sold]] = [
      uuidv7(),
      uuidv7(),
      uuidv7(),
      uuidv7(),
      [uuidv7(), uuidv7()],
    ];
    await disabled(endpoint, 'failing');
    await disabled(own, 'owner');
    await run(
      `INSERT INTO operator_approvals (id, call, hash, body, asked_by, people, asked_at, expires_at, state) VALUES (?, 'POST /x', 'h', '{}', ?, ?, ?, ?, 'asked')`,
      approval,
      operator.userId,
      JSON.stringify([operator.userId]),
      now,
      now + HOUR_MS,
    );
    await run(
      `INSERT INTO listing_events (id, asset, book, state, price, shares_offered, lot_size, allocation, lockup_months, issuer_account, opens_market, offer_id, actor, request_id, created_at, updated_at)
       VALUES (?, 'acme', 'b', 'done', 1, 1, 1, 'pro_rata', 0, 'i', 0, 'o', 'a', 'r', 1, ?)`,
      listing,
      now,
    );
    for (const [position, outcome, allotted] of [
      [0, 'converted', 7],
      [1, 'not_allotted', 0],
    ] as const)
      await run(
        `INSERT INTO listing_allotments (event, position, order_id, account, quantity, price, allotted, outcome) VALUES (?, ?, 'o', ?, 9, 1, ?, ?)`,
        listing,
        position,
        investor.accountId,
        allotted,
        outcome,
      );
    await run(`INSERT INTO balances (account, asset, available) VALUES (?, 'acme', 3)`, investor.accountId);
    for (const kind of ['order_filled', 'market_halted'])
      await run(`INSERT INTO mail_preferences VALUES (?, ?, 1, 1)`, investor.userId, kind);
    const halt = await client.post('/v1/operator/markets/ACME-USD/halt', { reason: 'news' });
    expect(halt.status).toBe(200);
    // Another change of its rules is no other halt.
    expect((await client.patch('/v1/operator/markets/ACME-USD', { maxSize: 500 })).status).toBe(200);
    const [halted] = (
      await env.DB.prepare(
        `SELECT id FROM domain_events WHERE subject = 'ACME-USD' AND json_extract(payload, '$.after.status') = 'halted' ORDER BY id`,
      ).all<{ id: string }>()
    ).results;
    const trade = (id: string, sequence: number, left: number) =>
      run(
        `INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order, buyer, seller, buyer_fee, seller_fee, executed_at, buy_remaining, sell_remaining)
         VALUES (?, 'ACME-USD', ?, 'acme', 'usd', 1, 1, 1, 'buy', ?, 'other', ?, 'boundary', 0, 0, ?, ?, 0)`,
        id,
        sequence,
        `order-${left}`,
        investor.accountId,
        now,
        left,
      );
    for (const left of [0, 3])
      await run(
        `INSERT INTO orders (id, account, owner, asset_id, open, status, side, type, time_in_force, quantity, filled, reserve_asset, created_at, updated_at) VALUES (?, ?, 'o', 'acme', 0, 'filled', 'buy', 'limit', 'gtc', 9, 9, 'usd', 1, 1)`,
        `order-${left}`,
        investor.accountId,
      );
    await trade(bought as string, 900_001, 0);
    await trade(sold as string, 900_002, 3);
    const { of, sent } = still();
    await tellByMail(of, now);
    const told = sent.filter((id) =>
      [second, auditor, partner, colleague, investor].some(({ userId }) => id.endsWith(userId)),
    );
    const transfer = sent.find((id) => id.startsWith('withdrawal_done:'))?.split(':')[1];
    expect(told.toSorted()).toEqual(
      [
        `allotment:${listing}.0:${investor.userId}`,
        `approval_asked:${approval}:${second.userId}`,
        `endpoint_disabled:${endpoint}.${now}:${partner.userId}`,
        `market_halted:${halted?.id}:${investor.userId}`,
        `order_filled:${bought}.buy:${investor.userId}`,
        `withdrawal_done:${transfer}:${investor.userId}`,
      ].toSorted(),
    );
    await sendMail(of, `withdrawal_done:${transfer}:${investor.userId}`);
    const [mail] = await mailsTo(investor.email, 'withdrawal_done');
    expect(mail?.text).toContain('Amount: 1.5 USD');
  });

  it('of a halt by a price band and of the whole venue those who have something at stake and want it', async () => {
    const { symbol } = await createPair(db, 'BND');
    const [holder, trading, bystander, silent] = await Promise.all([reader(), reader(), reader(), reader()]);
    const [asset] = (
      await env.DB.prepare('SELECT base_asset AS id FROM markets WHERE symbol = ?').bind(symbol).all<{ id: string }>()
    ).results;
    const run = (sql: string, ...values: unknown[]) =>
      env.DB.prepare(sql)
        .bind(...values)
        .run();
    for (const { userId } of [holder, trading, bystander])
      await run(`INSERT INTO mail_preferences VALUES (?, 'market_halted', 1, 1)`, userId);
    for (const { accountId } of [holder, silent])
      await run('INSERT INTO balances (account, asset, held) VALUES (?, ?, 3)', accountId, asset?.id);
    await run(
      `INSERT INTO orders (id, account, owner, asset_id, open, status, side, type, time_in_force, quantity, reserve_asset, created_at, updated_at) VALUES (?, ?, 'o', ?, 1, 'open', 'buy', 'limit', 'gtc', 9, 'usd', 1, 1)`,
      uuidv7(),
      trading.accountId,
      asset?.id,
    );
    const until = Date.now() + MINUTE_MS;
    await run('UPDATE markets SET halted_until = ? WHERE symbol = ?', until, symbol);
    const { of, sent } = still();
    const mine = () =>
      sent.filter((id) => [holder, trading, bystander, silent].some(({ userId }) => id.endsWith(userId)));
    for (let times = 0; times < 2; times++) await tellByMail(of, Date.now());
    expect(mine().toSorted()).toEqual(
      [holder, trading].map(({ userId }) => `market_halted:${symbol}.${until}:${userId}`).toSorted(),
    );
    await sendMail(of, `market_halted:${symbol}.${until}:${holder.userId}`);
    expect((await mailsTo(holder.email, 'market_halted'))[0]?.text).toContain('its price left the range');
    sent.length = 0;
    const client = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    expect((await client.post('/v1/operator/venue/halt', { reason: 'fire' })).status).toBe(200);
    await tellByMail(of, Date.now());
    expect(mine().map((id) => id.split(':')[2])).toEqual(expect.arrayContaining([holder.userId, trading.userId]));
    expect(mine()).toHaveLength(2);
    await run('UPDATE venue SET halted = 0');
  });

  it('of a kill switch whose it is, of an action without money its lister, and of transfers that are about to be late their agent', async () => {
    const killed = await reader();
    await recordSignIn(env, { userId: killed.userId, type: 'kill_switch_pulled', id: uuidv7() });
    const [lister, agent] = [await createPartner(db, 'cross_lister'), await createPartner(db, 'transfer_agent')];
    for (const { userId } of [lister, agent])
      await confirmMailAddress(env, { userId, address: `${userId}@partner.example`, language: 'en' });
    const security = await createSecurity(db, lister, { transferAgent: agent.organization, agentState: 'accepted' });
    const now = Date.now();
    const action = (id: string, waiting: string | null) =>
      env.DB.prepare(
        `INSERT INTO corporate_actions (id, security, agent, type, state, waiting, terms, description, due_date, record_at, due_at, tried_at, actor, created_at)
         VALUES (?, ?, ?, 'dividend', 'recorded', ?, '{}', 'd', '2026-01-01', 1, 1, ?, 'a', 1)`,
      )
        .bind(id, security, agent.organization, waiting, now)
        .run();
    const [short, consent] = [uuidv7(), uuidv7()];
    await action(short, 'insufficient_funds');
    await action(consent, 'lister_consent');
    const last = receivedForDue(now + DAY_MS);
    const transfer = (id: string, sequence: number, state: string, createdAt: number) =>
      env.DB.prepare(
        `INSERT INTO transfer_instructions (id, security, agent, trade_sequence, buyer, seller, units, state, created_at) VALUES (?, ?, ?, ?, 'b', 's', 1, ?, ?)`,
      )
        .bind(id, security, agent.organization, sequence, state, createdAt)
        .run();
    await transfer(uuidv7(), 1, 'pending', last);
    await transfer(uuidv7(), 2, 'acknowledged', last - 1);
    await transfer(uuidv7(), 3, 'completed', last);
    await transfer(uuidv7(), 4, 'pending', last + MINUTE_MS);
    const { of, sent } = still();
    for (let times = 0; times < 2; times++) await tellByMail(of, now);
    const about = sent.filter((id) => [killed, lister, agent].some(({ userId }) => id.endsWith(userId)));
    const late = receivedForDue(now) < last ? [`transfer_late:${security}.${last}:${agent.userId}`] : [];
    expect(about.filter((id) => !id.startsWith('kill_switch')).toSorted()).toEqual(
      [`action_waits:${short}.insufficient_funds:${lister.userId}`, ...late].toSorted(),
    );
    expect(about.filter((id) => id.startsWith('kill_switch_pulled:'))).toHaveLength(1);
  });
});
