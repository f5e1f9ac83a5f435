import { describe, expect, it } from 'vitest';
import {
  type ChainAdapter,
  type ChainTransport,
  type ChainView,
  type DepositPlace,
  InsufficientFunds,
  type PaymentOrder,
  RpcRefusal,
  type Vault,
  VaultClosed,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../../domain/bridge/chains/chain-calls.ts';
import { refundsFromDeposit } from '../../../../domain/bridge/chains/refunds-from-deposit.ts';
import { sweepsDeposits } from '../../../../domain/bridge/chains/sweeps-deposits.ts';
import { frostCluster } from './frost-cluster.ts';

/** A chain in memory, behind the interface of its real node. It checks and carries out what is handed in as that chain does. */
export interface SimulatedNode {
  readonly transport: ChainTransport;
  /** Gives an address so much of the vault's asset, and what it needs beside it for fees. */
  fund(address: string, amount: bigint): void;
  balance(address: string): bigint;
  /** What it has of the chain's own coin, on nodes that know a token beside it. */
  coins?(address: string): bigint;
  /** A customer pays in, as the place says, or with another memo. */
  deposit(place: DepositPlace, amount: bigint, memo?: string | null): void;
  /** From here on this account pays what comes in, on chains that tell who pays. */
  payBy?(payer: string): void;
  /** Makes the newest transactions as deep as the chain's rule. */
  finalize(): void;
  /** Takes the newest transaction away. */
  reorganize(): void;
  /** Whether payments to an address fail in their block from here on; absent where none does. */
  shut?(address: string, isShut: boolean): void;
  /** Lets the time of every payment pass; absent where none lapses. */
  lapse?(): void;
  /** What a payment pays, by the chain's own library. */
  decode(raw: string): { to: string; amount: bigint };
}

export interface ChainCase {
  readonly adapter: ChainAdapter;
  vault(keys: Vault['keys']): Vault;
  /** The vault's own address. */
  home(vault: Vault): string;
  node(vault: Vault): SimulatedNode;
  readonly relayer?: string;
  /** Whose deposits count, on chains that tell who pays. */
  readonly payer?: string;
  /** Somebody else, where the node in memory can be paid by another. */
  readonly stranger?: string;
  /** Signers where they have other keys than one of Ed25519. */
  readonly cluster?: Pick<ReturnType<typeof frostCluster>, 'keys' | 'sign'>;
  /** Addresses of the vault's network. The first two are paid. */
  readonly addresses: readonly [string, string, ...string[]];
  /** Of other networks, mistyped, or of another chain. */
  readonly refused: readonly string[];
  readonly deposit: bigint;
  readonly payout: bigint;
  /** Of what comes back from a transfer's own account, the fee is taken. */
  readonly refund?: { readonly paid: bigint };
  /** What is paid in is told by what an account has. */
  readonly areDepositsOneSum?: boolean;
  /** The most that a place to pay in is shown for, where that is more than a payment can pay. */
  readonly placeMax?: bigint;
  /** Its payments are built without the vault's key. */
  readonly areKeysApart?: boolean;
  /** What is handed in holds the name by which it is known. */
  readonly areNamesWithin?: boolean;
  /** It has no tokens here. */
  readonly isCoinAlone?: boolean;
  /** The most a payment can pay. */
  readonly amountMax: bigint;
  /** Payments cost the vault nothing of what it is funded with here. */
  readonly areCostsApart?: boolean;
  /** What the vault has to begin with. */
  readonly funds: bigint;
  /** Memos that are not the commitment, and count for nothing. */
  wrongMemos?(commitment: string): (string | null)[];
  /** References that state something else than the chain has: which field, in what way, and whether no signer signs by it ever. */
  readonly lies: readonly (readonly [string, (reference: string) => string, 'for good' | 'now'])[];
  /** A reference with the highest fee that a payment may have, on chains where that is cents. */
  dearest?(reference: string): string;
  /** A reference whose fee would eat the vault. */
  greedy(reference: string): string;
  /** Asked until a reference is given: some have to be made. */
  readonly referenceTries?: number;
}

/** A reference with another value of one field. */
export function stating(field: string, change: (value: string) => string): (reference: string) => string {
  return (reference) =>
    reference.replace(new RegExp(`(^| )${field}=(\\S+)`), (_, before: string, value: string) => {
      return `${before}${field}=${change(value)}`;
    });
}

/** The number so much higher. */
export const more = (by: bigint) => (value: string) => String(BigInt(value) + by);

export const COMMITMENT = '5a'.repeat(32);
export const OTHER_COMMITMENT = 'a5'.repeat(32);

/** What every chain has to do whose vault is an account of the cluster. */
export function describeChain(name: string, chain: ChainCase): void {
  const { adapter, addresses, payer = '' } = chain;
  const cluster = chain.cluster ?? frostCluster();
  const vault = chain.vault(cluster.keys);
  const [recipient, other] = addresses;
  const home = chain.home(vault);

  function start() {
    const node = chain.node(vault);
    const view: ChainView = { vault, transport: node.transport, relayer: chain.relayer ?? null };
    return { node, view };
  }

  async function referenceFor(view: ChainView, order: Omit<PaymentOrder, 'reference'>, taken: readonly string[] = []) {
    for (let tries = chain.referenceTries ?? 1; ; tries -= 1) {
      try {
        return await adapter.referenceFor(view, { ...order, attempt: 1 }, taken);
      } catch (error) {
        if (tries <= 1 || error instanceof InsufficientFunds) throw error;
      }
    }
  }

  function payout(change: Partial<PaymentOrder> = {}): Omit<PaymentOrder, 'reference'> {
    return { kind: 'payout', commitment: COMMITMENT, to: recipient, amount: String(chain.payout), ...change };
  }

  const signed = (order: PaymentOrder) => adapter.complete(vault, order, cluster.sign(adapter.build(vault, order)));

  describe(name, () => {
    it('takes addresses of its network alone', () => {
      for (const address of addresses) expect(adapter.addressOf(address, vault.network), address).toBe(address);
      for (const text of [...chain.refused, '', ' ', 'x'.repeat(200)])
        expect(adapter.addressOf(text, vault.network), text).toBeNull();
    });

    it('B-01: holds what a reference states against the node', async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const of = payout();
      const reference = await referenceFor(view, of);
      const kinds = [of, { ...of, kind: 'cancel', to: '', amount: '0' }] as const;
      for (const order of kinds)
        expect(await adapter.checkReference(view, { ...order, reference })).toEqual({ fault: null, spends: [] });
      for (const [what, lie, until] of chain.lies) {
        const lying = lie(reference);
        expect(lying, what).not.toBe(reference);
        for (const order of kinds) {
          const { fault } = await adapter
            .checkReference(view, { ...order, reference: lying })
            .catch((error: unknown) => ({ fault: { reason: String(error), isForGood: false } }));
          expect(fault, what).toMatchObject({ isForGood: until === 'for good' });
        }
      }
    });

    it.runIf(chain.dearest !== undefined)(
      'signs and cancels by a fee of a dearer day, up to what a payment may cost',
      async () => {
        const { node, view } = start();
        node.fund(home, chain.funds);
        const of = payout();
        const reference = chain.dearest?.(await referenceFor(view, of)) ?? '';
        for (const order of [of, { ...of, kind: 'cancel', to: '', amount: '0' }] as const) {
          expect(await adapter.checkReference(view, { ...order, reference })).toEqual({ fault: null, spends: [] });
          expect(adapter.build(vault, { ...order, reference }).messages).toHaveLength(1);
        }
      },
    );

    it('sees a deposit, how deep it is, and that a reorganization took it away', async () => {
      const { node, view } = start();
      const place = await adapter.depositPlace(view, COMMITMENT, String(chain.deposit));
      expect(place.call).toBeNull();
      expect(await adapter.deposits(view, COMMITMENT, payer)).toEqual([]);
      node.deposit(place, chain.deposit);
      const [fresh, ...more] = await adapter.deposits(view, COMMITMENT, payer);
      expect(more).toEqual([]);
      expect(fresh).toMatchObject({ amount: String(chain.deposit) });
      if (adapter.confirmations > 1) expect(fresh!.confirmations).toBeLessThan(adapter.confirmations);
      expect(await adapter.deposits(view, OTHER_COMMITMENT, payer)).toEqual([]);
      node.finalize();
      const [deep] = await adapter.deposits(view, COMMITMENT, payer);
      expect(deep).toMatchObject({ reference: fresh!.reference, amount: String(chain.deposit) });
      expect(deep!.confirmations).toBeGreaterThanOrEqual(adapter.confirmations);
      node.reorganize();
      expect(await adapter.deposits(view, COMMITMENT, payer)).toEqual([]);
    });

    it('tells deposits of one commitment by their age, the oldest first, or their sum', async () => {
      const { node, view } = start();
      const place = await adapter.depositPlace(view, COMMITMENT, String(chain.deposit));
      const amounts = [1n, 0n, 2n].map((more) => chain.deposit + more);
      for (const amount of amounts) node.deposit(place, amount);
      node.finalize();
      const found = await adapter.deposits(view, COMMITMENT, payer);
      const sum = amounts.reduce((total, amount) => total + amount);
      const isSum = chain.areDepositsOneSum === true;
      expect(found.map(({ amount }) => amount)).toEqual(isSum ? [String(sum)] : amounts.map(String));
      for (const { isBalance = false } of found) expect(isBalance).toBe(isSum);
    });

    it.runIf(chain.stranger !== undefined)(
      'B-07: takes a payment of a stranger for no deposit, and the payer’s for one',
      async () => {
        const { node, view } = start();
        const place = await adapter.depositPlace(view, COMMITMENT, String(chain.deposit));
        node.payBy?.(chain.stranger!);
        for (const amount of [chain.deposit, chain.deposit / 2n]) node.deposit(place, amount);
        node.finalize();
        expect(await adapter.deposits(view, COMMITMENT, payer)).toEqual([]);
        node.payBy?.(payer);
        node.deposit(place, chain.deposit + 1n);
        node.finalize();
        const found = await adapter.deposits(view, COMMITMENT, payer);
        expect(found.map(({ amount }) => amount)).toEqual([String(chain.deposit + 1n)]);
        const own = chain.refund === undefined ? home : place.address;
        node.payBy?.(own);
        node.deposit(place, chain.deposit);
        node.finalize();
        for (const nobody of ['', 'nobody', own]) expect(await adapter.deposits(view, COMMITMENT, nobody)).toEqual([]);
      },
    );

    it.runIf(chain.stranger !== undefined)(
      'names who has paid: of everybody, and of one alone, whom it can be given back to',
      async () => {
        const { node, view } = start();
        const place = await adapter.depositPlace(view, COMMITMENT, String(chain.deposit));
        const own = chain.refund === undefined ? home : place.address;
        for (const by of [chain.stranger!, own, payer]) {
          node.payBy?.(by);
          node.deposit(place, chain.deposit);
        }
        node.finalize();
        const payersOf = async (from: string | null) =>
          (await adapter.deposits(view, COMMITMENT, from)).map((deposit) => deposit.payer);
        expect(await payersOf(null)).toEqual([chain.stranger, payer]);
        expect(await payersOf(chain.stranger!)).toEqual([chain.stranger]);
        expect(await payersOf(payer)).toEqual([payer]);
        expect(await adapter.deposits(view, OTHER_COMMITMENT, null)).toEqual([]);
        for (const one of [chain.stranger!, payer]) expect(adapter.addressOf(one, vault.network)).toBe(one);
      },
    );

    it('shows no place to pay in what is no amount', async () => {
      const { view } = start();
      for (const amount of ['0', '-1', '1.5', '', '01', String((chain.placeMax ?? chain.amountMax) + 1n)])
        await expect((async () => adapter.depositPlace(view, COMMITMENT, amount))(), amount).rejects.toThrow(
          RangeError,
        );
      await adapter.depositPlace(view, COMMITMENT, String(chain.placeMax ?? chain.amountMax));
    });

    it.runIf(['xrpl', 'stellar', 'algorand'].includes(vault.chain))(
      'is used once the vault has said on the chain that it takes its token; a coin at once',
      async () => {
        const { node, view } = start();
        // A custody provider sees to its own account: nothing is asked there.
        const used = async () => adapter.requireVault?.(view);
        if (vault.token !== null) await expect(used()).rejects.toThrow(VaultClosed);
        else expect(await used()).toBeUndefined();
        node.fund(home, chain.funds);
        expect(await used()).toBeUndefined();
      },
    );

    it('counts no funds that name another commitment, or none', async () => {
      const { node, view } = start();
      const place = await adapter.depositPlace(view, COMMITMENT, String(chain.deposit));
      for (const memo of chain.wrongMemos?.(COMMITMENT) ?? []) node.deposit(place, chain.deposit, memo);
      node.deposit(await adapter.depositPlace(view, OTHER_COMMITMENT, String(chain.deposit)), chain.deposit);
      node.finalize();
      expect(await adapter.deposits(view, COMMITMENT, payer)).toEqual([]);
      expect(await adapter.deposits(view, OTHER_COMMITMENT, payer)).toHaveLength(1);
    });

    it('pays by three of five, once, what the chain reads as the order', async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const order: PaymentOrder = { ...payout(), reference: await referenceFor(view, payout()) };
      expect(adapter.build(vault, order)).toEqual(adapter.build({ ...vault }, { ...order }));
      expect(adapter.build(vault, order).messages[0]?.tweak).toBeNull();
      expect(await adapter.statusOf(view, order)).toEqual({ state: 'unspent' });
      const payment = signed(order);
      expect(node.decode(payment.raw)).toEqual({ to: recipient, amount: chain.payout });
      const transaction = await adapter.broadcast(view, payment);
      if (payment.transaction !== null) expect(transaction).toBe(payment.transaction);
      node.finalize();
      const status = await adapter.statusOf(view, order);
      expect(status).toMatchObject({ state: 'paid', transaction });
      if (status.state === 'paid') expect(status.confirmations).toBeGreaterThanOrEqual(adapter.confirmations);
      expect(node.balance(recipient)).toBe(chain.payout);
      const cancelled: PaymentOrder = { ...order, kind: 'cancel', to: home, amount: '0' };
      await expect(adapter.statusOf(view, cancelled)).rejects.toThrow('used by another payment');
      await adapter.broadcast(view, payment);
      const again = adapter.complete(vault, order, cluster.sign(adapter.build(vault, order), [1, 2, 3]));
      await adapter.broadcast(view, again).catch(() => null);
      node.finalize();
      expect(node.balance(recipient)).toBe(chain.payout);
      expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'paid', transaction });
    });

    it('gives two payments two references, which both go through', async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const first: PaymentOrder = { ...payout(), reference: await referenceFor(view, payout()) };
      const next = payout({ commitment: OTHER_COMMITMENT, to: other });
      const second: PaymentOrder = { ...next, reference: await referenceFor(view, next, [first.reference]) };
      expect(second.reference).not.toBe(first.reference);
      for (const order of [first, second]) await adapter.broadcast(view, signed(order));
      node.finalize();
      for (const order of [first, second]) expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'paid' });
      expect([node.balance(recipient), node.balance(other)]).toEqual([chain.payout, chain.payout]);
    });

    it('pays nobody once its reference is cancelled', async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const order: PaymentOrder = { ...payout(), reference: await referenceFor(view, payout()) };
      const cancelled: PaymentOrder = { ...order, kind: 'cancel', to: home, amount: '0' };
      const transaction = await adapter.broadcast(view, signed(cancelled));
      node.finalize();
      expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'void', transaction });
      expect(await adapter.statusOf(view, cancelled)).toMatchObject({ state: 'void', transaction });
      await adapter.broadcast(view, signed(order)).catch(() => null);
      node.finalize();
      expect(node.balance(recipient)).toBe(0n);
      expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'void', transaction });
      const again = await referenceFor(view, payout(), [order.reference]);
      expect(again).not.toBe(order.reference);
    });

    it('gives funds back', async () => {
      const { node, view } = start();
      const place = await adapter.depositPlace(view, COMMITMENT, String(chain.deposit));
      node.fund(home, chain.funds);
      node.deposit(place, chain.deposit);
      node.finalize();
      const refund: Omit<PaymentOrder, 'reference'> = payout({ kind: 'refund', amount: String(chain.deposit) });
      const order: PaymentOrder = { ...refund, reference: await referenceFor(view, refund) };
      const before = node.balance(home);
      await adapter.broadcast(view, signed(order));
      node.finalize();
      expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'paid' });
      expect(node.balance(recipient)).toBe(chain.refund?.paid ?? chain.deposit);
      if (chain.refund !== undefined) {
        expect(adapter.build(vault, order).messages[0]?.tweak).not.toBeNull();
        expect(node.balance(home)).toBe(before);
      }
    });

    it.runIf(chain.refund !== undefined)('gives back to several at a time, each out of its own account', async () => {
      const { node, view } = start();
      const orders: PaymentOrder[] = [];
      for (const [commitment, to] of [
        [COMMITMENT, recipient],
        [OTHER_COMMITMENT, other],
      ] as const) {
        node.deposit(await adapter.depositPlace(view, commitment, String(chain.deposit)), chain.deposit);
        node.finalize();
        const refund = payout({ kind: 'refund', commitment, to, amount: String(chain.deposit) });
        const taken = orders.map(({ reference }) => reference);
        orders.push({ ...refund, reference: await referenceFor(view, refund, taken) });
      }
      for (const order of orders.toReversed()) {
        await adapter.broadcast(view, signed(order));
        node.finalize();
        expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'paid' });
        expect(node.balance(order.to)).toBe(chain.refund!.paid);
      }
    });

    it.runIf(chain.areDepositsOneSum === true)('says what a payment has left, and gives that back', async () => {
      const { node, view } = start();
      const fee = chain.deposit - chain.refund!.paid;
      node.deposit(await adapter.depositPlace(view, COMMITMENT, String(chain.deposit)), chain.deposit);
      node.finalize();
      const [funds] = await adapter.deposits(view, COMMITMENT, payer);
      const refund = payout({ kind: 'refund', amount: String(chain.deposit) });
      const failing: PaymentOrder = { ...refund, reference: await referenceFor(view, refund) };
      node.shut!(recipient, true);
      await adapter.broadcast(view, signed(failing));
      node.finalize();
      expect(await adapter.statusOf(view, failing)).toMatchObject({ state: 'void' });
      const [left, ...more] = await adapter.deposits(view, COMMITMENT, payer);
      expect([left?.reference, more]).toEqual([funds?.reference, []]);
      expect(BigInt(left!.amount)).toBeLessThan(chain.deposit);
      expect(BigInt(left!.amount)).toBeGreaterThan(chain.deposit - fee);
      node.shut!(recipient, false);
      const again = { ...refund, amount: left!.amount };
      const order: PaymentOrder = { ...again, reference: await referenceFor(view, again) };
      await adapter.broadcast(view, signed(order));
      await adapter.broadcast(view, signed(failing)).catch(() => null);
      node.finalize();
      expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'paid' });
      expect(await adapter.statusOf(view, failing)).toMatchObject({ state: 'void' });
      expect(node.balance(recipient)).toBe(BigInt(left!.amount) - fee);
      const [rest] = await adapter.deposits(view, COMMITMENT, payer);
      expect(BigInt(rest!.amount)).toBeLessThan(fee);
    });

    it('lets a refund lapse whose deposit was taken away, and gives back what comes then', async ({ skip }) => {
      const { node, view } = start();
      if (node.lapse === undefined) return skip();
      const place = await adapter.depositPlace(view, COMMITMENT, String(chain.deposit));
      node.deposit(place, chain.deposit);
      node.finalize();
      const refund = payout({ kind: 'refund', amount: String(chain.deposit) });
      const gone: PaymentOrder = { ...refund, reference: await referenceFor(view, refund) };
      node.reorganize();
      expect(await adapter.statusOf(view, gone)).toEqual({ state: 'unspent' });
      node.lapse();
      const status = await adapter.statusOf(view, gone);
      expect(status).toMatchObject({ state: 'void' });
      if (status.state === 'void') expect(status.confirmations).toBeGreaterThanOrEqual(adapter.confirmations);
      node.deposit(place, chain.deposit + 1n);
      node.finalize();
      const again = { ...refund, amount: String(chain.deposit + 1n) };
      const order: PaymentOrder = { ...again, reference: await referenceFor(view, again) };
      expect(order.reference).not.toBe(gone.reference);
      await adapter.broadcast(view, signed(gone)).catch(() => null);
      await adapter.broadcast(view, signed(order));
      node.finalize();
      expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'paid' });
      expect(node.balance(recipient)).toBe(chain.refund!.paid + 1n);
    });

    it.runIf(chain.refund !== undefined && adapter.sweepable !== undefined)(
      "pays out of an empty vault what was swept out of a transfer's own account, into the vault and nowhere else",
      async () => {
        const { node, view } = start();
        expect(await adapter.sweepable?.(view, COMMITMENT)).toBe('0');
        node.deposit(await adapter.depositPlace(view, COMMITMENT, String(chain.deposit)), chain.deposit);
        node.finalize();
        await expect(referenceFor(view, payout())).rejects.toThrow(InsufficientFunds);
        expect(await adapter.sweepable?.(view, COMMITMENT)).toBe(String(chain.deposit));
        const sweep = payout({ kind: 'sweep', to: '', amount: String(chain.deposit) });
        const order: PaymentOrder = { ...sweep, reference: await referenceFor(view, sweep) };
        for (const to of [recipient, home]) expect(() => adapter.build(vault, { ...order, to })).toThrow(RangeError);
        for (const kind of ['payout', 'cancel'] as const)
          expect(() => adapter.build(vault, { ...order, kind, to: recipient })).toThrow(RangeError);
        expect(adapter.build(vault, order).messages[0]?.tweak).not.toBeNull();
        expect(await adapter.checkReference(view, order)).toEqual({ fault: null, spends: [] });
        expect(await adapter.statusOf(view, order)).toEqual({ state: 'unspent' });
        await adapter.broadcast(view, signed(order));
        node.finalize();
        expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'paid' });
        expect(node.balance(home)).toBe(chain.refund!.paid);
        await adapter.broadcast(view, signed(order)).catch(() => null);
        node.finalize();
        expect(node.balance(home)).toBe(chain.refund!.paid);
        await expect(referenceFor(view, sweep)).rejects.toThrow(InsufficientFunds);
        const withdrawal = payout({ commitment: OTHER_COMMITMENT, amount: String(chain.refund!.paid / 2n) });
        const paying: PaymentOrder = { ...withdrawal, reference: await referenceFor(view, withdrawal) };
        await adapter.broadcast(view, signed(paying));
        node.finalize();
        expect(await adapter.statusOf(view, paying)).toMatchObject({ state: 'paid' });
        expect(node.balance(recipient)).toBe(chain.refund!.paid / 2n);
      },
    );

    it('lets out no signature that is not of the payment', async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const order: PaymentOrder = { ...payout(), reference: await referenceFor(view, payout()) };
      const more = adapter.build(vault, { ...order, amount: String(chain.payout + 1n) });
      expect(() => adapter.complete(vault, order, cluster.sign(more))).toThrow(RangeError);
      expect(() => adapter.complete(vault, order, [])).toThrow(RangeError);
      const [one] = cluster.sign(adapter.build(vault, order));
      expect(() => adapter.complete(vault, order, [one!, one!])).toThrow(RangeError);
      expect(() => adapter.complete(vault, order, [{ kind: 'each', signatures: [] }])).toThrow(RangeError);
    });

    it('builds no order that is not whole', async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const order: PaymentOrder = { ...payout(), reference: await referenceFor(view, payout()) };
      for (const amount of ['0', '-1', '1.5', '', '01', '1e3', String(chain.amountMax + 1n)])
        expect(() => adapter.build(vault, { ...order, amount }), amount).toThrow(RangeError);
      expect(() => adapter.build(vault, { ...order, amount: String(chain.amountMax) })).not.toThrow();
      expect(() => adapter.build(vault, { ...order, to: chain.refused[0]! })).toThrow(RangeError);
      for (const reference of ['', `${order.reference} `, `0${order.reference}`, order.reference.replace(/=/, '=0')])
        expect(() => adapter.build(vault, { ...order, reference }), reference).toThrow(RangeError);
      expect(() => adapter.build(vault, { ...order, reference: chain.greedy(order.reference) })).toThrow(RangeError);
    });

    it.runIf(chain.areKeysApart !== true)('builds nothing for a vault whose key is none', async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const order: PaymentOrder = { ...payout(), reference: await referenceFor(view, payout()) };
      const { groupKey, signerKeys } = vault.keys;
      for (const keys of [
        { groupKey: groupKey.slice(2), signerKeys: signerKeys.slice(1) },
        { groupKey: `${groupKey}00`, signerKeys: [...signerKeys, ...signerKeys.slice(0, 1)] },
        { groupKey: `zz${groupKey.slice(2)}`, signerKeys: signerKeys.map((key) => `04${key.slice(2)}`) },
      ])
        expect(() => adapter.build({ ...vault, keys: { ...vault.keys, ...keys } }, order)).toThrow(RangeError);
    });

    it.runIf(chain.isCoinAlone === true)('takes and pays its coin alone', async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const order: PaymentOrder = { ...payout(), reference: await referenceFor(view, payout()) };
      const other = { ...view, vault: { ...vault, token: 'TOKEN' } };
      await expect((async () => adapter.depositPlace(other, COMMITMENT, '5'))()).rejects.toThrow(RangeError);
      await expect(referenceFor(other, payout())).rejects.toThrow(RangeError);
      expect(() => adapter.build(other.vault, order)).toThrow(RangeError);
      expect(() => adapter.complete(other.vault, order, cluster.sign(adapter.build(vault, order)))).toThrow(RangeError);
    });

    it.runIf(chain.refund !== undefined)("counts a transfer's own payments apart from the vault's", async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      node.deposit(await adapter.depositPlace(view, COMMITMENT, String(chain.deposit)), chain.deposit);
      node.finalize();
      const own = payout({ kind: 'refund', amount: String(chain.deposit) });
      const apart = await referenceFor(view, own);
      const alone = await referenceFor(view, payout());
      expect(await referenceFor(view, payout(), [apart])).toBe(alone);
      expect(await referenceFor(view, own, [alone])).toBe(apart);
      for (const [order, reference] of [
        [own, alone],
        [payout(), apart],
      ] as const)
        expect(() => adapter.build(vault, { ...order, reference })).toThrow(RangeError);
    });

    it('gives no reference to a vault that has too little', async () => {
      const { node, view } = start();
      node.fund(home, chain.payout);
      await expect(referenceFor(view, payout({ amount: String(chain.payout + 1n) }))).rejects.toThrow(
        InsufficientFunds,
      );
    });

    it.runIf(vault.token === null && chain.areCostsApart !== true)(
      'leaves a vault what its payment costs and its account has to keep',
      async () => {
        const { node, view } = start();
        node.fund(home, chain.payout);
        await expect(referenceFor(view, payout())).rejects.toThrow(InsufficientFunds);
      },
    );

    it('is known for paying refunds out of their deposits, or not', () => {
      expect(refundsFromDeposit(vault)).toBe(chain.refund !== undefined);
      expect(sweepsDeposits(vault)).toBe(adapter.sweepable !== undefined);
    });

    it.runIf(vault.custody === undefined)(
      'takes its own address for the vault’s, and asks no node for that',
      async () => {
        const refuse = () => Promise.reject(new Error('no node is asked'));
        const nobody = () => ({ rpc: refuse, get: refuse, post: refuse });
        const { payeeFault } = chainCalls({ transportOf: nobody, custodyOf: nobody, relayer: null });
        expect(await payeeFault(vault, home)).toBe('own');
        expect(await payeeFault(vault, chain.refused[0]!)).toBe('keyless');
      },
    );

    it.runIf(chain.refund === undefined)('cancels a payment that the vault could not pay', async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const order = payout({ kind: 'cancel', to: home, amount: String(chain.amountMax) });
      expect(await referenceFor(view, order)).not.toBe('');
    });

    it.runIf(chain.refund !== undefined)("gives nothing back from a transfer's account that has nothing", async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const refund = payout({ kind: 'refund', amount: String(chain.deposit) });
      await expect(referenceFor(view, refund)).rejects.toThrow(InsufficientFunds);
    });

    it('says where nobody takes a payment, and hands in none without its name', async () => {
      const { node, view } = start();
      node.fund(home, chain.funds);
      const payment = signed({ ...payout(), reference: await referenceFor(view, payout()) });
      for (const error of [new RpcRefusal(-1, 'no such thing'), new Error('away')]) {
        const refuse = () => Promise.reject(error);
        const transport: ChainTransport = { rpc: refuse, get: refuse, post: refuse };
        await expect(adapter.broadcast({ ...view, transport }, payment)).rejects.toThrow();
      }
      if (payment.transaction !== null && chain.areNamesWithin !== true)
        await expect(adapter.broadcast(view, { ...payment, transaction: null })).rejects.toThrow(RangeError);
    });

    it('believes no answer of another form', async () => {
      const { view } = start();
      for (const answer of [null, {}, [], 'no', 7]) {
        const odd = async () => answer;
        const transport: ChainTransport = { rpc: odd, get: odd, post: odd };
        await expect(referenceFor({ ...view, transport }, payout())).rejects.toThrow();
      }
    });
  });
}
