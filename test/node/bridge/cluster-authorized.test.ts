import fc from 'fast-check';
import { type Hex, parseEventLogs } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractSignature } from '../../../domain/bridge/chains/evm/cluster-key.ts';
import { type ClusterAction, clusterMessage } from '../../../domain/bridge/chains/evm/cluster-message.ts';
import { VAULT_ABI } from '../../../protocol/bridge/abi/vault-abi.ts';
import {
  ADMIN,
  anId,
  COIN,
  DAY_S,
  deployTestVault,
  GUARDIAN,
  hasDevnet,
  STRANGER,
  type Standing,
  TestChain,
} from './bridge.fixtures.ts';
import { TestCluster } from './test-cluster.fixtures.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const FIELD = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
const RECOVERY_S = 30 * DAY_S;

describe.skipIf(!hasDevnet)('what a cluster authorizes', () => {
  let chain: TestChain;
  let vault: Standing;
  let cluster: TestCluster;
  let generation = 1;
  beforeAll(async () => {
    chain = await TestChain.start();
    cluster = new TestCluster();
    vault = await deployTestVault(chain, cluster, []);
  });
  afterAll(() => chain?.stop());

  const cancelOf = (id: Hex, change: Partial<ClusterAction> = {}): ClusterAction => ({
    chainId: chain.chainId,
    contract: vault.address,
    generation,
    action: 'cancel',
    id,
    token: null,
    to: null,
    amount: 0n,
    ...change,
  });
  const cancel = (id: Hex, signature: object) => chain.send(vault, 'cancel', [id, signature]);
  const rotationTo = (next: TestCluster): ClusterAction =>
    cancelOf(`0x${next.key.x.toString(16).padStart(64, '0')}`, { action: 'rotate', amount: next.key.isOdd ? 1n : 0n });

  test('is signed by any three of the five', async () => {
    for (const who of [
      [0, 1, 2],
      [2, 3, 4],
      [0, 2, 4],
      [4, 1, 3],
    ] as const) {
      const id = anId();
      expect((await cancel(id, cluster.authorize(cancelOf(id), [...who]))).error).toBeNull();
      expect(await chain.read(vault, 'useOf', [id])).toBe(2);
    }
  });

  test('is nothing that is signed for another chain, contract, generation, action or reference', async () => {
    const id = anId();
    const lies: readonly Partial<ClusterAction>[] = [
      { chainId: chain.chainId + 1 },
      { contract: STRANGER.address },
      { generation: generation + 1 },
      { generation: generation - 1 },
      { action: 'release' },
      { action: 'mint' },
      { action: 'rotate' },
      { id: anId() },
      { token: STRANGER.address },
      { to: STRANGER.address },
      { amount: 1n },
    ];
    for (const lie of lies)
      expect((await cancel(id, cluster.authorize(cancelOf(id, lie)))).error, JSON.stringify(Object.keys(lie))).toBe(
        'InvalidSignature',
      );
    expect((await cancel(id, new TestCluster().authorize(cancelOf(id)))).error).toBe('InvalidSignature');
    expect(await chain.read(vault, 'useOf', [id])).toBe(0);
    expect((await cancel(id, cluster.authorize(cancelOf(id)))).error).toBeNull();
  });

  test('is nothing whose signature was changed', async () => {
    const id = anId();
    const right = cluster.authorize(cancelOf(id));
    const fixed = [
      { ...right, ry: FIELD - right.ry },
      { ...right, rx: right.rx + FIELD },
      { ...right, ry: right.ry + FIELD },
      { ...right, z: ORDER - right.z },
      { ...right, z: right.z + ORDER },
      { ...right, z: 0n },
      { rx: 0n, ry: 0n, z: right.z },
      { rx: 0n, ry: 0n, z: 0n },
      { ...right, rx: cluster.key.x },
    ].filter(({ rx, ry, z }) => [rx, ry, z].every((number) => number < 1n << 256n));
    const word = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
    for (const signature of fixed) expect((await cancel(id, signature)).error).toBe('InvalidSignature');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('rx', 'ry', 'z'), word, word, word, async (part, rx, ry, z) => {
        fc.pre({ rx, ry, z }[part] !== right[part]);
        expect((await cancel(id, { ...right, [part]: { rx, ry, z }[part] })).error).toBe('InvalidSignature');
        expect((await cancel(id, { rx, ry, z })).error).toBe('InvalidSignature');
      }),
      { numRuns: 20 },
    );
    expect((await cancel(id, right)).error).toBeNull();
  });

  test('takes what the suite of RFC 9591 signs, for keys and nonces of either parity', async () => {
    const seen = new Set<string>();
    for (let run = 0; run < 40 && seen.size < 4; run++) {
      const own = new TestCluster();
      const standing = await deployTestVault(chain, own, [], `parity ${run}`);
      const id = anId();
      const action = cancelOf(id, { contract: standing.address, generation: 1 });
      const signature = own.authorize(action);
      seen.add(`${own.key.isOdd} ${signature.ry & 1n}`);
      expect((await chain.send(standing, 'cancel', [id, signature])).error).toBeNull();
    }
    expect(seen.size).toBe(4);
  });

  test('a reference is used once for good, whoever hands it in', async () => {
    const id = anId();
    const signature = cluster.authorize(cancelOf(id));
    expect((await chain.send(vault, 'cancel', [id, signature], STRANGER)).error).toBeNull();
    expect((await chain.send(vault, 'cancel', [id, signature], ADMIN)).error).toBe('ReferenceUsed');
    expect((await cancel(id, cluster.authorize(cancelOf(id), [2, 3, 4]))).error).toBe('ReferenceUsed');
  });

  test('a key that is none is not taken', async () => {
    const offCurve = 5n;
    for (const x of [0n, ORDER, ORDER + 1n, FIELD, (1n << 256n) - 1n, offCurve])
      for (const isOdd of [false, true])
        expect((await chain.send(vault, 'beginRecovery', [{ x, isOdd }], ADMIN)).error, String(x)).toBe('InvalidKey');
  });

  test('the cluster hands over to its next key, and signatures of the one before open nothing', async () => {
    const next = new TestCluster();
    const [before, pending] = [cluster, anId()];
    const signedBefore = before.authorize(cancelOf(pending));
    const rotation = rotationTo(next);
    expect((await chain.send(vault, 'rotateKey', [next.key, next.authorize(rotation)])).error).toBe('InvalidSignature');
    const other = { ...next.key, isOdd: !next.key.isOdd };
    expect((await chain.send(vault, 'rotateKey', [other, before.authorize(rotation)])).error).toBe('InvalidSignature');
    const handedOver = before.authorize(rotation);
    expect((await chain.send(vault, 'rotateKey', [next.key, handedOver])).error).toBeNull();
    expect((await chain.send(vault, 'rotateKey', [next.key, handedOver])).error).toBe('InvalidSignature');
    [cluster, generation] = [next, generation + 1];
    expect(await chain.read(vault, 'generation')).toBe(BigInt(generation));
    expect(await chain.read(vault, 'key')).toEqual(next.key);
    expect((await cancel(pending, signedBefore)).error).toBe('InvalidSignature');
    expect((await cancel(pending, before.authorize(cancelOf(pending)))).error).toBe('InvalidSignature');
    expect((await cancel(pending, cluster.authorize(cancelOf(pending)))).error).toBeNull();
    // Back to the first key: its generation is another, so what it has signed before stays worthless.
    expect((await chain.send(vault, 'rotateKey', [before.key, next.authorize(rotationTo(before))])).error).toBeNull();
    const late = anId();
    const stale = before.authorize(cancelOf(late, { generation: 1 }));
    [cluster, generation] = [before, generation + 1];
    expect((await cancel(late, stale)).error).toBe('InvalidSignature');
    expect((await cancel(late, cluster.authorize(cancelOf(late)))).error).toBeNull();
  });

  describe('recovery of a lost key', () => {
    const recover = (name: string, args: readonly unknown[] = [], by = ADMIN) => chain.send(vault, name, args, by);

    test('is refuted by whatever the cluster signs, also while payments are stopped', async () => {
      const thief = new TestCluster();
      expect((await recover('beginRecovery', [thief.key], STRANGER)).error).toBe('AccessControlUnauthorizedAccount');
      expect((await recover('finishRecovery')).error).toBe('NoRecovery');
      expect((await recover('pause', [], GUARDIAN)).error).toBeNull();
      expect((await recover('beginRecovery', [thief.key])).error).toBeNull();
      await chain.pass(RECOVERY_S - 100);
      expect((await recover('finishRecovery')).error).toBe('NoRecovery');
      const id = anId();
      const { error, hash } = await cancel(id, cluster.authorize(cancelOf(id)));
      expect(error).toBeNull();
      const { logs } = await chain.reader.getTransactionReceipt({ hash });
      expect(parseEventLogs({ abi: VAULT_ABI, logs, eventName: 'RecoveryRefuted' })).toHaveLength(1);
      await chain.pass(RECOVERY_S);
      expect((await recover('finishRecovery')).error).toBe('NoRecovery');
      expect(await chain.read(vault, 'key')).toEqual(cluster.key);
      expect((await recover('unpause')).error).toBeNull();
    });

    test('is refuted after its delay too, as long as nobody has finished it', async () => {
      expect((await recover('beginRecovery', [new TestCluster().key])).error).toBeNull();
      await chain.pass(RECOVERY_S);
      const next = new TestCluster();
      expect((await chain.send(vault, 'rotateKey', [next.key, cluster.authorize(rotationTo(next))])).error).toBeNull();
      [cluster, generation] = [next, generation + 1];
      expect((await recover('finishRecovery')).error).toBe('NoRecovery');
    });

    test('takes the announced key where the cluster stays silent; one that is announced anew waits anew', async () => {
      const [first, next] = [new TestCluster(), new TestCluster()];
      expect((await recover('beginRecovery', [first.key])).error).toBeNull();
      await chain.pass(RECOVERY_S - 100);
      expect((await recover('beginRecovery', [next.key])).error).toBeNull();
      await chain.pass(1_000);
      expect((await recover('finishRecovery')).error).toBe('NoRecovery');
      await chain.pass(RECOVERY_S);
      expect((await recover('finishRecovery', [], STRANGER)).error).toBe('AccessControlUnauthorizedAccount');
      const lost = cluster;
      expect((await recover('finishRecovery')).error).toBeNull();
      [cluster, generation] = [next, generation + 1];
      expect(await chain.read(vault, 'key')).toEqual(next.key);
      expect((await recover('finishRecovery')).error).toBe('NoRecovery');
      const id = anId();
      expect((await cancel(id, lost.authorize(cancelOf(id)))).error).toBe('InvalidSignature');
      expect((await cancel(id, cluster.authorize(cancelOf(id)))).error).toBeNull();
    });
  });

  test('a signature with its R alone is none: what is signed is checked, not only its form', () => {
    const message = clusterMessage(cancelOf(anId(), { token: COIN }));
    expect(() => contractSignature(cluster.sign(message).slice(0, 66))).toThrow(RangeError);
  });
});
