import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Database, database } from '../../../../data/database.ts';
import { type AttestedClaim, attestationDigest } from '../../../../domain/bridge/signing/attestation.ts';
import type { Attestation } from '../../../../domain/bridge/signing/bridge-signer.ts';
import { lieProofs } from '../../../../domain/bridge/signing/lie-proof.ts';
import { bridgeTransferOf, type TransferView, type TransferWords } from '../../../../durable-objects/transfer/api.ts';
import { type BridgeOrganization, CUSTOMER, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { INSIDE, initiated, OUTSIDE, paidIn, reached, until } from '../../fixtures/carry-transfer.ts';
import { bridgeFaults, clearBridgeFaults, type Saying } from '../../fixtures/faulty-transfer.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../fixtures/on-chains.ts';
import { eventually } from '../../fixtures/patience.ts';

let db: Database;
let acme: BridgeOrganization;

beforeAll(async () => {
  db = database(env.DB);
  await migrate();
  if (hasChains) acme = await createBridgeOrganization(db);
});

afterEach(clearBridgeFaults);

const isOf =
  (of: number) =>
  ({ signer }: { readonly signer: number }) =>
    signer === of;

async function wordsOf({ terms }: TransferView): Promise<TransferWords> {
  const kept = await bridgeTransferOf(env, terms.id).words();
  if (kept === null) throw new Error('no such transfer');
  return kept;
}

/** What a signer has said before, once more; of one that was away, another's. */
function wordAgain(words: TransferWords['words'], signer: number): Attestation {
  const { claim, signature } = words.find(isOf(signer)) ?? words[0] ?? { claim: null, signature: '' };
  return { signer, claim, digest: claim === null ? '' : attestationDigest(claim), signature };
}

describe.skipIf(!hasChains)('a transfer of the bridge', () => {
  test('counts no word that another has signed, or that is not on its funds, its contract and its seat, and names who says it', async () => {
    const earlier = await initiated(acme, OUTSIDE, INSIDE, 1);
    await paidIn(earlier);
    await reached(earlier.terms.id, 'confirmed');
    const { words: before } = await wordsOf(earlier);
    const elsewhere = { chainId: 1, stake: CUSTOMER, organization: 'another' };
    const lies: readonly (readonly [string, Saying])[] = [
      ['other_signature', (right) => ({ ...right, signature: `${'0'.repeat(127)}11b` })],
      ['other_claim', ({ signer }) => wordAgain(before, signer)],
      ['other_signature', (right) => ({ ...right, signature: before.find(isOf(0))?.signature ?? '' })],
      ['other_signer', (right) => ({ ...right, signer: 0 })],
      ['no_claim', (right) => ({ ...right, claim: null })],
      ['other_digest', (right) => ({ ...right, digest: '00'.repeat(32) })],
      ...Object.entries(elsewhere).map(([name, value]): [string, Saying] => [
        'other_claim',
        ({ claim }, sign) => sign({ ...(claim as AttestedClaim), [name]: value }),
      ]),
    ];
    for (const [reason, lie] of lies) {
      bridgeFaults.saying = { 1: lie, 3: lie, 4: lie };
      const transfer = await initiated(acme, OUTSIDE, INSIDE, 1);
      await paidIn(transfer);
      const waiting = await until(transfer.terms.id, ({ waitsFor }) => waitsFor === `signer 4: ${reason}`);
      expect(waiting.transfer).toMatchObject({ state: 'attesting', attestedBy: [0, 2], payment: null });
      const { words, faults } = await wordsOf(transfer);
      // What is signed as it has to be binds its signer, whatever stands around it.
      const isSigned = reason === 'other_signer' || reason === 'other_digest';
      expect(words.map(({ signer }) => signer)).toEqual(isSigned ? [0, 1, 2, 3, 4] : [0, 2]);
      expect(faults.map(({ signer, reason: of }) => [signer, of])).toEqual([1, 3, 4].map((signer) => [signer, reason]));
      bridgeFaults.saying = { 1: lie, 3: lie };
      const done = await reached(transfer.terms.id, 'confirmed');
      expect(done.transfer.attestedBy).toEqual([0, 2, 4]);
      clearBridgeFaults();
    }
    const rows = 'SELECT signer, reason FROM bridge_signer_faults WHERE organization = ? AND reason = ? AND signer = 1';
    const noted = await env.DB.prepare(rows).bind(acme.organization, 'no_claim').all();
    expect(noted.results).toHaveLength(1);
  });

  test('counts the word of a signer that has its seat and the stake that the organization asks for, and waits for the chain that says so', async () => {
    const own = await createBridgeOrganization(db, { minStake: '1000' });
    const stake = (signer: number, amount: string) => onChains({ do: 'stake', stake: own.stake, signer, amount });
    for (const signer of [0, 1, 2]) await stake(signer, '999');
    const transfer = await initiated(own, OUTSIDE, INSIDE, 2);
    await paidIn(transfer);
    const waiting = await until(transfer.terms.id, ({ waitsFor }) => waitsFor === 'signer 4: too_little_stake');
    expect(waiting.transfer).toMatchObject({ state: 'attesting', attestedBy: [], payment: null });
    for (const signer of [0, 1, 2]) await stake(signer, '1');
    bridgeFaults.failing = ['seats'];
    const blind = await until(transfer.terms.id, ({ waitsFor }) => waitsFor?.startsWith('seats: ') === true);
    expect(blind.transfer).toMatchObject({ state: 'attesting', attestedBy: [] });
    bridgeFaults.failing = [];
    const done = await reached(transfer.terms.id, 'confirmed');
    expect(done.transfer.attestedBy).toEqual([0, 1, 2]);
  });

  test('keeps a word before it counts, and for good one that contradicts it', async () => {
    const transfer = await initiated(acme, OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    bridgeFaults.kills = ['word kept'];
    bridgeFaults.away = [3, 4];
    const { id } = transfer.terms;
    for (let push = 0; push < 20 && bridgeFaults.kills.length > 0; push++)
      await bridgeTransferOf(env, id)
        .push()
        .catch(() => null);
    expect((await wordsOf(transfer)).words).toMatchObject([{ signer: 0, claim: { subject: transfer.commitment } }]);
    expect((await bridgeTransferOf(env, id).view())?.transfer.attestedBy).toEqual([]);
    const digest = 'ab'.repeat(32);
    bridgeFaults.saying = { 2: ({ claim }, sign) => sign({ ...(claim as AttestedClaim), digest }) };
    await until(id, ({ waitsFor }) => waitsFor === 'signer 2: other_claim');
    bridgeFaults.saying = {};
    await reached(id, 'confirmed');
    const { words, faults } = await wordsOf(transfer);
    expect(words.map(({ signer }) => signer)).toEqual([0, 1, 2, 2]);
    expect(words.filter(isOf(2)).map(({ claim }) => claim.digest === digest)).toEqual([true, false]);
    expect(faults.map(({ signer, reason }) => [signer, reason])).toEqual([
      [2, 'other_claim'],
      [2, 'contradiction'],
    ]);
    expect(lieProofs(words)).toMatchObject([{ kind: 'equivocation', words: [{ signer: 2 }, { signer: 2 }] }]);
  });

  test('keeps who has given a wrong share as one at fault, and has its tenant told before D1 has taken that', async () => {
    await env.DB.prepare(
      `CREATE TRIGGER no_faults BEFORE INSERT ON bridge_signer_faults BEGIN SELECT RAISE(ABORT, 'D1 is away'); END`,
    ).run();
    // Any three that are asked have one of both among them.
    bridgeFaults.lying = [1, 3];
    const transfer = await initiated(acme, OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    const { cheaters } = await reached(transfer.terms.id, 'confirmed');
    expect(cheaters.length).toBeGreaterThan(0);
    const told = env.DB.prepare(
      `SELECT 1 FROM domain_events WHERE type = 'bridge.transfer.confirmed' AND instr(payload, ?1) > 0 AND dispatched_at IS NOT NULL`,
    ).bind(transfer.terms.id);
    await eventually(
      () => told.first(),
      () => 'it is not told',
    );
    await env.DB.prepare('DROP TRIGGER no_faults').run();
    const { faults } = await wordsOf(transfer);
    const named = [...new Set(cheaters)].toSorted();
    expect(faults.map(({ signer }) => signer).toSorted()).toEqual(named);
    for (const { reason } of faults) expect(reason).toBe('wrong_share');
    const noted = env.DB.prepare('SELECT signer, reason FROM bridge_signer_faults WHERE transfer = ? ORDER BY signer');
    const rows = await eventually(
      async () => {
        // One that comes too soon after the last turn changes nothing.
        await bridgeTransferOf(env, transfer.terms.id).push();
        const { results } = await noted.bind(transfer.terms.id).all();
        return results.length > 0 ? results : null;
      },
      () => 'D1 has not taken it',
    );
    expect(rows).toEqual(named.map((signer) => ({ signer, reason: 'wrong_share' })));
  });
});
