import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { utxoAdapter } from '../../../../domain/bridge/chains/bitcoin/utxo-adapter.ts';
import type {
  ChainAdapter,
  ChainView,
  DepositPlace,
  PaymentOrder,
  Vault,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import { custodyAdapter } from '../../../../domain/bridge/chains/custody/custody-adapter.ts';
import { unitsOf } from '../../../../domain/bridge/chains/custody/custody-amount.ts';
import { isApproved } from '../../../../domain/bridge/chains/custody/custody-approval.ts';
import type { TransferRequest } from '../../../../domain/bridge/chains/custody/transfer-request.ts';
import { xrpl } from '../../../../domain/bridge/chains/xrpl/xrpl.ts';
import { bitcoinAddress } from '../../../../scripts/local/custody-simulator/bitcoin-address.ts';
import { CustodyServer } from '../../../../scripts/local/custody-simulator/custody-server.ts';
import type { CustodyWorkspace } from '../../../../scripts/local/custody-simulator/custody-workspace.ts';
import { openWorkspace } from '../../fixtures/custody-provider.ts';
import {
  COMMITMENT,
  describeChain,
  OTHER_COMMITMENT,
  type SimulatedNode,
  stating,
} from '../chains-accounts/describe-chain.ts';
import { multisigCluster } from '../chains-accounts/multisig-cluster.ts';

const server = await CustodyServer.start();
afterAll(() => server.stop());
beforeEach(() => void server.faults.splice(0));

const cluster = multisigCluster();
const custody = { provider: 'fireblocks', account: '7', asset: 'BTC_TEST' };
const bitcoin = custodyAdapter(utxoAdapter('bitcoin-segwit'));
const vault: Vault = {
  chain: 'bitcoin-segwit',
  network: 'local',
  keys: cluster.keys,
  contract: null,
  token: null,
  decimals: 8,
  custody,
};
const [ALICE, BOB] = [bitcoinAddress(1), bitcoinAddress(2)];

const XRP_ACCOUNT = 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq';
const XRP_PAYER = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B';

/** The account's own address, as the shared tests name it. */
const HOME = 'vault';

function nodeOf(
  { workspace, transport }: ReturnType<typeof openWorkspace>,
  decimals: number,
  payer = '',
): SimulatedNode {
  return {
    transport,
    fund: (_, amount) => workspace.fund(amount),
    balance: (address) => (address === HOME ? workspace.total : workspace.paidTo(address)),
    deposit: (place: DepositPlace, amount, memo = place.memo) =>
      void workspace.deposit({ address: place.address, tag: memo }, amount, payer),
    finalize: () => workspace.mine(7),
    reorganize: () => workspace.drop(),
    decode: (raw) => {
      const { destination, amount } = JSON.parse(raw) as TransferRequest;
      if (destination.type !== 'ONE_TIME_ADDRESS') throw new Error('it pays nobody');
      return { to: destination.oneTimeAddress.address, amount: unitsOf(amount, decimals) };
    },
  };
}

const shared = {
  cluster,
  home: () => HOME,
  amountMax: 2n ** 255n,
  areCostsApart: true,
  areKeysApart: true,
  areNamesWithin: true,
  lies: [['an id of another payment', stating('id', () => '77'.repeat(32)), 'now']] as const,
  greedy: (text: string) => text.replace(/attempt=\d+/, 'attempt=9'),
};

describeChain('a vault of Bitcoin at a custody provider', {
  ...shared,
  adapter: bitcoin,
  vault: (keys) => ({ ...vault, keys }),
  node: () => nodeOf(openWorkspace(server, { signerKeys: cluster.keys.signerKeys }), 8),
  addresses: [ALICE, BOB],
  refused: [`${ALICE}x`, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', XRP_PAYER],
  deposit: 25_000_000n,
  payout: 20_000_000n,
  funds: 100_000_000n,
});

describeChain('a vault of XRP at a custody provider, by tags', {
  ...shared,
  adapter: custodyAdapter(xrpl),
  vault: (keys) => ({
    ...vault,
    chain: 'xrpl',
    network: 'testnet',
    keys,
    decimals: 6,
    custody: { ...custody, asset: 'XRP_TEST' },
  }),
  node: () => {
    const addressAt = (index: number) => ({ address: XRP_ACCOUNT, tag: String(1_000 + index) });
    const terms = { signerKeys: cluster.keys.signerKeys, asset: 'XRP_TEST', decimals: 6, addressAt };
    return nodeOf(openWorkspace(server, terms), 6, XRP_PAYER);
  },
  addresses: ['rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', XRP_PAYER],
  refused: ['rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYa', ALICE],
  payer: XRP_PAYER,
  wrongMemos: () => [null, '999', '10001'],
  deposit: 25_000_000n,
  payout: 20_000_000n,
  funds: 100_000_000n,
});

function start() {
  const opened = openWorkspace(server, { signerKeys: cluster.keys.signerKeys });
  opened.workspace.fund(100_000_000n);
  const view: ChainView = { vault, transport: opened.transport, relayer: null };
  return { ...opened, view };
}

const TERMS = { kind: 'payout', commitment: COMMITMENT, to: ALICE, amount: '20000000' } as const;

async function ordered(view: ChainView, change: Partial<PaymentOrder> = {}): Promise<PaymentOrder> {
  const order = { ...TERMS, ...change };
  return { ...order, reference: await bitcoin.referenceFor(view, { ...order, attempt: 1 }, []) };
}

const signed = (order: PaymentOrder, adapter: ChainAdapter = bitcoin, of = vault) =>
  adapter.complete(of, order, cluster.sign(adapter.build(of, order)));
const cancelled = (order: PaymentOrder): PaymentOrder => ({ ...order, kind: 'cancel', to: '', amount: '0' });

const outgoing = ({ transactions }: CustodyWorkspace) => transactions.filter(({ direction }) => direction === 'out');

describe('a payment at a custody provider', () => {
  it.each([
    ['a request that is lost', 'lost'],
    ['an answer that is lost', 'answer_lost'],
    ['a request that is carried out twice', 'twice'],
    ['a server that fails after it has taken it', 'failed'],
  ] as const)('pays once through %s', async (_, fault) => {
    const { workspace, view } = start();
    const order = await ordered(view);
    const payment = signed(order);
    server.faults.push(fault);
    await bitcoin.broadcast(view, payment).catch(() => null);
    for (let again = 0; again < 3; again += 1) {
      await bitcoin.broadcast(view, payment);
      workspace.mine(3);
    }
    expect(await bitcoin.statusOf(view, order)).toMatchObject({ state: 'paid', confirmations: 6 });
    expect(outgoing(workspace)).toHaveLength(1);
    expect([workspace.paidTo(ALICE), workspace.total]).toEqual([20_000_000n, 80_000_000n]);
  });

  it('pays once where it is handed in many times at once', async () => {
    const { workspace, view } = start();
    const order = await ordered(view);
    const payment = signed(order);
    await Promise.all(Array.from({ length: 8 }, () => bitcoin.broadcast(view, payment)));
    workspace.mine(8);
    expect([outgoing(workspace).length, workspace.paidTo(ALICE)]).toEqual([1, 20_000_000n]);
  });

  it('is not made without three signers of five that approve of it as it stands', async () => {
    for (const change of [
      (request: TransferRequest) => ({ ...request, amount: '0.3' }),
      (request: TransferRequest) => ({
        ...request,
        destination: { type: 'ONE_TIME_ADDRESS', oneTimeAddress: { address: BOB } } as const,
      }),
      (request: TransferRequest) => ({ ...request, externalTxId: `${request.externalTxId}0` }),
      (request: TransferRequest) => ({ ...request, note: request.note.replace('payout', 'refund') }),
      (request: TransferRequest) => ({ ...request, note: request.note.replace(COMMITMENT, OTHER_COMMITMENT) }),
      (request: TransferRequest) => ({ ...request, note: request.note.replace(/ 4:\w+$/, '') }),
      (request: TransferRequest) => ({
        ...request,
        note: request.note.replace(/ 4:\w+$/, ` ${request.note.split(' ')[3]}`),
      }),
      (request: TransferRequest) => ({ ...request, note: request.note.replace(' 0:', ' 1:') }),
      (request: TransferRequest) => ({ ...request, note: '' }),
    ]) {
      const { workspace, view } = start();
      const request = JSON.parse(signed(await ordered(view)).raw) as TransferRequest;
      await bitcoin.broadcast(view, { raw: JSON.stringify(change(request)), transaction: null });
      workspace.mine(8);
      expect(outgoing(workspace), change.toString()).toMatchObject([{ status: 'BLOCKED' }]);
      expect(workspace.total, change.toString()).toBe(100_000_000n);
    }
  });

  it('is approved for one provider, account and asset alone', async () => {
    const { view } = start();
    const payment = signed(await ordered(view));
    const elsewhere = openWorkspace(server, { signerKeys: cluster.keys.signerKeys, provider: 'other' });
    elsewhere.workspace.fund(100_000_000n);
    await bitcoin.broadcast({ ...view, transport: elsewhere.transport }, payment);
    expect(outgoing(elsewhere.workspace)).toMatchObject([{ status: 'BLOCKED' }]);
    const request = JSON.parse(payment.raw) as TransferRequest;
    const { signerKeys } = cluster.keys;
    expect(isApproved('fireblocks', signerKeys, request)).toBe(true);
    expect(isApproved('fireblocks', signerKeys, { ...request, assetId: 'BTC' })).toBe(false);
    expect(isApproved('fireblocks', signerKeys, { ...request, source: { ...request.source, id: '8' } })).toBe(false);
    expect(isApproved('fireblocks', signerKeys.toReversed(), request)).toBe(false);
  });

  it('takes no reference of another transfer, or of a refund', async () => {
    const { view } = start();
    const order = await ordered(view);
    expect(() => bitcoin.build(vault, { ...order, commitment: OTHER_COMMITMENT })).toThrow('another payment');
    expect(() => bitcoin.build(vault, { ...order, kind: 'refund' })).toThrow('another payment');
    const refund = await ordered(view, { kind: 'refund' });
    expect(refund.reference).not.toBe(order.reference);
    expect(() => bitcoin.build(vault, { ...refund, kind: 'payout' })).toThrow('another payment');
  });

  it.each(['rejected', 'failed'] as const)('is void once the provider has %s it before its keys sign', async (fate) => {
    const { workspace, view } = start();
    const order = await ordered(view);
    workspace.fates.push(fate);
    await bitcoin.broadcast(view, signed(order));
    expect(await bitcoin.statusOf(view, order)).toMatchObject({ state: 'void', confirmations: 6 });
    await bitcoin.broadcast(view, signed(order));
    workspace.mine(8);
    expect(workspace.paidTo(ALICE)).toBe(0n);
  });

  it('is not void where it failed after it was signed: it may land all the same', async () => {
    const { workspace, view } = start();
    const order = await ordered(view);
    workspace.fates.push('failed_after_broadcast');
    await bitcoin.broadcast(view, signed(order));
    expect(await bitcoin.statusOf(view, order)).toEqual({ state: 'unspent' });
    await bitcoin.broadcast(view, signed(cancelled(order)));
    workspace.mine(8);
    expect(await bitcoin.statusOf(view, order)).toEqual({ state: 'unspent' });
    workspace.land(outgoing(workspace)[0]?.id ?? '');
    workspace.mine(8);
    expect(await bitcoin.statusOf(view, order)).toMatchObject({ state: 'paid', confirmations: 6 });
    expect(workspace.paidTo(ALICE)).toBe(20_000_000n);
  });

  it('has no confirmations but those that the provider counts', async () => {
    const { workspace, transport } = openWorkspace(server, { signerKeys: cluster.keys.signerKeys, confirmations: 0 });
    workspace.fund(100_000_000n);
    const view = { vault, transport, relayer: null };
    const order = await ordered(view);
    await bitcoin.broadcast(view, signed(order));
    workspace.mine(2);
    expect(await bitcoin.statusOf(view, order)).toMatchObject({ state: 'paid', confirmations: 0 });
  });

  it('that waits at the provider is cancelled when the provider says so, and not before', async () => {
    const { workspace, view } = start();
    const order = await ordered(view);
    workspace.fates.push('stalled');
    await bitcoin.broadcast(view, signed(order));
    expect(await bitcoin.statusOf(view, order)).toEqual({ state: 'unspent' });
    server.faults.push('lost');
    await bitcoin.broadcast(view, signed(cancelled(order))).catch(() => null);
    expect(await bitcoin.statusOf(view, order)).toEqual({ state: 'unspent' });
    await bitcoin.broadcast(view, signed(cancelled(order)));
    expect(await bitcoin.statusOf(view, order)).toMatchObject({ state: 'void' });
    workspace.release();
    await bitcoin.broadcast(view, signed(order));
    workspace.mine(8);
    expect([outgoing(workspace).length, workspace.paidTo(ALICE)]).toEqual([1, 0n]);
  });

  it('that is out is paid, whoever asks to cancel it', async () => {
    const { workspace, view } = start();
    const order = await ordered(view);
    await bitcoin.broadcast(view, signed(order));
    workspace.mine(1);
    await bitcoin.broadcast(view, signed(cancelled(order)));
    workspace.mine(8);
    expect(await bitcoin.statusOf(view, order)).toMatchObject({ state: 'paid' });
    await expect(bitcoin.statusOf(view, cancelled(order))).rejects.toThrow('used by another payment');
  });

  it('never handed in uses its id up when it is cancelled, whatever the provider makes of that', async () => {
    for (const fate of ['through', 'failed', 'stalled'] as const) {
      const { workspace, view } = start();
      const order = await ordered(view);
      workspace.fates.push(fate);
      await bitcoin.broadcast(view, signed(cancelled(order)));
      expect(await bitcoin.statusOf(view, order), fate).toMatchObject({ state: 'void', confirmations: 6 });
      await bitcoin.broadcast(view, signed(order));
      workspace.mine(8);
      expect([outgoing(workspace).length, workspace.paidTo(ALICE), workspace.total]).toEqual([1, 0n, 100_000_000n]);
    }
  });

  it('that paid another amount, or somebody else, is nobody’s: people have to look', async () => {
    const { workspace, view } = start();
    const order = await ordered(view);
    await bitcoin.broadcast(view, signed(order));
    workspace.mine(8);
    for (const change of [{ amount: '20000001' }, { to: BOB }])
      await expect(bitcoin.statusOf(view, { ...order, ...change })).rejects.toThrow('used by another payment');
  });
});

describe('a deposit at a custody provider', () => {
  it('has one address for its transfer, however often it is asked for', async () => {
    const { view } = start();
    const place = await bitcoin.depositPlace(view, COMMITMENT, '5');
    for (let again = 0; again < 3; again += 1) expect(await bitcoin.depositPlace(view, COMMITMENT, '5')).toEqual(place);
    const other = await bitcoin.depositPlace(view, OTHER_COMMITMENT, '5');
    expect(other.address).not.toBe(place.address);
  });

  it('counts at each address that was made for its transfer, and nowhere else', async () => {
    const { workspace, view } = start();
    server.faults.push('twice', 'answer_lost');
    const place = await bitcoin.depositPlace(view, COMMITMENT, '5');
    await expect(bitcoin.depositPlace(view, OTHER_COMMITMENT, '5')).rejects.toThrow();
    const other = await bitcoin.depositPlace(view, OTHER_COMMITMENT, '5');
    workspace.deposit({ address: place.address, tag: null }, 7n);
    workspace.deposit({ address: other.address, tag: null }, 9n);
    workspace.deposit({ address: workspace.terms.addressAt(0).address, tag: null }, 11n);
    workspace.mine(7);
    const amounts = async (commitment: string) =>
      (await bitcoin.deposits(view, commitment, '')).map(({ amount }) => amount);
    expect([await amounts(COMMITMENT), await amounts(OTHER_COMMITMENT)]).toEqual([['7'], ['9']]);
  });

  it('has no confirmations until the provider has completed it, and is lost where it drops it later', async () => {
    const { workspace, view } = start();
    const place = await bitcoin.depositPlace(view, COMMITMENT, '5');
    workspace.deposit({ address: place.address, tag: null }, 7n);
    workspace.mine(5);
    expect(await bitcoin.deposits(view, COMMITMENT, '')).toMatchObject([{ amount: '7', confirmations: 0 }]);
    workspace.mine(1);
    expect(await bitcoin.deposits(view, COMMITMENT, '')).toMatchObject([{ amount: '7', confirmations: 6 }]);
    workspace.drop();
    expect(await bitcoin.deposits(view, COMMITMENT, '')).toEqual([]);
  });

  it('is found behind more than a page of others, the oldest first', async () => {
    const { workspace, view } = start();
    const place = await bitcoin.depositPlace(view, COMMITMENT, '5');
    const to = { address: place.address, tag: null };
    workspace.deposit(to, 7n);
    for (let other = 0; other < 700; other += 1) workspace.deposit({ address: ALICE, tag: null }, 1n);
    workspace.deposit(to, 8n);
    workspace.mine(7);
    expect((await bitcoin.deposits(view, COMMITMENT, '')).map(({ amount }) => amount)).toEqual(['7', '8']);
  });

  it('counts from the payer of the terms alone, where the chain says who pays', async () => {
    const addressAt = (index: number) => ({ address: XRP_ACCOUNT, tag: String(1_000 + index) });
    const at = { ...custody, asset: 'XRP_TEST' };
    const terms = { signerKeys: cluster.keys.signerKeys, asset: 'XRP_TEST', decimals: 6, addressAt };
    const { workspace, transport } = openWorkspace(server, terms);
    const there: Vault = { ...vault, chain: 'xrpl', network: 'testnet', decimals: 6, custody: at };
    const view = { vault: there, transport, relayer: null };
    const place = await custodyAdapter(xrpl).depositPlace(view, COMMITMENT, '5');
    expect(place).toMatchObject({ address: XRP_ACCOUNT, memo: '1001' });
    workspace.deposit({ address: place.address, tag: place.memo }, 5n, XRP_ACCOUNT);
    workspace.deposit({ address: place.address, tag: place.memo }, 6n, XRP_PAYER);
    workspace.mine(7);
    const found = await custodyAdapter(xrpl).deposits(view, COMMITMENT, XRP_PAYER);
    expect(found.map(({ amount }) => amount)).toEqual(['6']);
  });
});
