import { readFileSync } from 'node:fs';
import { Ed25519PublicKey } from '@mysten/sui/keypairs/ed25519';
import { buildSchema, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { sui } from '../../../../domain/bridge/chains/sui/sui.ts';
import { suiAddressOf } from '../../../../domain/bridge/chains/sui/sui-payment.ts';
import { COINS, EXECUTE, RECEIVED, USE } from '../../../../domain/bridge/chains/sui/sui-queries.ts';
import { type AnswerChanges, changedAnswers } from './changed-answers.ts';
import { COMMITMENT, describeChain, more, stating } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { PAYERS } from './payers.ts';
import { placeAt } from './place-at.ts';
import { suiNode } from './sui-node.ts';

const SUI = 1_000_000_000n;
const address = (fill: string) => `0x${fill.repeat(31)}5e`;
const home = ({ keys }: Vault) => suiAddressOf(keys.groupKey);
const vaultOf = (keys: Vault['keys']): Vault => ({
  chain: 'sui',
  network: 'mainnet',
  keys,
  contract: null,
  token: null,
  decimals: 9,
});

describeChain('Sui', {
  adapter: sui,
  vault: vaultOf,
  home,
  node: suiNode,
  ...PAYERS.sui,
  addresses: [address('b1'), address('b2')],
  refused: [
    '0x2',
    `0x${'0'.repeat(63)}2`,
    address('B1'),
    'b1'.repeat(32),
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ],
  deposit: 25n * SUI,
  payout: 20n * SUI,
  refund: { paid: 25n * SUI - 20_000_000n },
  funds: 200n * SUI,
  isCoinAlone: true,
  amountMax: 2n ** 64n - 1n,
  dearest: stating('price', () => '10000'),
  lies: [['an epoch far ahead', stating('epoch', more(2n)), 'now']],
  greedy: (reference) => reference.replace(/price=\d+/, 'price=10001'),
});

const { keys, sign } = frostCluster();
const vault = vaultOf(keys);
const wanted = { kind: 'payout', commitment: COMMITMENT, to: address('b1'), amount: '5', attempt: 1 } as const;

function start() {
  const node = suiNode();
  node.fund(home(vault), 100n * SUI);
  return { node, view: { vault, transport: node.transport, relayer: null } };
}

it('has the address that the library gives the key', () => {
  const key = new Ed25519PublicKey(Buffer.from(keys.groupKey, 'hex'));
  expect(suiAddressOf(keys.groupKey)).toBe(key.toSuiAddress());
});

it('is void once its last epoch is over and its coins are as they were', async () => {
  const { node, view } = start();
  const order = { ...wanted, reference: await sui.referenceFor(view, wanted, []) };
  node.nextEpoch();
  expect(await sui.statusOf(view, order)).toEqual({ state: 'unspent' });
  node.nextEpoch();
  expect(await sui.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 1 });
  await expect(sui.broadcast(view, sui.complete(vault, order, sign(sui.build(vault, order))))).rejects.toThrow(
    'Expired',
  );
});

it('asks what the schema has', () => {
  const schema = buildSchema(readFileSync('node_modules/@mysten/sui/src/graphql/generated/schema.graphql', 'utf8'));
  const queries = [COINS, RECEIVED, USE, EXECUTE];
  expect(queries.map((query) => validate(schema, parse(query)))).toEqual([[], [], [], []]);
});

it('takes several coins where one is too small, and none that another payment uses', async () => {
  const { view } = start();
  const whole = { ...wanted, amount: String(60n * SUI) };
  const reference = await sui.referenceFor(view, whole, []);
  expect(reference.match(/0x/g)).toHaveLength(3);
  await expect(sui.referenceFor(view, whole, [reference])).rejects.toThrow('no 64 free coins');
});

it('pays out what sweeps of small deposits have brought, and gathers the smallest while there are many', async () => {
  const { node, view } = start();
  for (let times = 0; times < 18; times += 1) node.fund(home(vault), 10n * SUI);
  const pay = async (amount: bigint) => {
    const order = { ...wanted, amount: String(amount) };
    const reference = await sui.referenceFor(view, order, []);
    const paying = { ...order, reference };
    await sui.broadcast(view, sui.complete(vault, paying, sign(sui.build(vault, paying))));
    expect(await sui.statusOf(view, paying)).toMatchObject({ state: 'paid' });
    return reference.match(/0x/g)?.length;
  };
  // Of 76 coins: four of 25, the others of 2.5.
  expect(await pay(30n * SUI)).toBe(64);
  // The smallest have become one.
  expect(await pay(1n * SUI)).toBe(1);
  expect(await pay(200n * SUI)).toBeLessThan(10);
});

it('brings in what was paid in many coins, by as many sweeps as it takes', async () => {
  const { node, view } = start();
  const { address: own } = placeAt(sui, vault, COMMITMENT, '5');
  for (let times = 0; times < 20; times += 1) node.fund(own, 1n * SUI);
  const swept: string[] = [];
  for (let times = 0; times < 2; times += 1) {
    const amount = (await sui.sweepable?.(view, COMMITMENT)) ?? '0';
    swept.push(amount);
    const order = { kind: 'sweep', commitment: COMMITMENT, to: '', amount, attempt: times } as const;
    const sweep = { ...order, reference: await sui.referenceFor(view, order, []) };
    expect(await sui.checkReference(view, sweep)).toMatchObject({ fault: null });
    await sui.broadcast(view, sui.complete(vault, sweep, sign(sui.build(vault, sweep))));
  }
  // 64 coins of a quarter, then 16 with what the first has left of its fee.
  expect(swept).toEqual([String(16n * SUI), String(4n * SUI + 18_000_000n)]);
  expect(node.balance(own)).toBeLessThan(20_000_000n);
});

it('builds nothing with a coin twice', async () => {
  const { view } = start();
  const reference = await sui.referenceFor(view, wanted, []);
  const twice = reference.replace(/coins=(\S+)/, 'coins=$1,$1');
  expect(() => sui.build(vault, { ...wanted, reference: twice })).toThrow(RangeError);
});

it('knows funds of a transfer after they have been given back', async () => {
  const { node, view } = start();
  node.deposit(await sui.depositPlace(view, COMMITMENT, '5'), 9n * SUI);
  const refund = { ...wanted, kind: 'refund', amount: String(9n * SUI) } as const;
  const order = { ...refund, reference: await sui.referenceFor(view, refund, []) };
  await sui.broadcast(view, sui.complete(vault, order, sign(sui.build(vault, order))));
  expect((await sui.deposits(view, COMMITMENT, PAYERS.sui.payer)).map(({ amount }) => amount)).toEqual([
    String(9n * SUI),
  ]);
});

it.each<[string, AnswerChanges]>([
  ['that failed', { 'effects.status': 'FAILURE' }],
  ['that the account itself sent', { 'sender.address': placeAt(sui, vault, COMMITMENT, '5').address }],
  ['that another account got', { 'effects.balanceChanges.nodes.1.owner.address': address('b2') }],
  ['of another coin', { 'effects.balanceChanges.nodes.1.coinType.repr': `${address('b3')}::usdc::USDC` }],
  ['whose coin another has', { 'effects.objectChanges.nodes.0.outputState.owner.address.address': address('b2') }],
  ['in an object that nobody owns alone', { 'effects.objectChanges.nodes.0.outputState.owner': {} }],
  [
    'in an object that is no coin',
    { 'effects.objectChanges.nodes.0.outputState.asMoveObject.contents.type.repr': '0x2::sui::Box' },
  ],
  ['that takes something away', { 'effects.balanceChanges.nodes.1.amount': '-5' }],
])('counts no deposit %s', async (_, changes) => {
  const { node, view } = start();
  node.deposit(placeAt(sui, vault, COMMITMENT, '5'), SUI);
  expect(await sui.deposits(view, COMMITMENT, PAYERS.sui.payer)).toHaveLength(1);
  const inFirst = Object.fromEntries(
    Object.entries(changes).map(([path, value]) => [`data.transactions.nodes.0.${path}`, value]),
  );
  const transport = changedAnswers(node.transport, 'affectedAddress', inFirst);
  expect(await sui.deposits({ ...view, transport }, COMMITMENT, null)).toEqual([]);
});

it('counts of a deposit what it brings in coins, and no more of them than a sweep brings in', async () => {
  const { node, view } = start();
  const place = placeAt(sui, vault, COMMITMENT, '5');
  node.depositInCoins(place, 100n * SUI, 0);
  expect(await sui.deposits(view, COMMITMENT, PAYERS.sui.payer)).toEqual([]);
  node.depositInCoins(place, 100n * SUI, 100);
  node.depositInCoins(place, 50n * SUI, 50);
  expect((await sui.deposits(view, COMMITMENT, PAYERS.sui.payer)).map(({ amount }) => amount)).toEqual(
    [50n, 50n].map((coins) => String(coins * SUI)),
  );
});

it('is void where its payment failed', async () => {
  const { node, view } = start();
  const order = { ...wanted, reference: await sui.referenceFor(view, wanted, []) };
  await sui.broadcast(view, sui.complete(vault, order, sign(sui.build(vault, order))));
  const transport = changedAnswers(node.transport, 'objectVersionsAfter', {
    'data.object.objectVersionsAfter.nodes.0.previousTransaction.effects.status': 'FAILURE',
  });
  expect(await sui.statusOf({ ...view, transport }, order)).toMatchObject({ state: 'void' });
});
