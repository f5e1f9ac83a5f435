import { readFileSync, writeFileSync } from 'node:fs';
import { type Hex, keccak256, stringToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClusterAction } from '../../../domain/bridge/chains/evm/cluster-message.ts';
import { attestationDigest, organizationTag } from '../../../domain/bridge/signing/attestation.ts';
import {
  type Account,
  ADMIN,
  COIN,
  DAY_S,
  deployTestGuard,
  deployTestStake,
  deployTestToken,
  deployTestVault,
  deployTestWrapped,
  hasDevnet,
  ORGANIZATION,
  REQUESTER,
  SIGNERS,
  STRANGER,
  type Standing,
  TestChain,
  WATCHTOWER,
} from './bridge.fixtures.ts';
import { TestCluster } from './test-cluster.fixtures.ts';

const SNAPSHOT = new URL('./gas-snapshot.json', import.meta.url);
const MANY = 10n ** 24n;

describe.skipIf(!hasDevnet)('what calls of the bridge’s contracts cost', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await TestChain.start(8_675_311);
    // A window of a limit gets a slot for each second: blocks are a second apart, however long they take.
    await chain.clock.setBlockTimestampInterval({ interval: 1 });
  });
  afterAll(() => chain?.stop());

  /** Without zero bytes, which cost less. */
  let ids = 0;
  const anId = (): Hex => {
    ids += 1;
    return keccak256(stringToHex(`gas ${ids}`)).replaceAll('00', '11') as Hex;
  };

  test('is the gas that gas-snapshot.json says', async () => {
    const cluster = oddCluster();
    const token = await deployTestToken(chain);
    const limits = [COIN, token.address].map((of) => ({ token: of, amount: MANY }));
    const vault = await deployTestVault(chain, cluster, limits);
    const wrapped = await deployTestWrapped(chain, cluster);
    const guard = await deployTestGuard(chain);
    const stake = await deployTestStake(chain, ADMIN.address);
    const measured: Record<string, number> = {};
    const measure = async (
      what: string,
      at: Standing,
      name: string,
      args: readonly unknown[],
      by: Account,
      value = 0n,
    ) => {
      const { error, gas } = await chain.send(at, name, args, by, value);
      expect(error, what).toBeNull();
      measured[what] = Number(gas);
    };
    const signed = (at: Standing, of: Pick<ClusterAction, 'action' | 'id'> & Partial<ClusterAction>) =>
      cluster.authorize({
        chainId: chain.chainId,
        contract: at.address,
        generation: 1,
        token: null,
        to: null,
        amount: 0n,
        ...of,
      });
    const [amount, to] = [1_111_111n, WATCHTOWER.address];
    await chain.send(token, 'mint', [STRANGER.address, MANY]);
    await chain.send(token, 'approve', [vault.address, MANY], STRANGER);

    for (const [name, of] of [
      ['coin', COIN],
      ['a token', token.address],
    ] as const) {
      const value = of === COIN ? amount : 0n;
      await chain.send(vault, 'deposit', [anId(), of, amount], STRANGER, value);
      await measure(`deposit of ${name}`, vault, 'deposit', [anId(), of, amount], STRANGER, value);
      for (const day of ['the first of a day', 'a later one']) {
        const id = anId();
        const signature = signed(vault, { action: 'release', id, token: of, to, amount });
        await measure(`release of ${name}, ${day}`, vault, 'release', [id, of, to, amount, signature], REQUESTER);
      }
    }
    for (const day of ['the first of a day', 'a later one']) {
      const id = anId();
      const signature = signed(wrapped, { action: 'mint', id, token: wrapped.address, to: STRANGER.address, amount });
      await measure(`mint, ${day}`, wrapped, 'mint', [id, STRANGER.address, amount, signature], REQUESTER);
    }
    await measure('burn', wrapped, 'burn', [anId(), amount], STRANGER);
    const cancelled = anId();
    const cancellation = signed(vault, { action: 'cancel', id: cancelled });
    await measure('cancel', vault, 'cancel', [cancelled, cancellation], REQUESTER);

    const lane = anId();
    const rules = { limit: MANY, challengeFrom: MANY, challengeSeconds: BigInt(DAY_S) };
    await measure('setLane', guard, 'setLane', [lane, rules], ADMIN);
    const requested = anId();
    await measure('request, the first of a day', guard, 'request', [requested, lane, amount], REQUESTER);
    await measure('request, a later one', guard, 'request', [anId(), lane, amount], REQUESTER);
    const back = anId();
    await chain.send(guard, 'request', [back, lane, amount], REQUESTER);
    await measure('giveBack', guard, 'giveBack', [back], REQUESTER);
    await measure('announce', guard, 'announce', [requested, anId()], REQUESTER);
    await measure('veto', guard, 'veto', [requested], WATCHTOWER);

    await measure('stake', stake, 'stake', [0n], SIGNERS[0], 1_000n);
    const claim = { kind: 'payment', subject: anId(), digest: anId() } as const;
    const said = async (digest: Hex) => {
      const of = {
        ...claim,
        digest: digest.slice(2),
        subject: claim.subject.slice(2),
        burn: null,
        dueAt: 1,
        signer: 0,
      };
      const place = { chainId: chain.chainId, stake: stake.address, organization: ORGANIZATION };
      const signature = await SIGNERS[0].sign({ hash: `0x${attestationDigest({ ...of, ...place })}` });
      const kind = stringToHex(claim.kind, { size: 32 });
      return [{ ...claim, kind, digest, wrapped: COIN, burner: COIN, burnAmount: 0n, dueAt: 1n }, signature];
    };
    expect(await chain.read(stake, 'organization')).toBe(organizationTag(ORGANIZATION));
    const proof = [0n, ...(await said(claim.digest)), ...(await said(anId()))];
    await measure('proveEquivocation', stake, 'proveEquivocation', proof, WATCHTOWER);

    const next = oddCluster();
    const id = `0x${next.key.x.toString(16).padStart(64, '0')}` as const;
    const rotation = signed(vault, { action: 'rotate', id, amount: next.key.isOdd ? 1n : 0n });
    await measure('rotateKey', vault, 'rotateKey', [next.key, rotation], REQUESTER);

    if (process.env.UPDATE_GAS !== undefined) writeFileSync(SNAPSHOT, `${JSON.stringify(measured, null, 2)}\n`);
    const snapshot = JSON.parse(readFileSync(SNAPSHOT, 'utf8')) as Record<string, number>;
    expect(Object.keys(measured)).toEqual(Object.keys(snapshot));
    for (const [what, gas] of Object.entries(measured))
      expect(Math.abs(gas - (snapshot[what] ?? 0)), `${what}: ${gas}`).toBeLessThanOrEqual(gas * 0.01);
  });
});

/** Always of the same parity, since a key whose y is even leaves a slot empty. */
function oddCluster(): TestCluster {
  for (;;) {
    const cluster = new TestCluster();
    if (cluster.key.isOdd) return cluster;
  }
}
