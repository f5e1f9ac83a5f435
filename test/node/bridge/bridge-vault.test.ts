import { type Address, encodeFunctionData, type Hex, parseEther, parseEventLogs } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClusterAction } from '../../../domain/bridge/chains/evm/cluster-message.ts';
import { VAULT_ABI } from '../../../protocol/bridge/abi/vault-abi.ts';
import {
  type Account,
  ADMIN,
  anId,
  COIN,
  DAY_S,
  deployTestToken,
  deployTestVault,
  GUARDIAN,
  hasDevnet,
  REQUESTER,
  STRANGER,
  type Standing,
  TestChain,
  WATCHTOWER,
} from './bridge.fixtures.ts';
import { TestCluster } from './test-cluster.fixtures.ts';

const LIMIT = parseEther('100');
const [CUSTOMER, OTHER] = [STRANGER, WATCHTOWER];

describe.skipIf(!hasDevnet)('a vault', () => {
  let chain: TestChain;
  let cluster: TestCluster;
  let token: Standing;
  let vault: Standing;
  beforeAll(async () => {
    chain = await TestChain.start();
    cluster = new TestCluster();
    token = await deployTestToken(chain);
    vault = await vaultOf([COIN, token.address]);
    for (const { address } of [CUSTOMER, OTHER]) await chain.send(token, 'mint', [address, LIMIT * 100n]);
  });
  afterAll(() => chain?.stop());

  const vaultOf = (tokens: readonly Address[], salt?: string) =>
    deployTestVault(
      chain,
      cluster,
      tokens.map((of) => ({ token: of, amount: LIMIT })),
      salt,
    );

  async function deposit(commitment: Hex, amount: bigint, of = token, by = CUSTOMER, at = vault) {
    expect((await chain.send(of, 'approve', [at.address, amount], by)).error).toBeNull();
    return chain.send(at, 'deposit', [commitment, of.address, amount], by);
  }

  interface Release {
    readonly id: Hex;
    readonly token: Address;
    readonly to: Address;
    readonly amount: bigint;
  }
  const actionOf = ({ id, ...of }: Release, at = vault): ClusterAction => ({
    chainId: chain.chainId,
    contract: at.address,
    generation: 1,
    action: 'release',
    id,
    ...of,
  });
  const signedFor = (of: Release, at = vault) => cluster.authorize(actionOf(of, at));
  const release = ({ id, token: of, to, amount }: Release, signature: object, at = vault, by: Account = OTHER) =>
    chain.send(at, 'release', [id, of, to, amount, signature], by);
  const balance = (of: Address) => chain.read<bigint>(token, 'balanceOf', [of]);

  test('takes tokens and coin for a transfer, once from an address, and says so', async () => {
    const id = anId();
    const before = await balance(vault.address);
    const { error, hash } = await deposit(id, 5n);
    expect(error).toBeNull();
    expect((await balance(vault.address)) - before).toBe(5n);
    const { logs } = await chain.reader.getTransactionReceipt({ hash });
    const [event] = parseEventLogs({ abi: VAULT_ABI, logs, eventName: 'Deposited' });
    expect(event?.args).toEqual({ commitment: id, token: token.address, from: CUSTOMER.address, amount: 5n });
    expect(await chain.read(vault, 'isDeposited', [id, CUSTOMER.address])).toBe(true);
    expect((await deposit(id, 5n)).error).toBe('DepositedAlready');
    expect((await chain.send(vault, 'deposit', [id, COIN, 7n], CUSTOMER, 7n)).error).toBe('DepositedAlready');
    const coins = anId();
    expect((await chain.send(vault, 'deposit', [coins, COIN, 7n], CUSTOMER, 7n)).error).toBeNull();
    expect(await chain.reader.getBalance({ address: vault.address })).toBe(7n);
  });

  test('lets nobody forestall a deposit: what another pays in for the transfer is another deposit', async () => {
    const id = anId();
    expect((await deposit(id, 1n, token, OTHER)).error).toBeNull();
    expect((await deposit(id, 50n, token, CUSTOMER)).error).toBeNull();
  });

  test('takes nothing, nothing for no transfer, and no coin that the call does not name', async () => {
    expect((await deposit(anId(), 0n)).error).toBe('NothingDeposited');
    expect((await deposit(`0x${'0'.repeat(64)}`, 5n)).error).toBe('NothingDeposited');
    for (const [of, amount, value] of [
      [COIN, 7n, 6n],
      [COIN, 7n, 8n],
      [COIN, 7n, 0n],
      [token.address, 7n, 7n],
    ] as const)
      expect((await chain.send(vault, 'deposit', [anId(), of, amount], CUSTOMER, value)).error).toBe('WrongAmount');
    const plain = { address: vault.address, abi: [{ type: 'receive', stateMutability: 'payable' }] } as const;
    const client = chain.reader.call({ account: CUSTOMER, to: plain.address, value: 1n });
    await expect(client).rejects.toThrow();
  });

  test('takes no token that it may not pay out, and no more of one than may go out in a day', async () => {
    const foreign = await deployTestToken(chain, 'FOREIGN');
    await chain.send(foreign, 'mint', [CUSTOMER.address, 10n]);
    expect((await deposit(anId(), 5n, foreign)).error).toBe('OverLimit');
    expect((await deposit(anId(), LIMIT + 1n)).error).toBe('OverLimit');
    expect((await deposit(anId(), LIMIT)).error).toBeNull();
  });

  test('takes no token that brings less than it says, and none that calls back in the midst of it', async () => {
    const hostile = await chain.deployForTests('contracts/bridge/test/HostileToken.sol');
    const own = await vaultOf([hostile.address, COIN], 'hostile');
    await chain.send(hostile, 'mint', [CUSTOMER.address, LIMIT]);
    await chain.send(hostile, 'takeToll', [1n]);
    const [id, second] = [anId(), anId()];
    expect((await deposit(id, 5n, hostile, CUSTOMER, own)).error).toBe('WrongAmount');
    expect(await chain.read(own, 'isDeposited', [id, CUSTOMER.address])).toBe(false);
    await chain.send(hostile, 'takeToll', [0n]);
    const again = encodeFunctionData({ abi: VAULT_ABI, functionName: 'deposit', args: [second, hostile.address, 1n] });
    await chain.send(hostile, 'callBack', [own.address, again]);
    expect((await deposit(id, 5n, hostile, CUSTOMER, own)).error).toBeNull();
    expect(await chain.read(hostile, 'hasReached')).toBe(false);
    expect(await chain.read(own, 'isDeposited', [second, hostile.address])).toBe(false);
  });

  test('pays what the cluster has signed, to whom and as much as it says, once, whoever hands it in', async () => {
    await deposit(anId(), 20n);
    const of = { id: anId(), token: token.address, to: ADMIN.address, amount: 12n };
    const signature = signedFor(of);
    for (const lie of [{ id: anId() }, { token: COIN }, { to: OTHER.address }, { amount: 13n }])
      expect((await release({ ...of, ...lie }, signature)).error).toBe('InvalidSignature');
    const before = await balance(ADMIN.address);
    const { error, hash } = await release(of, signature);
    expect(error).toBeNull();
    expect((await balance(ADMIN.address)) - before).toBe(12n);
    const { logs } = await chain.reader.getTransactionReceipt({ hash });
    const [event] = parseEventLogs({ abi: VAULT_ABI, logs, eventName: 'Released' });
    expect(event?.args).toEqual({ paymentRef: of.id, token: token.address, to: ADMIN.address, amount: 12n });
    expect((await release(of, signature)).error).toBe('ReferenceUsed');
    expect(await chain.read(vault, 'useOf', [of.id])).toBe(1);
  });

  test('a signature opens no other vault of the same cluster, and none on another chain', async () => {
    const twin = await vaultOf([token.address], 'twin');
    await deposit(anId(), 20n, token, CUSTOMER, twin);
    const of = { id: anId(), token: token.address, to: ADMIN.address, amount: 1n };
    expect((await release(of, signedFor(of, vault), twin)).error).toBe('InvalidSignature');
    const elsewhere = await TestChain.start(31_338);
    try {
      const there = await deployTestVault(elsewhere, cluster, [{ token: COIN, amount: LIMIT }]);
      const coins = { id: anId(), token: COIN, to: ADMIN.address, amount: 1n };
      const same = await deployTestVault(chain, cluster, [{ token: COIN, amount: LIMIT }]);
      // The same terms stand at the same address on both chains: the id of the chain alone tells them apart.
      expect(same.address).toBe(there.address);
      for (const [at, on] of [
        [there, elsewhere],
        [same, chain],
      ] as const)
        expect((await on.send(at, 'deposit', [anId(), COIN, 5n], CUSTOMER, 5n)).error).toBeNull();
      const signature = signedFor(coins, same);
      const args = [coins.id, coins.token, coins.to, coins.amount, signature];
      expect((await elsewhere.send(there, 'release', args)).error).toBe('InvalidSignature');
      expect((await chain.send(same, 'release', args)).error).toBeNull();
    } finally {
      await elsewhere.stop();
    }
  });

  test('a cancelled reference pays nobody, and one that has paid is not cancelled', async () => {
    await deposit(anId(), 20n);
    const of = { id: anId(), token: token.address, to: ADMIN.address, amount: 2n };
    const payment = signedFor(of);
    const cancellation = cluster.authorize({ ...actionOf(of), action: 'cancel', token: null, to: null, amount: 0n });
    expect((await chain.send(vault, 'cancel', [of.id, cancellation])).error).toBeNull();
    expect((await release(of, payment)).error).toBe('ReferenceUsed');
    const paid = { ...of, id: anId() };
    expect((await release(paid, signedFor(paid))).error).toBeNull();
    const late = cluster.authorize({ ...actionOf(paid), action: 'cancel', token: null, to: null, amount: 0n });
    expect((await chain.send(vault, 'cancel', [paid.id, late])).error).toBe('ReferenceUsed');
  });

  test('pays coin; who refuses it keeps the reference unused, and who calls back gets nothing more', async () => {
    await chain.send(vault, 'deposit', [anId(), COIN, 1_000n], CUSTOMER, 1_000n);
    const receiver = await chain.deployForTests('contracts/bridge/test/HostileReceiver.sol');
    const first = { id: anId(), token: COIN, to: receiver.address, amount: 100n };
    const second = { ...first, id: anId() };
    await chain.send(receiver, 'refuse', [true]);
    expect((await release(first, signedFor(first))).error).not.toBeNull();
    expect(await chain.read(vault, 'useOf', [first.id])).toBe(0);
    await chain.send(receiver, 'refuse', [false]);
    const args = [second.id, COIN, receiver.address, 100n, signedFor(second)] as const;
    const again = encodeFunctionData({ abi: VAULT_ABI, functionName: 'release', args });
    await chain.send(receiver, 'callBack', [vault.address, again]);
    expect((await release(first, signedFor(first))).error).toBeNull();
    expect(await chain.read(receiver, 'hasReached')).toBe(false);
    expect(await chain.reader.getBalance({ address: receiver.address })).toBe(100n);
    expect((await release(second, signedFor(second))).error).toBeNull();
  });

  test('pays no more of a token in any 24 hours than its limit, whoever has signed', async () => {
    const own = await vaultOf([token.address, COIN], 'limits');
    for (const _ of [1, 2, 3]) await deposit(anId(), LIMIT, token, CUSTOMER, own);
    await chain.send(own, 'deposit', [anId(), COIN, 5n], CUSTOMER, 5n);
    const pay = (amount: bigint, of: Address = token.address) => {
      const payment = { id: anId(), token: of, to: ADMIN.address, amount };
      return release(payment, signedFor(payment, own), own);
    };
    expect((await pay(LIMIT + 1n)).error).toBe('RateLimitExceeded');
    expect((await pay((LIMIT * 3n) / 4n)).error).toBeNull();
    await chain.pass(DAY_S / 2);
    expect((await pay(LIMIT / 4n)).error).toBeNull();
    expect((await pay(1n)).error).toBe('RateLimitExceeded');
    expect(await chain.read(own, 'room', [token.address])).toBe(0n);
    // Another token has a limit of its own.
    expect((await pay(5n, COIN)).error).toBeNull();
    await chain.pass(DAY_S / 2 - 100);
    expect((await pay(1n)).error).toBe('RateLimitExceeded');
    await chain.pass(200);
    expect(await chain.read(own, 'room', [token.address])).toBe((LIMIT * 3n) / 4n);
    expect((await pay((LIMIT * 3n) / 4n)).error).toBeNull();
    expect((await pay(1n)).error).toBe('RateLimitExceeded');
    // A higher limit counts what went out already; a lower one stops more.
    expect((await chain.send(own, 'setLimit', [{ token: token.address, amount: LIMIT + 1n }], ADMIN)).error).toBeNull();
    expect((await pay(2n)).error).toBe('RateLimitExceeded');
    expect((await pay(1n)).error).toBeNull();
    expect((await chain.send(own, 'setLimit', [{ token: token.address, amount: 0n }], ADMIN)).error).toBeNull();
    await chain.pass(DAY_S);
    expect((await pay(1n)).error).toBe('RateLimitExceeded');
  });

  test('B-18: what is cancelled takes no room of the day and moves nothing; what is paid takes it', async () => {
    const own = await vaultOf([token.address], 'cancelled');
    await deposit(anId(), LIMIT, token, CUSTOMER, own);
    for (const _ of [1, 2, 3]) {
      const of = { id: anId(), token: token.address, to: ADMIN.address, amount: LIMIT };
      const cancelled = { ...actionOf(of, own), action: 'cancel', token: null, to: null, amount: 0n } as const;
      expect((await chain.send(own, 'cancel', [of.id, cluster.authorize(cancelled)])).error).toBeNull();
    }
    expect(await chain.read(own, 'room', [token.address])).toBe(LIMIT);
    expect(await balance(own.address)).toBe(LIMIT);
    const paid = { id: anId(), token: token.address, to: ADMIN.address, amount: LIMIT };
    expect((await release(paid, signedFor(paid, own), own)).error).toBeNull();
    expect(await chain.read(own, 'room', [token.address])).toBe(0n);
  });

  test('stopped, it takes and pays nothing; only the admin lets it go on', async () => {
    await deposit(anId(), 20n);
    const of = { id: anId(), token: token.address, to: ADMIN.address, amount: 2n };
    const signature = signedFor(of);
    expect((await chain.send(vault, 'pause', [], REQUESTER)).error).toBe('AccessControlUnauthorizedAccount');
    expect((await chain.send(vault, 'pause', [], GUARDIAN)).error).toBeNull();
    expect((await release(of, signature)).error).toBe('EnforcedPause');
    expect((await deposit(anId(), 5n)).error).toBe('EnforcedPause');
    expect((await chain.send(vault, 'unpause', [], GUARDIAN)).error).toBe('AccessControlUnauthorizedAccount');
    expect((await chain.send(vault, 'unpause', [], ADMIN)).error).toBeNull();
    expect((await release(of, signature)).error).toBeNull();
  });
});
