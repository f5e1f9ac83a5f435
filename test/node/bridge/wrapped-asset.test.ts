import { type Hex, parseEther, parseEventLogs, parseSignature } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClusterAction } from '../../../domain/bridge/chains/evm/cluster-message.ts';
import { WRAPPED_ABI } from '../../../protocol/bridge/abi/wrapped-abi.ts';
import {
  ADMIN,
  anId,
  DAY_S,
  deployTestWrapped,
  GUARDIAN,
  hasDevnet,
  STRANGER,
  type Standing,
  TestChain,
  WATCHTOWER,
} from './bridge.fixtures.ts';
import { TestCluster } from './test-cluster.fixtures.ts';

const LIMIT = parseEther('100');
const [CUSTOMER, OTHER] = [STRANGER, WATCHTOWER];

describe.skipIf(!hasDevnet)('a wrapped asset', () => {
  let chain: TestChain;
  let cluster: TestCluster;
  let wrapped: Standing;
  beforeAll(async () => {
    chain = await TestChain.start(8_675_311);
    cluster = new TestCluster();
    wrapped = await deployTestWrapped(chain, cluster, { dailyLimit: LIMIT, decimals: 8 });
  });
  afterAll(() => chain?.stop());

  const actionOf = (id: Hex, to: Hex, amount: bigint, change: Partial<ClusterAction> = {}): ClusterAction => ({
    chainId: chain.chainId,
    contract: wrapped.address,
    generation: 1,
    action: 'mint',
    id,
    token: wrapped.address,
    to,
    amount,
    ...change,
  });
  const mint = (id: Hex, amount: bigint, change: Partial<ClusterAction> = {}, to = CUSTOMER.address) =>
    chain.send(wrapped, 'mint', [id, to, amount, cluster.authorize(actionOf(id, to, amount, change))], OTHER);
  const supply = () => chain.read<bigint>(wrapped, 'totalSupply');

  test('is named and counted as it was deployed', async () => {
    expect(await chain.read(wrapped, 'symbol')).toBe('wTEST');
    expect(await chain.read(wrapped, 'decimals')).toBe(8);
    expect(await supply()).toBe(0n);
  });

  test('is minted to whom and as much as the cluster has signed, once', async () => {
    const id = anId();
    for (const lie of [
      { amount: 11n },
      { to: OTHER.address },
      { token: OTHER.address },
      { token: null },
      { action: 'release' as const },
      { contract: OTHER.address },
      { chainId: 1 },
    ])
      expect((await mint(id, 10n, lie)).error, JSON.stringify(Object.keys(lie))).toBe('InvalidSignature');
    const { error, hash } = await mint(id, 10n);
    expect(error).toBeNull();
    const { logs } = await chain.reader.getTransactionReceipt({ hash });
    const [event] = parseEventLogs({ abi: WRAPPED_ABI, logs, eventName: 'Minted' });
    expect(event?.args).toEqual({ paymentRef: id, to: CUSTOMER.address, amount: 10n });
    expect((await mint(id, 10n)).error).toBe('ReferenceUsed');
    expect(await supply()).toBe(10n);
  });

  test('is burnt by whoever has it, once an address for a transfer, and no more than it has', async () => {
    await mint(anId(), 30n);
    const id = anId();
    const before = await supply();
    const burn = (commitment: Hex, amount: bigint, by = CUSTOMER) =>
      chain.send(wrapped, 'burn', [commitment, amount], by);
    const { error, hash } = await burn(id, 20n);
    expect(error).toBeNull();
    const { logs } = await chain.reader.getTransactionReceipt({ hash });
    const [event] = parseEventLogs({ abi: WRAPPED_ABI, logs, eventName: 'Burned' });
    expect(event?.args).toEqual({ commitment: id, from: CUSTOMER.address, amount: 20n });
    expect(await chain.read(wrapped, 'burnOf', [id, CUSTOMER.address])).toBe(20n);
    expect(await chain.read(wrapped, 'burnOf', [id, OTHER.address])).toBe(0n);
    expect(before - (await supply())).toBe(20n);
    expect((await burn(id, 1n)).error).toBe('BurnedAlready');
    expect((await burn(anId(), 1_000n)).error).toBe('ERC20InsufficientBalance');
    expect((await burn(anId(), 0n)).error).toBe('NothingBurned');
    expect((await burn(`0x${'0'.repeat(64)}`, 1n)).error).toBe('NothingBurned');
    // Nobody is forestalled by somebody else's burn for the same transfer.
    await chain.send(wrapped, 'transfer', [OTHER.address, 1n], CUSTOMER);
    const shared = anId();
    expect((await burn(shared, 1n, OTHER)).error).toBeNull();
    expect((await burn(shared, 2n)).error).toBeNull();
  });

  test('is minted no more in any 24 hours than its limit; burning makes no room', async () => {
    await chain.pass(DAY_S);
    expect((await mint(anId(), LIMIT + 1n)).error).toBe('RateLimitExceeded');
    expect((await mint(anId(), LIMIT)).error).toBeNull();
    expect((await chain.send(wrapped, 'burn', [anId(), LIMIT], CUSTOMER)).error).toBeNull();
    expect((await mint(anId(), 1n)).error).toBe('RateLimitExceeded');
    expect(await chain.read(wrapped, 'room')).toBe(0n);
    expect((await chain.send(wrapped, 'setLimit', [LIMIT + 5n], ADMIN)).error).toBeNull();
    expect((await mint(anId(), 6n)).error).toBe('RateLimitExceeded');
    expect((await mint(anId(), 5n)).error).toBeNull();
    await chain.pass(DAY_S);
    expect((await mint(anId(), LIMIT)).error).toBeNull();
  });

  test('stopped, it is neither minted nor burnt, and can be handed on', async () => {
    await chain.pass(DAY_S);
    expect((await chain.send(wrapped, 'pause', [], GUARDIAN)).error).toBeNull();
    expect((await mint(anId(), 5n)).error).toBe('EnforcedPause');
    expect((await chain.send(wrapped, 'burn', [anId(), 5n], CUSTOMER)).error).toBe('EnforcedPause');
    expect((await chain.send(wrapped, 'transfer', [OTHER.address, 5n], CUSTOMER)).error).toBeNull();
    expect((await chain.send(wrapped, 'unpause', [], ADMIN)).error).toBeNull();
    expect((await mint(anId(), 5n)).error).toBeNull();
  });

  test('takes a permit of its holder, on this chain and once', async () => {
    const permit = { owner: CUSTOMER.address, spender: OTHER.address, value: 3n, nonce: 0n, deadline: 2n ** 40n };
    const types = {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    } as const;
    const signed = async (chainId: number) => {
      const domain = { name: 'Wrapped test', version: '1', chainId, verifyingContract: wrapped.address };
      const signature = await CUSTOMER.signTypedData({ domain, types, primaryType: 'Permit', message: permit });
      const { r, s, v } = parseSignature(signature);
      return [permit.owner, permit.spender, permit.value, permit.deadline, Number(v), r, s];
    };
    expect((await chain.send(wrapped, 'permit', await signed(1), OTHER)).error).toBe('ERC2612InvalidSigner');
    expect((await chain.send(wrapped, 'permit', await signed(chain.chainId), OTHER)).error).toBeNull();
    expect((await chain.send(wrapped, 'permit', await signed(chain.chainId), OTHER)).error).toBe(
      'ERC2612InvalidSigner',
    );
    expect(await chain.read(wrapped, 'allowance', [CUSTOMER.address, OTHER.address])).toBe(3n);
  });
});
