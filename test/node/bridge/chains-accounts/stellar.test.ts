import { ed25519 } from '@noble/curves/ed25519.js';
import { encodeMuxedAccount, encodeMuxedAccountToAddress, Networks, StrKey, Transaction } from '@stellar/stellar-base';
import { expect, it } from 'vitest';
import { InsufficientFunds, type PaymentOrder, type Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { stellar } from '../../../../domain/bridge/chains/stellar/stellar.ts';
import { stellarAccountOf } from '../../../../domain/bridge/chains/stellar/stellar-payment.ts';
import { type AnswerChanges, changedAnswers } from './changed-answers.ts';
import { COMMITMENT, describeChain, more, OTHER_COMMITMENT, stating } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { PAYERS } from './payers.ts';
import { placeAt } from './place-at.ts';
import { stellarNode } from './stellar-node.ts';

const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const account = (fill: number) =>
  StrKey.encodeEd25519PublicKey(Buffer.from(ed25519.getPublicKey(Buffer.alloc(32, fill))));
const MUXED = encodeMuxedAccountToAddress(encodeMuxedAccount(account(1), '420'), true);

const vaultOf =
  (token: string | null) =>
  (keys: Vault['keys']): Vault => ({
    chain: 'stellar',
    network: 'mainnet',
    keys,
    contract: null,
    token,
    decimals: 7,
  });

const shared = {
  adapter: stellar,
  home: ({ keys }: Vault) => stellarAccountOf(keys.groupKey),
  ...PAYERS.stellar,
  addresses: [account(1), account(2), MUXED] as const,
  refused: [
    `${account(1).slice(0, -1)}A`,
    StrKey.encodeContract(Buffer.alloc(32, 1)),
    StrKey.encodeEd25519SecretSeed(Buffer.alloc(32, 1)),
    account(1).toLowerCase(),
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  ],
  wrongMemos: (commitment: string) => [null, commitment.slice(0, 28), commitment.toUpperCase()],
  dearest: stating('fee', () => '100000'),
  lies: [
    ['a sequence far ahead', stating('sequence', more(2_000n)), 'now'],
    ['a ledger to come', stating('ledger', more(1_000n)), 'now'],
  ] as const,
  greedy: (reference: string) => reference.replace(/fee=\d+/, 'fee=100001'),
  amountMax: 2n ** 63n - 1n,
};

describeChain('Stellar', {
  ...shared,
  vault: vaultOf(null),
  node: () => stellarNode(null),
  deposit: 250_000_000n,
  payout: 200_000_000n,
  funds: 2_000_000_000n,
});

describeChain('assets of Stellar', {
  ...shared,
  vault: vaultOf(`USDC:${ISSUER}`),
  node: () => {
    const node = stellarNode({ code: 'USDC', issuer: ISSUER });
    for (const address of [account(1), account(2)]) node.fund(address, 0n);
    return node;
  },
  deposit: 250_000_001n,
  payout: 200_000_001n,
  funds: 2_000_000_000n,
});

const { keys, sign } = frostCluster();
const vault = vaultOf(null)(keys);
const order: PaymentOrder = {
  kind: 'payout',
  commitment: COMMITMENT,
  to: MUXED,
  amount: '5',
  reference: 'sequence=7 fee=100 opens=no ledger=1',
};

it("pays to an exchange's customer by its muxed account", () => {
  const { raw } = stellar.complete(vault, order, sign(stellar.build(vault, order)));
  expect(new Transaction(raw, Networks.PUBLIC).operations[0]).toMatchObject({
    destination: MUXED,
    amount: '0.0000005',
  });
});

it('signs for its own network alone', () => {
  expect(stellar.build({ ...vault, network: 'testnet' }, order)).not.toEqual(stellar.build(vault, order));
});

it('opens no account by tokens, and none of a customer', () => {
  const opens = { ...order, reference: 'sequence=7 fee=100 opens=yes ledger=1' };
  expect(() => stellar.build(vault, opens)).toThrow(RangeError);
  expect(() => stellar.build(vaultOf(`USDC:${ISSUER}`)(keys), { ...opens, to: account(1) })).toThrow(RangeError);
});

it('is void where the payment failed, and knows its own through the fee of another', async () => {
  const node = stellarNode(null);
  node.fund(shared.home(vault), 300_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const wanted = { kind: 'payout', commitment: COMMITMENT, to: account(1), amount: '200000000', attempt: 1 } as const;
  const first = { ...wanted, reference: await stellar.referenceFor(view, wanted, []) };
  expect(first.reference).toContain('opens=yes');
  node.fund(account(1), 0n);
  await expect(
    stellar.broadcast(view, stellar.complete(vault, first, sign(stellar.build(vault, first)))),
  ).rejects.toThrow('tx_failed');
  expect(await stellar.statusOf(view, first)).toMatchObject({ state: 'void' });
  const second = { ...wanted, reference: await stellar.referenceFor(view, wanted, [first.reference]) };
  const payment = stellar.complete(vault, second, sign(stellar.build(vault, second)));
  await stellar.broadcast(view, payment);
  const bumped = async (path: string) => {
    const answer = (await node.transport.get(path)) as { _embedded?: { records: Record<string, unknown>[] } };
    if (!path.includes('/transactions')) return answer;
    const records = answer._embedded!.records.map((row) => ({
      ...row,
      hash: 'ff'.repeat(32),
      signatures: [Buffer.alloc(64).toString('base64')],
      inner_transaction: { hash: row.hash, signatures: row.signatures },
    }));
    return { _embedded: { records } };
  };
  const status = await stellar.statusOf({ ...view, transport: { ...node.transport, get: bumped } }, second);
  expect(status).toMatchObject({ state: 'paid', transaction: payment.transaction });
});

it('counts each payment of a transaction, and none that failed or is of another asset', async () => {
  const node = stellarNode(null);
  const view = { vault, transport: node.transport, relayer: null };
  const place = await stellar.depositPlace(view, COMMITMENT, '5');
  for (const amount of [5n, 6n, 7n, 8n, 9n]) node.deposit(place, amount);
  node.deposit(await stellar.depositPlace(view, OTHER_COMMITMENT, '5'), 1n);
  const changes: Record<string, object> = {
    '0.0000006': { transaction_successful: false },
    '0.0000007': { asset_type: 'credit_alphanum4', asset_code: 'XLM', asset_issuer: ISSUER },
    '0.0000008': { type: 'account_merge' },
  };
  const get = async (path: string) => {
    const answer = (await node.transport.get(path)) as { _embedded: { records: Record<string, unknown>[] } };
    const records = answer._embedded.records.map((row) => ({ ...row, ...changes[row.amount as string] }));
    return { _embedded: { records } };
  };
  const found = await stellar.deposits(
    { ...view, transport: { ...node.transport, get } },
    COMMITMENT,
    PAYERS.stellar.payer,
  );
  expect(found.map(({ amount }) => amount)).toEqual(['5', '9']);
});

it.each<[string, string | null, AnswerChanges]>([
  ['that another account got', null, { to: account(2) }],
  ['that the vault sent', null, { from: shared.home(vault) }],
  ['whose memo is of another kind', null, { 'transaction.memo_type': 'return' }],
  ['of an asset instead of lumens', null, { asset_type: 'credit_alphanum4', asset_code: 'USDC', asset_issuer: ISSUER }],
  ['of lumens instead of an asset', `USDC:${ISSUER}`, { asset_type: 'native' }],
  ['of an asset of another issuer', `USDC:${ISSUER}`, { asset_issuer: account(2) }],
  ['of another asset of the issuer', `USDC:${ISSUER}`, { asset_code: 'USDX' }],
  ['of nothing', null, { amount: '0.0000000' }],
])('counts no deposit %s', async (_, token, changes) => {
  const own = vaultOf(token)(keys);
  const node = stellarNode(token === null ? null : { code: 'USDC', issuer: ISSUER });
  node.deposit(placeAt(stellar, own, COMMITMENT, '25'), 25n);
  const found = (transport: typeof node.transport) =>
    stellar.deposits({ vault: own, transport, relayer: null }, COMMITMENT, PAYERS.stellar.payer);
  expect(await found(node.transport)).toHaveLength(1);
  const inFirst = Object.fromEntries(
    Object.entries(changes).map(([path, value]) => [`_embedded.records.0.${path}`, value]),
  );
  expect(await found(changedAnswers(node.transport, '/payments', inFirst))).toEqual([]);
});

it.each<[string, AnswerChanges]>([
  ['of another account', { '_embedded.records.0.source_account': account(2) }],
  ['of another sequence', { '_embedded.records.0.source_account_sequence': '9' }],
])('takes no transaction %s for its payment', async (_, changes) => {
  const node = stellarNode(null);
  for (const address of [shared.home(vault), account(1)]) node.fund(address, 300_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const wanted = { kind: 'payout', commitment: COMMITMENT, to: account(1), amount: '5', attempt: 1 } as const;
  const paid = { ...wanted, reference: await stellar.referenceFor(view, wanted, []) };
  await stellar.broadcast(view, stellar.complete(vault, paid, sign(stellar.build(vault, paid))));
  expect(await stellar.statusOf(view, paid)).toMatchObject({ state: 'paid' });
  const transport = changedAnswers(node.transport, '/transactions', changes);
  await expect(stellar.statusOf({ ...view, transport }, paid)).rejects.toThrow('no transaction is known');
});

it('pays nothing that the vault has offered to sell, and assets in seven decimals alone', async () => {
  const node = stellarNode(null);
  for (const address of [shared.home(vault), account(1)]) node.fund(address, 300_000_000n);
  const wanted = { kind: 'payout', commitment: COMMITMENT, to: account(1), amount: '200000000', attempt: 1 } as const;
  const transport = changedAnswers(node.transport, '/accounts/', { 'balances.0.selling_liabilities': '10.0000000' });
  const view = { vault, transport, relayer: null };
  await expect(stellar.referenceFor(view, wanted, [])).rejects.toThrow(InsufficientFunds);
  expect(() => stellar.build({ ...vault, decimals: 6 }, order)).toThrow(RangeError);
});
