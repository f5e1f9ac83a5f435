import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { HOUR_MS } from '../../../../../domain/calendar/durations.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { bridgeTransferOf, type TransferView } from '../../../../../durable-objects/transfer/api.ts';
import { type BridgeOrganization, CUSTOMER, createBridgeOrganization } from '../../../fixtures/bridge-organization.ts';
import { call } from '../../../fixtures/call.ts';
import { INSIDE, initiated, paidIn, reached, until } from '../../../fixtures/carry-transfer.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { bridgeFaults, clearBridgeFaults } from '../../../fixtures/faulty-transfer.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../../fixtures/on-chains.ts';
import { createApp, type SignedIn, signIn } from '../../../fixtures/sign-in.ts';

/** Whom a customer names, and who has not paid: the wallet of the tests pays in their place. */
const NAMED = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
/** Number of their account on the devnets. */
const NAMED_WALLET = 4;
const ELSEWHERE = { chain: 'ethereum', address: NAMED } as const;

interface Shown {
  readonly state: string;
  readonly otherFunds: readonly { readonly payer: string; readonly amount: string }[];
  readonly returnedTo: string | null;
}

describe.skipIf(!hasChains)('funds that somebody else than the payer has paid in', () => {
  let db: Database;
  let acme: BridgeOrganization;
  let operator: SignedIn;
  let other: SignedIn;
  let trader: SignedIn;
  beforeAll(async () => {
    db = await migrate();
    await createApp();
    acme = await createBridgeOrganization(db);
    operator = await signIn((await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] })).phone);
    other = await signIn((await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] })).phone);
    trader = await signIn((await createTrader(db)).phone);
  });
  afterEach(clearBridgeFaults);

  const ask = (path: string, json?: object, { as = operator, headers = {} } = {}) =>
    call(`${json === undefined ? 'GET' : 'POST'} /exchange/v1/operator/bridge/${path}`, {
      headers: { ...as.tenant, ...headers },
      ...(json === undefined ? {} : { json }),
    });
  const dataOf = <Data>({ body }: { readonly body: unknown }) => (body as { data: Data }).data;
  const order = (id: string, payer = CUSTOMER) =>
    ask(`transfers/${id}/return`, { payer, reason: 'the customer’s exchange asked for it' });
  const wallet = async (holder = CUSTOMER) =>
    BigInt(await onChains<string>({ do: 'balance', chain: 'ethereum', token: acme.token, holder }));

  /** The quote has ended: of the object, and by the clocks of signers. */
  async function ended({ terms }: TransferView): Promise<void> {
    await runInDurableObject(env.BRIDGE_TRANSFER.getByName(terms.id), async (object, { storage }) => {
      const record = storage.kv.get<TransferView>('record');
      if (record === undefined) throw new Error('nothing has begun');
      const transfer = { ...record.transfer, expiresAt: Date.now() - 1 };
      storage.kv.put('record', { ...record, transfer });
      await storage.sync();
      (object as unknown as { ctx: DurableObjectState }).ctx.abort('begins again with the record');
    }).catch(() => undefined);
    bridgeFaults.signersAhead_ms = 24 * HOUR_MS;
  }

  async function paidByOther(amount: number): Promise<TransferView> {
    const transfer = await initiated(acme, ELSEWHERE, INSIDE, amount);
    await paidIn(transfer);
    await ended(transfer);
    return reached(transfer.terms.id, 'paid_by_other');
  }

  it('are shown, and go back to them alone by an operator’s order, once', async () => {
    const { terms, waitsFor } = await paidByOther(7);
    expect(waitsFor).toContain('somebody else than the payer');
    const shown = dataOf<Shown>(await ask(`transfers/${terms.id}/return`));
    expect(shown).toMatchObject({
      state: 'paid_by_other',
      otherFunds: [{ payer: CUSTOMER, amount: terms.amountIn }],
      returnedTo: null,
    });
    const listed = dataOf<{ transferId: string }[]>(await ask('returns'));
    expect(listed.map(({ transferId }) => transferId)).toContain(terms.id);
    expect(dataOf(await ask(`returns?cursor=${terms.id}`))).toEqual([]);

    const nobody = await order(terms.id, NAMED);
    expect([nobody.status, nobody.body]).toMatchObject([409, { error: { details: { reason: 'no_funds' } } }]);
    bridgeFaults.failing = ['deposits'];
    expect((await order(terms.id)).status).toBe(503);
    bridgeFaults.failing = [];
    const before = await wallet();
    const ordered = await order(terms.id);
    expect([ordered.status, dataOf(ordered)]).toMatchObject([200, { returnedTo: CUSTOMER }]);
    const done = await reached(terms.id, 'refunded');
    expect(done.transfer).toMatchObject({ refundReason: 'other_payer', payment: { kind: 'refund' } });
    expect((await wallet()) - before).toBe(BigInt(terms.amountIn));
    expect((await order(terms.id)).status).toBe(200);
    expect((await wallet()) - before).toBe(BigInt(terms.amountIn));
    const events = `SELECT count(*) AS n FROM domain_events WHERE type = 'operator.bridge_return_ordered' AND subject = ?`;
    expect(await env.DB.prepare(events).bind(terms.id).first('n')).toBe(4);
  });

  it('go back once the payer has had their time, and what the payer pays in after that goes back to the payer', async () => {
    const transfer = await paidByOther(5);
    const { id, amountIn } = transfer.terms;
    bridgeFaults.returnWait_ms = HOUR_MS;
    expect((await order(id)).status).toBe(200);
    const waiting = await bridgeTransferOf(env, id).push();
    expect(waiting).toMatchObject({ transfer: { state: 'paid_by_other', funds: null }, returnTo: CUSTOMER });
    expect(waiting?.waitsFor).toContain('twelve hours');
    bridgeFaults.returnWait_ms = 0;
    await reached(id, 'refunded');

    const [before, stranger] = [await wallet(NAMED), await wallet()];
    await paidIn(transfer, amountIn, NAMED_WALLET);
    expect((await wallet(NAMED)) - before).toBe(0n);
    const late = await until(
      id,
      ({ transfer: { state, refundReason } }) => state === 'refunded' && refundReason === 'late',
    );
    expect([late.returnTo, late.transfer.cancelled.length]).toEqual([null, 1]);
    // A reorganization has taken the return away, and not what it returned: it is handed in again, each time that its object looks.
    bridgeFaults.answers = { statusOf: [{ state: 'unspent' }], relayedFate: ['unknown'] };
    bridgeFaults.broadcasts = ['lost'];
    await bridgeTransferOf(env, id).push();
    expect([bridgeFaults.answers.statusOf, bridgeFaults.broadcasts]).toEqual([[], []]);
    expect([(await wallet(NAMED)) - before, (await wallet()) - stranger]).toEqual([BigInt(amountIn), 0n]);
    const again = await order(id);
    expect([again.status, again.body]).toMatchObject([409, { error: { details: { reason: 'not_now' } } }]);
  });

  it('are returned to nobody where the payer’s own funds come while the order looks at the chain', async () => {
    const transfer = await paidByOther(4);
    const { id, amountIn } = transfer.terms;
    const stranger = await wallet();
    // Paid out or given back, as the clock of the chain has it.
    const isEnded = ({ transfer: { state } }: TransferView) => state === 'confirmed' || state === 'refunded';
    bridgeFaults.at['return looked at'] = async () => {
      bridgeFaults.at = {};
      await paidIn(transfer, amountIn, NAMED_WALLET);
      await until(id, isEnded);
    };
    const ordered = await order(id);
    expect([ordered.status, ordered.body]).toMatchObject([409, { error: { details: { reason: 'not_now' } } }]);
    expect((await until(id, isEnded)).returnTo).toBeNull();
    expect(await wallet()).toBe(stranger);
  });

  it('do not go back while the payer may still pay, nor by whoever is no operator of the venue', async () => {
    const transfer = await initiated(acme, ELSEWHERE, INSIDE, 2);
    await paidIn(transfer);
    const { id } = transfer.terms;
    const early = await order(id);
    expect([early.status, early.body]).toMatchObject([409, { error: { details: { reason: 'not_now' } } }]);
    expect((await ask(`transfers/${id}/return`, { payer: CUSTOMER, reason: 'mine' }, { as: trader })).status).toBe(403);
    expect((await ask(`transfers/${id}/return`, undefined, { as: trader })).status).toBe(403);
    expect((await ask(`transfers/${id}/return`, { payer: CUSTOMER })).status).toBe(400);
    expect((await order(crypto.randomUUID())).status).toBe(404);
  });

  it('are ordered by two operators, where the venue asks for two', async () => {
    const { terms } = await paidByOther(3);
    const put = (json: object, headers: Record<string, string> = {}) =>
      call('PUT /exchange/v1/operator/approvals', { headers: { ...operator.tenant, ...headers }, json });
    expect((await put({ required: true, reason: 'two pairs of eyes' })).status).toBe(200);
    const waits = await order(terms.id);
    expect([waits.status, waits.body]).toMatchObject([409, { error: { details: { reason: 'approval_required' } } }]);
    expect(dataOf(await ask(`transfers/${terms.id}/return`))).toMatchObject({ returnedTo: null });
    const { approval } = (waits.body as { error: { details: { approval: string } } }).error.details;
    const approved = await call(`POST /exchange/v1/operator/approvals/${approval}/approve`, {
      headers: other.tenant,
      json: { reason: 'seen' },
    });
    expect(approved.status).toBe(200);
    const body = { payer: CUSTOMER, reason: 'the customer’s exchange asked for it' };
    const made = await ask(`transfers/${terms.id}/return`, body, { headers: { 'x-operator-approval': approval } });
    expect([made.status, dataOf(made)]).toMatchObject([200, { returnedTo: CUSTOMER }]);
    await reached(terms.id, 'refunded');
  });
});
