import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import { describe, expect, it } from 'vitest';
import { InsufficientFunds, type PaymentOrder, type Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { tron } from '../../../../domain/bridge/chains/tron/tron.ts';
import { tronAddressOf, tronHex, tronHexOfKey } from '../../../../domain/bridge/chains/tron/tron-address.ts';
import { messageDigest } from '../../../../domain/bridge/chains/tron/tron-payment.ts';
import {
  type TronContract,
  tokenTransfer,
  tronRaw,
  tronTxid,
} from '../../../../domain/bridge/chains/tron/tron-transaction.ts';
import { nextStep } from '../../../../domain/bridge/next-step.ts';
import { ecdsaSignRecoverable } from '../../../../domain/bridge/signing/ecdsa.ts';
import { stepTransfer } from '../../../../domain/bridge/step-transfer.ts';
import { newTransfer, type Transfer, type TransferEvent } from '../../../../domain/bridge/transfer.ts';
import { COMMITMENT, describeChain, more, OTHER_COMMITMENT, stating } from './describe-chain.ts';
import { multisigCluster } from './multisig-cluster.ts';
import { placeAt } from './place-at.ts';
import { base58Of, hexOf, permissionOf, tronBlockId, tronNode } from './tron-node.ts';

const HOME = 'TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g';
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const PAYER = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC';
const BOB = 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV';
const CAROL = 'TW1dU4L3eNm7Lw8WvieLKEHpXWAussRG9Z';
const STRANGER = hexOf('THRF3GuPnvvPzKoaT8pJex5XHmo8NNbCb3');
const HOUR_MS = 3_600_000;
const LAG_MS = 600_000;
const cluster = multisigCluster();
const signers = cluster.keys.signerKeys.map(tronHexOfKey);
const vaultOf =
  (token: string | null) =>
  (keys: Vault['keys']): Vault => ({ chain: 'tron', network: 'mainnet', keys, contract: HOME, token, decimals: 6 });

const shared = {
  adapter: tron,
  cluster,
  home: () => HOME,
  node: (vault: Vault) => tronNode(vault, signers, hexOf(PAYER)),
  payer: PAYER,
  addresses: [BOB, CAROL] as const,
  refused: [
    hexOf(BOB),
    'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
    BOB.slice(0, -1),
    `${BOB.slice(0, -1)}W`,
    BOB.toLowerCase(),
    ` ${BOB}`,
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W',
  ],
  deposit: 25_000_000n,
  payout: 20_000_000n,
  funds: 100_000_000n,
  wrongMemos: (commitment: string) => [null, commitment.slice(2), `${commitment} `, commitment.toUpperCase()],
  lies: [
    ['another block', stating('block', (block) => `${block.slice(0, 16)}${'77'.repeat(24)}`), 'for good'],
    ['a later end', stating('expiration', more(3_000n)), 'for good'],
    ['an earlier end', stating('expiration', more(-1n)), 'for good'],
  ] as const,
  greedy: (reference: string) => reference.replace(/fee=\d+/, 'fee=200000001'),
};

describeChain('TRX', {
  ...shared,
  areKeysApart: true,
  vault: vaultOf(null),
  areCostsApart: true,
  amountMax: 2n ** 63n - 1n,
  placeMax: 2n ** 53n - 1n,
});
describeChain('TRC-20 tokens', { ...shared, areKeysApart: true, vault: vaultOf(USDT), amountMax: 2n ** 256n - 1n });

const terms = { kind: 'payout', commitment: COMMITMENT, to: BOB, amount: '20000000' } as const;

function start(token: string | null = null) {
  const vault = vaultOf(token)(cluster.keys);
  const node = tronNode(vault, signers, hexOf(PAYER));
  node.fund(HOME, 100_000_000n);
  const view = { vault, transport: node.transport, relayer: null };
  const signed = (order: PaymentOrder, by?: readonly number[]) =>
    tron.complete(vault, order, cluster.sign(tron.build(vault, order), by));
  const ordered = async (attempt = 0, taken: readonly string[] = []): Promise<PaymentOrder> => ({
    ...terms,
    reference: await tron.referenceFor(view, { ...terms, attempt }, taken),
  });
  return { vault, node, view, signed, ordered };
}

describe('a payment on Tron', () => {
  it('takes any three of five signatures, in any order', async () => {
    for (const by of [
      [0, 1, 2],
      [4, 3, 2],
      [0, 2, 4],
      [1, 4, 3],
    ]) {
      const { node, view, signed, ordered } = start();
      await tron.broadcast(view, signed(await ordered(), by));
      expect(node.balance(BOB), String(by)).toBe(20_000_000n);
    }
  });

  it('lets out nothing with two signatures, four, or two of one signer', async () => {
    const { signed, ordered } = start();
    const order = await ordered();
    for (const kind of ['payout', 'cancel'] as const)
      for (const by of [
        [0, 1],
        [0, 1, 2, 3],
        [0, 0, 1],
      ])
        expect(() => signed({ ...order, kind }, by), `${kind} ${by}`).toThrow(RangeError);
  });

  it('shares its bytes with no other transfer and no other try, also under one reference', async () => {
    const { vault, ordered } = start();
    const [first, second] = [await ordered(1), await ordered(2)];
    expect(second.reference).not.toBe(first.reference);
    const digests = [
      first,
      second,
      { ...first, commitment: OTHER_COMMITMENT },
      { ...first, kind: 'cancel' as const },
    ].map((order) => tron.build(vault, order).messages[0]!.bytes);
    expect(new Set(digests).size).toBe(4);
  });

  it('lands for an hour, and is void once a solidified block is past that, with what a node may be behind', async () => {
    const { node, view, signed, ordered } = start();
    const order = await ordered();
    const { raw, transaction } = signed(order);
    node.mine((HOUR_MS - 60_000) / 3_000);
    expect(await tron.statusOf(view, order)).toEqual({ state: 'unspent' });
    node.mine(40);
    await expect(tron.broadcast(view, { raw, transaction })).rejects.toThrow('TRANSACTION_EXPIRATION_ERROR');
    expect(await tron.statusOf(view, order)).toEqual({ state: 'unspent' });
    node.mine(LAG_MS / 3_000);
    const status = await tron.statusOf(view, order);
    expect(status).toMatchObject({ state: 'void', confirmations: 19 });
    expect(await ordered(1)).not.toEqual(order);
  });

  it('is taken at the last moment, and is paid however late it is asked for', async () => {
    const { node, view, signed, ordered } = start();
    const order = await ordered();
    node.mine(HOUR_MS / 3_000 - 20);
    const transaction = await tron.broadcast(view, signed(order));
    expect(await tron.statusOf(view, order)).toEqual({ state: 'paid', transaction, confirmations: 1 });
    node.mine(3_000);
    expect(await tron.statusOf(view, order)).toEqual({ state: 'paid', transaction, confirmations: 19 });
  });

  it('is unspent again when a reorganization takes it away, and handed in again', async () => {
    const { node, view, signed, ordered } = start();
    const order = await ordered();
    await tron.broadcast(view, signed(order));
    node.reorganize();
    expect(await tron.statusOf(view, order)).toEqual({ state: 'unspent' });
    await tron.broadcast(view, signed(order));
    expect(await tron.statusOf(view, order)).toMatchObject({ state: 'paid' });
  });

  it('is never called void by a node that does not keep what became of transactions', async () => {
    const { node, view, signed, ordered } = start();
    const order = await ordered();
    await tron.broadcast(view, signed(order));
    node.options.keepsResults = false;
    node.finalize();
    await expect(tron.statusOf(view, order)).rejects.toThrow('does not keep');
  });

  it('has a reference of the node’s own chain, which expires an hour later', async () => {
    const { vault, view, ordered } = start();
    const order = await ordered();
    const [, block = '', expiration = ''] = /block=(\w+) expiration=(\d+)/.exec(order.reference)!;
    const other = tronBlockId(Number(`0x${block.slice(0, 16)}`), ' of a fork');
    const later = tronBlockId(Number(`0x${block.slice(0, 16)}`) + 1);
    for (const [reference, reason] of [
      [order.reference.replace(block, other), 'another chain'],
      [order.reference.replace(block, later), 'not have the block'],
      [order.reference.replace(expiration, String(Number(expiration) + 3_000)), 'another chain'],
      [order.reference.replace(expiration, String(Number(expiration) - 1)), 'another chain'],
    ] as const) {
      expect(tron.build(vault, { ...order, reference })).not.toEqual(tron.build(vault, order));
      await expect(tron.statusOf(view, { ...order, reference }), reference).rejects.toThrow(reason);
    }
  });

  it('is by a block to come until a block before it is as late, and never after that', async () => {
    const { node, view, ordered } = start();
    const order = await ordered();
    const [, block = ''] = /block=(\w+)/.exec(order.reference)!;
    const ahead = tronBlockId(Number(`0x${block.slice(0, 16)}`) + 1_000_000);
    const made = { ...order, reference: order.reference.replace(block, ahead) };
    const later = { ...made, reference: stating('expiration', more(BigInt(HOUR_MS)))(made.reference) };
    expect((await tron.checkReference(view, later)).fault).toMatchObject({ isForGood: false });
    expect((await tron.checkReference(view, made)).fault).toMatchObject({ isForGood: true });
    node.finalize();
    expect((await tron.checkReference(view, order)).fault).toBeNull();
  });

  it('goes to nobody who is the vault', async () => {
    const { vault, ordered } = start();
    const order = await ordered();
    expect(() => tron.build(vault, { ...order, to: HOME })).toThrow(RangeError);
  });

  it('has the chain’s fees beside its amount, of a token those of its call', async () => {
    for (const [token, fee] of [
      [null, '0'],
      [USDT, '100000000'],
    ] as const) {
      const { view, vault, ordered } = start(token);
      expect((await ordered()).reference).toMatch(new RegExp(`fee=${fee}$`));
      const poor = tronNode(vault, signers, hexOf(PAYER));
      const order = { ...terms, amount: '1', attempt: 0 };
      await expect(tron.referenceFor({ ...view, transport: poor.transport }, order, [])).rejects.toThrow(
        InsufficientFunds,
      );
    }
    const { ordered } = start(USDT);
    await expect(ordered(2)).rejects.toThrow(InsufficientFunds);
  });

  it('is recognized by nothing but its own hash: a cancelled reference that has paid is an error', async () => {
    const { node, view, signed, ordered } = start();
    const order = await ordered();
    await tron.broadcast(view, signed({ ...order, amount: '7' }));
    expect(await tron.statusOf(view, order)).toEqual({ state: 'unspent' });
    const cancelled = { ...order, kind: 'cancel', to: '', amount: '0' } as const;
    await expect(tron.statusOf(view, cancelled)).rejects.toThrow('used by another payment');
    node.reorganize();
    expect(await tron.statusOf(view, cancelled)).toEqual({ state: 'unspent' });
  });
});

describe('a transfer whose signers are late on Tron', () => {
  const rules = {
    confirmations: 19,
    challengeFrom: null,
    challenge_ms: 0,
    coSignFrom: null,
    queue_ms: 0,
    answer_ms: 0,
    refund_ms: 0,
    landing_ms: 0,
  };
  const place = { kind: 'account', account: 'a' } as const;
  const begun = newTransfer({
    id: 't',
    organization: 'o',
    asset: 'TRX',
    source: place,
    destination: place,
    amountIn: terms.amount,
    amountOut: terms.amount,
    amount: 20_000_000,
    fee: 0,
    expiresAt: 1,
  });
  const funds = { reference: 'f', amount: terms.amount, cameAt: 0, isLost: false };
  const stepped = (transfer: Transfer, event: TransferEvent) => {
    const step = stepTransfer(transfer, event, rules);
    if (!step.ok) throw new Error(step.error);
    return step.value;
  };

  it.each([
    ['payout is given back', 'signing', 'payout'],
    ['refund begins anew', 'refundable', 'refund'],
  ] as const)('has another reference: its %s', async (_, state, kind) => {
    const { node, view, signed, ordered } = start();
    const order = { ...(await ordered(0)), kind };
    const { reference } = order;
    let transfer = stepped({ ...begun, state, funds }, { type: 'payment_fixed', reference, at: 2 });
    expect(nextStep(transfer)).toBe('pay');
    node.mine((HOUR_MS + LAG_MS) / 3_000 + 20);
    const payment = signed(order);
    transfer = stepped(transfer, { type: 'payment_sent', reference, transaction: payment.transaction!, at: 3 });
    await expect(tron.broadcast(view, payment)).rejects.toThrow('EXPIRATION');
    expect(nextStep(transfer)).toBe('watch_payment');
    expect(await tron.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: rules.confirmations });
    transfer = stepped(transfer, { type: 'payment_cancelled', reference, at: 4 });
    expect([transfer.state, nextStep(transfer), transfer.refundReason]).toEqual([
      'refundable',
      'fix_payment',
      'unpayable',
    ]);
    const again = { ...(await ordered(1)), kind: 'refund' as const };
    transfer = stepped(transfer, { type: 'payment_fixed', reference: again.reference, at: 5 });
    const transaction = await tron.broadcast(view, signed(again));
    expect(transfer.payment).toMatchObject({ kind: 'refund', reference: again.reference });
    expect(await tron.statusOf(view, again)).toMatchObject({ state: 'paid', transaction });
    expect(await tron.statusOf(view, order)).toMatchObject({ state: 'void' });
    expect(node.balance(BOB)).toBe(20_000_000n);
  });
});

describe('what cancels a payment on Tron', () => {
  it('is a statement of three signers that no node is asked to take, and none would', async () => {
    const { vault, node, view, signed, ordered } = start();
    const cancelled: PaymentOrder = { ...(await ordered()), kind: 'cancel', to: '', amount: '0' };
    const payment = signed(cancelled);
    expect(payment.raw).toContain(cancelled.reference);
    expect(tron.build(vault, cancelled).messages[0]!.bytes).toBe(messageDigest(payment.raw));
    const silent = async () => Promise.reject(new Error('asked'));
    const transport = { rpc: silent, get: silent, post: silent };
    expect(await tron.broadcast({ ...view, transport }, payment)).toMatch(/^none until \d+$/);
    expect(node.entries).toHaveLength(0);
    expect(await tron.statusOf(view, cancelled)).toEqual({ state: 'unspent' });
  });
});

describe('a token’s call on Tron', () => {
  it('that reverts is void: it has used the reference', async () => {
    const { node, view, signed, ordered } = start(USDT);
    const order = await ordered();
    node.options.call = 'reverts';
    const transaction = await tron.broadcast(view, signed(order));
    expect(await tron.statusOf(view, order)).toEqual({ state: 'void', transaction, confirmations: 1 });
    node.finalize();
    expect(await tron.statusOf(view, order)).toEqual({ state: 'void', transaction, confirmations: 19 });
    expect(node.balance(BOB)).toBe(0n);
  });

  it('that succeeds and does not move what it had to is neither paid nor void', async () => {
    const { node, view, signed, ordered } = start(USDT);
    const order = await ordered();
    node.options.call = 'moves nothing';
    await tron.broadcast(view, signed(order));
    const [entry] = node.entries;
    const moved = { token: hexOf(USDT), from: hexOf(HOME), to: hexOf(BOB), amount: 20_000_000n };
    for (const change of [
      null,
      { token: hexOf(CAROL) },
      { from: STRANGER },
      { to: STRANGER },
      { amount: 19_999_999n },
    ]) {
      const { token, from, to, amount } = { ...moved, ...change };
      const log = change === null ? [] : [node.transferLog(from, to, amount, token)];
      node.entries[0] = { ...entry!, info: { ...entry!.info, log } };
      await expect(tron.statusOf(view, order), JSON.stringify(log)).rejects.toThrow('did not move');
    }
    const log = [node.transferLog(moved.from, moved.to, moved.amount)];
    node.entries[0] = { ...entry!, info: { ...entry!.info, log } };
    expect(await tron.statusOf(view, order)).toMatchObject({ state: 'paid' });
  });
});

describe('the vault’s account on Tron', () => {
  const own = permissionOf(signers);
  const sender = { owner_address: hexOf(HOME) };
  const update = (value: object) => ({ type: 'AccountPermissionUpdateContract', parameter: { value } });
  const others = [...signers.slice(0, 4), STRANGER];
  it.each([
    ['another key in the owner’s permission', { account: { owner_permission: permissionOf(others) } }],
    ['another key in an active permission', { account: { active_permission: [own, permissionOf(others)] } }],
    ['a threshold of two', { account: { active_permission: [permissionOf(signers, 2)] } }],
    ['a threshold of four', { account: { owner_permission: permissionOf(signers, 4) } }],
    ['a key of two voices', { account: { owner_permission: permissionOf(signers, 3, 2) } }],
    ['a sixth key', { account: { owner_permission: permissionOf([...signers, STRANGER]) } }],
    ['four of the keys', { account: { owner_permission: permissionOf(signers.slice(0, 4)) } }],
    ['one of the keys twice', { account: { owner_permission: permissionOf([...signers.slice(0, 4), signers[0]!]) } }],
    ['no permission but that of the key that made it', { account: { owner_permission: undefined } }],
    ['a permission of a representative', { account: { witness_permission: permissionOf([STRANGER], 1) } }],
    [
      'something that it sent before',
      { first: { type: 'TriggerSmartContract', parameter: { value: { ...sender, contract_address: hexOf(USDT) } } } },
    ],
    [
      'a first transaction that cannot be read',
      { first: { type: 'VoteWitnessContract', parameter: { value: sender } } },
    ],
    ['others in its first permission', { first: update({ ...sender, owner: own, actives: [permissionOf(others)] }) }],
    [
      'one key in its first permission',
      { first: update({ ...sender, owner: permissionOf([STRANGER], 1), actives: [own] }) },
    ],
    [
      'a first permission of another account',
      { first: update({ owner_address: STRANGER, owner: own, actives: [own] }) },
    ],
    ['a node of another network', { genesis: tronBlockId(1) }],
  ])('takes nothing in and pays nothing with %s', async (_, change) => {
    const { node, view, ordered } = start();
    const place = placeAt(tron, view.vault, COMMITMENT, '9');
    node.deposit(place, 9n);
    expect(await tron.deposits(view, COMMITMENT, PAYER)).toHaveLength(1);
    const { account = {}, ...rest } = change as { account?: object };
    Object.assign(node.options.account, account);
    Object.assign(node.options, rest);
    await expect(tron.deposits(view, COMMITMENT, PAYER)).rejects.toThrow();
    await expect(ordered()).rejects.toThrow();
  });

  it('of a test network is none of the main one', async () => {
    const { view, node } = start();
    const testnet = { ...view, vault: { ...view.vault, network: 'testnet' } } as const;
    await expect(tron.deposits(testnet, COMMITMENT, PAYER)).rejects.toThrow('another network');
    node.options.genesis = '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc';
    expect(await tron.deposits(testnet, COMMITMENT, PAYER)).toEqual([]);
  });

  it('is named by the vault, and has five keys', () => {
    const { vault } = start();
    for (const contract of [null, '', hexOf(HOME), `${HOME.slice(0, -1)}h`])
      expect(() => placeAt(tron, { ...vault, contract }, COMMITMENT, '9')).toThrow(RangeError);
    expect(() => placeAt(tron, { ...vault, token: 'USDT' }, COMMITMENT, '9')).toThrow(RangeError);
  });
});

describe('a deposit on Tron', () => {
  const memo = { data: Buffer.from(COMMITMENT).toString('hex') };
  const [payer, home, usdt] = [hexOf(PAYER), hexOf(HOME), hexOf(USDT)];
  const transfer = (change: object = {}) => ({
    type: 'TransferContract',
    parameter: { value: { owner_address: payer, to_address: home, amount: 9, ...change } },
  });
  const call = (change: object = {}) => ({
    type: 'TriggerSmartContract',
    parameter: { value: { owner_address: payer, contract_address: usdt, data: 'a9059cbb', ...change } },
  });
  const succeeded = { receipt: { result: 'SUCCESS' } };

  it.each([
    ['what the payer sends', {}, 1],
    ['nothing that goes elsewhere', { contract: transfer({ to_address: STRANGER }) }, 0],
    ['nothing of somebody else', { owner: STRANGER, contract: transfer({ owner_address: STRANGER }) }, 0],
    ['nothing that names another sender', { contract: transfer({ owner_address: STRANGER }) }, 0],
    ['nothing that failed', { info: { result: 'FAILED' } }, 0],
    ['nothing of a token', { contract: call(), info: { ...succeeded, log: [] } }, 0],
    ['nothing of the old tokens', { contract: { ...transfer(), type: 'TransferAssetContract' } }, 0],
    ['no amount that is none', { contract: transfer({ amount: 2 ** 60 }) }, 0],
  ])('counts of TRX %s', async (_, change, count) => {
    const { node, view } = start();
    node.include({ owner: payer, contract: transfer(), raw: memo, ...change });
    node.include({ owner: payer, contract: { type: 'of a later version' }, raw: memo });
    expect(await tron.deposits(view, COMMITMENT, PAYER)).toHaveLength(count);
    expect(await tron.deposits(view, OTHER_COMMITMENT, PAYER)).toEqual([]);
  });

  const log = (from = payer, to = home, amount = 9n, token = usdt) => ({
    address: token.slice(2),
    topics: [
      'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      from.slice(2).padStart(64, '0'),
      to.slice(2).padStart(64, '0'),
    ],
    data: amount.toString(16).padStart(64, '0'),
  });
  it.each([
    ['what it says that it moved', {}, '9'],
    ['all that it says that it moved', { info: { ...succeeded, log: [log(), log(payer, home, 5n)] } }, '14'],
    [
      'nothing where the call failed',
      { info: { receipt: { result: 'REVERT' }, result: 'FAILED', log: [log()] } },
      null,
    ],
    ['nothing where it ran out of energy', { info: { receipt: { result: 'OUT_OF_ENERGY' }, log: [log()] } }, null],
    ['nothing where it moved nothing', { info: succeeded }, null],
    ['nothing of another token in its name', { info: { ...succeeded, log: [log(payer, home, 9n, STRANGER)] } }, null],
    ['nothing of a call of another contract', { contract: call({ contract_address: STRANGER }) }, null],
    ['nothing that somebody else’s funds were', { info: { ...succeeded, log: [log(STRANGER)] } }, null],
    ['nothing that went elsewhere', { info: { ...succeeded, log: [log(payer, STRANGER)] } }, null],
    [
      'nothing that is not a transfer',
      { info: { ...succeeded, log: [{ ...log(), topics: log().topics.slice(1) }] } },
      null,
    ],
    ['nothing of TRX', { contract: transfer(), info: {} }, null],
  ])('counts of a token %s', async (_, change, amount) => {
    const { node, view } = start(USDT);
    node.include({ owner: payer, contract: call(), raw: memo, info: { ...succeeded, log: [log()] }, ...change });
    const found = await tron.deposits(view, COMMITMENT, PAYER);
    expect(found.map((deposit) => deposit.amount)).toEqual(amount === null ? [] : [amount]);
  });

  it('has its block’s time, and is final once that is solidified', async () => {
    const { node, view } = start();
    const { info } = node.include({ owner: payer, contract: transfer(), raw: memo });
    const deposit = { reference: info.id, amount: '9', at: info.blockTimeStamp, payer: PAYER };
    node.mine(17);
    expect(await tron.deposits(view, COMMITMENT, PAYER)).toEqual([{ ...deposit, confirmations: 1 }]);
    node.mine();
    expect(await tron.deposits(view, COMMITMENT, PAYER)).toEqual([{ ...deposit, confirmations: 19 }]);
  });

  it('comes first to last, twenty at most, whatever else the payer sends', async () => {
    const { node, view } = start();
    for (let n = 1; n <= 25; n += 1) {
      node.include({ owner: payer, contract: transfer({ amount: n }), raw: memo });
      node.include({ owner: payer, contract: transfer({ amount: n }) });
      node.include({ owner: STRANGER, contract: transfer({ owner_address: STRANGER }), raw: memo });
    }
    const found = await tron.deposits(view, COMMITMENT, PAYER);
    expect(found.map(({ amount }) => Number(amount))).toEqual([...Array(20).keys()].map((n) => n + 1));
  });

  it('of a payer who has sent more than is read is not called lost', async () => {
    const { node, view } = start();
    node.include({ owner: payer, contract: transfer(), raw: memo });
    node.options.pageSize = 1;
    for (let n = 0; n < 50; n += 1) node.include({ owner: payer, contract: transfer() });
    await expect(tron.deposits(view, COMMITMENT, PAYER)).rejects.toThrow('more transactions than are read');
  });

  it('of the vault itself, or of no address, is none', async () => {
    const { node, view } = start();
    node.include({ owner: home, contract: transfer({ owner_address: home }), raw: memo });
    for (const from of [HOME, '', payer]) expect(await tron.deposits(view, COMMITMENT, from)).toEqual([]);
  });
});

describe('what Tron’s programs publish', () => {
  // trustwallet/wallet-core, tests/chains/Tron/AddressTests.cpp.
  it.each([
    ['2d8f68944bdbfbc0769542fba8fc2d2a3de67393334471624364c7006da2aa54', 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC'],
    ['be88df1d0bf30a923cb39c3bb953178baaf3726e8d3ce81e7c8462e046e0d835', 'THRF3GuPnvvPzKoaT8pJex5XHmo8NNbCb3'],
  ])('has the address of the key %s', (secret, address) => {
    const hex = tronHexOfKey(bytesToHex(secp256k1.getPublicKey(hexToBytes(secret))));
    expect([tronAddressOf(hex), tronHex(address), base58Of(hex)]).toEqual([address, hex, address]);
  });

  const block = (bytes: string, hash: string) => `000000000000${bytes}${hash}${'0'.repeat(32)}`;
  const none = { memo: '', timestamp: 0n, feeLimit: 0n };
  const trx = (owner: string, to: string, amount: bigint): TronContract => ({
    type: 'TransferContract',
    owner,
    to,
    amount,
  });
  const [walletCoreOwner, walletCoreTo] = [hexOf(PAYER), hexOf(BOB)];
  it.each([
    [
      'dc6f6d9325ee44ab3c00528472be16e1572ab076aa161ccd12515029869d0451',
      'trustwallet/wallet-core, tests/chains/Tron/SignerTests.cpp',
      {
        ...none,
        block: block('7b3b', 'b21ace8d6ac20e7e'),
        expiration: 1_539_331_479_000n,
        contract: trx(walletCoreOwner, walletCoreTo, 2_000_000n),
        timestamp: 1_539_295_479_000n,
      },
    ],
    [
      '88817b9c6276e3c535e4f8f15baf546292ca6ad9d44a7d97857bd6f8909d63d4',
      'consenlabs/token-core-monorepo, token-core/tcx-tron/src/signer.rs',
      {
        ...none,
        block: block('02a2', 'e216e254e43ee108'),
        expiration: 1_571_898_861_000n,
        contract: trx(
          '415c68cc82c87446f602f019e5fd797437f5b79cc2',
          '4156a6076cd1537fa317c2606e4edfa4acd3e8e92e',
          100_000n,
        ),
        timestamp: 1_571_898_802_704n,
      },
    ],
    [
      '6a5e9d40cc124fe52c9fa17cd84215230c0447b184a2b929383dc3309b3f4b9d',
      'in block 60535633 of the main network',
      {
        ...none,
        block: block('b34f', 'e5ca604c86767348'),
        expiration: 1_712_284_269_000n,
        contract: trx(
          '411055ea4e79b171d9cf30d22db4caf56a3439a145',
          '412bc88b655b535a6b8666a89ee42ecab57466875f',
          1_000_000n,
        ),
        timestamp: 1_712_248_269_000n,
      },
    ],
    [
      '0afa11cbfa9b4707b1308addc48ea31201157a989db92fe75750c068f0cc14e0',
      'with a memo',
      {
        ...none,
        block: block('5006', '80ddbca411e61598'),
        expiration: 1_536_654_081_000n,
        memo: 'HAHA',
        contract: trx(
          '41e552f6487585c2b58bc2c9bb4492bc1f17132cd0',
          '4190919cba90ce96f9b9a63afde5ac66453d3f690e',
          1_000_000n,
        ),
      },
    ],
    [
      'efe5cd71c441ce4d56c10a2b926919b48ce15f1edbc3de923e5e4febcb4f91ca',
      'of USDT, as TronGrid makes it',
      {
        ...none,
        block: block('bb66', '96b95c21f21f6468'),
        expiration: 1_790_732_307_000n,
        contract: {
          type: 'TriggerSmartContract',
          owner: '419858effd232b4033e47d90003d41ec34ecaeda94',
          contract: hexOf(USDT),
          data: tokenTransfer('41cbc9f1a9e6da62d2fd6283aa51f4dea2c0fc1c79', 1_234_567n),
        },
        timestamp: 1_790_732_247_927n,
        feeLimit: 100_000_000n,
      },
    ],
  ] as const)('has the transaction %s: %s', (txid, _, raw) => {
    expect(tronTxid(tronRaw(raw))).toBe(txid);
  });

  // trustwallet/wallet-core, tests/chains/Tron/TronMessageSignerTests.cpp.
  it('signs messages as wallets do', () => {
    const secret = '75065f100e38d3f3b4c5c4235834ba8216de62272a4f03532c44b31a5734360a';
    expect(ecdsaSignRecoverable(secret, messageDigest('Hello World'))).toBe(
      'bc0753c070cc55693097df11bc11e1a7c4bd5e1a40b9dc94c75568e59bcc9d6b50a7873ef25b469e494490a54de37327b4bc7fc825c81a377b555e34fb7261ba1c',
    );
  });
});
