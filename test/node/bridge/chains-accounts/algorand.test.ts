import { encodeAddress } from 'algosdk';
import { expect, it } from 'vitest';
import { algorand } from '../../../../domain/bridge/chains/algorand/algorand.ts';
import { algorandAddressOf } from '../../../../domain/bridge/chains/algorand/algorand-payment.ts';
import { InsufficientFunds, type PaymentOrder, type Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { algorandNode } from './algorand-node.ts';
import { type AnswerChanges, changedAnswers } from './changed-answers.ts';
import { COMMITMENT, describeChain, more, stating } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { PAYERS } from './payers.ts';
import { placeAt } from './place-at.ts';

const USDC = 31_566_704n;
const address = (fill: number) => encodeAddress(new Uint8Array(32).fill(fill));
const vaultOf =
  (token: string | null) =>
  (keys: Vault['keys']): Vault => ({
    chain: 'algorand',
    network: 'mainnet',
    keys,
    contract: null,
    token,
    decimals: 6,
  });

const shared = {
  adapter: algorand,
  home: ({ keys }: Vault) => algorandAddressOf(keys.groupKey),
  ...PAYERS.algorand,
  addresses: [address(1), address(2)] as const,
  refused: [`${address(1).slice(0, -1)}B`, address(1).toLowerCase(), 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  wrongMemos: (commitment: string) => [null, `${commitment}0`, commitment.slice(1), commitment.toUpperCase()],
  dearest: stating('fee', () => '20000'),
  lies: [
    ['rounds far ahead', stating('first', more(10_000n)), 'now'],
    ['fewer rounds', stating('last', more(-950n)), 'now'],
    ['another network', stating('genesis', () => '77'.repeat(32)), 'for good'],
  ] as const,
  greedy: (reference: string) => reference.replace(/fee=\d+/, 'fee=20001'),
  amountMax: 2n ** 64n - 1n,
  placeMax: 2n ** 53n - 1n,
  deposit: 2_500_000n,
  payout: 2_000_000n,
  funds: 20_000_000n,
};

describeChain('Algorand', { ...shared, vault: vaultOf(null), node: () => algorandNode(null) });
describeChain('assets of Algorand', { ...shared, vault: vaultOf(String(USDC)), node: () => algorandNode(USDC) });

const { keys, sign } = frostCluster();
const vault = vaultOf(null)(keys);
const wanted = { kind: 'payout', commitment: COMMITMENT, to: address(1), amount: '5', attempt: 1 } as const;

function start() {
  const node = algorandNode(null);
  node.fund(shared.home(vault), 10_000_000n);
  return { node, view: { vault, transport: node.transport, relayer: null } };
}

it('is void once its rounds are over, and its next payment begins after them', async () => {
  const { node, view } = start();
  const order = { ...wanted, reference: await algorand.referenceFor(view, wanted, []) };
  node.pass(1_000);
  expect(await algorand.statusOf(view, order)).toEqual({ state: 'unspent' });
  node.pass(3);
  expect(await algorand.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 3 });
  await expect(
    algorand.broadcast(view, algorand.complete(vault, order, sign(algorand.build(vault, order)))),
  ).rejects.toThrow('outside of range');
  const next = await algorand.referenceFor(view, wanted, [order.reference]);
  const rounds = (reference: string) => /first=(\d+) last=(\d+)/.exec(reference)!.slice(1).map(Number);
  expect(rounds(next)[0]).toBeGreaterThan(rounds(order.reference)[1]!);
});

it.each([
  ['ends sooner', (first: number) => [first, first + 50]],
  ['begins and ends sooner', (first: number) => [first - 500, first + 500]],
])('is not void by a transaction that holds the lease until it %s', async (_, roundsOf) => {
  const { node, view } = start();
  const order = { ...wanted, reference: await algorand.referenceFor(view, wanted, []) };
  const [first, last] = roundsOf(Number(/first=(\d+)/.exec(order.reference)![1]));
  const reference = order.reference.replace(/first=\d+ last=\d+/, `first=${first} last=${last}`);
  const handIn = (each: PaymentOrder) =>
    algorand.broadcast(view, algorand.complete(vault, each, sign(algorand.build(vault, each))));
  await handIn({ ...order, kind: 'cancel', to: '', amount: '0', reference });
  expect(await algorand.statusOf(view, order)).toEqual({ state: 'unspent' });
  await expect(handIn(order)).rejects.toThrow('overlapping lease');
  node.pass(501);
  await handIn(order);
  expect(node.balance(order.to)).toBe(5n);
  expect(await algorand.statusOf(view, order)).toMatchObject({ state: 'paid' });
});

it('is void by a transaction that holds its lease as long', async () => {
  const { view } = start();
  const order = { ...wanted, reference: await algorand.referenceFor(view, wanted, []) };
  const cancelled = { ...order, kind: 'cancel', to: '', amount: '0' } as const;
  await algorand.broadcast(view, algorand.complete(vault, cancelled, sign(algorand.build(vault, cancelled))));
  expect(await algorand.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 1 });
  expect(await algorand.statusOf(view, cancelled)).toMatchObject({ state: 'void', confirmations: 1 });
});

it.each([
  ['the lease of another transfer', /lease=\w+/, `lease=${'a5'.repeat(32)}`],
  ['another network', /genesis=\w+/, `genesis=${'00'.repeat(32)}`],
  ['more rounds than the chain allows', /last=\d+/, 'last=9001'],
  ['no rounds', /last=\d+/, 'last=1'],
])('builds nothing with %s', async (_, from, to) => {
  const { view } = start();
  const reference = (await algorand.referenceFor(view, wanted, [])).replace(from, to);
  expect(() => algorand.build(vault, { ...wanted, reference })).toThrow(RangeError);
});

// The address of a zero key is published: it takes fees.
it('writes the address of a key', () => {
  expect(algorandAddressOf('00'.repeat(32))).toBe('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ');
});

it('knows first blocks of networks as they are published', () => {
  const hex = (text: string) => Buffer.from(text, 'base64').toString('hex');
  const reference = (genesis: string) => `lease=${COMMITMENT} first=1 last=9 fee=1000 genesis=${hex(genesis)}`;
  const mainnet = { ...wanted, reference: reference('wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=') };
  const testnet = { ...wanted, reference: reference('SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=') };
  expect(() => algorand.build(vault, mainnet)).not.toThrow();
  expect(() => algorand.build(vault, testnet)).toThrow(RangeError);
  expect(() => algorand.build({ ...vault, network: 'testnet' }, testnet)).not.toThrow();
});

const PAID = 'payment-transaction';
const SENT = 'asset-transfer-transaction';

it.each<[string, string | null, AnswerChanges]>([
  ['that the vault sent', null, { sender: shared.home(vault) }],
  ['that another account got', null, { [`${PAID}.receiver`]: address(2) }],
  ['that another account got what was left of', null, { [`${PAID}.amount`]: 0, [`${PAID}.close-amount`]: 9 }],
  ['of more than a number can say', null, { [`${PAID}.amount`]: 2 ** 53 }],
  ['of an asset that another account got', String(USDC), { [`${SENT}.receiver`]: address(2) }],
  ['of another asset', String(USDC), { [`${SENT}.asset-id`]: 7 }],
  ['of an asset left to another', String(USDC), { [`${SENT}.amount`]: 0, [`${SENT}.close-amount`]: 9 }],
])('counts no deposit %s', async (_, token, changes) => {
  const own = vaultOf(token)(keys);
  const node = algorandNode(token === null ? null : USDC);
  node.deposit(placeAt(algorand, own, COMMITMENT, '25'), 25n);
  const found = (transport: typeof node.transport) =>
    algorand.deposits({ vault: own, transport, relayer: null }, COMMITMENT, PAYERS.algorand.payer);
  expect(await found(node.transport)).toHaveLength(1);
  const inFirst = Object.fromEntries(Object.entries(changes).map(([path, value]) => [`transactions.0.${path}`, value]));
  expect(await found(changedAnswers(node.transport, '/indexer/', inFirst))).toEqual([]);
});

it('counts what is left of an account that closes to the vault', async () => {
  const node = algorandNode(null);
  node.deposit(placeAt(algorand, vault, COMMITMENT, '25'), 25n);
  const rest = { 'close-remainder-to': shared.home(vault), 'close-amount': 9 };
  const transport = changedAnswers(node.transport, '/indexer/', {
    [`transactions.0.${PAID}`]: { amount: 25, receiver: shared.home(vault), ...rest },
  });
  expect(await algorand.deposits({ vault, transport, relayer: null }, COMMITMENT, PAYERS.algorand.payer)).toMatchObject(
    [{ amount: '34' }],
  );
});

it.each<[string, AnswerChanges]>([
  ['of another account', { 'transactions.0.sender': address(2) }],
  ['with another lease', { 'transactions.0.lease': Buffer.alloc(32, 7).toString('base64') }],
])('takes no transaction %s for its payment', async (_, changes) => {
  const { node, view } = start();
  const order = { ...wanted, reference: await algorand.referenceFor(view, wanted, []) };
  await algorand.broadcast(view, algorand.complete(vault, order, sign(algorand.build(vault, order))));
  expect(await algorand.statusOf(view, order)).toMatchObject({ state: 'paid' });
  const transport = changedAnswers(node.transport, '/indexer/', changes);
  expect(await algorand.statusOf({ ...view, transport }, order)).toEqual({ state: 'unspent' });
});

it('refuses a node of another network', async () => {
  const { node, view } = start();
  const transport = changedAnswers(node.transport, '/params', { 'genesis-hash': Buffer.alloc(32).toString('base64') });
  await expect(algorand.referenceFor({ ...view, transport }, wanted, [])).rejects.toThrow('another network');
});

it('counts of an asset what a closed account leaves, too, and of the vault’s holdings the very asset', async () => {
  const assets = vaultOf(String(USDC))(keys);
  const node = algorandNode(USDC);
  const view = { vault: assets, transport: node.transport, relayer: null };
  node.deposit(placeAt(algorand, assets, COMMITMENT, '5'), 5n);
  const [found] = await algorand.deposits(view, COMMITMENT, PAYERS.algorand.payer);
  expect(found).toMatchObject({ amount: '5' });
  const of = 'transactions.0.asset-transfer-transaction';
  const closing = changedAnswers(node.transport, '/transactions', {
    [`${of}.close-to`]: shared.home(assets),
    [`${of}.close-amount`]: 9,
  });
  expect(await algorand.deposits({ ...view, transport: closing }, COMMITMENT, PAYERS.algorand.payer)).toMatchObject([
    { amount: '14' },
  ]);
  const elsewhere = changedAnswers(node.transport, '/transactions', {
    [`${of}.close-to`]: address(1),
    [`${of}.close-amount`]: 9,
  });
  expect(await algorand.deposits({ ...view, transport: elsewhere }, COMMITMENT, PAYERS.algorand.payer)).toMatchObject([
    { amount: '5' },
  ]);

  node.fund(shared.home(assets), 10_000_000n);
  expect(await algorand.referenceFor(view, wanted, [])).not.toBe('');
  const other = changedAnswers(node.transport, '/algod/v2/accounts/', { 'assets.0.asset-id': Number(USDC) + 1 });
  await expect(algorand.referenceFor({ ...view, transport: other }, wanted, [])).rejects.toThrow(InsufficientFunds);
});
