import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { initiateTransfer, type StatedPlace } from '../../../../../application/bridge/initiate-transfer.ts';
import { tenantAt } from '../../../../../application/bridge/tenant-at.ts';
import type { Database } from '../../../../../data/database.ts';
import { bridgeOrganizations } from '../../../../../data/schema/bridge.ts';
import { PLACE_NOTICE_MS } from '../../../../../domain/bridge/places/notice.ts';
import type { AttestedClaim } from '../../../../../domain/bridge/signing/attestation.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { firstIdOf } from '../../../../../domain/ids/created-at-of.ts';
import { bridgeTransferOf, type TransferView } from '../../../../../durable-objects/transfer/api.ts';
import { type BridgeOrganization, createBridgeOrganization } from '../../../fixtures/bridge-organization.ts';
import { call } from '../../../fixtures/call.ts';
import { INSIDE, initiated, OUTSIDE, paidIn, until } from '../../../fixtures/carry-transfer.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { bridgeFaults, clearBridgeFaults } from '../../../fixtures/faulty-transfer.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../../fixtures/on-chains.ts';
import { EVERY_HOUR, runCron } from '../../../fixtures/run-cron.ts';
import { createApp, type SignedIn, signIn } from '../../../fixtures/sign-in.ts';

interface SignerShown {
  readonly signer: number;
  readonly identity: string | null;
  readonly account: string | null;
  readonly seat: { readonly account: string | null; readonly stake: string } | null;
  readonly isSlashed: boolean | null;
  readonly faults: { readonly total: number; readonly latest: readonly object[] };
}

describe.skipIf(!hasChains)('signers of a bridge, as operators see them', () => {
  let db: Database;
  let acme: BridgeOrganization;
  let operator: SignedIn;
  let trader: SignedIn;
  beforeAll(async () => {
    db = await migrate();
    await createApp();
    acme = await createBridgeOrganization(db);
    operator = await signIn((await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] })).phone);
    trader = await signIn((await createTrader(db)).phone);
  });
  afterEach(clearBridgeFaults);

  const ask = (path: string, json?: object, as = operator) =>
    call(`${json === undefined ? 'GET' : 'POST'} /exchange/v1/operator/bridge/${path}`, {
      headers: as.tenant,
      ...(json === undefined ? {} : { json }),
    });
  const dataOf = <Data>({ body }: { readonly body: unknown }) => (body as { data: Data }).data;
  const signers = async () => dataOf<SignerShown[]>(await ask(`organizations/${acme.organization}/signers`));

  /** A transfer whose funds are there, and which is pushed until something is so. */
  async function carried(source: StatedPlace, destination: StatedPlace, isThere: (view: TransferView) => boolean) {
    const transfer = await initiated(acme, source, destination, 1);
    await paidIn(transfer);
    await until(transfer.terms.id, isThere);
    return transfer.terms.id;
  }

  const isConfirmed = ({ transfer }: TransferView) => transfer.state === 'confirmed';

  it('have an identity, a seat with its stake, and no fault', async () => {
    await onChains({ do: 'stake', stake: acme.stake, signer: 3, amount: '12345' });
    const shown = await signers();
    expect(shown.map(({ signer }) => signer)).toEqual([0, 1, 2, 3, 4]);
    for (const { signer, identity, account, seat, isSlashed, faults } of shown) {
      expect(identity).toMatch(/^0[23][0-9a-f]{64}$/);
      expect(seat).toEqual({ account, stake: signer === 3 ? '12345' : '0' });
      expect([isSlashed, faults]).toEqual([false, { total: 0, latest: [] }]);
    }
    bridgeFaults.failing = ['seats', 'bond'];
    bridgeFaults.away = [];
    expect((await signers())[0]).toMatchObject({ account: shown[0]?.account, seat: null, isSlashed: null });
  });

  it('are slashed by two words on one transfer, once, which an operator has brought to the stake', async () => {
    bridgeFaults.away = [3, 4];
    bridgeFaults.saying = { 1: ({ claim }, sign) => sign({ ...(claim as AttestedClaim), digest: 'cd'.repeat(32) }) };
    const id = await carried(OUTSIDE, INSIDE, ({ waitsFor }) => waitsFor === 'signer 1: other_claim');
    clearBridgeFaults();
    await until(id, isConfirmed);
    const words = dataOf<{ words: { signer: number }[]; faults: object[]; proofs: object[] }>(
      await ask(`transfers/${id}/words`),
    );
    expect(words.words.filter(({ signer }) => signer === 1)).toHaveLength(2);
    expect(words.faults).toMatchObject([
      { signer: 1, reason: 'other_claim' },
      { signer: 1, reason: 'contradiction' },
    ]);
    expect(words.proofs).toEqual([{ signer: 1, kind: 'equivocation' }]);

    const bring = (signer: number, kind: string) => ask(`transfers/${id}/proofs`, { signer, kind });
    expect((await bring(0, 'equivocation')).status).toBe(409);
    expect((await bring(1, 'no_burn')).status).toBe(409);
    expect((await bring(5, 'equivocation')).status).toBe(400);
    expect((await signers())[1]).toMatchObject({ isSlashed: false });
    bridgeFaults.failing = ['proveLie'];
    expect((await bring(1, 'equivocation')).status).toBe(503);
    bridgeFaults.failing = [];
    for (let time = 0; time < 2; time++) {
      const answer = await bring(1, 'equivocation');
      expect([answer.status, dataOf(answer)]).toEqual([200, { transferId: id, signer: 1, kind: 'equivocation' }]);
    }
    expect((await signers())[1]).toMatchObject({
      seat: { account: null, stake: '0' },
      isSlashed: true,
      faults: {
        total: 2,
        latest: expect.arrayContaining([expect.objectContaining({ transferId: id, reason: 'contradiction' })]),
      },
    });
    const events =
      "SELECT count(*) AS n FROM domain_events WHERE type = 'operator.bridge_proof_brought' AND subject = ?";
    expect(await env.DB.prepare(events).bind(id).first('n')).toBe(3);

    // Who has no seat any more says nothing that counts.
    bridgeFaults.away = [3, 4];
    const next = await carried(OUTSIDE, INSIDE, ({ waitsFor }) => waitsFor === 'signer 1: empty_seat');
    expect((await bridgeTransferOf(env, next).view())?.transfer).toMatchObject({
      state: 'attesting',
      attestedBy: [0, 2],
    });
  });

  it('are not slashed for a burn that may come yet', async () => {
    await carried(OUTSIDE, INSIDE, isConfirmed);
    const id = await carried(INSIDE, OUTSIDE, isConfirmed);
    const { proofs } = dataOf<{ proofs: { signer: number; kind: string }[] }>(await ask(`transfers/${id}/words`));
    expect(proofs.map(({ kind }) => kind)).toEqual(['no_burn', 'no_burn', 'no_burn', 'no_burn']);
    const early = await ask(`transfers/${id}/proofs`, { signer: 0, kind: 'no_burn' });
    expect([early.status, early.body]).toMatchObject([409, { error: { details: { reason: 'not_due' } } }]);
    expect((await signers())[0]).toMatchObject({ isSlashed: false });
  });

  it('have to stand in for as much as operators state, from the next transfer on', async () => {
    const own = await createBridgeOrganization(db);
    const path = `/exchange/v1/operator/bridge/organizations/${own.organization}`;
    const { guard, stake } = own;
    const state = (json: object) => call(`PUT ${path}`, { headers: operator.tenant, json: { guard, stake, ...json } });
    for (const minStake of ['-1', '1.5', '01', 'much', '1'.repeat(31)])
      expect([minStake, (await state({ minStake })).status]).toEqual([minStake, 400]);
    for (const minStake of ['1', '700', undefined]) {
      expect((await state({ minStake })).status).toBe(200);
      const shown = await call(`GET ${path}`, { headers: operator.tenant });
      expect(dataOf(shown)).toMatchObject({ guard, stake, minStake: minStake ?? '0' });
      const { settings } = await initiated(own, OUTSIDE, INSIDE, 1);
      expect(settings).toMatchObject({ stake: { stake, wrapped: null }, minStake: minStake ?? '0' });
    }
    const { settings } = await initiated(own, INSIDE, OUTSIDE, 1);
    expect(settings.stake).toEqual({ chainId: 8_675_311, stake, wrapped: own.wrapped });
  });

  it.each([
    ['when it is stated', 'operator'],
    ['every hour', 'schedule'],
  ])('go by a change from its time on, as they are told of it %s', async (_, by) => {
    const own = await createBridgeOrganization(db, { coSignFrom: 5_000_000 });
    const { organization, guard, stake } = own;
    const first = await initiated(own, OUTSIDE, INSIDE, 1);
    await paidIn(first);
    await until(first.terms.id, isConfirmed);
    let from = Date.now() + PLACE_NOTICE_MS;
    if (by === 'operator') {
      const path = `/exchange/v1/operator/bridge/organizations/${organization}`;
      const stated = await call(`PUT ${path}`, { headers: operator.tenant, json: { guard, stake } });
      from = Date.parse(dataOf<{ next: { from: string } }>(stated).next.from);
    } else {
      const next = { next: { guard, stake, coSignFrom: {} }, nextFrom: from, updatedAt: Date.now() };
      await db.update(bridgeOrganizations).set(next).where(eq(bridgeOrganizations.organization, organization));
      await runCron(EVERY_HOUR);
    }
    bridgeFaults.signersAhead_ms = from - Date.now() + 1_000;
    const tenant = await tenantAt(env, own.hostname);
    // Begun when the change holds: it needs the hardware module no more.
    const id = firstIdOf(from + 1).slice(0, 13) + uuidv7().slice(13);
    const request = { id, asset: 'USDC', amount: 5, source: OUTSIDE, destination: INSIDE };
    const begun = await initiateTransfer(env, { ...tenant, organization } as never, request);
    if (!begun.ok) throw new Error(JSON.stringify(begun.error));
    await paidIn(begun.value);
    await until(id, isConfirmed);
  });

  it('look again by themselves while a change waits, whatever D1 says of when it was stated', async () => {
    const own = await createBridgeOrganization(db);
    const { organization, guard, stake } = own;
    const first = await initiated(own, OUTSIDE, INSIDE, 1);
    await paidIn(first);
    await until(first.terms.id, isConfirmed);
    const isOwn = eq(bridgeOrganizations.organization, organization);
    const signer = env.BRIDGE_SIGNER.getByName(`${organization}/0`);
    const looksAgain = () => runInDurableObject(signer, (_, { storage }) => storage.getAlarm());
    await signer.lookAtPlaces();
    expect(await looksAgain()).toBe(null);
    const next = { guard, stake, coSignFrom: { USDC: 1 } };
    await db
      .update(bridgeOrganizations)
      .set({ next, nextFrom: Date.now() + PLACE_NOTICE_MS })
      .where(isOwn);
    await signer.lookAtPlaces();
    expect(await looksAgain()).toBeGreaterThan(Date.now());
    expect(await runDurableObjectAlarm(signer)).toBe(true);
    expect(await looksAgain()).toBeGreaterThan(Date.now());
    await db.update(bridgeOrganizations).set({ next: null, nextFrom: null }).where(isOwn);
    expect(await runDurableObjectAlarm(signer)).toBe(true);
    expect(await looksAgain()).toBe(null);
  });

  it('are nobody else’s to see, nor to have slashed', async () => {
    const id = uuidv7();
    expect((await ask(`transfers/${id}/words`)).status).toBe(404);
    expect((await ask(`transfers/${id}/proofs`, { signer: 0, kind: 'equivocation' })).status).toBe(404);
    expect((await ask(`transfers/${id}/words`, undefined, trader)).status).toBe(403);
    expect((await ask(`transfers/${id}/proofs`, { signer: 0, kind: 'equivocation' }, trader)).status).toBe(403);
    expect((await ask(`organizations/${acme.organization}/signers`, undefined, trader)).status).toBe(403);
  });
});
