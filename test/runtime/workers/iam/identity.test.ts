import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../../application/identity/sha256-hex.ts';
import { resealSecrets } from '../../../../application/keys/reseal-secrets.ts';
import { confirmMailAddress } from '../../../../application/mail/confirm-mail-address.ts';
import { tellByMail } from '../../../../application/mail/tell-by-mail.ts';
import { expireIdentities } from '../../../../application/onboarding/expire-identities.ts';
import { identityOfUser, showDocument } from '../../../../application/onboarding/identity.ts';
import { sweepIdentities } from '../../../../application/onboarding/sweep-identities.ts';
import { applyIdentityDecision, pollIdentities } from '../../../../application/onboarding/verify-identity.ts';
import type { Database } from '../../../../data/database.ts';
import { createBrowserSession } from '../../../../data/identity/browser-sessions.ts';
import { reopenApproval } from '../../../../data/onboarding/entities.ts';
import { expireHeld } from '../../../../data/onboarding/held-approvals.ts';
import { openPersonKeys } from '../../../../data/onboarding/person-keys.ts';
import { accounts, accreditationRecords, accreditationVerifications, users } from '../../../../data/schema/accounts.ts';
import { domainEvents } from '../../../../data/schema/audit.ts';
import { shownSecrets } from '../../../../data/schema/identity.ts';
import {
  identities,
  identityDocuments,
  identityParties,
  identityStatements,
} from '../../../../data/schema/onboarding.ts';
import { ATTESTATION } from '../../../../domain/accreditation/attestation-text.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { brokenFor } from '../../fixtures/broken-for.ts';
import { Browser, type Page } from '../../fixtures/browser.ts';
import { call } from '../../fixtures/call.ts';
import { USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { type Client, signedIn, tokensOf } from '../../fixtures/exchange-client.ts';
import {
  actor,
  ENTITY_FACTS,
  EntityClient,
  FACTS,
  IdentityClient,
  identityEvent,
  JPEG,
  owner,
  PDF,
  tellIdentity,
} from '../../fixtures/identities.ts';
import { mailedFor } from '../../fixtures/mailed.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setFacts } from '../../fixtures/operate.ts';
import { limitOrder } from '../../fixtures/placing.ts';
import { waitingVerification } from '../../fixtures/verification-provider.ts';

const IDENTITY = 'http://localhost/iam/identity';
const QUEUE = '/v1/operator/onboarding';
const DAY_MS = 86_400_000;
/** What a provider has told against somebody, in the trail. */
const FOUND = 'operator.identity_found';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'KYC');
});

afterEach(() => {
  vi.useRealTimers();
  (env as { STEP_UP_MINUTES: string }).STEP_UP_MINUTES = '0';
});

async function newcomer(): Promise<{ trader: Trader; person: IdentityClient }> {
  const trader = await createTrader(db, { kycStatus: 'pending', cash: 1_000_00 });
  await confirmMailAddress(env, { userId: trader.userId, address: trader.email, language: 'en' });
  return { trader, person: new IdentityClient(trader) };
}

/** What a browser keeps in which the trader is signed in. */
async function sessionOf({ userId, phone }: Trader): Promise<string> {
  const token = String(Date.now()).padStart(20, 'b') + userId.replaceAll('-', '').slice(-23);
  const of = { userId, createdAt: Date.now(), method: 'code', device: null, place: null } as const;
  const session = { hash: await sha256Hex(token), ...of };
  if (!(await createBrowserSession(db, session, { phone, now: Date.now() }))) throw new Error('fixture: no session');
  return token;
}

async function browserOf(trader: Trader): Promise<Browser> {
  const browser = new Browser();
  browser.setCookie('exchange-session', await sessionOf(trader));
  return browser;
}

const kycOf = async ({ accountId }: Trader) =>
  (await db.select().from(accounts).where(eq(accounts.id, accountId)))[0]?.kycStatus;

const rowOf = async ({ userId }: Trader) => {
  const [row] = await db.select().from(identities).where(eq(identities.userId, userId));
  if (row === undefined) throw new Error('fixture: no identity');
  return row;
};

const operator = async (
  roles: readonly ['operator' | 'auditor' | 'access_manager'] = ['operator'],
  owner = VENUE_OWNER,
) => signedIn(await createTrader(db, { owner, roles }));

/** Decides on what is handed in now. */
async function decide(client: Client, id: string, decision: string, reason = 'looked at') {
  const [row] = await db.select().from(identities).where(eq(identities.id, id));
  return decideOn(client, id, { decision, submission: row?.submission ?? '', version: row?.version ?? 1, reason });
}

const decideOn = (
  client: Client,
  id: string,
  {
    decision,
    reason = 'looked at',
    ...looked
  }: { decision: string; submission: string; version: number; reason?: string },
) =>
  client.post<{ data: { state: string } }>(`${QUEUE}/${id}/${decision}`, {
    reason,
    ...(decision === 'ask-back' ? { message: reason } : {}),
    ...looked,
  });

const lookedAt = ({ submission, version }: { submission: string | null; version: number }) => ({
  submission: submission ?? '',
  version,
});

describe('the pages of identity', () => {
  it('lead by one question after the other to an account that may trade', async () => {
    const { trader } = await newcomer();
    const client = await signedIn(trader);
    expect((await client.post('/v1/orders', limitOrder('kyc', 'BUY', 1, 10))).status).not.toBe(200);
    const browser = await browserOf(trader);
    let page = await browser.open(IDENTITY);
    const answer = async (written: Record<string, string>): Promise<Page> => {
      const sent = await browser.send(IDENTITY, page, written);
      page = sent.location === null ? sent : await browser.open(IDENTITY);
      return page;
    };
    const show = async (written: Record<string, string>, file: Uint8Array<ArrayBuffer>): Promise<Page> => {
      const sent = await browser.upload(IDENTITY, page, written, file);
      page = sent.location === null ? sent : await browser.open(IDENTITY);
      return page;
    };
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.html).toContain('1 / 8');
    await answer({ legalName: FACTS.legalName });
    expect((await answer({ birthDate: '2015-05-17' })).html).toContain('You have to be 18 years old.');
    expect((await answer({ birthDate: FACTS.birthDate })).html).toContain('3 / 8');
    const { country, street, city, region, postalCode } = FACTS;
    expect((await answer({ country: 'IR', street, city, region, postalCode })).html).toContain('The law forbids');
    await answer({ country, street, city, region, postalCode });
    expect((await answer({ taxId: '000-12-3456' })).html).toContain('aria-invalid="true"');
    await answer({ taxId: FACTS.taxId });
    expect(
      (await show({ kind: 'passport' }, new TextEncoder().encode('<html>') as Uint8Array<ArrayBuffer>)).status,
    ).toBe(400);
    await show({ kind: 'driving_licence' }, JPEG);
    await show({}, PDF);
    expect((await show({}, PDF)).status).toBe(400);
    expect((await show({}, JPEG)).html).toContain('8 / 8');
    expect((await answer({ own_account: '2026-1' })).status).toBe(400);
    await answer({ true_statements: '2026-1', own_account: '2026-1', identity_checks: '2026-1' });
    expect(page.html).toContain('•••1120');
    expect(page.html).not.toMatch(/078051120|O’Neill|1990-05/);
    const again = await browser.send(IDENTITY, page, { answer: 'tax_id' });
    expect([again.status, again.html.includes('078')]).toEqual([200, false]);
    expect((await answer({ answer: 'submit' })).html).toContain('Your identity is confirmed.');
    expect(await kycOf(trader)).toBe('completed');
    expect(await client.post('/v1/orders', limitOrder('kyc', 'BUY', 1, 10))).toMatchObject({ status: 200 });
    expect(await mailedFor(trader.userId)).toMatchObject([{ kind: 'identity_decided' }]);
  });

  it('show nothing to who is not signed in, and take no form of another origin, browser or page', async () => {
    expect((await new Browser().open(IDENTITY)).status).toBe(401);
    const [mine, theirs] = [(await newcomer()).trader, (await newcomer()).trader];
    const browser = await browserOf(mine);
    const page = await browser.open(IDENTITY);
    const evil = await browser.send(IDENTITY, page, { legalName: 'Eve' }, { origin: 'https://evil.example.com' });
    expect(evil.status).toBe(403);
    expect((await (await browserOf(theirs)).send(IDENTITY, page, { legalName: 'Eve' })).status).toBe(403);
    expect((await rowOf(mine)).facts).toBe('');
  });

  it.each(['identity', 'entity'])(
    'read nothing of a form at /iam/%s that nobody signed in sends from here',
    async (path) => {
      const [session, origin] = [
        `exchange-session=${await sessionOf(await createTrader(db))}`,
        new URL(env.IAM_ISSUER).origin,
      ];
      const send = async (headers: Readonly<Record<string, string>>) => {
        let bytes = 0;
        const body = new ReadableStream({
          pull(controller) {
            bytes += 8_192;
            if (bytes > 1_048_576) controller.close();
            else controller.enqueue(new Uint8Array(8_192));
          },
        });
        const type = { 'content-type': 'multipart/form-data; boundary=b' };
        const { status } = await call(`POST /iam/${path}`, { headers: { ...type, ...headers }, body });
        return [status, bytes > 65_536 ? 'read' : 'unread'];
      };
      expect(await send({ cookie: session })).toEqual([403, 'unread']);
      expect(await send({ cookie: session, origin: 'https://evil.example.com' })).toEqual([403, 'unread']);
      expect(await send({ origin })).toEqual([401, 'unread']);
      expect(await send({ cookie: `exchange-session=${'a'.repeat(43)}`, origin })).toEqual([401, 'unread']);
      expect(await send({ cookie: session, origin })).toEqual([400, 'read']);
    },
  );
});

describe('the page of accreditation', () => {
  const ACCREDITATION = 'http://localhost/iam/accreditation';
  const VERSION = { certified: ATTESTATION.version };
  const factsOf = async ({ accountId }: Trader) => {
    const [row] = await db.select().from(accounts).where(eq(accounts.id, accountId));
    return row === undefined ? null : `${row.accreditationStatus} ${row.accreditationType}`;
  };
  const verificationsOf = ({ accountId }: Trader) =>
    db.select().from(accreditationVerifications).where(eq(accreditationVerifications.account, accountId));
  const known = (terms: object = {}) => createTrader(db, { cash: 1_000_00, netWorth: 2_000_000_00, ...terms });

  it('is the next step from where an identity stands, and takes nothing before that is confirmed', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann PENDING' });
    const browser = await browserOf(trader);
    expect((await browser.open(`${IDENTITY}?client_id=a`)).html).toContain('href="accreditation?client_id=a"');
    const waiting = await browser.open(ACCREDITATION);
    expect(waiting.html).toContain('First it has to be confirmed who you are.');
    expect(waiting.html).not.toContain('<form');
    await tellIdentity(identityEvent((await rowOf(trader)).submission ?? ''));
    const open = await browser.open(ACCREDITATION);
    expect([open.html.includes(ATTESTATION.text), await factsOf(trader)]).toEqual([true, 'none null']);
    // The form of a page from when it was confirmed, sent once it is not any more.
    await setFacts(trader.accountId, { kycStatus: 'rejected' });
    const sent = await browser.send(ACCREDITATION, open, { step: 'certify', ...VERSION });
    expect([sent.status, await factsOf(trader)]).toEqual([303, 'none null']);
    expect((await browser.open(IDENTITY)).html).toContain('accreditation');
  });

  it('takes the own word once, ticked, and says where it stands', async () => {
    const trader = await known();
    const browser = await browserOf(trader);
    const page = await browser.open(ACCREDITATION);
    const unticked = await browser.send(ACCREDITATION, page, { step: 'certify' });
    expect([unticked.status, await factsOf(trader)]).toEqual([400, 'none null']);
    expect(unticked.html).toMatch(/name="certified"[^>]*aria-invalid="true"/);
    expect((await browser.send(ACCREDITATION, page, { step: 'certify', certified: '2020-1' })).html).toContain(
      'The text has changed meanwhile.',
    );
    for (const sent of [page, unticked, page])
      expect(await browser.send(ACCREDITATION, sent, { step: 'certify', ...VERSION })).toMatchObject({ status: 303 });
    expect(await factsOf(trader)).toBe('completed 506b');
    const records = await db
      .select()
      .from(accreditationRecords)
      .where(eq(accreditationRecords.account, trader.accountId));
    expect(records).toMatchObject([{ kind: 'self_attestation', actor: trader.userId, text: ATTESTATION.text }]);
    const after = await browser.open(ACCREDITATION, { 'accept-language': 'de' });
    expect(after.html).toContain('Sie haben bestätigt, dass Sie akkreditierter Anleger sind.');
    expect(after.html).not.toContain('name="certified"');
  });

  it('asks a third party once for a form however often it is sent, and says until when it stands', async () => {
    const trader = await known();
    const browser = await browserOf(trader);
    const page = await browser.open(ACCREDITATION);
    for (let time = 0; time < 2; time++)
      await browser.send(ACCREDITATION, page, { step: 'verify', evidence: 'net_worth' });
    const asked = await verificationsOf(trader);
    expect(asked).toMatchObject([{ state: 'VERIFIED', actor: trader.userId, evidenceKind: 'net_worth' }]);
    const end = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
      asked[0]?.expiresAt ?? 0,
    );
    const after = (await browser.open(ACCREDITATION)).html;
    expect(after).toContain(`It is good until ${end}.`);
    expect(await factsOf(trader)).toBe('completed 506c');
  });

  it('tells of what was refused and of what an operator has ended, and waits for them', async () => {
    const trader = await known({ netWorth: 0 });
    const browser = await browserOf(trader);
    const ask = async () => {
      await browser.send(ACCREDITATION, await browser.open(ACCREDITATION), { step: 'verify', evidence: 'income' });
      return (await browser.open(ACCREDITATION)).html;
    };
    expect(await ask()).toMatch(/You were not verified\. <strong>Why:<\/strong> income_not_proven/);
    const page = await browser.open(ACCREDITATION);
    await browser.send(ACCREDITATION, page, { step: 'certify', ...VERSION });
    const ended = await (await operator()).post(`/v1/operator/accounts/${trader.accountId}/accreditation/end`, {
      reason: 'an untrue statement',
    });
    expect(ended.status).toBe(200);
    const told = await browser.open(ACCREDITATION);
    expect(told.html).toContain('an untrue statement');
    expect(told.html).not.toContain('name="certified"');
    await browser.send(ACCREDITATION, told, { step: 'certify', ...VERSION });
    expect(await factsOf(trader)).toBe('none null');
    expect(await ask()).toContain('It waits for the venue.');
    expect((await verificationsOf(trader)).map(({ state }) => state)).toEqual(['REFUSED', 'IN_REVIEW']);
  });

  it('says beside the field that ten requests are enough', async () => {
    const trader = await known({ netWorth: 0 });
    const browser = await browserOf(trader);
    const send = async () =>
      browser.send(ACCREDITATION, await browser.open(ACCREDITATION), { step: 'verify', evidence: 'income' });
    for (let count = 0; count < 10; count++) expect((await send()).status).toBe(303);
    const refused = await send();
    expect(refused.status).toBe(400);
    expect(refused.html).toMatch(/id="evidence-wrong" role="alert">There were ten requests within 30 days/);
  });

  it('shows nothing to who is not signed in, and takes no form of another page, browser or id', async () => {
    expect((await new Browser().open(ACCREDITATION)).status).toBe(401);
    const [mine, theirs] = [await known(), await known()];
    const browser = await browserOf(mine);
    const page = await browser.open(ACCREDITATION);
    const certify = { step: 'certify', ...VERSION };
    const [other, evil] = [await browserOf(theirs), { origin: 'https://evil.example.com' }];
    const open = await waitingVerification(db, theirs);
    const sent = [
      await browser.send(ACCREDITATION, page, certify, evil),
      await other.send(ACCREDITATION, page, certify),
      await browser.send(ACCREDITATION, page, { step: 'verify', request: open }),
      await browser.send(ACCREDITATION, page, { ...certify, request: uuidv7() }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect([await factsOf(mine), await factsOf(theirs)]).toEqual(['none null', 'none null']);
    const partner = await createTrader(db, { roles: ['operator'], owner: VENUE_OWNER });
    await db.delete(accounts).where(eq(accounts.userId, partner.userId));
    expect((await (await browserOf(partner)).open(ACCREDITATION)).html).toContain('You have no trading account');
  });
});

describe('what people state and show', () => {
  it('is sealed at rest under keys that say nothing, and shown masked', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    const row = await rowOf(trader);
    expect(JSON.stringify(row)).not.toMatch(/Ann|O’Neill|078051120|Springfield|1990-05/);
    expect((await person.read()).facts).toMatchObject({
      legalName: 'A••• O•••',
      taxId: '•••1120',
      birthDate: '1990-••-••',
    });
    const documents = await db.select().from(identityDocuments).where(eq(identityDocuments.identity, row.id));
    for (const { object } of documents) {
      expect(object).toMatch(/^[0-9a-f]{48}$/);
      const stored = new Uint8Array(
        (await (await env.IDENTITY_DOCUMENTS.get(object))?.arrayBuffer()) ?? new ArrayBuffer(),
      );
      expect(stored.subarray(12, 15)).not.toEqual(JPEG.subarray(0, 3));
    }
    const [first, second] = documents;
    const moved = await env.IDENTITY_DOCUMENTS.get(first?.object ?? '');
    await env.IDENTITY_DOCUMENTS.put(second?.object ?? '', (await moved?.arrayBuffer()) ?? '');
    const clerk = await tokensOf(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    const read = async (id = '') =>
      (await call(`GET /exchange${QUEUE}/${row.id}/documents/${id}`, { headers: clerk })).status;
    expect([await read(second?.id), await read(first?.id)]).toEqual([404, 200]);
  });

  it("is its person's alone: what was shown is not given back, and a machine states nothing", async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Review' });
    const [{ id } = { id: '' }] = (await person.read()).documents;
    const own = await tokensOf(trader);
    expect((await call(`GET /iam/v1/identity/documents/${id}`, { headers: own })).status).toBe(404);
    const other = await newcomer();
    await other.person.submit({ legalName: 'Ann Review' });
    const clerk = await operator();
    expect((await clerk.get(`${QUEUE}/${(await rowOf(other.trader)).id}/documents/${id}`)).status).toBe(404);
    const { authorization = '' } = await tokensOf(trader, { gty: 'client_credentials' });
    expect((await call('GET /iam/v1/identity', { headers: { authorization } })).status).toBe(403);
    expect((await call('GET /iam/v1/identity')).status).toBe(401);
  });

  it('is refused where it does not do, with nothing written down', async () => {
    const { trader, person } = await newcomer();
    expect(await person.state({ facts: { country: 'FR', legalName: 'Ann' } })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { country: 'country_not_served' } } },
    });
    expect((await rowOf(trader)).facts).toBe('');
    expect((await person.state({ submit: true })).status).toBe(409);
    expect((await person.state({ attestations: [{ name: 'own_account', version: '2020-1' }] })).status).toBe(409);
    expect((await person.show('selfie', PDF)).status).toBe(400);
    expect((await person.state({ facts: { kycStatus: 'completed' } })).status).toBe(400);
  });

  it('is bounded, and closed once it is handed in', async () => {
    const { trader, person } = await newcomer();
    await person.show('passport');
    const row = await rowOf(trader);
    const announced = {
      identity: row.id,
      kind: 'passport',
      type: 'image/jpeg',
      bytes: 1,
      createdAt: Date.now(),
    } as const;
    for (let under = 0; under < 11; under++)
      await db.insert(identityDocuments).values({ ...announced, id: crypto.randomUUID(), object: crypto.randomUUID() });
    expect((await person.show('passport')).status).toBe(409);
    const other = await newcomer();
    await other.person.submit({ legalName: 'Ann Review' });
    expect((await other.person.state({ facts: { legalName: 'Ann' } })).status).toBe(409);
    expect((await other.person.show('passport')).status).toBe(409);
    expect(await kycOf(trader)).toBe('pending');
    expect(await kycOf(other.trader)).toBe('pending');
  });

  it('gives way to what is shown after it, until it is handed in: nobody is stuck by blurred pictures', async () => {
    const { trader, person } = await newcomer();
    for (let shown = 0; shown < 14; shown++)
      expect((await person.show(shown % 2 === 0 ? 'passport' : 'driving_licence')).status).toBe(200);
    const { id } = await rowOf(trader);
    const shownNow = () => db.select().from(identityDocuments).where(eq(identityDocuments.identity, id));
    const [last, ...older] = await shownNow();
    expect([last?.kind, older]).toEqual(['driving_licence', []]);
    await person.submit({ legalName: 'Ann Review' });
    const handedIn = (await shownNow()).map((document) => document.id);
    expect(handedIn).toHaveLength(3);
    await decide(await operator(), id, 'ask-back');
    for (let shown = 0; shown < 13; shown++) expect((await person.show('proof_of_address')).status).toBe(200);
    const after = await shownNow();
    expect(after).toHaveLength(4);
    expect(after.map((document) => document.id)).toEqual(expect.arrayContaining(handedIn));
    for (const { object } of after) expect(await env.IDENTITY_DOCUMENTS.head(object)).not.toBeNull();
  });

  it('changes nothing for an account that the venue has decided on', async () => {
    for (const kycStatus of ['completed', 'rejected'] as const) {
      const trader = await createTrader(db, { kycStatus });
      const submitted = await new IdentityClient(trader).state({ facts: { legalName: 'Ann' } });
      expect(submitted).toMatchObject({ status: 409, body: { error: { details: { reason: 'decided_elsewhere' } } } });
    }
  });
});

describe('the verification of an identity', () => {
  it.each([
    ['Ann Refused', 'REFUSED', 'rejected'],
    ['Ann Review', 'IN_REVIEW', 'pending'],
    ['Ann Pending', 'SUBMITTED', 'pending'],
  ])('of %s ends as %s', async (legalName, state, kyc) => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName });
    expect(await person.read()).toMatchObject({ state, reason: null });
    expect(await kycOf(trader)).toBe(kyc);
  });

  it('is told by a signed callback, once, and nothing later makes it milder', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Pending' });
    const { submission } = await rowOf(trader);
    const event = identityEvent(submission ?? '');
    expect((await tellIdentity(event, 'whsec_c29tZWJvZHkgZWxzZSBoYXMgdGhpcyBvbmU=')).status).toBe(401);
    expect(await kycOf(trader)).toBe('pending');
    expect((await tellIdentity(event)).status).toBe(200);
    expect((await tellIdentity(event)).status).toBe(200);
    expect(await kycOf(trader)).toBe('completed');
    expect((await tellIdentity({ ...event, externalId: 'other' })).status).toBe(409);
    const { changeId } = await rowOf(trader);
    const events = await db.select().from(domainEvents).where(eq(domainEvents.subject, trader.accountId));
    expect(events.filter(({ id }) => id === changeId)).toHaveLength(1);
    expect(JSON.parse(events.find(({ id }) => id === changeId)?.payload ?? '{}')).toMatchObject({
      actor: 'provider:simulated',
    });
    expect((await tellIdentity(identityEvent(submission ?? '', { status: 'refused', reason: 'stolen' }))).status).toBe(
      200,
    );
    expect(await kycOf(trader)).toBe('rejected');
    expect((await tellIdentity(identityEvent(submission ?? ''))).status).toBe(200);
    expect(await kycOf(trader)).toBe('rejected');
    const mails = await mailedFor(trader.userId);
    expect(mails.map(({ kind }) => kind)).toEqual(['identity_decided', 'identity_decided']);
    expect(JSON.stringify(mails)).not.toContain('stolen');
    expect((await person.read()).reason).toBeNull();
    expect((await tellIdentity(identityEvent(crypto.randomUUID()))).status).toBe(404);
  });

  it('that found a match, or did not search, is left to a person', async () => {
    for (const terms of [
      { sanctions: 'match' },
      { adverseMedia: 'unchecked' },
      { expiresAt: '2020-01-01T00:00:00.000Z' },
    ]) {
      const { trader, person } = await newcomer();
      await person.submit({ legalName: 'Ann Pending' });
      const { submission } = await rowOf(trader);
      await tellIdentity(identityEvent(submission ?? '', terms));
      expect((await person.read()).state).toBe('IN_REVIEW');
      expect(await kycOf(trader)).toBe('pending');
    }
  });

  it('goes on after a crash between decision and fact, and tells the person once', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    const row = await rowOf(trader);
    // As a crash leaves it: decided, and the account does not follow yet.
    await setFacts(trader.accountId, { kycStatus: 'pending' });
    await db.update(identities).set({ applied: false, changeId: crypto.randomUUID() }).where(eq(identities.id, row.id));
    await pollIdentities(env, Date.now() + DAY_MS);
    expect(await kycOf(trader)).toBe('completed');
    await applyIdentityDecision(env, row.id);
    expect(await rowOf(trader)).toMatchObject({ applied: true });
    expect(await mailedFor(trader.userId)).toHaveLength(2);
  });

  it('that takes something away waits behind nobody, and one that fails keeps back none', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    const row = await rowOf(trader);
    const refused = { state: 'REFUSED', applied: false, changeId: uuidv7(), askedAt: 1000 } as const;
    await db.update(identities).set(refused).where(eq(identities.id, row.id));
    // Longer ago, and none of it opens.
    const waiting = Array.from({ length: 30 }, () => ({
      ...{ ...row, id: uuidv7(), userId: uuidv7(), account: uuidv7(), submission: uuidv7(), reference: null },
      ...({ state: 'SUBMITTED', facts: 'none', askedAt: 0, submittedAt: Date.now() } as const),
    }));
    for (const one of waiting) await db.insert(identities).values(one);
    await pollIdentities(env);
    expect(await kycOf(trader)).toBe('rejected');
    await db.delete(identities).where(eq(identities.facts, 'none'));
  });

  it('goes on at once while accounts can follow, and ends no more than that while none can', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    const row = await rowOf(trader);
    const others = (terms: object) =>
      Array.from({ length: 50 }, () => ({
        ...{ ...row, id: uuidv7(), userId: uuidv7(), submission: uuidv7(), changeId: uuidv7(), facts: 'none' },
        ...terms,
      }));
    // Their approval of before counts: nothing of the account changes.
    const decided = { state: 'ASKED_BACK', applied: false, heldUntil: Date.now() + DAY_MS, askedAt: 0 } as const;
    for (const one of others(decided)) await db.insert(identities).values(one);
    expect(await pollIdentities(env)).toBe(true);
    expect(await pollIdentities(env)).toBe(false);
    await db.delete(identities).where(eq(identities.facts, 'none'));
    for (const one of others({ account: uuidv7(), expiresAt: 1_000 })) await db.insert(identities).values(one);
    expect(await expireIdentities(env)).toBe(false);
    await db.delete(identities).where(eq(identities.facts, 'none'));
  });

  it("does not undo an operator's refusal", async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Pending' });
    await setFacts(trader.accountId, { kycStatus: 'rejected' });
    const { submission } = await rowOf(trader);
    expect((await tellIdentity(identityEvent(submission ?? ''))).status).toBe(200);
    expect(await kycOf(trader)).toBe('rejected');
    const row = await rowOf(trader);
    expect(row).toMatchObject({ state: 'IN_REVIEW', reason: 'account_rejected', decidedBy: null, applied: true });
    expect(await mailedFor(trader.userId), 'told of no approval').toEqual([]);
    expect((await decide(await operator(), row.id, 'approve')).status).toBe(200);
    expect(await kycOf(trader)).toBe('completed');
    expect(await mailedFor(trader.userId)).toMatchObject([{ kind: 'identity_decided' }]);
  });

  it('ends an approval at once by a match in lists of sanctions that is told later, and is never thrown away', async () => {
    const listed = (submission: string | null, terms: object = {}) =>
      tellIdentity(identityEvent(submission ?? '', { status: 'review', sanctions: 'match', reason: 'OFAC', ...terms }));
    const approved = await newcomer();
    await approved.person.submit();
    const { submission } = await rowOf(approved.trader);
    expect((await listed(submission)).status).toBe(200);
    expect(await rowOf(approved.trader)).toMatchObject({ state: 'IN_REVIEW', sanctions: 'match', reason: 'OFAC' });
    expect(await kycOf(approved.trader)).toBe('pending');
    // What an operator has let in with it before them, a repetition does not take back; a search of later does.
    const { id, checkedAt } = await rowOf(approved.trader);
    expect((await decide(await operator(), id, 'approve')).status).toBe(200);
    expect((await listed(submission, { checkedAt: new Date(checkedAt ?? 0).toISOString() })).status).toBe(200);
    expect(await kycOf(approved.trader)).toBe('completed');
    const searchedAgain = new Date((checkedAt ?? 0) + 1).toISOString();
    expect((await listed(submission, { checkedAt: searchedAgain })).status).toBe(200);
    expect(await kycOf(approved.trader)).toBe('pending');
    // Nothing was heard for two weeks: an operator has it, and is shown what comes then.
    const waiting = await newcomer();
    await waiting.person.submit({ legalName: 'Ann Pending' });
    await pollIdentities(env, Date.now() + 15 * DAY_MS);
    expect(await rowOf(waiting.trader)).toMatchObject({ state: 'IN_REVIEW', reason: 'no_answer' });
    expect((await listed((await rowOf(waiting.trader)).submission)).status).toBe(200);
    const shown = { state: 'IN_REVIEW', sanctions: 'match', reason: 'OFAC', needsPerson: true };
    expect(await rowOf(waiting.trader)).toMatchObject(shown);
    expect((await tellIdentity(identityEvent((await rowOf(waiting.trader)).submission ?? ''))).status).toBe(200);
    expect(await rowOf(waiting.trader), 'a match stays one').toMatchObject(shown);
  });

  it('goes to an operator while the approval counts where something else is found later, and ends with a shorter word', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    const { submission, expiresAt } = await rowOf(trader);
    const sooner = (expiresAt ?? 0) - DAY_MS;
    await tellIdentity(identityEvent(submission ?? '', { expiresAt: new Date(sooner).toISOString() }));
    expect(await rowOf(trader)).toMatchObject({ state: 'APPROVED', expiresAt: sooner });
    await tellIdentity(identityEvent(submission ?? '', { adverseMedia: 'match' }));
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', adverseMedia: 'match', heldUntil: sooner });
    expect(await kycOf(trader)).toBe('completed');
    await tellIdentity(identityEvent(submission ?? '', { status: 'review', sanctions: 'match' }));
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', sanctions: 'match', heldUntil: null });
    expect(await kycOf(trader)).toBe('pending');
  });

  it('that ends sooner by the word of its provider is judged by that at once', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    await pollIdentities(env);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const client = await signedIn(trader);
    expect((await client.post('/v1/orders', limitOrder('kyc', 'BUY', 1, 10))).status).toBe(200);
    const { submission } = await rowOf(trader);
    const end = Date.now() + 30_000;
    await tellIdentity(identityEvent(submission ?? '', { expiresAt: new Date(end).toISOString() }));
    vi.setSystemTime(end - 1);
    expect((await client.post('/v1/orders', limitOrder('kyc', 'BUY', 1, 10))).status).toBe(200);
    vi.setSystemTime(end);
    expect((await client.post('/v1/orders', limitOrder('kyc', 'BUY', 1, 10))).status).toBe(403);
  });

  it('that gets no answer is left to an operator', async () => {
    const { person } = await newcomer();
    await person.submit({ legalName: 'Ann Pending' });
    await pollIdentities(env, Date.now() + 15 * DAY_MS);
    expect((await person.read()).state).toBe('IN_REVIEW');
  });
});

describe('an entity', () => {
  const ENTITY = 'http://localhost/iam/entity';

  async function founder(): Promise<{ trader: Trader; entity: EntityClient; name: string }> {
    const { trader } = await newcomer();
    return { trader, entity: new EntityClient(trader), name: `Trader ${trader.userId}` };
  }

  const partiesOf = async (trader: Trader) =>
    db
      .select()
      .from(identityParties)
      .where(eq(identityParties.submission, (await rowOf(trader)).submission ?? ''));

  it('is led by its pages, without a script, from sign-in to an account that may trade', async () => {
    const { trader, name } = await founder();
    const browser = await browserOf(trader);
    expect((await browser.open(IDENTITY)).html).toContain('href="entity?"');
    let page = await browser.open(ENTITY);
    const answer = async (written: Record<string, string>): Promise<Page> => {
      const sent = await browser.send(ENTITY, page, written);
      page = sent.location === null ? sent : await browser.open(ENTITY);
      return page;
    };
    const show = async (): Promise<Page> => {
      const sent = await browser.upload(ENTITY, page, {}, PDF);
      page = sent.location === null ? sent : await browser.open(ENTITY);
      return page;
    };
    const { legalName, form, formationCountry, formationRegion, registrationNumber, taxId } = ENTITY_FACTS;
    const { country, street, postalCode, city, region, activity, sourceOfFunds } = ENTITY_FACTS;
    await answer({ answer: 'entity' });
    expect((await answer({ legalName, form: 'club' })).status).toBe(400);
    await answer({ legalName, form });
    expect((await answer({ formationCountry: 'IR', formationRegion, registrationNumber })).html).toContain('forbids');
    await answer({ formationCountry, formationRegion, registrationNumber });
    await answer({ country, street, postalCode, city, region });
    expect((await answer({ taxId: '00-1234567' })).html).toContain('aria-invalid="true"');
    await answer({ taxId });
    await answer({ activity, sourceOfFunds });
    expect((await answer({})).html).toContain('Name who owns 25 % or more, or say that nobody does.');
    const { facts } = actor(name);
    const small = await answer({ answer: 'add', ...facts, role_owner: 'yes', share: '24.99' });
    expect([small.status, small.html.includes('An owner has 25 to 100 percent.')]).toEqual([400, true]);
    await answer({
      answer: 'add',
      ...facts,
      role_owner: 'yes',
      role_control: 'yes',
      role_authorised: 'yes',
      share: '60',
    });
    expect(page.html).toContain('60%');
    expect(page.html).not.toMatch(/078051120|Main Street/);
    const ben = owner('Ben Kerr').facts;
    expect((await answer({ answer: 'add', ...ben, role_owner: 'yes', share: '40.01' })).html).toContain('100 percent');
    await answer({ answer: 'add', ...ben, role_owner: 'yes', share: '33,33' });
    await answer({ answer: 'add', ...ben, role_owner: 'yes', share: '40' });
    expect([...page.html.matchAll(/name="remove"/g)]).toHaveLength(2);
    await answer({});
    for (let shown = 0; shown < 3; shown++) await show();
    expect(page.html).toContain('10 / 10');
    const attested = { entity_statements: '2026-1', entity_authority: '2026-1', entity_checks: '2026-1' };
    expect((await answer(attested)).status).toBe(400);
    await answer({ ...attested, beneficial_owners: '2026-1' });
    expect(page.html).toContain('40%');
    expect(page.html).not.toMatch(/Kerr &amp; Partners|121234567|Ben Kerr/);
    expect((await answer({ answer: 'submit' })).html).toContain('The entity is confirmed.');
    expect(await kycOf(trader)).toBe('completed');
    const client = await signedIn(trader);
    expect(await client.post('/v1/orders', limitOrder('kyc', 'BUY', 1, 10))).toMatchObject({ status: 200 });
    expect((await browser.open(IDENTITY)).location).toBe('entity');
    expect((await browser.open(ENTITY, { 'accept-language': 'de' })).html).toContain('Die Gesellschaft ist bestätigt.');
    page = await browser.open(ENTITY);
    expect((await answer({ answer: 'reopen' })).html).toContain('out of date');
    expect(await kycOf(trader)).toBe('pending');
  });

  it('is let in with all of its parties, each screened by itself, and sealed as what people state', async () => {
    const { trader, entity } = await founder();
    expect((await entity.submit()).status).toBe(200);
    expect(await kycOf(trader)).toBe('completed');
    const row = await rowOf(trader);
    const parties = await partiesOf(trader);
    expect(parties).toHaveLength(2);
    for (const party of parties)
      expect(party).toMatchObject({ finding: 'verified', sanctions: 'clear', adverseMedia: 'clear', identity: row.id });
    expect(JSON.stringify([row, parties])).not.toMatch(/Kerr|121234567|C01X00T47|Main Street/);
    expect(JSON.stringify(await entity.read())).not.toMatch(/Kerr|121234567|C01X00T47|Main Street/);
  });

  it.each([
    ['Ben Refused', 'REFUSED', 'party_refused', 'rejected'],
    ['Ben Review', 'IN_REVIEW', 'party_screening_match', 'pending'],
    ['Ben Pending', 'SUBMITTED', null, 'pending'],
  ])('with a party such as %s ends as %s', async (legalName, state, reason, kyc) => {
    const { trader, entity, name } = await founder();
    await entity.submit([actor(name), owner(legalName)]);
    expect(await rowOf(trader)).toMatchObject({ state, reason });
    expect(await kycOf(trader)).toBe(kyc);
    expect((await entity.read()).reason).toBeNull();
  });

  it('is told by a callback with each of its parties, and a party that is refused later ends the approval', async () => {
    const { trader, entity, name } = await founder();
    await entity.submit([actor(name), owner('Ben Pending')]);
    const submission = (await rowOf(trader)).submission ?? '';
    const [first, second] = await partiesOf(trader);
    const single = identityEvent(submission).identity;
    const told = (finding: object, parties: readonly object[] = [{ ...single, id: first?.party }]) =>
      tellIdentity(identityEvent(submission, { parties: [...parties, { ...single, id: second?.party, ...finding }] }));
    expect((await told({}, [])).status).toBe(200);
    expect(await rowOf(trader), 'of one of them nothing was told').toMatchObject({ state: 'IN_REVIEW' });
    await decide(await operator(), (await rowOf(trader)).id, 'approve');
    expect(await kycOf(trader)).toBe('completed');
    await told({ status: 'refused', reason: 'stolen' });
    expect(await kycOf(trader)).toBe('rejected');
    expect((await partiesOf(trader)).map(({ finding }) => finding).toSorted()).toEqual(['refused', 'verified']);
    expect(JSON.stringify(await mailedFor(trader.userId))).not.toContain('stolen');
  });

  it('is told of a party that is on a list by now: the approval ends at once, and the operator sees whom', async () => {
    const { trader, entity } = await founder();
    await entity.submit();
    expect(await kycOf(trader)).toBe('completed');
    const submission = (await rowOf(trader)).submission ?? '';
    const single = identityEvent(submission).identity;
    const parties = (await partiesOf(trader)).map(({ party }) => ({ ...single, id: party, sanctions: 'match' }));
    expect((await tellIdentity(identityEvent(submission, { parties }))).status).toBe(200);
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', reason: 'party_screening_match' });
    expect((await partiesOf(trader)).map(({ sanctions }) => sanctions)).toEqual(['match', 'match']);
    expect(await kycOf(trader)).toBe('pending');
  });

  it('is for an operator where somebody else acts than signs in, who sees parties and percents', async () => {
    const { trader, entity } = await founder();
    await entity.submit([actor('Eve Other'), owner('Ben Kerr')]);
    const { id } = await rowOf(trader);
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', reason: 'needs_person' });
    const clerk = await operator();
    const masked = (await clerk.get<{ data: object }>(`${QUEUE}/${id}`)).body.data;
    expect(masked).toMatchObject({
      subject: 'entity',
      facts: { taxId: '•••4567', birthDate: '' },
      entity: {
        form: 'company',
        nobodyOwns: false,
        parties: [{ shareBps: 6_000 }, { shareBps: 4_000, finding: 'verified' }],
      },
    });
    expect(JSON.stringify(masked)).not.toMatch(/Eve Other|C01X00T47/);
    const full = (await clerk.get<{ data: object }>(`${QUEUE}/${id}/full`)).body.data;
    expect(full).toMatchObject({ entity: { parties: [{ facts: { legalName: 'Eve Other' } }, {}] } });
    const other = await operator(['operator'], 'org-other');
    expect((await other.get(`${QUEUE}/${id}`)).status).toBe(404);
    expect((await decide(clerk, id, 'approve')).status).toBe(200);
    expect(await kycOf(trader)).toBe('completed');
  });

  it('is settled by the first handing in, and what was stated of a person goes where it is theirs no more', async () => {
    const { trader, person } = await newcomer();
    const entity = new EntityClient(trader);
    await person.show('passport');
    await person.state({ facts: { legalName: 'Ann' } });
    expect(await entity.state({ nobodyOwns: true })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'other_subject' } } },
    });
    expect((await entity.state({ nobodyOwns: true, startOver: true })).status).toBe(200);
    const { id } = await rowOf(trader);
    expect(await db.select().from(identityDocuments).where(eq(identityDocuments.identity, id))).toEqual([]);
    expect((await person.show('passport')).status).toBe(409);
    expect((await entity.show('passport')).status).toBe(400);
    const begun = await identityOfUser(env, trader.userId);
    if (begun === null) throw new Error('fixture: no identity');
    const shown = await showDocument(env, begun, { id: uuidv7(), kind: 'passport', bytes: JPEG });
    expect(shown).toEqual({ ok: false, error: 'not_a_document' });
    expect((await entity.state({ parties: [actor('Ann')] })).status, 'who owns contradicts that nobody does').toBe(400);
    await entity.state({ nobodyOwns: false });
    await entity.submit();
    expect((await person.state({ facts: { legalName: 'Ann' }, startOver: true })).status).toBe(409);
    expect((await person.read()).state).toBe('NONE');
    const stranger = await newcomer();
    await stranger.person.submit();
    expect((await new EntityClient(stranger.trader).state({ startOver: true })).status).toBe(409);
    expect(await kycOf(stranger.trader)).toBe('completed');
  });

  it('has nothing of a person that was on its way when the account became its own', async () => {
    const { trader, person } = await newcomer();
    await person.state({ facts: { legalName: 'Ann' } });
    const begun = await identityOfUser(env, trader.userId);
    if (begun === null) throw new Error('fixture: no identity');
    const documents = env.IDENTITY_DOCUMENTS;
    const put = vi.spyOn(documents, 'put').mockImplementationOnce(async (name, bytes) => {
      await new EntityClient(trader).state({ startOver: true });
      return (await documents.put(name, bytes as ArrayBuffer)) as R2Object;
    });
    const late = await showDocument(env, begun, { id: uuidv7(), kind: 'passport', bytes: JPEG });
    put.mockRestore();
    expect(late).toMatchObject({ ok: false });
    expect(await db.select().from(identityDocuments).where(eq(identityDocuments.identity, begun.row.id))).toEqual([]);
    expect((await rowOf(trader)).facts).toBe('');
  });

  it('is stated anew once somebody has joined: it places no orders, and an operator decides', async () => {
    const { trader, entity, name } = await founder();
    await entity.submit();
    const before = await partiesOf(trader);
    expect((await entity.state({ parties: [actor(name)] })).status).toBe(409);
    expect((await entity.state({ reopen: true })).status).toBe(200);
    expect(await kycOf(trader)).toBe('pending');
    expect((await entity.read()).missing.documents).toHaveLength(3);
    await entity.submit([actor(name), owner('Eve New')]);
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', reason: 'needs_person' });
    const after = await partiesOf(trader);
    expect(after.map(({ party }) => party).some((party) => before.some((old) => old.party === party))).toBe(false);
    const { person, trader: other } = await newcomer();
    await person.submit();
    expect((await new EntityClient(other).state({ reopen: true })).status).toBe(409);
    const { id } = await rowOf(other);
    expect(await reopenApproval(db, { id, changeId: uuidv7(), decidedBy: other.userId }, Date.now())).toBe(false);
    expect(await kycOf(other), 'no person’s approval is ended so').toBe('completed');
  });

  it('is renewed before its end while its approval counts, until a match of one of its parties ends it at once', async () => {
    const renewing = async () => {
      const founded = await founder();
      await founded.entity.submit();
      const approved = await rowOf(founded.trader);
      const end = approved.expiresAt ?? 0;
      const named = await partiesOf(founded.trader);
      vi.useFakeTimers({ toFake: ['Date'], now: end - 28 * DAY_MS });
      return { ...founded, approved, named, end };
    };
    const listed = (submission: string, id: string, parties: readonly { readonly party: string }[]) => {
      const single = identityEvent(submission).identity;
      const told = parties.map(({ party }, at) => ({ ...single, id: party, sanctions: at === 0 ? 'match' : 'clear' }));
      return tellIdentity(identityEvent(submission, { id, parties: told }));
    };
    const one = await renewing();
    expect((await one.entity.state({ reopen: true })).status).toBe(200);
    const reopening = { id: one.approved.id, changeId: uuidv7(), decidedBy: one.trader.userId };
    expect(await reopenApproval(db, reopening, Date.now())).toBe(false);
    expect(await kycOf(one.trader), 'it is renewed, not reopened').toBe('completed');
    const approvedUntil = new Date(one.end).toISOString();
    expect(await one.entity.read()).toMatchObject({ state: 'APPROVED', approvedUntil });
    expect((await (await browserOf(one.trader)).open(ENTITY)).html).toContain('You can renew it now');
    expect((await one.entity.state({ submit: true })).status, 'with documents of then').toBe(409);
    await one.entity.submit([actor(one.name), owner('Ben Pending')]);
    const { submission } = await rowOf(one.trader);
    expect(await rowOf(one.trader)).toMatchObject({ state: 'SUBMITTED', heldUntil: one.end });
    expect((await partiesOf(one.trader)).map(({ finding }) => finding)).toEqual(['pending', 'pending']);
    expect(await kycOf(one.trader)).toBe('completed');
    await tellIdentity(identityEvent(submission ?? '', { parties: [] }));
    expect(await rowOf(one.trader)).toMatchObject({ state: 'IN_REVIEW', heldUntil: one.end });
    expect(await kycOf(one.trader), 'of a party nothing was told').toBe('completed');
    await listed(submission ?? '', `simulated-${submission}`, await partiesOf(one.trader));
    const looked = { state: 'IN_REVIEW', reason: 'party_screening_match', heldUntil: null };
    expect(await rowOf(one.trader)).toMatchObject(looked);
    expect(await kycOf(one.trader)).toBe('pending');
    vi.useRealTimers();
    const other = await renewing();
    for (const kind of ['articles', 'good_standing', 'authorisation']) await other.entity.show(kind);
    await other.entity.state({ facts: { legalName: 'Kerr Pending LLC' }, submit: true });
    expect(await rowOf(other.trader)).toMatchObject({ state: 'SUBMITTED', heldUntil: other.end });
    const held = other.approved;
    expect((await listed(held.submission ?? '', held.reference ?? '', other.named)).status).toBe(200);
    expect(await rowOf(other.trader)).toMatchObject({ ...looked, needsPerson: true });
    expect((await partiesOf(other.trader)).map(({ sanctions }) => sanctions).toSorted()).toEqual([
      'match',
      'unchecked',
    ]);
    expect(await kycOf(other.trader)).toBe('pending');
  });

  it('and a person state and show 200 times a day at most', async () => {
    const { trader, entity } = await founder();
    await entity.state({ facts: { legalName: 'Kerr LLC' } });
    const { id } = await rowOf(trader);
    await db.update(identities).set({ changes: 199 }).where(eq(identities.id, id));
    expect((await entity.state({ facts: { legalName: 'Kerr Ltd' } })).status).toBe(200);
    const full = { status: 409, body: { error: { details: { reason: 'too_many' } } } };
    expect(await entity.state({ facts: { legalName: 'Kerr Inc' } })).toMatchObject(full);
    expect(await entity.show('articles')).toMatchObject(full);
    await db
      .update(identities)
      .set({ changesSince: Date.now() - DAY_MS })
      .where(eq(identities.id, id));
    expect((await entity.show('articles')).status).toBe(200);
    expect(await rowOf(trader)).toMatchObject({ changes: 1 });
  });
});

describe("the operators' queue", () => {
  it('shows who waits, masked, and gives the rest and the documents by a permission of its own, each look written down', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Review' });
    const { id } = await rowOf(trader);
    const [clerk, auditor] = [await operator(), await operator(['auditor'])];
    const listed = await clerk.get<{ data: { id: string; sanctions: string }[] }>(`${QUEUE}?state=IN_REVIEW&limit=100`);
    expect(listed.body.data.find((item) => item.id === id)).toMatchObject({ sanctions: 'match' });
    const masked = await auditor.get<{ data: { facts: object; documents: { id: string }[] } }>(`${QUEUE}/${id}`);
    expect(masked.body.data.facts).toMatchObject({ legalName: 'A••• R•••', taxId: '•••1120', street: '•••' });
    const looks = async () => {
      const entries = await db.select().from(domainEvents).where(eq(domainEvents.subject, id));
      return entries.filter(({ type }) => type !== FOUND);
    };
    expect(await looks()).toEqual([]);
    const [{ id: document } = { id: '' }] = masked.body.data.documents;
    expect((await auditor.get(`${QUEUE}/${id}/full`)).status).toBe(403);
    expect((await auditor.get(`${QUEUE}/${id}/documents/${document}`)).status).toBe(403);
    expect(await looks()).toEqual([]);
    expect((await clerk.get<{ data: object }>(`${QUEUE}/${id}/full`)).body.data).toMatchObject({
      facts: { taxId: '078051120' },
    });
    const venue = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
    const headers = await tokensOf(venue);
    const bytes = await call(`GET /exchange${QUEUE}/${id}/documents/${document}`, { headers });
    expect(bytes.headers.get('content-disposition')).toContain('attachment');
    expect([bytes.status, bytes.headers.get('content-type'), bytes.headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ]);
    const seen = (await looks()).map(({ type, payload }) => [type, JSON.parse(payload).actor]);
    expect(seen).toMatchObject([
      ['operator.identity_seen', expect.any(String)],
      ['operator.identity_document_seen', venue.userId],
    ]);
    expect((await call(`GET /exchange${QUEUE}/${id}/documents/${crypto.randomUUID()}`, { headers })).status).toBe(404);
  });

  it('is not found by another organization, and decided on by operators of the venue alone', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Review' });
    const { id } = await rowOf(trader);
    const other = await operator(['operator'], 'org-other');
    expect((await other.get(`${QUEUE}/${id}`)).status).toBe(404);
    expect((await other.get(`${QUEUE}/${id}/full`)).status).toBe(403);
    expect((await other.get<{ data: object[] }>(QUEUE)).body.data).toEqual([]);
    const own = await operator(['operator'], 'org-test');
    expect((await own.get(`${QUEUE}/${id}`)).status).toBe(200);
    for (const client of [own, other, await operator(['auditor']), await signedIn(trader)])
      expect((await decide(client, id, 'approve')).status).toBe(403);
    expect((await (await signedIn(trader)).get(`${QUEUE}/${id}`)).status).toBe(403);
    expect(await kycOf(trader)).toBe('pending');
  });

  it('approves, refuses and asks back, by the path of an operator’s change, and tells the person why', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Review' });
    const { id } = await rowOf(trader);
    const clerk = await operator();
    expect((await decide(clerk, id, 'ask-back', 'the picture is blurred')).body.data.state).toBe('ASKED_BACK');
    expect(await person.read()).toMatchObject({ state: 'ASKED_BACK', reason: 'the picture is blurred' });
    expect((await decide(clerk, id, 'approve')).status).toBe(409);
    await person.show('selfie');
    await person.state({ facts: { legalName: 'Ann Review' }, submit: true });
    expect((await decide(clerk, id, 'refuse')).body.data.state).toBe('REFUSED');
    expect(await kycOf(trader)).toBe('rejected');
    expect((await decide(clerk, id, 'approve')).status).toBe(409);
    await decide(clerk, id, 'ask-back');
    expect(await kycOf(trader)).toBe('pending');
    await person.state({ submit: true });
    expect((await decide(clerk, id, 'approve')).body.data.state).toBe('APPROVED');
    expect(await kycOf(trader)).toBe('completed');
    const types = (await db.select().from(domainEvents).where(eq(domainEvents.subject, id))).map(({ type }) => type);
    expect(types.filter((type) => type !== FOUND).toSorted()).toEqual([
      'operator.identity_approved',
      'operator.identity_asked_back',
      'operator.identity_asked_back',
      'operator.identity_refused',
    ]);
  });

  it('counts no longer once the provider’s word is out of date: told before, open orders end, and the person hands in again', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    await pollIdentities(env);
    expect(await kycOf(trader)).toBe('completed');
    const { id, expiresAt } = await rowOf(trader);
    const end = expiresAt ?? 0;
    const client = await signedIn(trader);
    const order = await client.post<{ data: { orderId: string } }>('/v1/orders', limitOrder('kyc', 'BUY', 1, 10));
    expect(order.status).toBe(200);
    await tellByMail(env, end - 31 * DAY_MS);
    const told = async () => (await mailedFor(trader.userId)).filter(({ kind }) => kind === 'identity_ends');
    expect(await told()).toEqual([]);
    await tellByMail(env, end - 29 * DAY_MS);
    await tellByMail(env, end - 28 * DAY_MS);
    expect(await told()).toHaveLength(1);
    await expireIdentities(env, end - 1);
    expect(await kycOf(trader)).toBe('completed');
    await expireIdentities(env, end);
    await expireIdentities(env, end);
    expect(await rowOf(trader)).toMatchObject({ state: 'EXPIRED', decidedBy: 'venue:expiry', applied: true });
    expect(await kycOf(trader)).toBe('pending');
    const shown = await client.get<{ data: { status: string } }>(`/v1/orders/${order.body.data.orderId}`);
    expect(shown.body.data.status).toBe('CANCELLED');
    expect((await client.post('/v1/orders', limitOrder('kyc', 'BUY', 1, 10))).status).not.toBe(200);
    const clerk = await operator();
    const queue = await clerk.get<{ data: { id: string }[] }>(`${QUEUE}?state=EXPIRED`);
    expect(queue.body.data.map((item) => item.id)).toContain(id);
    expect(await person.read()).toMatchObject({ state: 'EXPIRED', reason: null });
    expect((await (await browserOf(trader)).open(IDENTITY)).html).toContain('is out of date');
    expect((await person.state({ submit: true })).status, 'with documents of then').not.toBe(200);
    expect((await person.read()).missing.documents).toHaveLength(3);
    expect((await person.submit({ street: '2 Main Street' })).status).toBe(200);
    await pollIdentities(env);
    expect(await rowOf(trader)).toMatchObject({ state: 'APPROVED' });
    expect(await kycOf(trader)).toBe('completed');
  });

  it('opens nothing from its last millisecond on, before its job has run and whatever was read before', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    await pollIdentities(env);
    const end = (await rowOf(trader)).expiresAt ?? 0;
    vi.useFakeTimers({ toFake: ['Date'], now: end - 1 });
    const [client, clerk] = [await signedIn(trader), await operator()];
    const order = await client.post<{ data: { orderId: string } }>('/v1/orders', limitOrder('kyc', 'BUY', 1, 10));
    const paying = { assetId: USD, amount: 1, reference: 'IBAN XX00' };
    const paid = await client.post<{ data: { id: string } }>('/v1/account/withdrawals', paying);
    expect([order.status, paid.status]).toEqual([200, 200]);
    const request = `/v1/operator/transfer-requests/${paid.body.data.id}`;
    expect((await clerk.post(`${request}/approve`, { reason: 'checked' })).status).toBe(200);
    vi.setSystemTime(end);
    expect(await kycOf(trader)).toBe('completed');
    const refused = { status: 403, body: { error: { code: 'FORBIDDEN', details: { kycStatus: 'pending' } } } };
    expect(await client.post('/v1/orders', limitOrder('kyc', 'BUY', 1, 10))).toMatchObject(refused);
    expect(await client.put(`/v1/orders/${order.body.data.orderId}`, { limitPrice: 11 })).toMatchObject(refused);
    expect((await client.post('/v1/account/withdrawals', paying)).status).toBe(403);
    expect((await clerk.post(`${request}/execute`, { reason: 'checked' })).status).toBe(403);
    expect((await client.get<{ data: { kycStatus: string } }>('/v1/account')).body.data.kycStatus).toBe('pending');
    expect((await client.delete(`/v1/orders/${order.body.data.orderId}`)).status, 'what is open may end').toBe(200);
  });

  it('is for an operator where another person is stated once it is out of date, and an operator’s approval ends in two years', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    await pollIdentities(env);
    const first = await rowOf(trader);
    await expireIdentities(env, first.expiresAt ?? 0);
    await person.state({ facts: { legalName: 'Eve Other' } });
    await person.submit({ legalName: 'Eve Other', birthDate: '1991-05-17' });
    await pollIdentities(env);
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', reason: 'needs_person', expiresAt: null });
    expect(await kycOf(trader)).toBe('pending');
    const kept = await db.select().from(identityStatements).where(eq(identityStatements.identity, first.id));
    expect(kept.find(({ submission }) => submission === first.submission)?.facts).toBe(first.facts);
    expect(kept).toHaveLength(2);
    expect((await decide(await operator(), first.id, 'approve')).status).toBe(200);
    const { expiresAt } = await rowOf(trader);
    expect(Math.abs((expiresAt ?? 0) - Date.now() - 730 * DAY_MS)).toBeLessThan(60_000);
    await expireIdentities(env);
    expect(await kycOf(trader)).toBe('completed');
  });

  describe('that is renewed before its end', () => {
    /** Somebody who is approved, four weeks before the end of it. */
    async function renewing(words: Partial<typeof FACTS> = {}) {
      const { trader, person } = await newcomer();
      await person.submit();
      await pollIdentities(env);
      const approved = await rowOf(trader);
      vi.useFakeTimers({ toFake: ['Date'], now: (approved.expiresAt ?? 0) - 28 * DAY_MS });
      expect((await person.submit(words)).status).toBe(200);
      return { trader, person, approved, end: approved.expiresAt ?? 0 };
    }

    it('counts until the new decision, and is told of and shown as it is', async () => {
      const { trader, person } = await newcomer();
      await person.submit();
      await pollIdentities(env);
      const { id, expiresAt } = await rowOf(trader);
      const end = expiresAt ?? 0;
      vi.useFakeTimers({ toFake: ['Date'], now: end - 31 * DAY_MS });
      expect((await (await browserOf(trader)).open(IDENTITY)).html).toContain('on you can renew it here');
      expect((await person.submit()).status, 'too early').toBe(409);
      vi.setSystemTime(end - 28 * DAY_MS);
      await tellByMail(env, Date.now());
      const mails = (await mailedFor(trader.userId)).filter(({ kind }) => kind === 'identity_ends');
      expect(mails[0]?.text).toContain(`${env.IAM_ISSUER}/identity`);
      expect((await person.state({ submit: true })).status, 'with documents of then').toBe(409);
      const browser = await browserOf(trader);
      const german = await browser.open(IDENTITY, { 'accept-language': 'de' });
      expect(german.html).toContain('Sie können es jetzt erneuern');
      expect(await person.read()).toMatchObject({ approvedUntil: new Date(end).toISOString(), state: 'APPROVED' });
      await person.submit({ legalName: 'Ann Pending' });
      expect(await rowOf(trader)).toMatchObject({ state: 'SUBMITTED', heldUntil: end, expiresAt: null });
      expect(await kycOf(trader)).toBe('completed');
      const held = new Date(end).toISOString();
      expect(await person.read()).toMatchObject({ state: 'SUBMITTED', approvedUntil: held, renewableFrom: null });
      expect((await browser.open(IDENTITY)).html).toContain('What was confirmed before counts until');
      const clerk = await operator();
      const seen = await clerk.get<{ data: { approvedUntil: string } }>(`${QUEUE}/${id}`);
      expect(seen.body.data.approvedUntil).toBe(held);
      vi.setSystemTime(end - 27 * DAY_MS);
      await tellIdentity(identityEvent((await rowOf(trader)).submission ?? ''));
      // Another name than was approved is for an operator.
      expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', reason: 'needs_person', heldUntil: end });
      expect(await kycOf(trader)).toBe('completed');
      expect((await decide(await operator(), id, 'approve')).status).toBe(200);
      expect(await rowOf(trader)).toMatchObject({ state: 'APPROVED', heldUntil: null, heldSubmission: null });
      expect((await rowOf(trader)).expiresAt).toBeGreaterThan(end);
      await expireIdentities(env, end);
      expect(await kycOf(trader)).toBe('completed');
    });

    it('stands until its own end where the papers were refused, by the provider or an operator', async () => {
      const { trader, person, approved, end } = await renewing({ legalName: 'Ann Refused' });
      await pollIdentities(env);
      expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', heldUntil: end, reason: 'document_not_genuine' });
      expect(await kycOf(trader)).toBe('completed');
      await decide(await operator(), approved.id, 'ask-back', 'the picture is blurred');
      expect(await rowOf(trader)).toMatchObject({ state: 'ASKED_BACK', heldUntil: end, applied: true });
      expect(await kycOf(trader)).toBe('completed');
      expect(await person.read()).toMatchObject({ reason: 'the picture is blurred', state: 'ASKED_BACK' });
      const mails = (await mailedFor(trader.userId)).filter(({ kind }) => kind === 'identity_decided');
      const isTold = mails.some(({ text }) => /asked_back|something else/.test(text) && text.includes('until'));
      expect(isTold).toBe(true);
      await expireIdentities(env, end - 1);
      expect(await kycOf(trader)).toBe('completed');
      await expireIdentities(env, end);
      await expireIdentities(env, end);
      expect(await rowOf(trader)).toMatchObject({ state: 'ASKED_BACK', heldUntil: null, decidedBy: 'venue:expiry' });
      expect(await kycOf(trader)).toBe('pending');
    });

    it('opens nothing from its own last millisecond on while the renewal waits, nor while its end is not applied yet', async () => {
      const { trader, end } = await renewing({ legalName: 'Ann Pending' });
      vi.setSystemTime(end - 1);
      const client = await signedIn(trader);
      const order = () => client.post('/v1/orders', limitOrder('kyc', 'BUY', 1, 10));
      expect((await order()).status).toBe(200);
      vi.setSystemTime(end);
      expect((await order()).status).toBe(403);
      const { id } = await rowOf(trader);
      // A crash comes between the end and what follows from it.
      await expireHeld(db, { id, changeId: uuidv7(), decidedBy: 'venue:expiry' }, end);
      vi.setSystemTime(end + 120_000);
      expect(await kycOf(trader)).toBe('completed');
      expect((await order()).status).toBe(403);
    });

    it('ends with its own end while the renewal waits, and with the decision of an operator at once', async () => {
      const one = await renewing({ legalName: 'Ann Pending' });
      await expireIdentities(env, one.end);
      expect(await rowOf(one.trader)).toMatchObject({ state: 'SUBMITTED', heldUntil: null, applied: true });
      expect(await kycOf(one.trader)).toBe('pending');
      vi.useRealTimers();
      const other = await renewing({ legalName: 'Ann Pending' });
      expect((await decide(await operator(), other.approved.id, 'approve')).status, 'not answered yet').toBe(409);
      expect((await decide(await operator(), other.approved.id, 'refuse')).status).toBe(200);
      expect(await rowOf(other.trader)).toMatchObject({ state: 'REFUSED', heldUntil: null });
      expect(await kycOf(other.trader)).toBe('rejected');
      await expireIdentities(env, other.end);
      expect(await kycOf(other.trader), 'the end makes nothing milder').toBe('rejected');
    });

    it('ends at once by a match in lists of sanctions, of the renewal or of the approval itself', async () => {
      const one = await renewing({ legalName: 'Ann Review' });
      await pollIdentities(env);
      expect(await rowOf(one.trader)).toMatchObject({ state: 'IN_REVIEW', sanctions: 'match', heldUntil: null });
      expect(await kycOf(one.trader)).toBe('pending');
      vi.useRealTimers();
      const refused = await renewing({ legalName: 'Ann Pending' });
      const { submission } = await rowOf(refused.trader);
      await tellIdentity(
        identityEvent(submission ?? '', { status: 'refused', sanctions: 'match', reason: 'on a list' }),
      );
      expect(await rowOf(refused.trader)).toMatchObject({ state: 'REFUSED', heldUntil: null });
      expect(await kycOf(refused.trader)).toBe('rejected');
      vi.useRealTimers();
      const before = await renewing({ legalName: 'Ann Pending' });
      const reference = before.approved.reference ?? '';
      const elsewhere = identityEvent(before.approved.submission ?? '', { status: 'refused', id: 'of-another' });
      expect((await tellIdentity(elsewhere)).status, 'of another verification').not.toBe(200);
      const told = identityEvent(before.approved.submission ?? '', {
        status: 'review',
        sanctions: 'match',
        id: reference,
      });
      expect((await tellIdentity(told)).status).toBe(200);
      expect(await rowOf(before.trader)).toMatchObject({ state: 'IN_REVIEW', heldUntil: null, needsPerson: true });
      expect(await kycOf(before.trader)).toBe('pending');
      vi.useRealTimers();
      const ended = await renewing({ legalName: 'Ann Pending' });
      const end = { status: 'refused', id: ended.approved.reference ?? '' };
      expect((await tellIdentity(identityEvent(ended.approved.submission ?? '', end))).status).toBe(200);
      expect(await rowOf(ended.trader)).toMatchObject({ state: 'REFUSED', heldUntil: null });
      expect(await kycOf(ended.trader)).toBe('rejected');
    });
  });

  it('hears of a match of whom an operator has asked back, and of a handing in of before', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    await pollIdentities(env);
    const first = await rowOf(trader);
    vi.useFakeTimers({ toFake: ['Date'], now: (first.expiresAt ?? 0) - 28 * DAY_MS });
    await person.submit({ legalName: 'Ann Refused' });
    await pollIdentities(env);
    await decide(await operator(), first.id, 'ask-back', 'the picture is blurred');
    const { submission, heldUntil } = await rowOf(trader);
    expect(heldUntil).toBe(first.expiresAt);
    const told = identityEvent(submission ?? '', { status: 'refused', sanctions: 'match', reason: 'OFAC' });
    expect((await tellIdentity(told)).status).toBe(200);
    expect(await rowOf(trader)).toMatchObject({ state: 'ASKED_BACK', sanctions: 'match', heldUntil: null });
    expect(await kycOf(trader)).toBe('pending');
    expect((await person.read()).reason, 'the word to them stays, and none of a list').toBe('the picture is blurred');
    await person.submit({ legalName: 'Ann Neill' });
    await decide(await operator(), first.id, 'approve');
    expect(await kycOf(trader)).toBe('completed');
    const former = identityEvent(first.submission ?? '', { sanctions: 'match', checkedAt: new Date().toISOString() });
    expect((await tellIdentity(former)).status).toBe(200);
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', sanctions: 'match' });
    expect(await kycOf(trader)).toBe('pending');
  });

  it('keeps an account that the venue has refused as it is when the provider’s word is out of date', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    await pollIdentities(env);
    const { expiresAt } = await rowOf(trader);
    await setFacts(trader.accountId, { kycStatus: 'rejected' });
    await expireIdentities(env, expiresAt ?? 0);
    expect(await rowOf(trader)).toMatchObject({ state: 'EXPIRED', applied: true });
    expect(await kycOf(trader)).toBe('rejected');
  });

  it('is asked again where the person was asked back: a match does not go away by another spelling', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Review' });
    const { id } = await rowOf(trader);
    await decide(await operator(), id, 'ask-back', 'the picture is blurred');
    const trail = await db.select().from(domainEvents).where(eq(domainEvents.subject, id));
    const asked = trail.find(({ type }) => type === 'operator.identity_asked_back');
    expect(JSON.parse(asked?.payload ?? '{}')).toMatchObject({ before: { sanctions: 'match' } });
    await person.state({ facts: { legalName: 'Ann Revieu' }, submit: true });
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', reason: 'needs_person', sanctions: 'match' });
    expect(await kycOf(trader)).toBe('pending');
  });

  it('lets nobody decide on themselves', async () => {
    const venue = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'], kycStatus: 'pending' });
    await new IdentityClient(venue).submit({ legalName: 'Ann Review' });
    const { id } = await rowOf(venue);
    expect((await decide(await signedIn(venue), id, 'approve')).status).toBe(409);
    const machine = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
    await db
      .insert(shownSecrets)
      .values({ id: crypto.randomUUID(), client: 'bot-of-clerk', shownTo: venue.userId, shownAt: Date.now() });
    const bot = await signedIn(machine, { gty: 'client_credentials', client_id: 'bot-of-clerk' });
    expect((await decide(bot, id, 'approve')).status, 'by a client whose secret they were shown').toBe(409);
    expect(await kycOf(venue)).toBe('pending');
    const other = await signedIn(machine, { gty: 'client_credentials', client_id: 'bot-of-nobody' });
    expect((await decide(other, id, 'approve')).status).toBe(200);
    // Nor does anybody read what was found of them, by a role of theirs or by such a client.
    const { submission } = await rowOf(venue);
    const told = identityEvent(submission ?? '', { status: 'review', sanctions: 'match', reason: 'OFAC SDN' });
    expect((await tellIdentity(told)).status).toBe(200);
    const { state } = await rowOf(venue);
    const shownTo = async (client: Client) => {
      const listed = await client.get<{ data: { id: string }[] }>(`${QUEUE}?state=${state}&limit=100`);
      const trails = [id, venue.accountId].map(async (subject) => {
        const trail = await client.get<{ data: { requestId: string; subject: string }[] }>(
          `/v1/operator/audit-trail?subject=${subject}`,
        );
        return trail.body.data.some((one) => one.requestId === id || one.subject === id);
      });
      const { status } = await client.get(`${QUEUE}/${id}`);
      const { status: full } = await client.get(`${QUEUE}/${id}/full`);
      return [status, full, listed.body.data.some((one) => one.id === id), ...(await Promise.all(trails))];
    };
    expect(await shownTo(other)).toEqual([200, 200, true, true, true]);
    for (const client of [await signedIn(venue), bot])
      expect(await shownTo(client)).toEqual([404, 404, false, false, false]);
  });

  it('is decided on as it was looked at: what was handed in meanwhile is another', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Review' });
    const { id } = await rowOf(trader);
    const clerk = await operator();
    type Looked = { data: { submission: string; version: number } };
    const looked = (await clerk.get<Looked>(`${QUEUE}/${id}`)).body.data;
    await decide(await operator(), id, 'ask-back');
    await person.state({ facts: { legalName: 'Eve Review' }, submit: true });
    expect((await decideOn(clerk, id, { decision: 'approve', ...lookedAt(looked) })).status).toBe(409);
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW' });
    expect((await decide(clerk, id, 'approve')).status).toBe(200);
  });

  describe('of what was found against somebody', () => {
    const against = (submission: string | null, terms: object = {}) =>
      identityEvent(submission ?? '', { status: 'review', sanctions: 'match', reason: 'OFAC SDN', ...terms });
    const again = (event: ReturnType<typeof identityEvent>) => ({ ...event, id: `event-${crypto.randomUUID()}` });
    const foundOf = async (id: string) =>
      (await db.select().from(domainEvents).where(eq(domainEvents.subject, id)))
        .filter(({ type }) => type === FOUND)
        .map(({ payload }) => JSON.parse(payload));

    it('loses nothing that is told while the person is asked back, and decides over nothing unseen', async () => {
      const { trader, person } = await newcomer();
      await person.submit({ legalName: 'Ann Pending' });
      await pollIdentities(env, Date.now() + 15 * DAY_MS);
      const { id, submission } = await rowOf(trader);
      const clerk = await operator();
      await decide(clerk, id, 'ask-back', 'the picture is blurred');
      const told = against(submission);
      expect((await tellIdentity(told)).status).toBe(200);
      expect((await tellIdentity(again(told))).status).toBe(200);
      expect(await foundOf(id), 'once, however often it is told').toMatchObject([
        { actor: 'provider:simulated', details: { submission, sanctions: 'match', reason: 'OFAC SDN' } },
      ]);
      await person.submit({ legalName: 'Ann Neill' });
      const before = await rowOf(trader);
      expect(before).toMatchObject({ state: 'IN_REVIEW', sanctions: 'match', needsPerson: true });
      const media = identityEvent(before.submission ?? '', {
        status: 'review',
        adverseMedia: 'match',
        reason: 'press',
      });
      expect((await tellIdentity(media)).status).toBe(200);
      const unseen = await decideOn(clerk, id, { decision: 'approve', ...lookedAt(before) });
      expect(unseen).toMatchObject({ status: 409, body: { error: { details: { reason: 'other_findings' } } } });
      expect((await decide(clerk, id, 'approve')).status).toBe(200);
      for (const event of [told, media]) expect((await tellIdentity(again(event))).status).toBe(200);
      expect(await kycOf(trader), 'a repetition of what was looked at').toBe('completed');
      const other = { ...media.identity, reason: 'of today' };
      expect((await tellIdentity({ ...again(media), identity: other })).status).toBe(200);
      expect(await rowOf(trader), 'another word is another').toMatchObject({ state: 'IN_REVIEW', reason: 'of today' });
    });

    it('takes no refusal for new that an operator has overruled, and no word of before for one of what is handed in', async () => {
      const { trader, person } = await newcomer();
      await person.submit();
      await pollIdentities(env);
      const first = await rowOf(trader);
      vi.useFakeTimers({ toFake: ['Date'], now: (first.expiresAt ?? 0) - 28 * DAY_MS });
      await person.submit({ legalName: 'Eve Pending', birthDate: '1991-05-17' });
      // The routine word of the approval of before says nothing of who was handed in now.
      expect((await tellIdentity(identityEvent(first.submission ?? '', { id: first.reference ?? '' }))).status).toBe(
        200,
      );
      const unsearched = { sanctions: 'unchecked', adverseMedia: 'unchecked', checkedAt: null };
      expect(await rowOf(trader)).toMatchObject({ state: 'SUBMITTED', ...unsearched });
      const { id, submission } = await rowOf(trader);
      const refused = identityEvent(submission ?? '', { status: 'refused', reason: 'document_not_genuine' });
      expect((await tellIdentity(refused)).status).toBe(200);
      expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', reason: 'document_not_genuine' });
      expect((await decide(await operator(), id, 'approve')).status).toBe(200);
      expect((await tellIdentity(again(refused))).status).toBe(200);
      expect(await rowOf(trader)).toMatchObject({ state: 'APPROVED' });
      expect(await kycOf(trader)).toBe('completed');
      // What an operator has approved ends as operators have said, renewed or not.
      const end = (await rowOf(trader)).expiresAt ?? 0;
      vi.setSystemTime(end - 28 * DAY_MS);
      await person.submit({ legalName: 'Eve Pending', birthDate: '1991-05-17' });
      const shorter = { expiresAt: new Date(1).toISOString(), id: refused.identity.id };
      expect((await tellIdentity(identityEvent(submission ?? '', shorter))).status).toBe(200);
      expect(await rowOf(trader)).toMatchObject({ state: 'SUBMITTED', heldUntil: end });
    });

    it("makes nobody's refusal by an operator milder, and no approval count that never reached the account", async () => {
      const { trader, person } = await newcomer();
      await person.submit();
      await pollIdentities(env);
      const first = await rowOf(trader);
      vi.useFakeTimers({ toFake: ['Date'], now: (first.expiresAt ?? 0) - 28 * DAY_MS });
      await person.submit({ legalName: 'Ann Refused' });
      await pollIdentities(env);
      await decide(await operator(), first.id, 'ask-back', 'the picture is blurred');
      await setFacts(trader.accountId, { kycStatus: 'rejected' });
      expect((await tellIdentity(against(first.submission, { id: first.reference ?? '' }))).status).toBe(200);
      expect(await rowOf(trader)).toMatchObject({ state: 'ASKED_BACK', heldUntil: null, applied: true });
      expect(await kycOf(trader)).toBe('rejected');
      vi.useRealTimers();
      const other = await newcomer();
      await other.person.submit();
      await setFacts(other.trader.accountId, { kycStatus: 'pending' });
      const { id, submission } = await rowOf(other.trader);
      await db.update(identities).set({ applied: false, changeId: uuidv7() }).where(eq(identities.id, id));
      const media = identityEvent(submission ?? '', { status: 'review', adverseMedia: 'match', reason: 'press' });
      expect((await tellIdentity(media)).status).toBe(200);
      expect(await rowOf(other.trader)).toMatchObject({ state: 'IN_REVIEW', heldUntil: null, applied: true });
      expect(await kycOf(other.trader)).toBe('pending');
    });

    it('keeps a match of a party at the next handing in', async () => {
      const { trader } = await newcomer();
      const entity = new EntityClient(trader);
      await entity.submit([actor(`Trader ${trader.userId}`), owner('Ben Pending')]);
      const { id, submission } = await rowOf(trader);
      await pollIdentities(env, Date.now() + 15 * DAY_MS);
      await decide(await operator(), id, 'ask-back');
      const listed = await db
        .select()
        .from(identityParties)
        .where(eq(identityParties.submission, submission ?? ''));
      const [of] = listed;
      const parties = listed.map(({ party }) => ({
        ...identityEvent('').identity,
        id: party,
        ...(party === of?.party ? { status: 'review', adverseMedia: 'match', reason: 'press' } : {}),
      }));
      expect((await tellIdentity(identityEvent(submission ?? '', { parties }))).status).toBe(200);
      await entity.show('articles');
      expect((await entity.state({ submit: true })).status).toBe(200);
      const now = await db.select().from(identityParties).where(eq(identityParties.identity, id));
      const ofNow = now.filter(({ party, submission: at }) => party === of?.party && at !== submission);
      expect(ofNow).toMatchObject([{ adverseMedia: 'match' }]);
    });
  });

  it('is opened and decided on by who has shown a factor lately', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Review' });
    const { id } = await rowOf(trader);
    const clerk = await operator();
    const masked = await clerk.get<{ data: { documents: { id: string }[] } }>(`${QUEUE}/${id}`);
    const [{ id: document } = { id: '' }] = masked.body.data.documents;
    (env as { STEP_UP_MINUTES: string }).STEP_UP_MINUTES = '10';
    const refused = { status: 403, body: { error: { code: 'STEP_UP_REQUIRED' } } };
    for (const path of [`${QUEUE}/${id}/full`, `${QUEUE}/${id}/documents/${document}`])
      expect(await clerk.get(path)).toMatchObject(refused);
    for (const decision of ['approve', 'refuse', 'ask-back'])
      expect(await decide(clerk, id, decision)).toMatchObject(refused);
    const trail = await db.select().from(domainEvents).where(eq(domainEvents.subject, id));
    expect(trail.filter(({ type }) => type !== FOUND)).toEqual([]);
  });
});

describe('what is kept of an identity', () => {
  const closed = ({ userId }: Trader, before: number) =>
    db
      .update(users)
      .set({ deactivatedAt: Date.now() - before })
      .where(eq(users.id, userId));
  const YEAR_MS = 366 * DAY_MS;

  it('is documents for five years after the account is closed, and statements for six', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    const row = await rowOf(trader);
    const [document] = await db.select().from(identityDocuments).where(eq(identityDocuments.identity, row.id));
    await closed(trader, 5 * YEAR_MS - DAY_MS);
    await sweepIdentities(env);
    expect(await env.IDENTITY_DOCUMENTS.head(document?.object ?? '')).not.toBeNull();
    await closed(trader, 5 * YEAR_MS + DAY_MS);
    await sweepIdentities(env);
    expect(await env.IDENTITY_DOCUMENTS.head(document?.object ?? '')).toBeNull();
    expect(await env.IDENTITY_KEYS.head(`people/${row.id}`)).not.toBeNull();
    await closed(trader, 6 * YEAR_MS + DAY_MS);
    await sweepIdentities(env);
    expect(await env.IDENTITY_KEYS.head(`people/${row.id}`)).toBeNull();
    expect(await rowOf(trader)).toMatchObject({ facts: '', shreddedAt: expect.any(Number), state: 'APPROVED' });
  });

  it('goes of each alone: one whose rows are broken keeps back nobody', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { trader, person } = await newcomer();
      await person.submit();
      await closed(trader, 6 * YEAR_MS + DAY_MS);
      ids.push((await rowOf(trader)).id);
    }
    const keysLeft = async () =>
      (await Promise.all(ids.map((id) => env.IDENTITY_KEYS.head(`people/${id}`)))).map((key) => key !== null);
    const failure = await sweepIdentities(brokenFor(ids.slice(0, 2))).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: 'what is kept of some people no longer did not go: 4 failed' });
    expect(await keysLeft()).toEqual([true, true, false]);
    await sweepIdentities(env);
    expect(await keysLeft()).toEqual([false, false, false]);
  });

  it('is of an entity and who is behind it as long as of a person', async () => {
    const { trader } = await newcomer();
    await new EntityClient(trader).submit();
    const { id } = await rowOf(trader);
    const parties = () => db.select().from(identityParties).where(eq(identityParties.identity, id));
    await closed(trader, 6 * YEAR_MS - DAY_MS);
    await sweepIdentities(env);
    expect(await parties()).toHaveLength(2);
    await closed(trader, 6 * YEAR_MS + DAY_MS);
    await sweepIdentities(env);
    expect(await parties()).toEqual([]);
    expect(await env.IDENTITY_KEYS.head(`people/${id}`)).toBeNull();
    expect(await rowOf(trader)).toMatchObject({ facts: '', state: 'APPROVED' });
  });

  const lastTouched = ({ userId }: Trader, before: number) =>
    db
      .update(identities)
      .set({ updatedAt: Date.now() - before })
      .where(eq(identities.userId, userId));

  it('is what was handed in of who was never let in for five years, and whoever comes back begins anew, with an operator', async () => {
    const { trader, person } = await newcomer();
    await person.submit({ legalName: 'Ann Refused' });
    await pollIdentities(env);
    expect(await kycOf(trader)).toBe('rejected');
    const row = await rowOf(trader);
    await lastTouched(trader, 5 * YEAR_MS - DAY_MS);
    await sweepIdentities(env);
    expect(await rowOf(trader)).toMatchObject({ shreddedAt: null, facts: row.facts });
    expect((await person.state({ facts: { legalName: 'Ann' } })).status, 'refused').toBe(409);
    await lastTouched(trader, 5 * YEAR_MS + DAY_MS);
    await sweepIdentities(env);
    expect(await rowOf(trader)).toMatchObject({ state: 'REFUSED', facts: '' });
    expect(await env.IDENTITY_KEYS.head(`people/${row.id}`)).toBeNull();
    for (const table of [identityDocuments, identityStatements])
      expect(await db.select().from(table).where(eq(table.identity, row.id))).toEqual([]);
    // Begun and left alone it is as it was before, more than once.
    for (let times = 0; times < 2; times++) {
      expect((await person.state({ facts: { legalName: 'Ann' } })).status).toBe(200);
      expect((await rowOf(trader)).id).not.toBe(row.id);
      await sweepIdentities(env, Date.now() + 91 * DAY_MS);
      expect(await rowOf(trader)).toMatchObject({ state: 'REFUSED', facts: '' });
    }
    expect((await person.submit()).status).toBe(200);
    await pollIdentities(env);
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', reason: 'needs_person' });
    expect(await kycOf(trader)).toBe('rejected');
    expect((await decide(await operator(), (await rowOf(trader)).id, 'approve')).status).toBe(200);
    expect(await kycOf(trader)).toBe('completed');
  });

  it('is all of who was let in once as long as of a customer, whatever was decided since', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    await pollIdentities(env);
    await decide(await operator(), (await rowOf(trader)).id, 'refuse');
    expect(await kycOf(trader)).toBe('rejected');
    await lastTouched(trader, 20 * YEAR_MS);
    await sweepIdentities(env);
    expect((await rowOf(trader)).shreddedAt).toBeNull();
    await closed(trader, 6 * YEAR_MS + DAY_MS);
    await sweepIdentities(env);
    expect(await rowOf(trader)).toMatchObject({ state: 'REFUSED', facts: '' });
  });

  it('counts for nobody who is reactivated after it: the approval ends, and the person begins anew', async () => {
    const { trader, person } = await newcomer();
    await person.submit();
    await pollIdentities(env);
    const { id } = await rowOf(trader);
    await closed(trader, 6 * YEAR_MS + DAY_MS);
    await sweepIdentities(env);
    await db.update(users).set({ deactivatedAt: null }).where(eq(users.id, trader.userId));
    await expireIdentities(env);
    expect(await kycOf(trader)).toBe('pending');
    expect((await person.submit()).status).toBe(200);
    expect((await rowOf(trader)).id).not.toBe(id);
    await pollIdentities(env);
    expect(await rowOf(trader)).toMatchObject({ state: 'IN_REVIEW', reason: 'needs_person', shreddedAt: null });
  });

  it('is nothing of what was begun and left alone for 90 days, nor of an upload that was cut off', async () => {
    const { trader, person } = await newcomer();
    await person.show('passport');
    await person.state({ facts: { legalName: 'Ann' } });
    const { id } = await rowOf(trader);
    await db.update(identityDocuments).set({ storedAt: null }).where(eq(identityDocuments.identity, id));
    expect((await person.read()).documents).toEqual([]);
    await sweepIdentities(env, Date.now() + DAY_MS);
    expect(await db.select().from(identityDocuments).where(eq(identityDocuments.identity, id))).toEqual([]);
    await sweepIdentities(env, Date.now() + 91 * DAY_MS);
    expect(await env.IDENTITY_KEYS.head(`people/${id}`)).toBeNull();
    expect(await db.select().from(identities).where(eq(identities.id, id))).toEqual([]);
    expect((await person.submit()).status).toBe(200);
  });

  it('is nothing of what is shown while it is shredded, and no draft in which something was shown lately', async () => {
    const { trader, person } = await newcomer();
    await person.state({ facts: { legalName: 'Ann' } });
    const row = await rowOf(trader);
    const age = (ms: number) =>
      db
        .update(identities)
        .set({ updatedAt: Date.now() - ms })
        .where(eq(identities.id, row.id));
    await age(91 * DAY_MS);
    await person.show('passport');
    await sweepIdentities(env);
    expect(await rowOf(trader)).toMatchObject({ shreddedAt: null });
    await age(91 * DAY_MS);
    const begun = await identityOfUser(env, trader.userId);
    if (begun === null) throw new Error('fixture: no identity');
    const documents = env.IDENTITY_DOCUMENTS;
    // The sweep comes between the announcement and the bytes.
    const put = vi.spyOn(documents, 'put').mockImplementationOnce(async (name, bytes) => {
      await age(91 * DAY_MS);
      await sweepIdentities(env);
      return (await documents.put(name, bytes as ArrayBuffer)) as R2Object;
    });
    const late = await showDocument(env, begun, { id: uuidv7(), kind: 'selfie', bytes: JPEG });
    const [object = ''] = put.mock.calls[0] ?? [];
    put.mockRestore();
    expect(late).toMatchObject({ ok: false });
    expect(await env.IDENTITY_KEYS.head(`people/${row.id}`)).toBeNull();
    expect(await documents.head(object)).toBeNull();
  });

  it('opens under a master key that was replaced, and is wrapped anew by the job of master keys', async () => {
    const [old, next] = ['A'.repeat(43), `${'B'.repeat(42)}A`];
    const identity = crypto.randomUUID();
    const key = await openPersonKeys(env.IDENTITY_KEYS, old).create(identity);
    const sealed = await key.seal(JPEG, ['x']);
    await expect(openPersonKeys(env.IDENTITY_KEYS, next).open(identity)).rejects.toThrow('does not open');
    const stated = `${next} ${old}`;
    const both = await openPersonKeys(env.IDENTITY_KEYS, stated).open(identity);
    expect(await both?.open(sealed, ['x'])).toEqual(JPEG);
    // Keys of others, which neither opens, keep it back from nothing.
    while (await resealSecrets({ ...env, IDENTITY_MASTER_KEYS: stated }));
    const alone = await openPersonKeys(env.IDENTITY_KEYS, next).open(identity);
    expect(await alone?.open(sealed, ['x'])).toEqual(JPEG);
    expect(await alone?.open(sealed, ['y'])).toBeNull();
  });
});
