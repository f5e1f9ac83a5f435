import { Address, Cell, loadMessage } from '@ton/core';
import { expect, it } from 'vitest';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { ton } from '../../../../domain/bridge/chains/ton/ton.ts';
import { commentBody, walletAddress } from '../../../../domain/bridge/chains/ton/ton-wallet.ts';
import { WALLET_CODE } from '../../../../domain/bridge/chains/ton/wallet-code.ts';
import { type AnswerChanges, changedAnswers } from './changed-answers.ts';
import { COMMITMENT, describeChain, more, stating } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { PAYERS } from './payers.ts';
import { placeAt } from './place-at.ts';
import { tonNode } from './ton-node.ts';

const account = (fill: number, options = {}) =>
  new Address(0, Buffer.alloc(32, fill)).toString({ bounceable: false, ...options });
const vaultOf = (keys: Vault['keys']): Vault => ({
  chain: 'ton',
  network: 'mainnet',
  keys,
  contract: null,
  token: null,
  decimals: 9,
});
const home = ({ keys }: Vault) => walletAddress(keys.groupKey).toString({ bounceable: false });

describeChain('TON', {
  adapter: ton,
  vault: vaultOf,
  home,
  node: tonNode,
  ...PAYERS.ton,
  addresses: [account(1), account(2), account(3, { bounceable: true })],
  refused: [
    account(1, { testOnly: true }),
    new Address(0, Buffer.alloc(32, 1)).toRawString(),
    new Address(-1, Buffer.alloc(32, 1)).toString(),
    `${account(1).slice(0, -1)}A`,
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  ],
  deposit: 2_500_000_000n,
  payout: 2_000_000_000n,
  funds: 20_000_000_000n,
  isCoinAlone: true,
  areKeysApart: true,
  amountMax: 2n ** 63n - 1n,
  wrongMemos: (commitment) => [null, `${commitment} `, commitment.slice(1), commitment.toUpperCase()],
  lies: [
    ['a number far ahead', stating('seqno', more(2_000n)), 'now'],
    ['a logical time to come', stating('after', more(10n ** 15n)), 'now'],
  ],
  greedy: (reference) => reference.replace(/seqno=\d+/, 'seqno=4294967296'),
});

const { keys, sign } = frostCluster();
const vault = vaultOf(keys);

it('has the code of the wallet that the chain knows as v4r2', () => {
  expect(Cell.fromBase64(WALLET_CODE).hash().toString('hex')).toBe(
    'feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0',
  );
});

it('has the address that other wallet programs give the key', () => {
  // By WalletContractV4 of @ton/ton 16.3.0.
  expect(walletAddress('07'.repeat(32)).toString({ bounceable: false })).toBe(
    'UQCQ1LbxOAZaBNioBH64kszbC41MwpjA0r_ijIiqIE9hlf-z',
  );
});

it('counts no deposit that was sent back, or to another', async () => {
  const node = tonNode();
  const view = { vault, transport: node.transport, relayer: null };
  const place = await ton.depositPlace(view, COMMITMENT, '5');
  const deposit = node.deposit as (place: object, amount: bigint, memo: string, change: object) => void;
  deposit(place, 5n, COMMITMENT, {
    out_msgs: [{ hash: 'a', source: null, destination: null, value: '5', bounced: true }],
  });
  deposit({ ...place, address: account(9) }, 6n, COMMITMENT, {});
  deposit(place, 7n, COMMITMENT, {});
  expect((await ton.deposits(view, COMMITMENT, PAYERS.ton.payer)).map(({ amount }) => amount)).toEqual(['7']);
});

it('finds a deposit behind those of strangers with its comment', async () => {
  const node = tonNode();
  const view = { vault, transport: node.transport, relayer: null };
  const place = await ton.depositPlace(view, COMMITMENT, '5');
  for (let count = 0; count < 250; count += 1) node.deposit({ ...place, address: account(9) }, 1n);
  node.deposit(place, 7n);
  expect((await ton.deposits(view, COMMITMENT, PAYERS.ton.payer)).map(({ amount }) => amount)).toEqual(['7']);
});

it('is void where the wallet used its number and could not pay', async () => {
  const node = tonNode();
  node.fund(home(vault), 3_000_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const wanted = { kind: 'payout', commitment: COMMITMENT, to: account(1), amount: '2000000000', attempt: 1 } as const;
  const order = { ...wanted, reference: await ton.referenceFor(view, wanted, []) };
  node.fund(home(vault), 1_000_000_000n);
  await ton.broadcast(view, ton.complete(vault, order, sign(ton.build(vault, order))));
  expect(await ton.statusOf(view, order)).toMatchObject({ state: 'void' });
  expect(node.balance(account(1))).toBe(0n);
});

it('takes no tokens', () => {
  expect(() => placeAt(ton, { ...vault, token: account(5) }, COMMITMENT, '5')).toThrow(RangeError);
});

const RAW = `0:${'9'.repeat(64)}`;

it.each<[string, AnswerChanges]>([
  ['of a transaction of another account', { account: RAW }],
  ['to another account', { 'in_msg.destination': RAW }],
  ['that was handed in from outside', { 'in_msg.source': null }],
  ['that came back', { 'in_msg.bounced': true }],
  ['with another comment', { 'in_msg.message_content.body': commentBody('another').toBoc().toString('base64') }],
  ['of nothing', { 'in_msg.value': '0' }],
])('counts no deposit %s', async (_, changes) => {
  const node = tonNode();
  node.deposit(placeAt(ton, vault, COMMITMENT, '25'), 25n);
  const found = (transport: typeof node.transport) =>
    ton.deposits({ vault, transport, relayer: null }, COMMITMENT, PAYERS.ton.payer);
  expect(await found(node.transport)).toMatchObject([{ confirmations: 0 }]);
  node.finalize();
  expect(await found(node.transport)).toMatchObject([{ confirmations: 1 }]);
  const inFirst = Object.fromEntries(Object.entries(changes).map(([path, value]) => [`transactions.0.${path}`, value]));
  expect(await found(changedAnswers(node.transport, 'ByMessage', inFirst))).toEqual([]);
});

it('takes no message of another account, nor one with another number, for its payment', async () => {
  const node = tonNode();
  node.fund(home(vault), 3_000_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const wanted = { kind: 'payout', commitment: COMMITMENT, to: account(1), amount: '5', attempt: 1 } as const;
  const order = { ...wanted, reference: await ton.referenceFor(view, wanted, []) };
  await ton.broadcast(view, ton.complete(vault, order, sign(ton.build(vault, order))));
  expect(await ton.statusOf(view, order)).toMatchObject({ state: 'paid' });
  const changed = (changes: AnswerChanges) => changedAnswers(node.transport, '/transactions?', changes);
  const sent = changed({ 'transactions.0.in_msg.source': RAW });
  await expect(ton.statusOf({ ...view, transport: sent }, order)).rejects.toThrow('no transaction is known');
  const later = { ...order, reference: order.reference.replace('seqno=0', 'seqno=1') };
  const body = ton.complete(vault, later, sign(ton.build(vault, later)));
  const content = {
    body: loadMessage(Cell.fromBase64(body.raw).beginParse()).body.toBoc().toString('base64'),
    hash: '',
  };
  const numbered = changed({ 'transactions.0.in_msg.message_content': content });
  await expect(ton.statusOf({ ...view, transport: numbered }, order)).rejects.toThrow('no transaction is known');
  const less = changed({ 'transactions.0.out_msgs.0.value': '4' });
  expect(await ton.statusOf({ ...view, transport: less }, order)).toMatchObject({ state: 'void' });
});
