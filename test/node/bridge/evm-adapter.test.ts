import { randomBytes } from 'node:crypto';
import type { Abi, Address, Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  InsufficientFunds,
  type MessageSignature,
  type PaymentOrder,
  RpcRefusal,
  type Vault,
} from '../../../domain/bridge/chains/chain-adapter.ts';
import { evmVault } from '../../../domain/bridge/chains/evm/evm-adapter.ts';
import { evmRpc } from '../../../domain/bridge/chains/evm/evm-rpc.ts';
import { VAULT_ABI } from '../../../protocol/bridge/abi/vault-abi.ts';
import { WRAPPED_ABI } from '../../../protocol/bridge/abi/wrapped-abi.ts';
import { hasDevnet } from './bridge.fixtures.ts';
import { BridgeChains, CUSTOMER, DAILY, STRANGER } from './bridge-chains.fixtures.ts';
import { TestCluster } from './test-cluster.fixtures.ts';

interface LogRange {
  readonly fromBlock: string;
  readonly toBlock: string;
}

const anId = () => randomBytes(32).toString('hex');

describe.skipIf(!hasDevnet)('the adapter of EVM chains', () => {
  let chains: BridgeChains;
  beforeAll(async () => {
    chains = await BridgeChains.start();
  });
  afterAll(() => chains?.stop());

  const standing = (vault: Vault) => ({
    address: vault.contract as Address,
    abi: (vault.chain === 'exchange' ? WRAPPED_ABI : VAULT_ABI) as Abi,
  });
  const payout = (vault: Vault, amount: bigint, to: string = CUSTOMER.address): Promise<PaymentOrder> =>
    chains.orderOf(vault, { kind: 'payout', commitment: anId(), to, amount: String(amount) });
  const statusOf = (vault: Vault, order: PaymentOrder) => chains.adapterOf(vault).statusOf(chains.view(vault), order);

  test('B-07: finds a deposit by its commitment and payer, once, with its depth', async () => {
    const commitment = anId();
    const { vault } = chains;
    const found = (by = CUSTOMER.address as string) =>
      chains.adapterOf(vault).deposits(chains.view(vault), commitment, by);
    expect(await found()).toEqual([]);
    await chains.external.send(chains.token, 'mint', [STRANGER.address, 1n]);
    // What a stranger pays in for a transfer is no deposit of it, and keeps nobody from paying it.
    expect(await chains.deposit(vault, commitment, 1n, STRANGER)).toBe(true);
    expect(await found()).toEqual([]);
    expect(await chains.deposit(vault, commitment, 100n)).toBe(true);
    expect(await found()).toMatchObject([{ amount: '100', confirmations: 1 }]);
    expect(await found(CUSTOMER.address.toLowerCase())).toHaveLength(1);
    const ofCoin = chains.view({ ...vault, token: null });
    expect(await chains.adapterOf(vault).deposits(ofCoin, commitment, CUSTOMER.address)).toEqual([]);
    await chains.external.clock.mine({ blocks: 2 });
    expect(await found()).toMatchObject([{ confirmations: 3 }]);
    expect(await chains.deposit(vault, commitment, 100n)).toBe(false);
  });

  test('B-20: says by which calls a payer approves it, first taking back what is left of an earlier allowance', async () => {
    const { vault, token, external } = chains;
    const adapter = chains.adapterOf(vault);
    const payer = STRANGER.address;
    const spender = vault.contract as Address;
    const allowed = () => external.read(token, 'allowance', [payer, spender]);
    const approve = async () => {
      const calls = (await adapter.approvals?.(chains.view(vault), payer.toLowerCase(), '30')) ?? [];
      const seen: unknown[] = [];
      for (const { to, data } of calls) {
        expect(await external.sendData({ to: to as Address, data: data as Hex, value: 0n }, STRANGER)).toBe(true);
        seen.push(await allowed());
      }
      return seen;
    };
    await external.send(token, 'approve', [spender, 0n], STRANGER);
    expect(await approve()).toEqual([30n]);
    // Also where it is as much, or more: another transfer may be about to use it.
    expect(await approve()).toEqual([0n, 30n]);
    await external.send(token, 'approve', [spender, 31n], STRANGER);
    expect(await approve()).toEqual([0n, 30n]);
    await external.send(token, 'approve', [spender, 0n], STRANGER);
    expect(await adapter.approvals?.(chains.view({ ...vault, token: `0x${'0'.repeat(40)}` }), payer, '30')).toEqual([]);
    const ofWrapped = chains.adapterOf(chains.wrapped).approvals;
    expect(await ofWrapped?.(chains.view(chains.wrapped), payer, '30')).toEqual([]);
  });

  test('takes no deposit for lost whose log a node does not show, and asks for no logs where nothing has come', async () => {
    const view = (of: Vault, respond: (range: LogRange) => unknown) => {
      const { transport, ...rest } = chains.view(of);
      const rpc = async (method: string, params: unknown) =>
        method === 'eth_getLogs' ? respond((params as [LogRange])[0]) : transport.rpc(method, params);
      return { ...rest, transport: { ...transport, rpc } };
    };
    const commitment = anId();
    for (const vault of [chains.vault, chains.wrapped]) {
      const deposits = (respond: (range: LogRange) => unknown) =>
        chains.adapterOf(vault).deposits(view(vault, respond), commitment, CUSTOMER.address);
      expect(await deposits(() => Promise.reject(new Error('nobody asks for logs')))).toEqual([]);
      if (vault === chains.wrapped) {
        const minted = await payout(vault, 10n);
        await chains.handIn(vault, await chains.signed(vault, minted));
      }
      expect(await chains.deposit(vault, commitment, 10n)).toBe(true);
      await expect(deposits(() => [])).rejects.toThrow('no log of funds');
      await expect(deposits(() => Promise.reject(new RpcRefusal(-32_005, 'too many blocks')))).rejects.toThrow();
    }
  });

  test('looks for logs further back at each question, as far as a node lets it', async () => {
    const asked: number[] = [];
    const blocksOf = ({ fromBlock, toBlock }: LogRange) => Number(toBlock) - Number(fromBlock) + 1;
    const node = (most: number) => ({
      rpc: async (method: string, params: unknown) => {
        if (method === 'eth_blockNumber') return '0x3b9aca00';
        const blocks = blocksOf((params as [LogRange])[0]);
        if (blocks > most) throw new RpcRefusal(-32_005, 'too many blocks');
        asked.push(blocks);
        return [];
      },
      get: () => Promise.reject(new Error('no GET')),
      post: () => Promise.reject(new Error('no POST')),
    });
    const reach = async (most: number) => {
      asked.length = 0;
      await evmRpc(node(most)).findLogs(CUSTOMER.address, []);
      return asked.reduce((sum, blocks) => sum + blocks, 0);
    };
    // Three months of blocks of a quarter of a second; where a node takes 10,000 at a time, a day of them.
    expect(await reach(1_000_000)).toBeGreaterThan(32_000_000);
    expect(await reach(10_000)).toBeGreaterThan(350_000);
    expect(asked.length).toBeLessThanOrEqual(50);
  });

  test('pays what was ordered, once, and tells what has become of it', async () => {
    const { vault } = chains;
    await chains.deposit(vault, anId(), 1_000n);
    const order = await payout(vault, 10n);
    const before = await chains.balance(vault, CUSTOMER.address);
    const signed = await chains.signed(vault, order, [1, 3, 4]);
    expect(await statusOf(vault, order)).toEqual({ state: 'unspent' });
    const transaction = await chains.handIn(vault, signed);
    expect(await statusOf(vault, order)).toEqual({ state: 'paid', transaction, confirmations: 1 });
    // Handed in again it pays nothing, and is told as what it was.
    expect(await chains.handIn(vault, signed)).toBe(transaction);
    expect((await chains.balance(vault, CUSTOMER.address)) - before).toBe(10n);
    // A reference that has paid something else is no payment of this order.
    await expect(statusOf(vault, { ...order, amount: '11' })).rejects.toThrow('something else');
    await expect(statusOf(vault, { ...order, to: STRANGER.address })).rejects.toThrow('something else');
  });

  test('B-04: is no payment of another transfer, whose payee and amount are the same', async () => {
    const { vault } = chains;
    await chains.deposit(vault, anId(), 1_000n);
    const order = await payout(vault, 10n);
    const transaction = await chains.handIn(vault, await chains.signed(vault, order));
    expect(await statusOf(vault, order)).toMatchObject({ state: 'paid', transaction });
    // By it a deposit of the other transfer would be the vault's, and never be paid out.
    const other = { ...order, commitment: anId() };
    await expect(statusOf(vault, other)).rejects.toThrow('another payment');
    await expect(statusOf(vault, { ...order, kind: 'refund' })).rejects.toThrow('another payment');
    await expect(statusOf(vault, { ...other, kind: 'cancel', to: '', amount: '0' })).rejects.toThrow('another payment');
  });

  test('completes nothing with a signature that is missing, of another key, or over another order', async () => {
    const { vault } = chains;
    await chains.deposit(vault, anId(), 100n);
    const order = await payout(vault, 10n);
    const adapter = chains.adapterOf(vault);
    const bytes = adapter.build(vault, order).messages[0]?.bytes ?? '';
    const by = (signature: string): MessageSignature[] => [{ kind: 'group', signature }];
    const right = chains.cluster.sign(bytes);
    const wrong: readonly (readonly [PaymentOrder, readonly MessageSignature[]])[] = [
      [order, []],
      [order, [...by(right), ...by(right)]],
      [order, [{ kind: 'each', signatures: [{ signer: 0, signature: right }] }]],
      [order, by(new TestCluster().sign(bytes))],
      [order, by(right.slice(2))],
      [order, by(`02${right.slice(2, 66)}${'0'.repeat(64)}`)],
      [{ ...order, amount: '11' }, by(right)],
      [{ ...order, to: STRANGER.address }, by(right)],
      [{ ...order, kind: 'cancel' }, by(right)],
      [{ ...order, reference: `0x${anId()}@1` }, by(right)],
    ];
    for (const [of, signatures] of wrong) expect(() => adapter.complete(vault, of, signatures)).toThrow(RangeError);
    expect(adapter.complete(vault, order, by(right)).transaction).toBeNull();
  });

  test('builds nothing that is no payment', async () => {
    const { vault } = chains;
    const order = await payout(vault, 10n);
    for (const change of [
      { reference: 'none' },
      { reference: `0x${anId()}@0` },
      { to: 'nobody' },
      { amount: '0' },
      { amount: '-1' },
      { amount: '1.5' },
    ])
      expect(() => chains.adapterOf(vault).build(vault, { ...order, ...change }), JSON.stringify(change)).toThrow(
        RangeError,
      );
    expect(() => evmVault('ethereum').build({ ...vault, contract: null }, order)).toThrow(RangeError);
  });

  test('takes addresses in one form, and none that nobody has the key of', () => {
    const { addressOf } = evmVault('ethereum');
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(addressOf(address, 'mainnet')).toBe(address);
    expect(addressOf(address.toLowerCase(), 'mainnet')).toBe(address);
    expect(addressOf(`0x${address.slice(2).toUpperCase()}`, 'mainnet')).toBe(address);
    const flipped = address.replace(/[a-f]/, (digit) => digit.toUpperCase());
    for (const text of [flipped, address.slice(0, -1), `${address}0`, '', address.slice(2), `0x${'0'.repeat(40)}`])
      expect(addressOf(text, 'mainnet'), text).toBeNull();
  });

  test('has no reference for a payment that the vault has too little for', async () => {
    const held = await chains.balance(chains.vault, chains.vault.contract ?? '');
    await expect(payout(chains.vault, held + 1n)).rejects.toThrow(InsufficientFunds);
    const order = await payout(chains.vault, held > 0n ? held : 1n).catch(() => null);
    expect(order?.reference).toMatch(/^0x[0-9a-f]{64}@1$/);
    const coin = { ...chains.vault, token: null };
    await expect(payout(coin, 1n)).rejects.toThrow(InsufficientFunds);
    // What is minted is not taken out of anything.
    expect((await payout(chains.wrapped, 10n ** 30n)).reference).toMatch(/@1$/);
  });

  test('gives each kind and attempt of a transfer’s payment another reference, and the same however often it is asked', async () => {
    const commitment = anId();
    const terms = { commitment, to: CUSTOMER.address, amount: '1' };
    const references = await Promise.all(
      [
        { kind: 'payout', attempt: 0 },
        { kind: 'payout', attempt: 1 },
        { kind: 'refund', attempt: 0 },
        { kind: 'payout', attempt: 0, commitment: anId() },
        { kind: 'payout', attempt: 0 },
      ].map(({ attempt, ...of }) =>
        chains.orderOf(chains.wrapped, { ...terms, ...of } as Omit<PaymentOrder, 'reference'>, attempt),
      ),
    );
    expect(new Set(references.map(({ reference }) => reference)).size).toBe(4);
    expect(references[4]).toEqual(references[0]);
  });

  test('a cancelled reference pays nobody, and says so', async () => {
    const { vault } = chains;
    await chains.deposit(vault, anId(), 100n);
    const order = await payout(vault, 10n);
    const signed = await chains.signed(vault, order);
    const transaction = await chains.handIn(vault, await chains.signed(vault, { ...order, kind: 'cancel' }));
    expect(await statusOf(vault, order)).toEqual({ state: 'void', transaction, confirmations: 1 });
    const before = await chains.balance(vault, CUSTOMER.address);
    await chains.handIn(vault, signed);
    expect(await chains.balance(vault, CUSTOMER.address)).toBe(before);
  });

  test('wrapped tokens are minted by orders, within a daily limit, and burnt by who has them', async () => {
    const { wrapped } = chains;
    const [adapter, view] = [chains.adapterOf(wrapped), chains.view(wrapped)];
    const order = await payout(wrapped, 600n);
    const transaction = await chains.handIn(wrapped, await chains.signed(wrapped, order));
    expect(await statusOf(wrapped, order)).toEqual({ state: 'paid', transaction, confirmations: 1 });
    expect(await chains.balance(wrapped, CUSTOMER.address)).toBe(600n);
    const large = await payout(wrapped, DAILY);
    await expect(chains.handIn(wrapped, await chains.signed(wrapped, large))).rejects.toThrow();
    const commitment = anId();
    expect(await chains.deposit(wrapped, commitment, 601n)).toBe(false);
    expect(await chains.deposit(wrapped, commitment, 250n)).toBe(true);
    expect(await chains.deposit(wrapped, commitment, 1n)).toBe(false);
    const found = await adapter.deposits(view, commitment, CUSTOMER.address);
    expect(found).toMatchObject([{ amount: '250', confirmations: 1 }]);
    expect(await chains.balance(wrapped, CUSTOMER.address)).toBe(350n);
  });

  test('the timelock alone governs what was deployed, and stopping needs no delay', async () => {
    const at = standing(chains.vault);
    for (const [name, args] of [
      ['setLimit', [{ token: chains.token.address, amount: 1n }]],
      ['beginRecovery', [new TestCluster().key]],
      ['unpause', []],
    ] as const)
      for (const account of [STRANGER, chains.place.account])
        expect((await chains.external.send(at, name, args, account)).error).toBe('AccessControlUnauthorizedAccount');
    const snapshot = await chains.external.clock.snapshot();
    expect((await chains.external.send(at, 'pause', [], chains.place.account)).error).toBeNull();
    expect(await chains.deposit(chains.vault, anId(), 1n)).toBe(false);
    await chains.external.clock.revert({ id: snapshot });
    expect(await chains.deposit(chains.vault, anId(), 1n)).toBe(true);
  });

  test('a payment whose key was rotated away pays nobody, and says so, so that another can take its place', async () => {
    const { vault } = chains;
    await chains.deposit(vault, anId(), 100n);
    const terms = { kind: 'payout', commitment: anId(), to: CUSTOMER.address, amount: '10' } as const;
    const paid = await payout(vault, 5n);
    await chains.handIn(vault, await chains.signed(vault, paid));
    const order = await chains.orderOf(vault, terms);
    const signed = await chains.signed(vault, order);
    const next = new TestCluster();
    const [at, { x, isOdd }] = [standing(vault), next.key];
    const rotation = { chainId: 31_337, contract: at.address, generation: 1, action: 'rotate' } as const;
    const id = `0x${x.toString(16).padStart(64, '0')}` as const;
    const signature = chains.cluster.authorize({ ...rotation, id, token: null, to: null, amount: isOdd ? 1n : 0n });
    const { error, hash } = await chains.external.send(at, 'rotateKey', [next.key, signature]);
    expect(error).toBeNull();
    expect(await statusOf(vault, order)).toEqual({ state: 'void', transaction: hash, confirmations: 1 });
    expect(await statusOf(vault, paid)).toMatchObject({ state: 'paid' });
    await expect(chains.handIn(vault, signed)).rejects.toThrow();
    const again = await chains.orderOf(vault, terms, 1);
    expect(again.reference).toMatch(/@2$/);
    expect(await statusOf(vault, again)).toEqual({ state: 'unspent' });
  });
});
