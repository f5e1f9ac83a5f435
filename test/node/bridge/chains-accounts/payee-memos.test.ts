import { encodeMuxedAccount, encodeMuxedAccountToAddress, Networks, StrKey, Transaction } from '@stellar/stellar-base';
import { Address, Cell, loadMessage, loadMessageRelaxed } from '@ton/core';
import { decodeSignedTransaction, encodeAddress } from 'algosdk';
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { decodeAccountID, encodeXAddress } from 'ripple-address-codec';
import { decode } from 'ripple-binary-codec';
import { describe, expect, it } from 'vitest';
import type { ChainTransport, PaymentOrder, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../../domain/bridge/chains/chain-calls.ts';
import { CHAIN_NAMES, type ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import { loadAdapter } from '../../../../domain/bridge/chains/load-adapter.ts';
import { algorandNode } from './algorand-node.ts';
import { changedAnswers } from './changed-answers.ts';
import { cosmosNode } from './cosmos-node.ts';
import { COMMITMENT, type SimulatedNode } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { multisigCluster } from './multisig-cluster.ts';
import { stellarNode } from './stellar-node.ts';
import { tonNode } from './ton-node.ts';
import { xrplNode } from './xrpl-node.ts';

const frost = frostCluster();
const multisig = multisigCluster();
const STELLAR_PAYEE = StrKey.encodeEd25519PublicKey(Buffer.alloc(32, 1));
const STELLAR_CUSTOMER = encodeMuxedAccountToAddress(encodeMuxedAccount(STELLAR_PAYEE, '420'), true);
const XRPL_PAYEE = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const xAddress = (tag: number | false) => encodeXAddress(decodeAccountID(XRPL_PAYEE), tag, false);
const base64 = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));

interface MemoCase {
  readonly chain: ChainName;
  readonly decimals: number;
  readonly node: () => SimulatedNode;
  readonly cluster: Pick<typeof frost, 'keys' | 'sign'>;
  readonly to: string;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  /** What a payment carries, by the chain's own library, in the form in which it is stated; null for nothing. */
  read(raw: string): string | null;
  /** Where nothing is stated, and in what cancels. */
  readonly plain: string | null;
  readonly cancelled: string | null;
}

const CASES: readonly MemoCase[] = [
  {
    chain: 'stellar',
    decimals: 7,
    node: () => stellarNode(null),
    cluster: frost,
    to: STELLAR_PAYEE,
    right: [
      'text:Order 7',
      `text:${'é'.repeat(14)}`,
      'text:12',
      'id:12',
      'id:0',
      'id:18446744073709551615',
      `hash:${'ab'.repeat(32)}`,
      `return:${'ab'.repeat(32)}`,
    ],
    wrong: [
      '12',
      'text:',
      `text:${'x'.repeat(29)}`,
      `text:${'é'.repeat(15)}`,
      'text: 12',
      'text:1\n2',
      'id:18446744073709551616',
      'id:012',
      'id:-1',
      'id:1e3',
      `hash:${'AB'.repeat(32)}`,
      'hash:ab',
      'memo:1',
      'TEXT:1',
    ],
    read(raw) {
      const { memo } = new Transaction(raw, Networks.PUBLIC);
      const { type, value } = memo;
      if (type === 'none' || value === null) return null;
      const isHash = type === 'hash' || type === 'return';
      return `${type}:${Buffer.from(value).toString(isHash && typeof value !== 'string' ? 'hex' : 'utf8')}`;
    },
    plain: `hash:${COMMITMENT}`,
    cancelled: null,
  },
  {
    chain: 'xrpl',
    decimals: 6,
    node: () => xrplNode(null),
    cluster: frost,
    to: XRPL_PAYEE,
    right: ['0', '12345', '4294967295'],
    wrong: ['4294967296', '-1', '01', '1.0', '12 ', 'abc', '1e3', '0x10'],
    read(raw) {
      const { DestinationTag: tag } = decode(raw) as { DestinationTag?: number };
      return tag === undefined ? null : String(tag);
    },
    plain: null,
    cancelled: null,
  },
  {
    chain: 'cosmos',
    decimals: 6,
    node: () => cosmosNode(),
    cluster: multisig,
    to: 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6',
    right: ['104562', 'a "quoted" <memo> & more', 'x'.repeat(256)],
    wrong: ['x'.repeat(257), ' 1', '1 ', 'é', 'a\tb', 'a\nb', 'a\u2028b'],
    read: (raw) => Tx.decode(base64(raw)).body?.memo ?? null,
    plain: COMMITMENT,
    cancelled: COMMITMENT,
  },
  {
    chain: 'ton',
    decimals: 9,
    node: tonNode,
    cluster: frost,
    to: new Address(0, Buffer.alloc(32, 1)).toString({ bounceable: false }),
    right: ['104562', 'Überweisung 7', 'x'.repeat(123)],
    wrong: ['x'.repeat(124), 'ü'.repeat(62), ' 1', '1 ', 'a\nb', 'a\u0000b'],
    read(raw) {
      const order = loadMessage(Cell.fromBase64(raw).beginParse())
        .body.beginParse()
        .skip(512 + 32 * 3 + 8);
      if (order.remainingRefs === 0) return null;
      const body = loadMessageRelaxed(order.loadRef().beginParse()).body.beginParse();
      if (body.remainingBits === 0) return null;
      if (body.loadUint(32) !== 0) throw new Error('no comment');
      return body.loadStringTail();
    },
    plain: null,
    cancelled: null,
  },
  {
    chain: 'algorand',
    decimals: 6,
    node: () => algorandNode(null),
    cluster: frost,
    to: encodeAddress(new Uint8Array(32).fill(1)),
    right: ['104562', 'Überweisung 7', 'x'.repeat(256)],
    wrong: ['x'.repeat(257), ' 1', '1 ', 'a\nb', `a\ud800`],
    read: (raw) => Buffer.from(decodeSignedTransaction(Buffer.from(raw, 'hex')).txn.note).toString(),
    plain: COMMITMENT,
    cancelled: COMMITMENT,
  },
];

function callsOf(transport: ChainTransport) {
  const custodyOf = () => {
    throw new Error('no provider');
  };
  return chainCalls({ transportOf: () => transport, custodyOf, relayer: null });
}

const vaultOn = (chain: ChainName, keys: Vault['keys'], decimals = 6): Vault => ({
  chain,
  network: 'mainnet',
  keys,
  contract: null,
  token: null,
  decimals,
});

const AMOUNT = '20000000';
const NOTHING_TAKEN = { taken: [], deposited: [] };

describe.each(CASES)('B-08: memos of payees on $chain', ({ chain, decimals, node: newNode, cluster, to, ...memos }) => {
  const vault = vaultOn(chain, cluster.keys, decimals);

  async function start() {
    const node = newNode();
    const chains = callsOf(node.transport);
    const { address: home } = await chains.depositPlace(vault, COMMITMENT, AMOUNT);
    node.fund(home, 1_000_000_000n);
    return { node, chains };
  }

  async function order(of: Partial<PaymentOrder>, chains: ReturnType<typeof callsOf>): Promise<PaymentOrder> {
    const wanted = { kind: 'payout', commitment: COMMITMENT, to, amount: AMOUNT, ...of } as const;
    const reference = await chains.referenceFor(vault, { ...wanted, attempt: 1 }, NOTHING_TAKEN);
    return { ...wanted, reference: reference ?? '' };
  }

  it.each(['payout', 'refund'] as const)('a %s arrives with what is stated, and is known as paid', async (kind) => {
    for (const memo of memos.right) {
      const { node, chains } = await start();
      expect(await chains.payeeMemoFault(vault, { address: to, memo }), memo).toBeNull();
      const paid = await order({ kind, memo }, chains);
      const signed = await chains.complete(vault, paid, cluster.sign(await chains.build(vault, paid)));
      expect(memos.read(signed.raw), memo).toBe(memo);
      await chains.broadcast(vault, signed);
      node.finalize();
      expect(await chains.statusOf(vault, paid), memo).toMatchObject({ state: 'paid' });
      expect(node.balance(to)).toBe(BigInt(AMOUNT));
      // Another memo, or none, is another payment: its reference was used by something else.
      const { memo: _, ...bare } = paid;
      expect(await chains.statusOf(vault, bare), memo).toMatchObject({ state: 'void' });
    }
  });

  it('another memo, or none, has other bytes to be signed', async () => {
    const { chains } = await start();
    const [first = '', second = ''] = memos.right;
    const plain = await order({}, chains);
    const built = await Promise.all(
      [plain, { ...plain, memo: first }, { ...plain, memo: second }].map(async (each) =>
        JSON.stringify(await chains.build(vault, each)),
      ),
    );
    expect(new Set(built).size).toBe(3);
  });

  it('a text of another form is refused, and nothing is built with it', async () => {
    const { chains } = await start();
    const { reference } = await order({}, chains);
    const adapter = await loadAdapter(chain);
    for (const memo of ['', ...memos.wrong]) {
      expect(await chains.payeeMemoFault(vault, { address: to, memo }), memo).toMatchObject({ kind: 'wrong_form' });
      const wrong: PaymentOrder = { kind: 'payout', commitment: COMMITMENT, to, amount: AMOUNT, reference, memo };
      await expect(chains.build(vault, wrong), memo).rejects.toThrow(RangeError);
      expect(() => adapter.build(vault, wrong), memo).toThrow(RangeError);
      await expect(order({ memo }, chains), memo).rejects.toThrow(RangeError);
    }
  });

  it('a payment without one, and what cancels one, carry nothing for the payee', async () => {
    const { chains } = await start();
    const [memo = ''] = memos.right;
    const plain = await order({}, chains);
    const cancelled: PaymentOrder = { ...plain, kind: 'cancel', amount: '0', memo };
    for (const each of [plain, cancelled]) {
      const { raw } = await chains.complete(vault, each, cluster.sign(await chains.build(vault, each)));
      expect(memos.read(raw)).toBe(each.kind === 'cancel' ? memos.cancelled : memos.plain);
    }
  });
});

it('B-08: every other chain refuses a memo, and builds nothing that would leave it out', async () => {
  const carrying = CASES.map(({ chain }) => chain);
  const chains = callsOf({} as ChainTransport);
  const order = { kind: 'payout', commitment: COMMITMENT, reference: 'r', to: 'somebody', amount: '1' } as const;
  for (const chain of CHAIN_NAMES) {
    const { payeeMemo } = await loadAdapter(chain);
    expect([chain, payeeMemo !== undefined]).toEqual([chain, carrying.includes(chain)]);
    if (payeeMemo !== undefined) continue;
    const vault = vaultOn(chain, frost.keys);
    expect(await chains.payeeMemoFault(vault, { address: 'somebody' }), chain).toBeNull();
    const fault = await chains.payeeMemoFault(vault, { address: 'somebody', memo: '12' });
    expect(fault, chain).toMatchObject({ kind: 'not_carried' });
    await expect(chains.build(vault, { ...order, memo: '12' }), chain).rejects.toThrow('the memo cannot be carried');
  }
}, 400_000);

/** Accounts that ask for a memo, as each chain says it. */
const ASKING = [
  {
    chain: 'stellar' as const,
    to: STELLAR_PAYEE,
    memo: 'id:12',
    isWithin: STELLAR_CUSTOMER,
    node: () => stellarNode(null),
    asks: (transport: ChainTransport, says = 'MQ==') =>
      changedAnswers(transport, `/accounts/${STELLAR_PAYEE}`, { data: { 'config.memo_required': says } }),
    others: ['MA==', ''],
  },
  {
    chain: 'xrpl' as const,
    to: XRPL_PAYEE,
    memo: '12',
    isWithin: xAddress(12),
    node: () => xrplNode(null),
    asks: (transport: ChainTransport, says: unknown = 0x0002_0000 | 0x0010_0000) => ({
      ...transport,
      rpc: async (method: string, params: unknown) => {
        const answer = await transport.rpc(method, params);
        const [{ account }] = params as [{ account?: string }];
        if (method !== 'account_info' || account !== XRPL_PAYEE) return answer;
        const { account_data: data, ...rest } = answer as { account_data: object };
        return { ...rest, account_data: { ...data, Flags: says } };
      },
    }),
    others: [0, 0x0010_0000, 0x0001_0000],
  },
];

describe.each(ASKING)('B-08: an account of $chain that asks for a memo', (asking) => {
  const { chain, to, memo, isWithin } = asking;
  const vault = vaultOn(chain, frost.keys, chain === 'stellar' ? 7 : 6);

  async function start() {
    const node = asking.node();
    const { address: home } = await callsOf(node.transport).depositPlace(vault, COMMITMENT, AMOUNT);
    node.fund(home, 1_000_000_000n);
    node.fund(to, 0n);
    return { node, chains: callsOf(asking.asks(node.transport)) };
  }

  const payout = { kind: 'payout', commitment: COMMITMENT, to, amount: AMOUNT, attempt: 1 } as const;

  it('is paid nothing without one: whoever states it is told what to state', async () => {
    const { chains } = await start();
    const fault = await chains.payeeMemoFault(vault, { address: to });
    expect(fault).toMatchObject({ kind: 'required', reason: expect.stringContaining('state ') });
    await expect(chains.referenceFor(vault, payout, NOTHING_TAKEN)).rejects.toThrow(/memo/);
    await expect(chains.referenceFor(vault, payout, NOTHING_TAKEN)).rejects.toThrow(RangeError);
  });

  it('is paid with one, or at an address that carries its own', async () => {
    const { chains } = await start();
    for (const payee of [{ address: to, memo }, { address: isWithin }]) {
      expect(await chains.payeeMemoFault(vault, payee)).toBeNull();
      const { address, ...stated } = payee;
      expect(await chains.referenceFor(vault, { ...payout, to: address, ...stated }, NOTHING_TAKEN)).not.toBeNull();
    }
  });

  it('is given back what came from it: funds that wait for ever help nobody', async () => {
    const { chains } = await start();
    expect(await chains.referenceFor(vault, { ...payout, kind: 'refund' }, NOTHING_TAKEN)).not.toBeNull();
  });

  it('is asked what it says now, and not taken for one by anything else that it says', async () => {
    const { node } = await start();
    for (const says of [...asking.others, undefined]) {
      const chains = callsOf(asking.asks(node.transport, says as never));
      const fault = await chains.payeeMemoFault(vault, { address: to });
      expect(fault?.kind ?? null, String(says)).toBe(says === undefined ? 'required' : null);
    }
    // An account that is not on the chain yet asks for nothing.
    expect(await callsOf(asking.node().transport).payeeMemoFault(vault, { address: to })).toBeNull();
    const away = { rpc: fail, get: fail, post: fail };
    await expect(callsOf(away).payeeMemoFault(vault, { address: to })).rejects.toThrow('away');
  });

  it('has no memo beside an address that carries its own', async () => {
    const { chains } = await start();
    const fault = await chains.payeeMemoFault(vault, { address: isWithin, memo });
    expect(fault).toMatchObject({ kind: 'in_address' });
    const { attempt: _, ...order } = payout;
    const reference = (await chains.referenceFor(vault, { ...payout, memo }, NOTHING_TAKEN)) ?? '';
    const adapter = await loadAdapter(chain);
    const both = { ...order, reference, to: isWithin, memo };
    await expect(chains.build(vault, both)).rejects.toThrow(RangeError);
    expect(() => adapter.build(vault, both)).toThrow(RangeError);
  });
});

it('B-08: an X-address that says that it has no tag is refused where the account asks for one', async () => {
  const [, asking] = ASKING;
  const node = xrplNode(null);
  node.fund(XRPL_PAYEE, 0n);
  const chains = callsOf(asking!.asks(node.transport));
  const vault = vaultOn('xrpl', frost.keys);
  expect(await chains.payeeMemoFault(vault, { address: xAddress(false) })).toMatchObject({ kind: 'required' });
  expect(await chains.payeeMemoFault(vault, { address: xAddress(false), memo: '1' })).toMatchObject({
    kind: 'in_address',
  });
});

async function fail(): Promise<never> {
  throw new Error('away');
}
