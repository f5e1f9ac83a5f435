import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BigNum,
  DataCost,
  FixedTransaction,
  min_ada_for_output,
  TransactionOutput,
} from '@emurgo/cardano-serialization-lib-nodejs';
import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { cardano } from '../../../../domain/bridge/chains/cardano/cardano.ts';
import { addressBytes, addressOfKey } from '../../../../domain/bridge/chains/cardano/cardano-address.ts';
import { cardanoAddress } from '../../../../domain/bridge/chains/cardano/cardano-key.ts';
import { PRICES_MAX, PRICES_MIN, readReference } from '../../../../domain/bridge/chains/cardano/cardano-reference.ts';
import {
  feeOf,
  lovelaceMin,
  signedTransaction,
  transactionBody,
  transactionHash,
} from '../../../../domain/bridge/chains/cardano/cardano-transaction.ts';
import {
  InsufficientFunds,
  type KnownCoin,
  type PaymentOrder,
  RpcRefusal,
  type Vault,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import { httpTransport } from '../../../../protocol/bridge/http-transport.ts';
import { changedAnswers } from '../chains-accounts/changed-answers.ts';
import { isSignedBy } from '../chains-accounts/is-signed-by.ts';
import { placeAt } from '../chains-accounts/place-at.ts';
import { CardanoChain } from './cardano-chain.ts';
import { utxoCluster } from './utxo-cluster.ts';

// The first has a ceremony of keys.
vi.setConfig({ testTimeout: 400_000 });

const POLICY = '0b0d621b5c26d0a1fd0893a4b04c19d860296a69ede1fbcfc5179882';
const NAME = '4e46542d303031';
const TOKEN = `${POLICY}.${NAME}`;
const UNIT = `${POLICY}${NAME}`;
const GARBAGE = `${'ab'.repeat(28)}${'cd'.repeat(32)}`;
const ADA = 1_000_000n;
/** Type 0 of CIP-19, with a share in staking. */
const PAYEE =
  'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs68faae';

const aCommitment = () => randomBytes(32).toString('hex');
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** A chain with a vault, and somebody to pay. */
async function scene(token: string | null = null, network: Vault['network'] = 'local') {
  const cluster = await utxoCluster('frost-ed25519');
  const vault: Vault = {
    chain: 'cardano',
    network,
    keys: cluster.keys,
    contract: null,
    token,
    decimals: 6,
  };
  const node = new CardanoChain();
  const home = cardanoAddress(vault, null);
  const placeOf = (commitment: string) => placeAt(cardano, vault, commitment, '2500000').address;
  const view = (deposited: readonly string[] = [], coins: readonly KnownCoin[] = []) => ({
    ...{ vault, transport: node.transport, relayer: null, deposited, coins },
  });
  const order = async (
    terms: Partial<PaymentOrder>,
    deposited: readonly string[] = [],
    taken: readonly string[] = [],
    coins: readonly KnownCoin[] = [],
  ): Promise<PaymentOrder> => {
    const of = { kind: 'payout', commitment: aCommitment(), to: PAYEE, amount: '100000000', ...terms } as const;
    return { ...of, reference: await cardano.referenceFor(view(deposited, coins), { ...of, attempt: 0 }, taken) };
  };
  const signed = (of: PaymentOrder, by?: readonly number[]) =>
    cardano.complete(vault, of, cluster.sign(cardano.build(vault, of), by));
  const cancelled = (of: PaymentOrder): PaymentOrder => ({ ...of, kind: 'cancel', to: '', amount: '0' });
  return { cluster, vault, node, home, placeOf, view, order, signed, cancelled };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** 150 ADA for each commitment, deep enough; null is the vault's own address. */
function funded({ node, home, placeOf }: Scene, commitments: readonly (string | null)[]): void {
  for (const commitment of commitments)
    node.pay(commitment === null ? home : placeOf(commitment), { lovelace: 150n * ADA });
  node.mine(100);
}

const inputsOf = ({ reference }: PaymentOrder) => readReference(reference).inputs;
const outpointsOf = (order: PaymentOrder) => inputsOf(order).map(({ tx, index }) => `${tx}:${index}`);

describe('deposits of Cardano', () => {
  it('are found by the address of their transfer, counted in blocks, and lost in a rollback', async () => {
    const { vault, node, placeOf, view } = await scene();
    const commitment = aCommitment();
    const place = placeAt(cardano, vault, commitment, '5000000');
    expect(place).toMatchObject({ memo: null, call: null });
    expect(cardano.addressOf(place.address, 'testnet')).toBe(place.address);
    expect(place.address).not.toBe(placeOf(aCommitment()));
    expect(await cardano.deposits(view(), commitment, '')).toEqual([]);
    const tx = node.pay(place.address, { lovelace: 5n * ADA });
    expect(await cardano.deposits(view(), commitment, '')).toEqual([]);
    node.mine(3);
    expect(await cardano.deposits(view(), commitment, '')).toEqual([
      { reference: `${tx}:0`, amount: '5000000', confirmations: 3, at: expect.any(Number) },
    ]);
    node.rollBack(5);
    expect(await cardano.deposits(view(), commitment, '')).toEqual([]);
  });

  it('are still known when they are spent', async () => {
    const at = await scene();
    const commitment = aCommitment();
    funded(at, [commitment]);
    const before = await cardano.deposits(at.view(), commitment, '');
    await cardano.broadcast(at.view(), at.signed(await at.order({}, [commitment])));
    at.node.mine();
    const after = await cardano.deposits(at.view(), commitment, '');
    expect(after).toEqual([{ ...before[0], confirmations: 101 }]);
  });

  it('are none of a transaction whose script failed, nor what is returned of its collateral', async () => {
    const { node, placeOf, view } = await scene();
    const commitment = aCommitment();
    node.pay(placeOf(commitment), { lovelace: 500n * ADA }, { isValid: false });
    node.pay(placeOf(commitment), { lovelace: 500n * ADA }, { collateral: true });
    node.mine(100);
    expect(await cardano.deposits(view(), commitment, '')).toEqual([]);
  });

  it.each([
    ['ADA', null, { lovelace: 7n * ADA }, '7000000'],
    ['a token', TOKEN, { lovelace: 2n * ADA, [UNIT]: 77n }, '77'],
  ] as const)('of %s hold the asset of the vault and nothing else', async (_, token, right, amount) => {
    const { node, placeOf, view } = await scene(token);
    const commitment = aCommitment();
    const other = token === null ? UNIT : GARBAGE;
    node.pay(placeOf(commitment), { ...right, [other]: 1n });
    node.pay(placeOf(commitment), right, { script: 'ef'.repeat(28) });
    if (token !== null) node.pay(placeOf(commitment), { lovelace: 9n * ADA });
    const tx = node.pay(placeOf(commitment), right);
    node.mine();
    expect(await cardano.deposits(view(), commitment, '')).toMatchObject([{ reference: `${tx}:0`, amount }]);
  });

  it('are twenty at most, the oldest', async () => {
    const { node, placeOf, view } = await scene();
    const commitment = aCommitment();
    for (let n = 0; n < 30; n++) {
      node.pay(placeOf(commitment), { lovelace: BigInt(n + 3) * ADA });
      node.mine();
    }
    const found = await cardano.deposits(view(), commitment, '');
    expect(found.map(({ amount }) => amount)).toEqual(Array.from({ length: 20 }, (_, n) => `${n + 3}000000`));
  });

  it('are found by whoever has seen them behind whatever strangers have paid in before, and no other’s', async () => {
    const { node, placeOf, view } = await scene();
    const commitment = aCommitment();
    for (let speck = 0; speck < 41; speck++) node.pay(placeOf(commitment), { lovelace: 3n * ADA });
    node.mine();
    const tx = node.pay(placeOf(commitment), { lovelace: 50n * ADA });
    const foreign = node.pay(placeOf(aCommitment()), { lovelace: 50n * ADA });
    node.mine(2);
    const hidden = await cardano.deposits(view(), commitment, '');
    expect(hidden.map(({ amount }) => amount)).not.toContain('50000000');
    const known = [`${tx}:0`, `${foreign}:0`, `${'ab'.repeat(32)}:0`, 'no reference'];
    const found = await cardano.deposits(view(), commitment, '', known);
    expect(found).toHaveLength(20);
    expect(found).toContainEqual({
      reference: `${tx}:0`,
      amount: '50000000',
      confirmations: 2,
      at: expect.any(Number),
    });
    expect(found.map(({ reference }) => reference)).not.toContain(`${foreign}:0`);
  });

  it('of ADA are so large that they can be given back and cancelled, also when the chain charges twice as much', async () => {
    const at = await scene();
    const commitment = aCommitment();
    at.node.pay(at.placeOf(commitment), { lovelace: 2_499_999n });
    const tx = at.node.pay(at.placeOf(commitment), { lovelace: 2_500_000n });
    at.node.mine();
    expect(await cardano.deposits(at.view(), commitment, '')).toMatchObject([{ reference: `${tx}:0` }]);
    expect(() => placeAt(cardano, at.vault, commitment, '2499999')).toThrow(RangeError);
    at.node.prices = PRICES_MAX;
    const refund = await at.order({ kind: 'refund', commitment, amount: '2500000' });
    expect(outpointsOf(refund)).toEqual([`${tx}:0`]);
    await cardano.broadcast(at.view(), at.signed(refund));
    at.node.dropMempool();
    await cardano.broadcast(at.view(), at.signed(at.cancelled(refund)));
  });

  it('are not said to be gone by a node that knows nothing at all', async () => {
    const { node, view } = await scene();
    node.isEmpty = true;
    await expect(cardano.deposits(view(), aCommitment(), '')).rejects.toThrow();
  });
});

describe('payments of Cardano', () => {
  it('are out of deposits and the vault’s own outputs by any three of five, once, and a node takes them', async () => {
    const at = await scene();
    const deposited = [aCommitment(), aCommitment()];
    for (const by of [
      [0, 1, 2],
      [2, 3, 4],
      [0, 2, 4],
    ]) {
      funded(at, [...deposited, null]);
      const before = at.node.balance(PAYEE).lovelace ?? 0n;
      const of = await at.order({ amount: '220000000' }, deposited);
      expect(await cardano.statusOf(at.view(), of)).toEqual({ state: 'unspent' });
      const payment = at.signed(of, by);
      expect(await cardano.broadcast(at.view(), payment)).toBe(payment.transaction);
      expect(await cardano.broadcast(at.view(), payment)).toBe(payment.transaction);
      expect(await cardano.statusOf(at.view(), of)).toEqual({ state: 'unspent' });
      at.node.mine();
      const paid = { state: 'paid', transaction: payment.transaction };
      expect(await cardano.statusOf(at.view(), of)).toEqual({ ...paid, confirmations: 1 });
      expect(await cardano.broadcast(at.view(), payment)).toBe(payment.transaction);
      at.node.mine(2);
      expect(await cardano.statusOf(at.view(), of)).toEqual({ ...paid, confirmations: 3 });
      expect(at.node.balance(PAYEE).lovelace).toBe(before + 220n * ADA);
      await expect(cardano.statusOf(at.view(), at.cancelled(of))).rejects.toThrow('used by another payment');
    }
  });

  it('that a rollback took out of the chain are handed in again, with the same bytes', async () => {
    const at = await scene();
    funded(at, [null]);
    const of = await at.order({});
    await cardano.broadcast(at.view(), at.signed(of));
    at.node.mine(2);
    expect(await cardano.statusOf(at.view(), of)).toMatchObject({ state: 'paid' });
    at.node.rollBack(2);
    expect(await cardano.statusOf(at.view(), of)).toEqual({ state: 'unspent' });
    const again = at.signed(of, [1, 2, 3]);
    expect(await cardano.broadcast(at.view(), again)).toBe(at.signed(of).transaction);
    at.node.mine();
    expect(await cardano.statusOf(at.view(), of)).toMatchObject({ state: 'paid', confirmations: 1 });
  });

  it('are the same bytes wherever they are built, and take no output that another payment spends', async () => {
    const at = await scene();
    funded(at, [null, null]);
    const first = await at.order({});
    const built = cardano.build(at.vault, first);
    expect(built).toEqual(cardano.build(structuredClone(at.vault), structuredClone(first)));
    expect(built.messages).toEqual([{ bytes: at.signed(first).transaction, tweak: null }]);
    const second = await at.order({}, [], [first.reference]);
    expect(outpointsOf(second).some((each) => outpointsOf(first).includes(each))).toBe(false);
    await expect(at.order({}, [], [first.reference, second.reference])).rejects.toThrow(InsufficientFunds);
  });

  it('are signed once for each key, however many of its outputs they spend', async () => {
    const at = await scene();
    const commitment = aCommitment();
    funded(at, [commitment, commitment, null]);
    const of = await at.order({ amount: '440000000' }, [commitment]);
    expect(inputsOf(of)).toHaveLength(3);
    const { messages } = cardano.build(at.vault, of);
    expect(new Set(messages.map(({ tweak }) => tweak)).size).toBe(2);
    expect(messages).toHaveLength(2);
    await cardano.broadcast(at.view(), at.signed(of));
  });

  it('give a deposit back out of itself, less the fee of the chain', async () => {
    const at = await scene();
    const commitment = aCommitment();
    funded(at, [commitment]);
    at.node.pay(at.home, { lovelace: 500n * ADA });
    at.node.mine();
    const refund = await at.order({ kind: 'refund', commitment, amount: '150000000' });
    expect(inputsOf(refund)).toMatchObject([{ commitment }]);
    const payment = at.signed(refund);
    await cardano.broadcast(at.view(), payment);
    const body = FixedTransaction.from_hex(payment.raw).body();
    expect(body.outputs().len()).toBe(1);
    expect(at.node.balance(PAYEE)).toEqual({ lovelace: 150n * ADA - BigInt(body.fee().to_str()) });
    expect(at.node.balance(at.home)).toEqual({ lovelace: 500n * ADA });
    at.node.mine();
    expect(await cardano.statusOf(at.view(), refund)).toMatchObject({ state: 'paid' });
  });

  it.each([null, TOKEN])(
    'are void for a deposit of %s that was taken away once what that was paid from is spent otherwise',
    async (token) => {
      const at = await scene(token);
      const { node } = at;
      const commitment = aCommitment();
      const held = (quantity: bigint) =>
        token === null ? { lovelace: quantity } : { lovelace: 1_200_000n, [UNIT]: quantity };
      const origin = `${node.pay(PAYEE, { lovelace: 900n * ADA })}:0`;
      node.mine();
      const deposit = node.pay(at.placeOf(commitment), held(150n * ADA), { origin });
      // Of a token, the vault's own output stands before the deposit in the reference.
      let own = deposit;
      for (let more = 10n; token !== null && own >= deposit; more += 1n)
        own = node.pay(at.home, { lovelace: more * ADA });
      node.mine(100);
      const of = { kind: 'refund', commitment, amount: String(150n * ADA) } as const;
      const gone = await at.order(of);
      expect(inputsOf(gone)[0]?.commitment).toBe(token === null ? commitment : null);
      expect(await cardano.statusOf(at.view(), gone)).toEqual({ state: 'unspent' });
      node.rollBack(100);
      await expect(cardano.statusOf(at.view(), gone)).rejects.toThrow('not known now');
      const other = node.pay(PAYEE, { lovelace: 900n * ADA }, { origin });
      await expect(cardano.statusOf(at.view(), gone)).rejects.toThrow('not known now');
      node.mine(60);
      expect(await cardano.statusOf(at.view(), gone)).toEqual({
        state: 'void',
        transaction: other,
        confirmations: 60,
      });
      node.pay(at.placeOf(commitment), held(140n * ADA));
      node.pay(at.home, { lovelace: 10n * ADA });
      node.mine();
      const instead = await at.order({ ...of, amount: String(140n * ADA) });
      await cardano.broadcast(at.view(), at.signed(instead));
      node.mine();
      expect(await cardano.statusOf(at.view(), instead)).toMatchObject({ state: 'paid' });
      expect(await cardano.statusOf(at.view(), gone)).toMatchObject({ state: 'void', transaction: other });
    },
  );

  it('are believed in no reference of a refund that names what its deposit was not paid from', async () => {
    const at = await scene();
    const commitment = aCommitment();
    funded(at, [commitment]);
    const order = await at.order({ kind: 'refund', commitment, amount: '150000000' });
    const { origins = [], ...rest } = readReference(order.reference);
    expect(origins).toHaveLength(1);
    for (const [tx, index] of [
      ['b6'.repeat(32), 0],
      [origins[0]!.tx, 1],
    ] as const) {
      const reference = JSON.stringify({ ...rest, origins: [...origins, { tx, index }] });
      const lie = { ...order, reference };
      expect(await cardano.checkReference(at.view(), lie)).toMatchObject({ fault: { isForGood: true } });
      expect(await cardano.statusOf(at.view(), lie)).toEqual({ state: 'unspent' });
    }
  });

  it.each(['collateral', 'reference'])('name no input of a deposit that is its %s alone', async (what) => {
    const at = await scene();
    const commitment = aCommitment();
    funded(at, [commitment]);
    const transport = changedAnswers(at.node.transport, '/utxos', { [`inputs.0.${what}`]: true });
    const refund = { kind: 'refund', commitment, amount: '150000000', to: PAYEE, attempt: 0 } as const;
    const reference = await cardano.referenceFor({ ...at.view(), transport }, refund, []);
    expect(readReference(reference).origins).toEqual([]);
  });

  it('give back no more than the amount where a stranger has paid in, too', async () => {
    const at = await scene();
    const commitment = aCommitment();
    funded(at, [commitment]);
    at.node.pay(at.placeOf(commitment), { lovelace: 150n * ADA + 1n });
    at.node.mine();
    const refund = await at.order({ kind: 'refund', commitment, amount: '150000000' });
    const payment = at.signed(refund);
    await cardano.broadcast(at.view(), payment);
    const fee = BigInt(FixedTransaction.from_hex(payment.raw).body().fee().to_str());
    expect(at.node.balance(PAYEE)).toEqual({ lovelace: 150n * ADA - fee });
    // The stranger's stays where it was paid: a refund spends the one deposit of its amount.
    expect(at.node.balance(at.placeOf(commitment))).toEqual({ lovelace: 150n * ADA + 1n });
    expect(at.node.balance(at.home)).toEqual({});
  });

  it('are cancelled by the same outputs going back to the vault, after which they can never land', async () => {
    const at = await scene();
    funded(at, [null]);
    const of = await at.order({});
    const cancel = at.signed(at.cancelled(of));
    expect(await cardano.broadcast(at.view(), cancel)).toBe(cancel.transaction);
    at.node.mine(4);
    const ended = { state: 'void', transaction: cancel.transaction, confirmations: 4 };
    expect(await cardano.statusOf(at.view(), of)).toEqual(ended);
    expect(await cardano.statusOf(at.view(), at.cancelled(of))).toEqual(ended);
    await expect(cardano.broadcast(at.view(), at.signed(of))).rejects.toThrow('All inputs are spent');
    expect(at.node.balance(PAYEE)).toEqual({});
  });

  it('that wait for a block are cancelled once the nodes have dropped them', async () => {
    const at = await scene();
    funded(at, [null]);
    const of = await at.order({});
    await cardano.broadcast(at.view(), at.signed(of));
    const cancel = at.signed(at.cancelled(of));
    await expect(cardano.broadcast(at.view(), cancel)).rejects.toThrow('All inputs are spent');
    at.node.dropMempool();
    await cardano.broadcast(at.view(), cancel);
    at.node.mine();
    expect(await cardano.statusOf(at.view(), of)).toMatchObject({ state: 'void', transaction: cancel.transaction });
  });

  it('are out of what is remembered of change and deposits, where strangers hide them, and of nothing that is spent, another’s or taken', async () => {
    const at = await scene();
    const { node, home, placeOf, view, signed } = at;
    const commitment = aCommitment();
    const deposit = node.pay(placeOf(commitment), { lovelace: 150n * ADA });
    funded(at, [null]);
    const paid = signed(await at.order({ amount: '10000000' }));
    await cardano.broadcast(view(), paid);
    node.mine();
    for (const address of [home, placeOf(commitment)])
      for (let speck = 0; speck < 1_001; speck++) node.pay(address, { lovelace: ADA });
    node.mine();
    const of = { amount: '220000000' };
    await expect(at.order(of, [commitment])).rejects.toThrow(InsufficientFunds);
    const coins = [
      { reference: paid.transaction ?? '', commitment: null },
      { reference: `${deposit}:0`, commitment },
      { reference: `${deposit}:1`, commitment },
      { reference: 'none', commitment: null },
    ];
    const found = await at.order(of, [commitment], [], coins);
    expect(outpointsOf(found)).toEqual(expect.arrayContaining([`${paid.transaction}:1`, `${deposit}:0`]));
    await expect(at.order(of, [commitment], [found.reference], coins)).rejects.toThrow(InsufficientFunds);
    const refund = { kind: 'refund', commitment, amount: '150000000' } as const;
    await expect(at.order(refund)).rejects.toThrow(InsufficientFunds);
    expect(outpointsOf(await at.order(refund, [], [], coins))).toEqual([`${deposit}:0`]);
    await cardano.broadcast(view(), signed(found));
    node.mine();
    await expect(at.order(of, [commitment], [], coins)).rejects.toThrow(InsufficientFunds);
  });

  it('are out of coins that are deep, and of change that is not by what that was paid from', async () => {
    const at = await scene(null, 'testnet');
    const { node, home, view } = at;
    funded(at, [null]);
    const origin = `${node.pay(PAYEE, { lovelace: 900n * ADA })}:0`;
    node.mine();
    const young = node.pay(home, { lovelace: 170n * ADA }, { origin });
    node.mine();
    expect(inputsOf(await at.order({})).map(({ lovelace }) => lovelace)).toEqual(['150000000']);
    // Of a stranger's coin nobody knows that it stays.
    await expect(at.order({ amount: '220000000' })).rejects.toThrow(InsufficientFunds);
    const of = await at.order({ amount: '220000000' }, [], [], [{ reference: young, commitment: null }]);
    const { origins = [], ...rest } = readReference(of.reference);
    expect(origins.map(({ tx, index }) => `${tx}:${index}`)).toEqual([origin]);
    expect(await cardano.checkReference(view(), of)).toMatchObject({ fault: null });
    const stated = (more: object) => ({ ...of, reference: JSON.stringify({ ...rest, ...more }) });
    const alone = rest.inputs.filter(({ tx }) => tx === young);
    for (const bare of [stated({}), stated({ inputs: alone, origins: [] }), at.cancelled(stated({}))])
      expect(await cardano.checkReference(view(), bare)).toMatchObject({ fault: { isForGood: false } });
    const other = stated({ origins: [...origins, { tx: 'b6'.repeat(32), index: 0 }] });
    expect(await cardano.checkReference(view(), other)).toMatchObject({ fault: { isForGood: true } });
    node.rollBack(1);
    await expect(cardano.statusOf(view(), of)).rejects.toThrow('not known now');
    const instead = node.pay(PAYEE, { lovelace: 900n * ADA }, { origin });
    node.mine(60);
    expect(await cardano.statusOf(view(), of)).toEqual({ state: 'void', transaction: instead, confirmations: 60 });
  });

  it('that go back are signed once their deposit is deep', async () => {
    const at = await scene(null, 'testnet');
    const commitment = aCommitment();
    at.node.pay(at.placeOf(commitment), { lovelace: 150n * ADA });
    at.node.mine(59);
    const refund = await at.order({ kind: 'refund', commitment, amount: '150000000' });
    expect(await cardano.checkReference(at.view(), refund)).toMatchObject({ fault: { isForGood: false } });
    at.node.mine();
    expect(await cardano.checkReference(at.view(), refund)).toMatchObject({ fault: null });
  });

  it('are out of what is known also where an indexer lists nothing', async () => {
    const at = await scene();
    const { node, view } = at;
    const commitment = aCommitment();
    const deposit = node.pay(at.placeOf(commitment), { lovelace: 150n * ADA });
    node.mine(100);
    const get = async (path: string) => {
      if (path.startsWith('/addresses/')) throw new RpcRefusal(503, 'too busy');
      return node.transport.get(path);
    };
    const of = { kind: 'payout', commitment: aCommitment(), to: PAYEE, amount: '100000000', attempt: 0 } as const;
    const transport = { ...node.transport, get };
    await expect(cardano.referenceFor({ ...view([commitment]), transport }, of, [])).rejects.toThrow('too busy');
    const known = { ...view([commitment], [{ reference: `${deposit}:0`, commitment }]), transport };
    expect(readReference(await cardano.referenceFor(known, of, [])).inputs).toMatchObject([{ tx: deposit }]);
    const more = { ...of, amount: '400000000' };
    await expect(cardano.referenceFor(known, more, [])).rejects.toThrow(InsufficientFunds);
    await expect(cardano.deposits(known, commitment, '', [])).rejects.toThrow('too busy');
    expect(await cardano.deposits(known, commitment, '', [`${deposit}:0`])).toMatchObject([{ confirmations: 100 }]);
  });

  it('are void where another payment has spent their outputs', async () => {
    const at = await scene();
    funded(at, [null]);
    const of = await at.order({});
    const other = at.signed({ ...of, amount: '90000000' });
    await cardano.broadcast(at.view(), other);
    at.node.mine();
    expect(await cardano.statusOf(at.view(), of)).toMatchObject({ state: 'void', transaction: other.transaction });
  });

  it('are void once another payment has spent any of their outputs, with the depth of the deepest', async () => {
    const at = await scene();
    const { node, view, signed } = at;
    funded(at, [null, null]);
    const of = await at.order({ amount: '220000000' });
    const reference = readReference(of.reference);
    const [first, last] = reference.inputs.map((input, n) => ({
      ...of,
      commitment: aCommitment(),
      amount: String(90_000_000 + n),
      reference: JSON.stringify({ ...reference, inputs: [input] }),
    })) as [PaymentOrder, PaymentOrder];
    await cardano.broadcast(view(), signed(last));
    node.mine(6);
    const byLast = { state: 'void', transaction: signed(last).transaction };
    expect(await cardano.statusOf(view(), of)).toEqual({ ...byLast, confirmations: 6 });
    await cardano.broadcast(view(), signed(first));
    node.mine();
    expect(await cardano.statusOf(view(), of)).toEqual({ ...byLast, confirmations: 7 });
    expect(await cardano.statusOf(view(), first)).toMatchObject({ state: 'paid', confirmations: 1 });
    await expect(cardano.broadcast(view(), signed(of))).rejects.toThrow('All inputs are spent');
  });

  it('are void also where a coin of theirs is gone from the chain, once another payment has spent one that is left', async () => {
    const at = await scene();
    const { node, home, view, signed } = at;
    funded(at, [null]);
    node.pay(home, { lovelace: 151n * ADA });
    node.mine(2);
    const of = await at.order({ amount: '220000000' });
    const reference = readReference(of.reference);
    node.rollBack(2);
    await expect(cardano.statusOf(view(), of)).rejects.toThrow('not every output');
    const left = reference.inputs.filter(({ lovelace }) => lovelace === String(150n * ADA));
    const amount = '90000000';
    const other = {
      ...of,
      commitment: aCommitment(),
      amount,
      reference: JSON.stringify({ ...reference, inputs: left }),
    };
    await cardano.broadcast(view(), signed(other));
    node.mine(6);
    expect(await cardano.statusOf(view(), of)).toMatchObject({ state: 'void', confirmations: 6 });
  });

  it('are paid also by a node that does not know what has spent an output', async () => {
    const at = await scene();
    funded(at, [null, null]);
    const of = await at.order({});
    const other = await at.order({}, [], [of.reference]);
    at.node.forgetsSpenders = true;
    await cardano.broadcast(at.view(), at.signed(of));
    const cancel = at.signed(at.cancelled(other));
    await cardano.broadcast(at.view(), cancel);
    at.node.mine();
    expect(await cardano.statusOf(at.view(), of)).toMatchObject({ state: 'paid' });
    expect(await cardano.statusOf(at.view(), other)).toMatchObject({ state: 'void', transaction: cancel.transaction });
  });

  it('have no status by a node that does not know their outputs', async () => {
    const at = await scene();
    funded(at, [null]);
    const of = await at.order({});
    at.node.rollBack(200);
    await expect(cardano.statusOf(at.view(), of)).rejects.toThrow();
  });

  it('spend up to twenty outputs of twenty keys, with a fee of their size and no more', async () => {
    const at = await scene();
    const deposited = Array.from({ length: 20 }, aCommitment);
    funded(at, deposited);
    const of = await at.order({ amount: '2900000000' }, deposited);
    expect(inputsOf(of)).toHaveLength(20);
    const payment = at.signed(of);
    await cardano.broadcast(at.view(), payment);
    const fee = Number(FixedTransaction.from_hex(payment.raw).body().fee().to_str());
    const exact = 44 * (payment.raw.length / 2) + 155_381;
    expect([fee >= exact, fee <= exact + 44 * 8]).toEqual([true, true]);
    await expect(at.order({ amount: '3010000000' }, [...deposited, aCommitment()])).rejects.toThrow(InsufficientFunds);
  });

  it('have change that the next one spends', async () => {
    const at = await scene();
    funded(at, [null]);
    for (let n = 0; n < 3; n++) {
      await cardano.broadcast(at.view(), at.signed(await at.order({ amount: '40000000' })));
      at.node.mine();
    }
    expect(at.node.balance(PAYEE)).toEqual({ lovelace: 120n * ADA });
  });

  it('go on whatever strangers leave at the addresses of vault and transfers', async () => {
    const at = await scene();
    const commitment = aCommitment();
    funded(at, [commitment, null]);
    const bundle = Object.fromEntries(Array.from({ length: 60 }, () => [randomBytes(60).toString('hex'), 1n]));
    for (const address of [at.home, at.placeOf(commitment)])
      for (let n = 0; n < 150; n++) {
        at.node.pay(address, { lovelace: 500n * ADA, ...bundle });
        at.node.pay(address, { lovelace: 500n * ADA }, { script: 'ef'.repeat(28) });
      }
    at.node.mine();
    const of = await at.order({ amount: '250000000' }, [commitment]);
    expect(inputsOf(of).map(({ lovelace }) => lovelace)).toEqual(['150000000', '150000000']);
    await cardano.broadcast(at.view(), at.signed(of));
    const refund = await at.order({ kind: 'refund', commitment, amount: '150000000' });
    expect(inputsOf(refund)).toHaveLength(1);
  });

  it('pay no more than twice of what the chain charges today, and what cancels them pays that much', async () => {
    const at = await scene();
    funded(at, [null]);
    at.node.prices = { feePerByte: 60, feeFixed: 200_000, coinsPerByte: 5_000 };
    const of = await at.order({});
    expect(readReference(of.reference)).toMatchObject(at.node.prices);
    at.node.prices = PRICES_MAX;
    await expect(cardano.broadcast(at.view(), at.signed(of))).rejects.toThrow('FeeTooSmall');
    await cardano.broadcast(at.view(), at.signed(at.cancelled(of)));
    at.node.mine();
    at.node.prices = { feePerByte: 440, feeFixed: 1_553_810, coinsPerByte: 43_100 };
    expect(readReference((await at.order({ amount: '50000000' })).reference)).toMatchObject(PRICES_MAX);
    at.node.prices = { feePerByte: 1, feeFixed: 0, coinsPerByte: 0 };
    expect(readReference((await at.order({ amount: '50000000' })).reference)).toMatchObject(PRICES_MIN);
  });

  it('leave with no signature that is missing, wrong, of too few, or of another payment', async () => {
    const at = await scene();
    const commitment = aCommitment();
    funded(at, [commitment, null]);
    const of = await at.order({ amount: '200000000' }, [commitment]);
    const { vault, cluster } = at;
    const right = cluster.sign(cardano.build(vault, of));
    const other = cluster.sign(cardano.build(vault, { ...of, amount: '199999999' }));
    for (const wrong of [[], right.slice(1), [...right, ...right], right.toReversed(), other])
      expect(() => cardano.complete(vault, of, wrong)).toThrow(RangeError);
    expect(() => cardano.complete(vault, of, [{ kind: 'each', signatures: [] }, ...right.slice(1)])).toThrow(
      RangeError,
    );
    expect(cardano.complete(vault, of, right).transaction).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are refused by nodes when their bytes are changed', async () => {
    const at = await scene();
    funded(at, [null]);
    const { raw, transaction } = at.signed(await at.order({}));
    // One lovelace more for the payee, and one less for the vault.
    const [paid, change] = [100_000_000n, 50_000_000n - BigInt(FixedTransaction.from_hex(raw).body().fee().to_str())];
    const wide = (lovelace: bigint) => `1a${lovelace.toString(16).padStart(8, '0')}`;
    const other = raw.replace(wide(paid), wide(paid + 1n)).replace(wide(change), wide(change - 1n));
    await expect(cardano.broadcast(at.view(), { raw: other, transaction })).rejects.toThrow('InvalidWitnesses');
  });

  it('are built of whole orders and references alone', async () => {
    const at = await scene();
    funded(at, [null, null]);
    const of = await at.order({ amount: '200000000' });
    const build = (change: Partial<PaymentOrder>) => () => cardano.build(at.vault, { ...of, ...change });
    const reference = readReference(of.reference);
    const { inputs } = reference;
    const rewritten = (change: object) => JSON.stringify({ ...reference, ...change });
    for (const text of [
      'other',
      ` ${of.reference}`,
      rewritten({ feePerByte: 89 }),
      rewritten({ feePerByte: 43 }),
      rewritten({ feeFixed: 310_763 }),
      rewritten({ coinsPerByte: 8_621 }),
      rewritten({ more: 1 }),
      rewritten({ inputs: [] }),
      rewritten({ inputs: [inputs[0], inputs[0]] }),
      rewritten({ inputs: inputs.toReversed() }),
      rewritten({ inputs: inputs.map((input) => ({ ...input, quantity: '1' })) }),
      rewritten({ inputs: Array.from({ length: 21 }, (_, n) => ({ ...inputs[0], index: n })) }),
    ])
      expect(build({ reference: text }), text).toThrow(RangeError);
    for (const amount of ['0', '-1', '1.5', '', '01', '1e3', '900000', '299900000', '300000000', `${2n ** 64n}`])
      expect(build({ amount }), amount).toThrow(RangeError);
    for (const to of ['', 'nowhere', cardanoAddress({ ...at.vault, network: 'mainnet' }, null)])
      expect(build({ to }), to).toThrow(RangeError);
    await expect(at.order({ amount: '900000' })).rejects.toThrow(RangeError);
    await expect(at.order({ to: 'nowhere' })).rejects.toThrow(RangeError);
    expect(build({})).not.toThrow();
  });

  it('are chosen by no answer of another form', async () => {
    const { vault } = await scene();
    for (const answer of [null, {}, [], 'no', 7]) {
      const odd = async () => answer;
      const view = { vault, transport: { rpc: odd, get: odd, post: odd }, relayer: null };
      const of = { kind: 'payout', commitment: aCommitment(), to: PAYEE, amount: '5000000', attempt: 0 } as const;
      await expect(cardano.referenceFor(view, of, [])).rejects.toThrow();
      await expect(cardano.deposits(view, of.commitment, '')).rejects.toThrow();
      await expect(cardano.broadcast(view, { raw: '80', transaction: '00'.repeat(32) })).rejects.toThrow();
    }
  });
});

describe('tokens of Cardano', () => {
  it('are at other addresses than ADA, and no payment of one spends outputs of another', async () => {
    const [coin, token] = [await scene(), await scene(TOKEN)];
    const other = await scene(`${POLICY}.`);
    expect(new Set([coin.home, token.home, other.home]).size).toBe(3);
    coin.node.pay(coin.home, { lovelace: 500n * ADA });
    coin.node.pay(token.home, { lovelace: 500n * ADA });
    coin.node.mine();
    const of = await coin.order({ amount: '400000000' });
    expect(inputsOf(of)).toHaveLength(1);
    await expect(coin.order({ amount: '600000000' })).rejects.toThrow(InsufficientFunds);
  });

  it('are paid with the ADA that their output needs, and the rest of both stays in the vault', async () => {
    const at = await scene(TOKEN);
    const commitment = aCommitment();
    at.node.pay(at.placeOf(commitment), { lovelace: 2n * ADA, [UNIT]: 1_000n });
    at.node.pay(at.home, { lovelace: 10n * ADA });
    at.node.mine();
    const of = await at.order({ amount: '700' }, [commitment]);
    const payment = at.signed(of);
    await cardano.broadcast(at.view(), payment);
    at.node.mine();
    const { lovelace = 0n, ...tokens } = at.node.balance(PAYEE);
    expect(tokens).toEqual({ [UNIT]: 700n });
    const least = lovelaceMin(outputOf(700n), PRICES_MIN);
    expect(lovelace).toBe(least);
    const fee = BigInt(FixedTransaction.from_hex(payment.raw).body().fee().to_str());
    expect(at.node.balance(at.home)).toEqual({ lovelace: 12n * ADA - least - fee, [UNIT]: 300n });
    expect(await cardano.statusOf(at.view(), of)).toMatchObject({ state: 'paid' });
  });

  it('wait where the vault has no ADA to send along', async () => {
    const at = await scene(TOKEN);
    const commitment = aCommitment();
    at.node.pay(at.placeOf(commitment), { lovelace: 1_200_000n, [UNIT]: 1_000n });
    at.node.mine();
    await expect(at.order({ amount: '700' }, [commitment])).rejects.toThrow(InsufficientFunds);
    at.node.pay(at.home, { lovelace: 5n * ADA });
    at.node.mine();
    await cardano.broadcast(at.view(), at.signed(await at.order({ amount: '700' }, [commitment])));
  });

  it('are given back with the ADA that came along, less the fee', async () => {
    const at = await scene(TOKEN);
    const commitment = aCommitment();
    at.node.pay(at.placeOf(commitment), { lovelace: 3n * ADA, [UNIT]: 1_000n });
    at.node.pay(at.home, { lovelace: 10n * ADA, [UNIT]: 5_000n });
    at.node.mine();
    const refund = await at.order({ kind: 'refund', commitment, amount: '1000' });
    const payment = at.signed(refund);
    await cardano.broadcast(at.view(), payment);
    const fee = BigInt(FixedTransaction.from_hex(payment.raw).body().fee().to_str());
    expect(at.node.balance(PAYEE)).toEqual({ lovelace: 3n * ADA - fee, [UNIT]: 1_000n });
    expect(at.node.balance(at.home)).toEqual({ lovelace: 10n * ADA, [UNIT]: 5_000n });
  });

  it('are given back with ADA of the vault where too little came along, and out of their own deposit', async () => {
    const at = await scene(TOKEN);
    const commitment = aCommitment();
    const tx = at.node.pay(at.placeOf(commitment), { lovelace: 1_200_000n, [UNIT]: 1_000n });
    at.node.pay(at.home, { lovelace: 10n * ADA, [UNIT]: 5_000n });
    at.node.mine();
    const refund = await at.order({ kind: 'refund', commitment, amount: '1000' });
    expect(outpointsOf(refund)).toContain(`${tx}:0`);
    await cardano.broadcast(at.view(), at.signed(refund));
    expect(at.node.balance(PAYEE)).toEqual({ lovelace: lovelaceMin(outputOf(1_000n), PRICES_MIN), [UNIT]: 1_000n });
    expect(at.node.balance(at.home)).toMatchObject({ [UNIT]: 5_000n });
  });

  it('have no reference that could pay and not be cancelled', async () => {
    const at = await scene(TOKEN);
    const commitment = aCommitment();
    const refund = { kind: 'refund', commitment, amount: '1000' } as const;
    at.node.pay(at.placeOf(commitment), { lovelace: 1_350_000n, [UNIT]: 1_000n });
    at.node.mine();
    await expect(at.order(refund)).rejects.toThrow(InsufficientFunds);
    at.node.pay(at.home, { lovelace: 5n * ADA });
    at.node.mine();
    await cardano.broadcast(at.view(), at.signed(at.cancelled(await at.order(refund))));
  });

  it('go back to the vault whole when their payment is cancelled', async () => {
    const at = await scene(TOKEN);
    const commitment = aCommitment();
    at.node.pay(at.placeOf(commitment), { lovelace: 5n * ADA, [UNIT]: 2n ** 63n });
    at.node.mine();
    const of = await at.order({ amount: String(2n ** 62n) }, [commitment]);
    await cardano.broadcast(at.view(), at.signed(at.cancelled(of)));
    expect(at.node.balance(at.home)).toMatchObject({ [UNIT]: 2n ** 63n });
  });

  it('are named by policy and name', async () => {
    for (const token of ['', POLICY, `${POLICY}${NAME}`, `${POLICY}.${NAME}0`, `${POLICY}.${'00'.repeat(33)}`]) {
      const { vault } = await scene(token);
      expect(() => placeAt(cardano, vault, aCommitment(), '5'), token).toThrow(RangeError);
    }
  });
});

const outputOf = (quantity: bigint) => ({
  address: addressBytes(PAYEE, 'testnet'),
  lovelace: 0n,
  token: { policy: POLICY, name: NAME, quantity },
});

describe('against what others have published', () => {
  /** CIP-19, test vectors, by the type of the address. */
  const ADDRESSES = {
    mainnet: [
      'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
      'addr1z8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gten0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs9yc0hh',
      'addr1yx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerkr0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shs2z78ve',
      'addr1x8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gt7r0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shskhj42g',
      'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
      'addr1w8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcyjy7wx',
    ],
    testnet: [
      PAYEE,
      'addr_test1zrphkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gten0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgsxj90mg',
      'addr_test1yz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerkr0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shsf5r8qx',
      'addr_test1xrphkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gt7r0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shs4p04xh',
      'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz',
      'addr_test1wrphkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcl6szpr',
    ],
  } as const;

  it('addresses of a key, of scripts and with a share in staking (CIP-19, test vectors)', () => {
    const key = Buffer.from(
      bech32.fromWords(bech32.decode('addr_vk1w0l2sr2zgfm26ztc6nl9xy8ghsk5sh6ldwemlpmp9xylzy4dtf7st80zhd', 100).words),
    ).toString('hex');
    expect(addressOfKey(key, 'mainnet')).toBe(ADDRESSES.mainnet[4]);
    expect(addressOfKey(key, 'testnet')).toBe(ADDRESSES.testnet[4]);
    for (const [network, other] of [
      ['mainnet', 'testnet'],
      ['testnet', 'mainnet'],
    ] as const)
      for (const address of ADDRESSES[network]) {
        expect(cardano.addressOf(address, network)).toBe(address);
        expect(cardano.addressOf(address.toUpperCase(), network)).toBe(address);
        expect(cardano.addressOf(address, other), address).toBeNull();
        expect(cardano.addressOf(`${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}`, network)).toBeNull();
      }
  });

  it('no addresses with a pointer, of rewards, of before Shelley, or of another prefix than their network', () => {
    const [{ words }] = [bech32.decode(ADDRESSES.mainnet[4], 100)];
    for (const text of [
      'addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k',
      'addr128phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtupnz75xxcrtw79hu',
      'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw',
      'stake178phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcccycj5',
      '37btjrVyb4KDXBNC4haBVPCrro8AQPHwvCMp3RFhhSVWwfFmZ6wwzSK6JK1hY6wHNmtrpTf1kdbva8TCneM2YsiXT7mrzT21EacHnPpz5YyUdj64na',
      bech32.encode('addr_test', words, 120),
      bech32.encode('stake', words, 120),
      bech32.encode('addr', words.slice(0, -8), 120),
      '0x52908400098527886E0F7030069857D2E4169EE7',
      '',
      'x'.repeat(500),
    ])
      for (const network of ['mainnet', 'testnet', 'local'] as const)
        expect(cardano.addressOf(text, network)).toBeNull();
  });

  it('a transaction byte for byte, with the signature of its key (tests of utxorpc/haskell-sdk)', () => {
    const inputs = [
      { tx: 'f3627a04a2c0020720acbd47e8cc90a1d64e9dac9fca7f12eb78db8174e1fbe6', index: 1 },
      { tx: 'b8be6df6fe61c465ed957d1901bc095c03e31612d1bc70ebfcc05cac984a0088', index: 0 },
    ];
    const address =
      '0053fbfffab7b001281917de77f18a8087413be03401db4aa2a7dbf0ae1591d34d5b4b2728d04a80fdd041bb52edb334dacbf25aa27877e738';
    const outputs = [6_000_000n, 7_852_596_757n].map((lovelace) => ({ address, lovelace, token: null }));
    const fee = 171_661n;
    const key = 'd504d361777f985265a6f0a727e601e70f837574652760456b41731ff4f95258';
    const signature =
      '19102f26af35bf37d9b220f71d68cacf28c596f6f74c45c1732820b61f3cbaed991c2d20e61fa38179ac228a1673b670f32544015d91af74d786aa24c07ce900';
    const published =
      '84a300d9010282825820f3627a04a2c0020720acbd47e8cc90a1d64e9dac9fca7f12eb78db8174e1fbe601825820b8be6df6fe61c465ed957d1901bc095c03e31612d1bc70ebfcc05cac984a0088000182a20058390053fbfffab7b001281917de77f18a8087413be03401db4aa2a7dbf0ae1591d34d5b4b2728d04a80fdd041bb52edb334dacbf25aa27877e738011a005b8d80a20058390053fbfffab7b001281917de77f18a8087413be03401db4aa2a7dbf0ae1591d34d5b4b2728d04a80fdd041bb52edb334dacbf25aa27877e738011b00000001d40d1e15021a00029e8da100d9010281825820d504d361777f985265a6f0a727e601e70f837574652760456b41731ff4f95258584019102f26af35bf37d9b220f71d68cacf28c596f6f74c45c1732820b61f3cbaed991c2d20e61fa38179ac228a1673b670f32544015d91af74d786aa24c07ce900f5f6';
    const body = transactionBody(inputs, outputs, fee);
    expect(signedTransaction(body, [{ key, signature }])).toBe(published);
    expect(isSignedBy(bytes(key), bytes(transactionHash(body)), bytes(signature))).toBe(true);
    expect(address.slice(2, 58)).toBe(addressBytes(addressOfKey(key, 'testnet'), 'testnet').slice(2));
    // Its wallet paid a little more than the size costs.
    const least = feeOf(inputs, outputs, 1, PRICES_MIN);
    expect(least).toBe(44n * BigInt(published.length / 2) + 155_381n);
    expect(least).toBeLessThan(fee);
  });

  it('a transaction with a token byte for byte (tests of Biglup/cardano-c)', () => {
    const inputs = [
      { tx: '027b68d4c11e97d7e065cc2702912cb1a21b6d0e56c6a74dd605889a55611385', index: 0 },
      { tx: 'd3c887d17486d483a2b46b58b01cb9344745f15fdd8f8e70a57f854cdd88a633', index: 1 },
    ];
    const outputs = [
      {
        address:
          '005cf6c91279a859a072601779fb33bb07c34e1d641d45df51ff63b967f15db05f56035465bf8900a09bdaa16c3d8b8244fea686524408dd80',
        lovelace: 15_000_000n,
        token: { policy: POLICY, name: NAME, quantity: 1n },
      },
      {
        address:
          '00dc435fc2638f6684bd1f9f6f917d80c92ae642a4a33a412e516479e64245236ab8056760efceebbff57e8cab220182be3e36439e520a6454',
        lovelace: 220_810_792n,
        token: null,
      },
    ];
    expect(transactionBody(inputs, outputs, 171_705n)).toBe(
      'a300d9010282825820027b68d4c11e97d7e065cc2702912cb1a21b6d0e56c6a74dd605889a5561138500825820d3c887d17486d483a2b46b58b01cb9344745f15fdd8f8e70a57f854cdd88a633010182a2005839005cf6c91279a859a072601779fb33bb07c34e1d641d45df51ff63b967f15db05f56035465bf8900a09bdaa16c3d8b8244fea686524408dd8001821a00e4e1c0a1581c0b0d621b5c26d0a1fd0893a4b04c19d860296a69ede1fbcfc5179882a1474e46542d30303101a200583900dc435fc2638f6684bd1f9f6f917d80c92ae642a4a33a412e516479e64245236ab8056760efceebbff57e8cab220182be3e36439e520a6454011a0d294e28021a00029eb9',
    );
  });

  it('what an output needs, by cardano-cli (tests of SAIB-Inc/Chrysalis) and by the chain’s serialization library', () => {
    const published = {
      address: '70d27ccc13fab5b782984a3d1f99353197ca1a81be069941ffc003ee75',
      lovelace: 1_521_430n,
      token: {
        policy: '8b05e87a51c1d4a0fa888d2bb14dbc25e8c343ea379a171b63aa84a0',
        name: '434e4354',
        quantity: 50n,
      },
    };
    // There with a datum of nine bytes.
    expect(lovelaceMin(published, PRICES_MIN)).toBe(1_068_880n - 9n * 4_310n);
    const cost = DataCost.new_coins_per_byte(BigNum.from_str('4310'));
    const tokens = fc.record({
      policy: fc.constant(POLICY),
      name: fc.uint8Array({ maxLength: 32 }).map((name) => Buffer.from(name).toString('hex')),
      quantity: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
    });
    const address = fc.constantFrom(...ADDRESSES.mainnet).map((text) => addressBytes(text, 'mainnet'));
    fc.assert(
      fc.property(address, fc.option(tokens, { nil: null }), (to, token) => {
        const output = { address: to, lovelace: 1_000_000n, token };
        const least = lovelaceMin(output, PRICES_MIN);
        const [item = ''] = [transactionBody([], [output], 0n).slice('a300d9010280'.length + 4, -4)];
        // The library counts the form of before Babbage, an array, which is two bytes shorter.
        const array = BigInt(min_ada_for_output(TransactionOutput.from_hex(item), cost).to_str());
        expect(least).toBe(array + 2n * 4_310n);
      }),
      { numRuns: 200 },
    );
  });
});

it('transactions reach a node as application/cbor', async () => {
  const hash = 'ab'.repeat(32);
  const got: { type: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    got.push({ type: request.headers['content-type'], body: Buffer.concat(chunks).toString('hex') });
    response.end(JSON.stringify(hash));
  }).listen(0);
  await once(server, 'listening');
  try {
    const { vault } = await scene();
    const transport = httpTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await cardano.broadcast({ vault, transport, relayer: null }, { raw: '84a0', transaction: hash })).toBe(hash);
    expect(got).toEqual([{ type: 'application/cbor', body: '84a0' }]);
  } finally {
    server.close();
  }
});
