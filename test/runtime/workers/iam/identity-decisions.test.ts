import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../../application/identity/sha256-hex.ts';
import { confirmMailAddress } from '../../../../application/mail/confirm-mail-address.ts';
import { expireIdentities } from '../../../../application/onboarding/expire-identities.ts';
import { sweepIdentities } from '../../../../application/onboarding/sweep-identities.ts';
import { takeIdentityFinding } from '../../../../application/onboarding/verify-identity.ts';
import type { Database } from '../../../../data/database.ts';
import { createBrowserSession } from '../../../../data/identity/browser-sessions.ts';
import { writeFinding } from '../../../../data/onboarding/identity-findings.ts';
import { accounts, users } from '../../../../data/schema/accounts.ts';
import { domainEvents } from '../../../../data/schema/audit.ts';
import { identities, identityParties } from '../../../../data/schema/onboarding.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { FINDING_EFFECTS, FINDING_SUBJECTS } from '../../../../domain/onboarding/finding-effects.ts';
import { IDENTITY_STATES } from '../../../../domain/onboarding/identity-state.ts';
import { brokenFor } from '../../fixtures/broken-for.ts';
import { Browser } from '../../fixtures/browser.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { actor, EntityClient, IdentityClient, identityEvent, owner, tellIdentity } from '../../fixtures/identities.ts';
import { mailedFor } from '../../fixtures/mailed.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder } from '../../fixtures/placing.ts';

const QUEUE = '/v1/operator/onboarding';
const DAY_MS = 86_400_000;

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'DEC');
});

afterEach(() => {
  vi.useRealTimers();
});

async function newcomer(): Promise<{ trader: Trader; person: IdentityClient }> {
  const trader = await createTrader(db, { kycStatus: 'pending', cash: 1_000_00 });
  await confirmMailAddress(env, { userId: trader.userId, address: trader.email, language: 'en' });
  return { trader, person: new IdentityClient(trader) };
}

async function browserOf({ userId, phone }: Trader): Promise<Browser> {
  const token = String(Date.now()).padStart(20, 'c') + userId.replaceAll('-', '').slice(-23);
  const of = { userId, createdAt: Date.now(), method: 'code', device: null, place: null } as const;
  await createBrowserSession(db, { hash: await sha256Hex(token), ...of }, { phone, now: Date.now() });
  const browser = new Browser();
  browser.setCookie('exchange-session', token);
  return browser;
}

const rowOf = async ({ userId }: Trader) => {
  const [row] = await db.select().from(identities).where(eq(identities.userId, userId));
  if (row === undefined) throw new Error('fixture: no identity');
  return row;
};

const kycOf = async ({ accountId }: Trader) =>
  (await db.select().from(accounts).where(eq(accounts.id, accountId)))[0]?.kycStatus;

const operator = async () => signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));

/** Decides on what is handed in now. */
async function decide(client: Client, trader: Trader, decision: string, words: object) {
  const { id, submission, version } = await rowOf(trader);
  return client.post<{ data: { state: string } }>(`${QUEUE}/${id}/${decision}`, { submission, version, ...words });
}

describe('a person is told', () => {
  it('nothing that a provider found, in any state, by any finding and any end', async () => {
    const [FOUND, MESSAGE] = ['press: indicted for fraud, SAR 4711', 'the picture is blurred'];
    const { trader, person } = await newcomer();
    await person.submit();
    const { id, submission } = await rowOf(trader);
    const browser = await browserOf(trader);
    const held = uuidv7();
    const end = Date.now() + DAY_MS;
    const founds = {
      review: { type: 'review', sanctions: 'clear', adverseMedia: 'match' },
      refused: { type: 'refused', sanctions: 'clear', adverseMedia: 'clear' },
      listed: { type: 'review', sanctions: 'match', adverseMedia: 'clear' },
      refused_listed: { type: 'refused', sanctions: 'match', adverseMedia: 'clear' },
    } as const;
    const walked = new Set<string>();
    let checkedAt = 1;
    for (const state of IDENTITY_STATES.filter((one) => one !== 'DRAFT'))
      for (const subject of FINDING_SUBJECTS)
        for (const [kind, found] of Object.entries(founds)) {
          // Each effect once in each state, with an approval of before and without.
          const effect = FINDING_EFFECTS[subject][state][kind as keyof typeof founds];
          const step = `${state} ${effect} ${subject === 'first'}`;
          if (effect === 'nothing' || walked.has(step)) continue;
          walked.add(step);
          const isOperators = state === 'ASKED_BACK' || state === 'REFUSED';
          const standing = {
            ...({ state, applied: true, needsPerson: false } as const),
            ...({ sanctions: 'unchecked', adverseMedia: 'unchecked' } as const),
            reason: isOperators ? MESSAGE : state === 'IN_REVIEW' ? FOUND : null,
            decidedBy: isOperators ? 'olivia' : state === 'APPROVED' ? 'provider:simulated' : null,
            expiresAt: state === 'APPROVED' ? end : null,
            heldUntil: subject === 'first' ? null : end,
            heldSubmission: subject === 'first' ? null : held,
          };
          await db.update(identities).set(standing).where(eq(identities.id, id));
          const of = { id, submission: subject === 'held' ? held : (submission ?? '') };
          await takeIdentityFinding(env, of, { ...found, reason: FOUND, checkedAt: checkedAt++ });
          const pages = [(await person.read()).reason];
          pages.push((await browser.open('http://localhost/iam/identity')).html);
          if ((await rowOf(trader)).heldUntil !== null || state === 'APPROVED') {
            await expireIdentities(env, end);
            pages.push((await person.read()).reason);
          }
          expect(JSON.stringify(pages), step).not.toContain('4711');
        }
    const mails = await mailedFor(trader.userId);
    expect(mails.length).toBeGreaterThan(10);
    expect(JSON.stringify(mails)).toContain('expired');
    expect(JSON.stringify(mails)).not.toContain('4711');
  });

  it('what an operator writes to them, and never why it was decided so: that is for the trail', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Review' });
    const [clerk, browser] = [await operator(), await browserOf(trader)];
    const reason = 'OFAC SDN 4711 is another person, see case 12';
    const told = async () => {
      const mails = await mailedFor(trader.userId);
      const page = (await browser.open('http://localhost/iam/identity')).html;
      return JSON.stringify([(await person.read()).reason, page, mails]);
    };
    expect((await decide(clerk, trader, 'ask-back', { reason })).status, 'what is asked?').toBe(400);
    expect((await decide(clerk, trader, 'approve', { reason, message: 'welcome' })).status).toBe(400);
    expect((await decide(clerk, trader, 'approve', { reason })).status).toBe(200);
    expect((await decide(clerk, trader, 'refuse', { reason })).status).toBe(200);
    expect(await rowOf(trader)).toMatchObject({ state: 'REFUSED', reason: null });
    expect((await decide(clerk, trader, 'ask-back', { reason, message: 'show a passport' })).status).toBe(200);
    expect(await person.read()).toMatchObject({ state: 'ASKED_BACK', reason: 'show a passport' });
    await person.state({ facts: { legalName: 'Ann Review' }, submit: true });
    expect((await decide(clerk, trader, 'refuse', { reason, message: 'write to us' })).status).toBe(200);
    expect(await person.read()).toMatchObject({ state: 'REFUSED', reason: 'write to us' });
    const all = await told();
    for (const word of ['show a passport', 'write to us']) expect(all).toContain(word);
    expect(all).not.toContain('4711');
    const { id } = await rowOf(trader);
    const why = async (subject: string, type: string) =>
      (
        await db
          .select()
          .from(domainEvents)
          .where(and(eq(domainEvents.subject, subject), eq(domainEvents.type, type)))
      ).map(({ payload }) => JSON.parse(payload).details);
    expect(await why(id, 'operator.identity_refused')).toMatchObject([{ reason }, { reason, message: 'write to us' }]);
    for (const details of await why(trader.accountId, 'operator.account_facts'))
      expect(details).toMatchObject({ reason });
    expect(await kycOf(trader)).toBe('rejected');
  });
});

it('a provider lets in nobody over a word that came since it was weighed', async () => {
  const { trader, person } = await newcomer();
  await person.submit();
  const { expiresAt, submission } = await rowOf(trader);
  vi.useFakeTimers({ toFake: ['Date'], now: (expiresAt ?? 0) - 28 * DAY_MS });
  await person.submit({ street: '2 Main Street', city: 'Pending' });
  // As it waits for its provider, and was read by whoever weighs what that has found.
  await db
    .update(identities)
    .set({ state: 'SUBMITTED', decidedBy: null, decidedAt: null, expiresAt: null, applied: true })
    .where(eq(identities.userId, trader.userId));
  await db
    .update(identities)
    .set({ heldUntil: expiresAt, heldSubmission: submission })
    .where(eq(identities.userId, trader.userId));
  const read = await rowOf(trader);
  const media = { type: 'review', sanctions: 'clear', adverseMedia: 'match', reason: 'press', checkedAt: 1 } as const;
  await takeIdentityFinding(env, { id: read.id, submission: submission ?? '' }, media);
  expect(await rowOf(trader)).toMatchObject({ state: 'SUBMITTED', needsPerson: true, adverseMedia: 'match' });
  const screening = { sanctions: 'clear', adverseMedia: 'clear', checkedAt: 1 } as const;
  const found = {
    ...({ effect: 'approve', screening, isListed: false, reason: null, parties: [], word: null } as const),
    ...{ expiresAt: expiresAt ?? 0, decidedBy: 'provider:simulated', changeId: uuidv7() },
  };
  expect(await writeFinding(db, read, found, Date.now())).toBe(false);
  expect(await rowOf(trader)).toMatchObject({ state: 'SUBMITTED', heldUntil: expiresAt });
});

it('a repetition changes nothing, and no word keeps what was left alone', async () => {
  const { trader, person } = await newcomer();
  await person.submit({ legalName: 'Ann Pending' });
  const { submission } = await rowOf(trader);
  const checkedAt = new Date(1_000).toISOString();
  const tell = async (reason: string) => {
    const media = { status: 'review', adverseMedia: 'match', reason, checkedAt };
    expect((await tellIdentity(identityEvent(submission ?? '', media))).status).toBe(200);
  };
  await tell('press');
  await db.update(identities).set({ updatedAt: 1_000 }).where(eq(identities.userId, trader.userId));
  const { version } = await rowOf(trader);
  await tell('press');
  expect((await tellIdentity(identityEvent(submission ?? ''))).status).toBe(200);
  expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', version, updatedAt: 1_000 });
  for (let times = 0; times < 2; times++) await tell('a court');
  expect(await rowOf(trader)).toMatchObject({ version: version + 1, updatedAt: 1_000, reason: 'a court' });
});

it('a match counts at the Gate from when it is written down, whatever the ledger does', async () => {
  const { trader, person } = await newcomer();
  await person.submit();
  const client = await signedIn(trader);
  const order = async () => (await client.post('/v1/orders', limitOrder('dec', 'BUY', 1, 10))).status;
  expect(await order()).toBe(200);
  const { id, submission } = await rowOf(trader);
  const listed = { type: 'review', sanctions: 'match', adverseMedia: 'clear', reason: 'OFAC', checkedAt: 1 } as const;
  const dead = { ...env, LEDGER: null } as unknown as Env;
  await takeIdentityFinding(dead, { id, submission: submission ?? '' }, listed).catch(() => undefined);
  expect(await kycOf(trader), 'does not follow yet').toBe('completed');
  expect(await order()).toBe(403);
});

describe('of whom nothing is left', () => {
  const YEARS_MS = 5 * 366 * DAY_MS + DAY_MS;
  const gone = async ({ userId }: Trader) => {
    const updatedAt = Date.now() - YEARS_MS;
    await db.update(identities).set({ updatedAt }).where(eq(identities.userId, userId));
    await sweepIdentities(env);
  };

  it('nobody is let in, by an operator or a provider, nor waits for one', async () => {
    const clerk = await operator();
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Review' });
    const before = await rowOf(trader);
    await gone(trader);
    expect(await rowOf(trader)).toMatchObject({ state: 'REFUSED', facts: '', reason: null, sanctions: 'match' });
    const path = `${QUEUE}/${before.id}`;
    const looked = { submission: before.submission, version: before.version, reason: 'looked at' };
    expect((await clerk.post(`${path}/approve`, looked)).status).toBe(409);
    for (const decision of ['approve', 'ask-back'])
      expect(
        (await decide(clerk, trader, decision, { reason: 'x', ...(decision === 'approve' ? {} : { message: 'x' }) }))
          .status,
      ).toBe(409);
    // As a shredding of before this rule has left it.
    const old = { state: 'IN_REVIEW', version: before.version } as const;
    await db.update(identities).set(old).where(eq(identities.id, before.id));
    expect((await clerk.post(`${path}/approve`, looked)).status).toBe(409);
    await sweepIdentities(env);
    expect(await rowOf(trader)).toMatchObject({ state: 'REFUSED' });
    expect(await kycOf(trader)).toBe('pending');
    const other = await newcomer();
    await other.person.submit({ legalName: 'Ann Pending' });
    await gone(other.trader);
    const { id, submission } = await rowOf(other.trader);
    await db.update(identities).set({ state: 'SUBMITTED' }).where(eq(identities.id, id));
    expect((await tellIdentity(identityEvent(submission ?? ''))).status).toBe(200);
    expect(await kycOf(other.trader)).toBe('pending');
    expect((await rowOf(other.trader)).state).toBe('SUBMITTED');
    await sweepIdentities(env);
    const order = await (await signedIn(other.trader)).post('/v1/orders', limitOrder('dec', 'BUY', 1, 10));
    expect(order.status).toBe(403);
  });

  it('an approval of before ends with its renewal, and the account is not refused for it', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    const { expiresAt, id } = await rowOf(trader);
    vi.useFakeTimers({ toFake: ['Date'], now: (expiresAt ?? 0) - 28 * DAY_MS });
    await person.submit({ legalName: 'Ann Pending' });
    expect(await rowOf(trader)).toMatchObject({ state: 'SUBMITTED', heldUntil: expiresAt });
    const deactivatedAt = Date.now() - 6 * 366 * DAY_MS - DAY_MS;
    await db.update(users).set({ deactivatedAt }).where(eq(users.id, trader.userId));
    await sweepIdentities(env);
    await expireIdentities(env);
    expect(await rowOf(trader)).toMatchObject({ id, state: 'EXPIRED', heldUntil: null, applied: true });
    expect(await kycOf(trader)).toBe('pending');
  });

  it('a match stays one, and an operator looks, however often it is begun anew and left alone', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Review' });
    const { id } = await rowOf(trader);
    await gone(trader);
    for (let times = 0; times < 2; times++) {
      expect((await person.state({ facts: { legalName: 'Ann' } })).status).toBe(200);
      expect(await rowOf(trader)).toMatchObject({
        state: 'DRAFT',
        needsPerson: true,
        sanctions: 'match',
        submission: null,
      });
      expect((await rowOf(trader)).id).not.toBe(id);
      await sweepIdentities(env, Date.now() + 91 * DAY_MS);
      expect(await rowOf(trader)).toMatchObject({ state: 'REFUSED', facts: '', sanctions: 'match' });
    }
    expect((await person.submit()).status).toBe(200);
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', sanctions: 'match', needsPerson: true });
    expect(await kycOf(trader)).toBe('pending');
  });

  it('a match of a party of theirs stays one of the entity', async () => {
    const { trader } = await newcomer();
    await new EntityClient(trader).submit([actor(`Trader ${trader.userId}`), owner('Ben Pending')]);
    const { id } = await rowOf(trader);
    await db.update(identityParties).set({ sanctions: 'match' }).where(eq(identityParties.identity, id));
    await gone(trader);
    expect(await rowOf(trader)).toMatchObject({ state: 'REFUSED', sanctions: 'match', adverseMedia: 'unchecked' });
    expect(await db.select().from(identityParties).where(eq(identityParties.identity, id))).toEqual([]);
  });

  it('nobody reads in the trail what was found of themselves, once they have begun anew either', async () => {
    const auditor = await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'], kycStatus: 'pending' });
    const person = new IdentityClient(auditor);
    await person.submit({ legalName: 'Ann Review' });
    const { id, submission } = await rowOf(auditor);
    const told = { status: 'review', sanctions: 'match', reason: 'OFAC SDN 4711' };
    expect((await tellIdentity(identityEvent(submission ?? '', told))).status).toBe(200);
    const clerk = await operator();
    expect((await decide(clerk, auditor, 'refuse', { reason: 'OFAC SDN 4711 confirmed' })).status).toBe(200);
    const trailOf = async (client: Client) => {
      const read = [id, auditor.accountId].map(async (subject) =>
        client.get(`/v1/operator/audit-trail?subject=${subject}`),
      );
      return JSON.stringify((await Promise.all(read)).map(({ body }) => body));
    };
    const own = await signedIn(auditor);
    expect(await trailOf(clerk)).toContain('4711');
    expect(await trailOf(own)).not.toContain('4711');
    await gone(auditor);
    expect((await person.state({ facts: { legalName: 'Ann' } })).status).toBe(200);
    expect((await rowOf(auditor)).id).not.toBe(id);
    expect(await trailOf(clerk)).toContain('4711');
    expect(await trailOf(own)).not.toContain('4711');
  });

  it('what fails keeps back nothing behind it', async () => {
    const { trader, person } = await newcomer();
    await person.state({ facts: { legalName: 'Ann' } });
    const row = await rowOf(trader);
    const left = { updatedAt: Date.now() - 91 * DAY_MS };
    const broken = Array.from({ length: 50 }, () => ({ ...row, ...left, id: crypto.randomUUID(), userId: uuidv7() }));
    for (const one of broken) await db.insert(identities).values(one);
    // Behind them by its id and by its time.
    await db
      .update(identities)
      .set({ ...left, id: 'z', askedAt: 1 })
      .where(eq(identities.id, row.id));
    const failing = brokenFor(broken.map(({ id }) => id));
    for (let runs = 0; runs < 2; runs++) await sweepIdentities(failing, Date.now() + runs).catch(() => undefined);
    expect(await db.select().from(identities).where(eq(identities.id, 'z'))).toEqual([]);
    for (const { id } of broken) await db.delete(identities).where(eq(identities.id, id));
  });
});
