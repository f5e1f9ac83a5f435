import { createHash } from 'node:crypto';
import { toBech32 } from '@cosmjs/encoding';
import { QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query';
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { AuthInfo, Tx, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import {
  ContinuousVestingAccount,
  DelayedVestingAccount,
  PeriodicVestingAccount,
  PermanentLockedAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/vesting';
import { describe, expect, it } from 'vitest';
import type { PaymentOrder, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { comet } from '../../../../domain/bridge/chains/cosmos/comet.ts';
import { cosmos } from '../../../../domain/bridge/chains/cosmos/cosmos.ts';
import { cosmosHome } from '../../../../domain/bridge/chains/cosmos/cosmos-payment.ts';
import { cosmosNode } from './cosmos-node.ts';
import { COMMITMENT, describeChain, more, OTHER_COMMITMENT, stating } from './describe-chain.ts';
import { multisigCluster } from './multisig-cluster.ts';
import { PAYERS } from './payers.ts';

const IBC = 'ibc/F663521BF1836B00F5F177680F74BFB9A8B5654A694D0D2BC249E03CF2509013';
const ALICE = 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6';
const BOB = toBech32('cosmos', new Uint8Array(20).fill(7));
const CONTRACT = toBech32('cosmos', new Uint8Array(32).fill(9));
const cluster = multisigCluster();
const vaultOf =
  (token: string | null) =>
  (keys: Vault['keys']): Vault => ({ chain: 'cosmos', network: 'mainnet', keys, contract: null, token, decimals: 6 });

const shared = {
  adapter: cosmos,
  cluster,
  home: cosmosHome,
  ...PAYERS.cosmos,
  addresses: [ALICE, BOB, CONTRACT] as const,
  refused: [
    toBech32('osmo', new Uint8Array(20).fill(7)),
    toBech32('cosmosvaloper', new Uint8Array(20).fill(7)),
    toBech32('cosmos', new Uint8Array(21).fill(7)),
    ALICE.toUpperCase(),
    ALICE.slice(0, -1),
    `${ALICE.slice(0, -1)}q`,
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ],
  deposit: 25_000_000n,
  payout: 20_000_000n,
  funds: 100_000_000n,
  amountMax: 2n ** 127n,
  wrongMemos: (commitment: string) => [null, commitment.slice(2), `${commitment} `, commitment.toUpperCase()],
  lies: [
    ['another account', stating('account', more(1n)), 'for good'],
    ['a sequence far ahead', stating('sequence', more(2_000n)), 'now'],
    ['a fee that no payment offers', stating('fee', () => '99999'), 'now'],
  ] as const,
  greedy: (reference: string) => reference.replace(/fee=\d+/, 'fee=100001'),
};

describeChain('ATOM', { ...shared, vault: vaultOf(null), node: () => cosmosNode() });
describeChain('coins of other chains on the Cosmos Hub', {
  ...shared,
  vault: vaultOf(IBC),
  node: () => cosmosNode(IBC),
});

describe('the Cosmos Hub', () => {
  const vault = vaultOf(null)(cluster.keys);
  const home = cosmosHome(vault);
  const terms = { kind: 'payout', commitment: COMMITMENT, to: BOB, amount: '20000000' } as const;
  const signed = (order: PaymentOrder, by?: readonly number[]) =>
    cosmos.complete(vault, order, cluster.sign(cosmos.build(vault, order), by));

  function start() {
    const node = cosmosNode();
    node.fund(home, 50_000_000n);
    return { node, view: { vault, transport: node.transport, relayer: null } };
  }

  it('takes any three of five signatures, in any order', async () => {
    for (const by of [
      [0, 1, 2],
      [4, 3, 2],
      [0, 2, 4],
      [1, 4, 3],
    ]) {
      const { node, view } = start();
      const order = { ...terms, reference: await cosmos.referenceFor(view, { ...terms, attempt: 1 }, []) };
      await cosmos.broadcast(view, signed(order, by));
      expect(node.balance(BOB), String(by)).toBe(20_000_000n);
    }
  });

  it('lets out nothing with two signatures, four, or two of one signer', () => {
    const order = { ...terms, reference: 'account=4711 sequence=0 fee=5000' };
    for (const by of [
      [0, 1],
      [0, 1, 2, 3],
      [0, 0, 1],
    ])
      expect(() => signed(order, by), String(by)).toThrow(RangeError);
    const [right] = cluster.sign(cosmos.build(vault, order));
    if (right?.kind !== 'each') throw new Error('no multisignature');
    const others = right.signatures.map(({ signer, signature }) => ({ signer: (signer + 1) % 5, signature }));
    expect(() => cosmos.complete(vault, order, [{ kind: 'each', signatures: others }])).toThrow(RangeError);
  });

  it('knows its payment however it is encoded: signatures are over another form of it', async () => {
    const { node, view } = start();
    const order = { ...terms, reference: await cosmos.referenceFor(view, { ...terms, attempt: 1 }, []) };
    const payment = signed(order);
    const raw = TxRaw.decode(Uint8Array.from(Buffer.from(payment.raw, 'base64')));
    const { messages, memo } = TxBody.decode(raw.bodyBytes);
    const parts = [{ memo }, { messages }].map((part) => TxBody.encode(TxBody.fromPartial(part)).finish());
    const bodyBytes = Uint8Array.from(Buffer.concat(parts));
    node.include(TxRaw.encode({ ...raw, bodyBytes }).finish());
    const status = await cosmos.statusOf(view, order);
    expect(status).toMatchObject({ state: 'paid' });
    expect(status).not.toMatchObject({ transaction: payment.transaction });
  });

  it('offers five times the fee for what cancels a payment', () => {
    const order = { ...terms, reference: 'account=4711 sequence=0 fee=5000' };
    const feeOf = (of: PaymentOrder) =>
      AuthInfo.decode(TxRaw.decode(Uint8Array.from(Buffer.from(signed(of).raw, 'base64'))).authInfoBytes).fee?.amount;
    expect(feeOf(order)).toEqual([{ denom: 'uatom', amount: '5000' }]);
    expect(feeOf({ ...order, kind: 'cancel', to: home })).toEqual([{ denom: 'uatom', amount: '25000' }]);
  });

  it('takes no transaction of another sequence for what has used its own', async () => {
    const { node, view } = start();
    const first = { ...terms, reference: await cosmos.referenceFor(view, { ...terms, attempt: 1 }, []) };
    await cosmos.broadcast(view, signed(first));
    const second = { ...terms, reference: await cosmos.referenceFor(view, { ...terms, attempt: 1 }, []) };
    await cosmos.broadcast(view, signed(second));
    expect(await cosmos.statusOf(view, first)).toMatchObject({ state: 'paid' });
    const { rpc } = node.transport;
    const astray = (method: string, params: unknown) =>
      rpc(method, JSON.parse(JSON.stringify(params).replace(`${home}/0`, `${home}/1`)));
    const other = { ...view, transport: { ...node.transport, rpc: astray } };
    await expect(cosmos.statusOf(other, first)).rejects.toThrow('no transaction is known');
  });

  it('names a commitment of 32 bytes and no other, and pays a coin that the chain may have', () => {
    const order = { ...terms, reference: 'account=4711 sequence=0 fee=5000' };
    for (const commitment of ['', COMMITMENT.slice(2), `${COMMITMENT}00`, COMMITMENT.toUpperCase()])
      expect(() => cosmos.build(vault, { ...order, commitment }), commitment).toThrow(RangeError);
    for (const token of ['', 'ab', '1uatom', 'uatom ', 'u'.repeat(129)])
      expect(() => cosmos.build({ ...vault, token }, order), token).toThrow(RangeError);
  });

  it('says void of a payment that failed in its block', async () => {
    const { node, view } = start();
    const first = { ...terms, reference: await cosmos.referenceFor(view, { ...terms, attempt: 1 }, []) };
    const order = { ...first, amount: '60000000' };
    await cosmos.broadcast(view, signed(order));
    expect(await cosmos.statusOf(view, order)).toMatchObject({ state: 'void' });
    expect(await cosmos.statusOf(view, first)).toMatchObject({ state: 'void' });
    expect(node.balance(BOB)).toBe(0n);
  });

  it('offers twice the fee with each try, within its bound, and refuses a node of another network', async () => {
    const { view } = start();
    const fees = [];
    for (const attempt of [1, 2, 3, 40])
      fees.push((await cosmos.referenceFor(view, { ...terms, attempt }, [])).split('fee=')[1]);
    expect(fees).toEqual(['5000', '10000', '20000', '100000']);
    const testnet = { ...view, vault: { ...vault, network: 'testnet' } } as const;
    await expect(cosmos.referenceFor(testnet, { ...terms, attempt: 1 }, [])).rejects.toThrow('another network');
    const order = { ...terms, reference: 'account=1 sequence=0 fee=5000' };
    expect(cosmos.build(vault, order)).not.toEqual(cosmos.build(testnet.vault, order));
  });

  it.each([
    ['nothing of a transaction that failed', { code: 5 }, 0],
    ['nothing of another coin', { denom: 'uosmo' }, 0],
    ['nothing that the vault pays to itself', { fromAddress: home }, 0],
    ['nothing that goes elsewhere', { toAddress: ALICE }, 0],
    ['nothing of another message', { typeUrl: '/cosmos.gov.v1beta1.MsgDeposit' }, 0],
    ['each of its transfers', {}, 1],
  ])('counts as deposits %s', async (_, change, count) => {
    const { node, view } = start();
    const { code = 0, denom = 'uatom', fromAddress = ALICE, toAddress = home } = change as Record<string, never>;
    const { typeUrl = '/cosmos.bank.v1beta1.MsgSend' } = change as Record<string, never>;
    const value = MsgSend.encode(
      MsgSend.fromPartial({ fromAddress, toAddress, amount: [{ denom, amount: '9' }] }),
    ).finish();
    const body = { messages: [{ typeUrl, value }], memo: COMMITMENT };
    node.entries.push({
      raw: Tx.encode(Tx.fromPartial({ body })).finish(),
      code,
      events: [`transfer.recipient='${home}'`],
    });
    node.entries.push({ raw: Uint8Array.of(7, 7), code: 0, events: [`transfer.recipient='${home}'`] });
    expect(await cosmos.deposits(view, COMMITMENT, PAYERS.cosmos.payer)).toHaveLength(count);
    expect(await cosmos.deposits(view, OTHER_COMMITMENT, PAYERS.cosmos.payer)).toEqual([]);
  });

  it.each([
    ['ContinuousVestingAccount', ContinuousVestingAccount, { startTime: 5n }],
    ['DelayedVestingAccount', DelayedVestingAccount, {}],
    ['PeriodicVestingAccount', PeriodicVestingAccount, { startTime: 5n, vestingPeriods: [{ length: 9n }] }],
    ['PermanentLockedAccount', PermanentLockedAccount, {}],
  ])('pays from an account that a stranger has made a %s', async (kind, type, fields) => {
    const { view } = start();
    const reference = await cosmos.referenceFor(view, { ...terms, attempt: 1 }, []);
    const own = await comet(view.transport).account(home);
    const baseVestingAccount = { baseAccount: own, originalVesting: [{ denom: 'uatom', amount: '1' }], endTime: 9n };
    const made = (type as typeof DelayedVestingAccount).fromPartial({ baseVestingAccount, ...fields });
    const value = (type as typeof DelayedVestingAccount).encode(made).finish();
    const account = { typeUrl: `/cosmos.vesting.v1beta1.${kind}`, value };
    const answer = Buffer.from(QueryAccountResponse.encode({ account }).finish()).toString('base64');
    const rpc = async (method: string, params: unknown) =>
      (params as { path?: string }).path === '/cosmos.auth.v1beta1.Query/Account'
        ? { response: { code: 0, value: answer } }
        : view.transport.rpc(method, params);
    const vesting = { ...view, transport: { ...view.transport, rpc } };
    expect(await cosmos.referenceFor(vesting, { ...terms, attempt: 1 }, [])).toBe(reference);
    expect(await cosmos.checkReference(vesting, { ...terms, reference })).toMatchObject({ fault: null });
    expect(await cosmos.statusOf(vesting, { ...terms, reference })).toEqual({ state: 'unspent' });
  });

  it('has the address that follows from the Amino form of its key', () => {
    const amino = `22c1f7e20803${cluster.keys.signerKeys.map((key) => `1226eb5ae98721${key}`).join('')}`;
    const hash = createHash('sha256').update(Buffer.from(amino, 'hex')).digest().subarray(0, 20);
    expect(home).toBe(toBech32('cosmos', Uint8Array.from(hash)));
  });
});
