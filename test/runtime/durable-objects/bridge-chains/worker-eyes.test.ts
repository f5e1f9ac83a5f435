import { env } from 'cloudflare:workers';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAsset, findAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { transfers } from '../../../../data/schema/accounts.ts';
import { bridgeOrganizations, bridgeVaults } from '../../../../data/schema/bridge.ts';
import { ledgerTransactions } from '../../../../data/schema/ledger.ts';
import { referenceOfTransfer } from '../../../../domain/accounts/reference-of-transfer.ts';
import type { PaymentOrder, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { laneOf } from '../../../../domain/bridge/lane.ts';
import { coSignatureDigest } from '../../../../domain/bridge/signing/co-signature.ts';
import { ecdsaSign } from '../../../../domain/bridge/signing/ecdsa.ts';
import { PlainMemory } from '../../../../domain/bridge/signing/memory/plain-memory.fixtures.ts';
import { type Place, type TransferTerms, termsCommitment } from '../../../../domain/bridge/transfer-terms.ts';
import { bridgeBoundary } from '../../../../domain/ledger/boundary-accounts.ts';
import { bridgeMovementId } from '../../../../domain/ledger/bridge-movement-id.ts';
import { chainsOf } from '../../../../durable-objects/bridge-chains/chains-of.ts';
import { KeptPlaces } from '../../../../durable-objects/bridge-chains/kept-places.ts';
import { workerEyes } from '../../../../durable-objects/bridge-chains/worker-eyes.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner } from '../../fixtures/partner-client.ts';

const OUTSIDE: Place = { kind: 'chain', chain: 'ethereum', address: '0xout' };
const INSIDE: Place = { kind: 'chain', chain: 'exchange', address: '0xin' };
const ACCOUNT: Place = { kind: 'account', account: 'alice' };
const TRANSFER = '01993b1e-0000-7000-8000-000000000001';
const MODULE = '07'.repeat(32);

let db: Database;
let acme: string;
let zenith: string;

/** What was asked of chains, which answer it, and that nothing is against a payee but one. */
const CHAINS = {
  ask: async (call: string, args: readonly unknown[]) => {
    const fault = args[1] === 'a token' ? 'program' : null;
    return { ok: true, value: call === 'payeeFault' ? fault : [call, ...args] };
  },
};
const hardwareKey = Buffer.from(secp256k1.getPublicKey(Buffer.from(MODULE, 'hex'))).toString('hex');
const eyes = (BRIDGE_HARDWARE_KEY = hardwareKey) =>
  workerEyes(
    { DB: env.DB, LEDGER: env.LEDGER, CHAINS, BRIDGE_HARDWARE_KEY },
    new KeptPlaces(env, { memory: new PlainMemory(), now: Date.now, waits: () => undefined }),
  );

const terms = (source: Place, destination: Place, change: Partial<TransferTerms> = {}): TransferTerms => ({
  id: TRANSFER,
  organization: acme,
  asset: 'USDC',
  source,
  destination,
  amountIn: '100',
  amountOut: '99',
  amount: 100,
  fee: 1,
  expiresAt: 1_500,
  ...change,
});
const order: PaymentOrder = { kind: 'payout', commitment: 'c', reference: 'r', to: 't', amount: '99' };
const named = (contract: string) => expect.objectContaining({ contract });

beforeAll(async () => {
  db = await migrate();
  for (const [id, symbol] of [
    ['usdc', 'USDC'],
    ['dai', 'DAI'],
  ] as const)
    if ((await findAsset(db, id)) === null)
      await createAsset(db, {
        id,
        symbol,
        name: symbol,
        category: 'crypto',
        rail: 'digital',
        scale: 6,
        executionRoute: 'internal',
        createdAt: 1,
      });
  acme = (await createPartner(db, 'bridge_tenant')).organization;
  zenith = (await createPartner(db, 'bridge_tenant')).organization;
  for (const organization of [acme, zenith]) {
    const of = { organization, createdAt: 1, updatedAt: 1 };
    const waits = { quoteMs: 1, queueMs: 1, answerMs: 1 };
    const laneTerms = [{ origin: 'ethereum', asset: 'DAI', leastAmount: 50, flatFee: 7, coinPrice: 3 } as const];
    const at = (contract: string) => `${organization === acme ? 'acme' : 'zenith'}'s ${contract}`;
    await db.insert(bridgeOrganizations).values({
      ...of,
      ...waits,
      guard: at('guard'),
      stake: at('stake'),
      coSignFrom: { USDC: 100, DAI: 1 },
      laneTerms,
    });
    const keys = { scheme: 'frost-secp256k1', groupKey: at('key'), signerKeys: [] } as const;
    for (const [origin, asset, contract, wrapped] of [
      ['ethereum', 'usdc', 'vault', 'wrapped'],
      ['ethereum', 'dai', 'vault of DAI', 'wrapped DAI'],
      ['base', 'usdc', 'vault on Base', 'wrapped of Base'],
    ] as const)
      for (const chain of [origin, 'exchange'] as const) {
        const shared = { network: 'local', keys, decimals: 6 } as const;
        const token = chain === origin ? '0x07' : null;
        const place: Vault = { ...shared, token, chain, contract: at(chain === origin ? contract : wrapped) };
        await db.insert(bridgeVaults).values({ ...of, origin, chain, asset, place });
      }
  }
});

describe('a signer in an object', () => {
  it('judges a transfer by the places of its sides, its guard, and the decimals of its asset', async () => {
    const guard = "acme's guard";
    const [source, destination] = [named("acme's vault"), named("acme's wrapped")];
    expect(await eyes().places(terms(OUTSIDE, INSIDE))).toEqual({ source, destination, guard, scale: 6 });
    const inward = { source, destination: null, guard, scale: 6 };
    expect(await eyes().places(terms(OUTSIDE, ACCOUNT))).toEqual(inward);
    expect(await eyes().places(terms(ACCOUNT, OUTSIDE))).toEqual({ ...inward, source: null, destination: source });
  });

  it('judges a transfer by what its own lane takes at least', async () => {
    const of = { asset: 'DAI' };
    const least = expect.objectContaining({ leastAmount: 50, flatFee: 7 });
    expect(await eyes().places(terms(ACCOUNT, OUTSIDE, of))).toMatchObject({ least });
    expect(await eyes().places(terms(OUTSIDE, ACCOUNT, of))).toMatchObject({ least });
    expect((await eyes().places(terms(ACCOUNT, OUTSIDE))).least).toBe(undefined);
  });

  it('sees funds and payments at the places of its organization, asset, chain and side', async () => {
    const inward = terms(OUTSIDE, INSIDE);
    const outward = terms(INSIDE, OUTSIDE);
    const commitment = termsCommitment(inward);
    expect(await eyes().funds(inward)).toEqual(['deposits', named("acme's vault"), commitment, '0xout', []]);
    expect(await eyes().funds(outward)).toEqual([
      'deposits',
      named("acme's wrapped"),
      termsCommitment(outward),
      '0xin',
      [],
    ]);
    for (const [side, contract] of [
      ['source', "acme's vault"],
      ['destination', "acme's wrapped"],
    ] as const) {
      expect(await eyes().build(inward, side, order)).toEqual(['build', named(contract), order]);
      expect(await eyes().status(inward, side, order)).toEqual(['statusOf', named(contract), order]);
      const payee = { address: order.to, memo: '12' };
      expect(await eyes().payeeMemoFault(inward, side, { to: order.to, memo: '12' })).toEqual([
        'payeeMemoFault',
        named(contract),
        payee,
      ]);
      expect(await eyes().vaultKeys(inward, side)).toEqual(['keysInForce', named(contract)]);
    }
    const ofZenith = terms(OUTSIDE, INSIDE, { organization: zenith });
    expect(await eyes().vaultKeys(ofZenith, 'source')).toEqual(['keysInForce', named("zenith's vault")]);
    expect(await eyes().build(ofZenith, 'source', order)).toEqual(['build', named("zenith's vault"), order]);
    const dai = terms(OUTSIDE, INSIDE, { asset: 'DAI' });
    expect(await eyes().build(dai, 'source', order)).toEqual(['build', named("acme's vault of DAI"), order]);
    const ofBase = terms({ ...OUTSIDE, chain: 'base' }, INSIDE);
    expect(await eyes().build(ofBase, 'destination', order)).toEqual(['build', named("acme's wrapped of Base"), order]);
  });

  it('B-09: builds no payout to an account that nobody signs for', async () => {
    const payout = { ...order, kind: 'payout', to: 'a token' } as const;
    await expect(eyes().build(terms(OUTSIDE, INSIDE), 'destination', payout)).rejects.toThrow(RangeError);
  });

  it('knows no place of an account, of an unknown asset, or where the organization has nothing', async () => {
    await expect(eyes().build(terms(ACCOUNT, OUTSIDE), 'source', order)).rejects.toThrow('on no chain');
    await expect(eyes().build(terms(OUTSIDE, INSIDE, { asset: 'NONE' }), 'source', order)).rejects.toThrow('no NONE');
    const solana = terms({ ...OUTSIDE, chain: 'solana' }, INSIDE);
    await expect(eyes().build(solana, 'source', order)).rejects.toThrow('has no USDC on solana');
    const nobody = terms(OUTSIDE, INSIDE, { organization: 'nobody' });
    await expect(eyes().clearance(nobody)).rejects.toThrow('has set nothing');
  });

  it('asks the guard of its organization, in the lane of the terms', async () => {
    const inward = terms(OUTSIDE, ACCOUNT);
    const commitment = termsCommitment(inward);
    const lane = laneOf('ethereum', 'USDC');
    expect(await eyes().clearance(inward)).toEqual(['clearance', { address: "acme's guard", lane }, commitment]);
    expect(await eyes().announced(inward)).toEqual(['announced', { address: "acme's guard" }, commitment]);
    expect(await eyes().shownFor(inward, 'transaction')).toEqual(['announced']);
  });

  it('says that a payment can never be built, and not that a chain is away', async () => {
    const keys = { scheme: 'frost-secp256k1', groupKey: '', signerKeys: [] } as const;
    const at = `0x${'11'.repeat(20)}`;
    const vault = { chain: 'ethereum', network: 'local', keys, contract: at, token: null, decimals: 18 } as const;
    const payout = { kind: 'payout', commitment: '5a'.repeat(32), reference: 'none', to: at, amount: '1' } as const;
    await expect(chainsOf(env).build(vault, payout)).rejects.toBeInstanceOf(RangeError);
    await expect(chainsOf(env).statusOf(vault, payout)).rejects.toMatchObject({ name: 'ChainAway' });
  });

  it('takes a debit of the ledger for funds of its own transfer alone', async () => {
    const outward = terms(ACCOUNT, OUTSIDE);
    expect(await eyes().confirmationsNeeded(outward, 'source')).toBe(1);
    const right = {
      kind: 'bridge',
      account: 'alice',
      asset: 'usdc',
      amount: -100,
      boundary: bridgeBoundary({ organization: acme, chain: 'ethereum' }),
      createdAt: 1,
    } as const;
    /** As the projector writes it: the movement, and what its account is shown of it. */
    const book = async (id: string, change: object = {}, transfer = id) => {
      const row = { id, ...right, ...change };
      await db.insert(ledgerTransactions).values(row);
      const { account, asset, createdAt } = row;
      const shown = { id, account, asset, createdAt, type: 'withdrawal', amount: 100, status: 'completed' } as const;
      await db.insert(transfers).values({ ...shown, reference: referenceOfTransfer(transfer) });
    };
    for (const [id, change] of Object.entries({
      booked: { kind: 'withdrawal' },
      'of another': { account: 'bob' },
      'of another asset': { asset: 'dai' },
      'to another chain': { boundary: bridgeBoundary({ organization: acme, chain: 'base' }) },
      'to another organization': { boundary: bridgeBoundary({ organization: zenith, chain: 'ethereum' }) },
      minted: { amount: 100 },
      'of stated terms': { commitment: 'c0'.repeat(32) },
    } as const)) {
      await book(id, change);
      expect([id, await eyes().funds({ ...outward, id })]).toEqual([id, []]);
    }
    await book('of another transfer', {}, TRANSFER);
    expect(await eyes().funds({ ...outward, id: 'of another transfer' })).toEqual([]);
    await book(outward.id);
    expect(await eyes().funds(outward)).toEqual([{ reference: TRANSFER, amount: '100', confirmations: 1 }]);
    const named = { ...outward, id: uuidv7() };
    const commitment = termsCommitment(named);
    await book(bridgeMovementId(named.id, 'debit', commitment), { commitment }, named.id);
    expect(await eyes().funds(named)).toMatchObject([{ reference: named.id, amount: '100' }]);
    expect(await eyes().funds({ ...outward, id: 'none' })).toEqual([]);
  });

  it('asks for the hardware module from the amount of its asset on, and takes its signature alone', async () => {
    const inward = terms(OUTSIDE, INSIDE);
    expect(await eyes().needsCoSignature(inward)).toBe(true);
    expect(await eyes().needsCoSignature({ ...inward, amount: 99 })).toBe(false);
    expect(await eyes().needsCoSignature({ ...inward, asset: 'EURC' })).toBe(false);
    const signature = ecdsaSign(MODULE, coSignatureDigest(inward));
    expect(await eyes().isCoSigned(inward, signature)).toBe(true);
    expect(await eyes().isCoSigned({ ...inward, amount: 101 }, signature)).toBe(false);
    expect(
      await eyes(hardwareKey.replace(/^0[23]/, (y: string) => (y === '02' ? '03' : '02'))).isCoSigned(
        inward,
        signature,
      ),
    ).toBe(false);
    expect(await eyes('').isCoSigned(inward, signature)).toBe(false);
  });

  it('answers by its stake for burns of the wrapped token', async () => {
    expect(await eyes().stake(terms(INSIDE, OUTSIDE))).toMatchObject({
      stake: "acme's stake",
      wrapped: "acme's wrapped",
    });
    for (const source of [OUTSIDE, ACCOUNT])
      expect(await eyes().stake(terms(source, source === OUTSIDE ? INSIDE : OUTSIDE))).toMatchObject({
        stake: "acme's stake",
        wrapped: null,
      });
  });
});
