import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex } from '@noble/curves/utils.js';
import { AccountId } from '@polkadot-api/substrate-bindings';
import { expect, it } from 'vitest';
import { InsufficientFunds, type Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { polkadot } from '../../../../domain/bridge/chains/polkadot/polkadot.ts';
import { polkadotAddress, polkadotKey } from '../../../../domain/bridge/chains/polkadot/polkadot-payment.ts';
import { type AnswerChanges, changedAnswers } from './changed-answers.ts';
import { COMMITMENT, describeChain, more, stating } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { polkadotNode } from './polkadot-node.ts';

const DOT = 10_000_000_000n;
const address = (fill: number, format = 0) => AccountId(format).dec(new Uint8Array(32).fill(fill));
const home = ({ keys }: Vault) => polkadotAddress(keys.groupKey, 'mainnet');
const vaultOf = (keys: Vault['keys']): Vault => ({
  chain: 'polkadot',
  network: 'mainnet',
  keys,
  contract: null,
  token: null,
  decimals: 10,
});

describeChain('Polkadot', {
  adapter: polkadot,
  vault: vaultOf,
  home,
  node: polkadotNode,
  addresses: [address(1), address(2)],
  refused: [address(1, 42), address(1, 2), `${address(1).slice(0, -1)}1`, '0x52908400098527886E0F7030069857D2E4169EE7'],
  deposit: 25n * DOT,
  payout: 20n * DOT,
  refund: { paid: 25n * DOT - 500_000_000n },
  funds: 200n * DOT,
  areDepositsOneSum: true,
  isCoinAlone: true,
  amountMax: 2n ** 128n - 1n,
  lies: [
    ['a block of another height', stating('height', more(-128n)), 'for good'],
    ['another block', stating('block', () => '77'.repeat(32)), 'for good'],
    ['a block to come', stating('height', more(1_000n)), 'now'],
    ['another network', stating('genesis', () => '77'.repeat(32)), 'for good'],
    ['another runtime', stating('spec', more(1n)), 'now'],
    ['another version of transactions', stating('version', more(1n)), 'now'],
    ['a nonce far ahead', stating('nonce', more(2_000n)), 'now'],
  ],
  greedy: (reference) => reference.replace(/genesis=\w+/, `genesis=${'00'.repeat(32)}`),
});

const { keys, sign } = frostCluster();
const vault = vaultOf(keys);
const wanted = { kind: 'payout', commitment: COMMITMENT, to: address(1), amount: '5', attempt: 1 } as const;

function start() {
  const node = polkadotNode();
  node.fund(home(vault), 100n * DOT);
  return { node, view: { vault, transport: node.transport, relayer: null } };
}

it('knows the key of an address', () => {
  // The first development account of Substrate, whose addresses are published, and whose key is, too.
  const alice = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';
  expect(polkadotAddress(alice, 'mainnet')).toBe('15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5');
  expect(polkadotAddress(alice, 'testnet')).toBe('5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY');
  expect(polkadotKey('15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', 'mainnet')).toBeNull();
  const other = bytesToHex(ed25519.getPublicKey(new Uint8Array(32).fill(8)));
  expect(bytesToHex(polkadotKey(polkadotAddress(other, 'mainnet'), 'mainnet') ?? new Uint8Array())).toBe(other);
});

it('is void once its blocks are over, and its nonce is free again', async () => {
  const { node, view } = start();
  const order = { ...wanted, reference: await polkadot.referenceFor(view, wanted, []) };
  node.pass(128);
  expect(await polkadot.statusOf(view, order)).toEqual({ state: 'unspent' });
  node.pass(1);
  expect(await polkadot.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 1 });
  await expect(
    polkadot.broadcast(view, polkadot.complete(vault, order, sign(polkadot.build(vault, order)))),
  ).rejects.toThrow('bad signature');
  const next = await polkadot.referenceFor(view, wanted, [order.reference]);
  expect(next).toContain('nonce=0 ');
  expect(next).not.toBe(order.reference);
});

it('is void where the payment failed and used its nonce', async () => {
  const { node, view } = start();
  const whole = { ...wanted, amount: String(90n * DOT) };
  const order = { ...whole, reference: await polkadot.referenceFor(view, whole, []) };
  node.fund(home(vault), DOT);
  await polkadot.broadcast(view, polkadot.complete(vault, order, sign(polkadot.build(vault, order))));
  expect(await polkadot.statusOf(view, order)).toMatchObject({ state: 'void' });
});

it('builds no refund that its fee would eat', async () => {
  const { node, view } = start();
  node.deposit(await polkadot.depositPlace(view, COMMITMENT, '5'), DOT);
  const refund = { ...wanted, kind: 'refund', amount: String(DOT) } as const;
  const order = { ...refund, reference: await polkadot.referenceFor(view, refund, []) };
  expect(() => polkadot.build(vault, { ...order, amount: '500000000' })).toThrow(RangeError);
  expect(() => polkadot.build(vault, { ...order, amount: '500000001' })).not.toThrow();
});

it('believes no node that leaves blocks out', async () => {
  const { node, view } = start();
  const order = { ...wanted, reference: await polkadot.referenceFor(view, wanted, []) };
  node.pass(200);
  const get = async (path: string) => {
    const answer = await node.transport.get(path);
    return Array.isArray(answer) ? answer.slice(1) : answer;
  };
  await expect(polkadot.statusOf({ ...view, transport: { ...node.transport, get } }, order)).rejects.toThrow(
    'other blocks',
  );
});

it.each<[string, AnswerChanges, object]>([
  ['that another account has signed', { '0.extrinsics.1.signature.signer.id': address(2) }, { state: 'unspent' }],
  ['with another nonce', { '0.extrinsics.1.nonce': '9' }, { state: 'unspent' }],
  ['that failed', { '0.extrinsics.1.success': false }, { state: 'void' }],
])('takes no extrinsic %s for its payment', async (_, changes, status) => {
  const { node, view } = start();
  const whole = { ...wanted, amount: String(DOT) };
  const order = { ...whole, reference: await polkadot.referenceFor(view, whole, []) };
  await polkadot.broadcast(view, polkadot.complete(vault, order, sign(polkadot.build(vault, order))));
  expect(await polkadot.statusOf(view, order)).toMatchObject({ state: 'paid' });
  const transport = changedAnswers(node.transport, '/blocks?', changes);
  expect(await polkadot.statusOf({ ...view, transport }, order)).toMatchObject(status);
});

it('believes no node that answers with other blocks, or is of another network', async () => {
  const { node, view } = start();
  const order = { ...wanted, reference: await polkadot.referenceFor(view, wanted, []) };
  node.pass(9);
  const other = changedAnswers(node.transport, '/blocks?', { '3.number': '5' });
  await expect(polkadot.statusOf({ ...view, transport: other }, order)).rejects.toThrow('other blocks');
  const genesis = changedAnswers(node.transport, '/material', { genesisHash: `0x${'00'.repeat(32)}` });
  await expect(polkadot.referenceFor({ ...view, transport: genesis }, wanted, [])).rejects.toThrow('another network');
});

it('takes nothing for a deposit that is frozen, and gives the rest back whoever has sent such coins along', async () => {
  const { node, view } = start();
  node.deposit(await polkadot.depositPlace(view, COMMITMENT, '5'), 7n * DOT);
  const frozen = (amount: bigint) => ({
    ...view,
    transport: changedAnswers(node.transport, '/balance-info', { frozen: String(amount) }),
  });
  const [deposit] = await polkadot.deposits(frozen(2n * DOT), COMMITMENT, null);
  expect(deposit).toMatchObject({ amount: String(5n * DOT), isBalance: true });
  const back = { ...wanted, kind: 'refund', amount: deposit?.amount ?? '' } as const;
  expect(await polkadot.referenceFor(frozen(2n * DOT), back, [])).toContain('nonce=');
  for (const all of [7n * DOT, 8n * DOT]) expect(await polkadot.deposits(frozen(all), COMMITMENT, null)).toEqual([]);
});

it('pays nothing that is frozen', async () => {
  const { node, view } = start();
  const transport = changedAnswers(node.transport, '/balance-info', { frozen: String(100n * DOT) });
  await expect(polkadot.referenceFor({ ...view, transport }, wanted, [])).rejects.toThrow(InsufficientFunds);
});
