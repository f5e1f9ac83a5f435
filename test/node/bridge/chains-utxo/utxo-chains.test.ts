import { randomBytes } from 'node:crypto';
import { cashAddressToLockingBytecode, lockingBytecodeToCashAddress } from '@bitauth/libauth';
import { schnorr } from '@noble/curves/secp256k1.js';
import { Address, OutScript, p2ms, p2sh, p2wsh } from '@scure/btc-signer/payment.js';
import { SigHash, Transaction } from '@scure/btc-signer/transaction.js';
import { describe, expect, it, vi } from 'vitest';
import { cashAddress, cashScript } from '../../../../domain/bridge/chains/bitcoin/cash-address.ts';
import { utxoAdapter } from '../../../../domain/bridge/chains/bitcoin/utxo-adapter.ts';
import { UTXO_CHAINS } from '../../../../domain/bridge/chains/bitcoin/utxo-networks.ts';
import { readReference, vsizeOf } from '../../../../domain/bridge/chains/bitcoin/utxo-payment.ts';
import {
  addressOf,
  payingScript,
  utxoNetwork,
  utxoScript,
} from '../../../../domain/bridge/chains/bitcoin/utxo-script.ts';
import {
  InsufficientFunds,
  type KnownCoin,
  type PaymentOrder,
  RpcRefusal,
  Unbuildable,
  type Vault,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../../domain/bridge/chains/chain-calls.ts';
import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import { refundsFromDeposit } from '../../../../domain/bridge/chains/refunds-from-deposit.ts';
import { tweakedShare } from '../../../../domain/bridge/signing/key-share.ts';
import { CASH_RULES } from './cash-rules.ts';
import { SimulatedChain } from './simulated-chain.ts';
import { utxoCluster } from './utxo-cluster.ts';

// Each has a ceremony of keys of its own.
vi.setConfig({ testTimeout: 400_000 });

const aCommitment = () => randomBytes(32).toString('hex');
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** A chain with a vault, and somebody to pay. */
async function scene(chain: ChainName, network: Vault['network'] = 'local') {
  const adapter = utxoAdapter(chain);
  const cluster = await utxoCluster(adapter.scheme);
  const vault: Vault = { chain, network, keys: cluster.keys, contract: null, token: null, decimals: 8 };
  const node = new SimulatedChain(chain === 'bitcoin-cash' ? CASH_RULES : undefined);
  node.addressOf = (script) => addressOf(script, utxoNetwork(vault));
  const payee = addressOf(OutScript.encode({ type: 'pkh', hash: randomBytes(20) }), utxoNetwork(vault));
  const view = (deposited: readonly string[] = [], coins: readonly KnownCoin[] = []) => ({
    ...{ vault, transport: node.transport, relayer: null, deposited, coins },
  });
  const order = async (
    terms: Partial<PaymentOrder>,
    deposited: readonly string[] = [],
    taken: readonly string[] = [],
    coins: readonly KnownCoin[] = [],
  ) => {
    const of = { kind: 'payout', commitment: aCommitment(), to: payee, amount: '100000000', ...terms } as const;
    return { ...of, reference: await adapter.referenceFor(view(deposited, coins), { ...of, attempt: 0 }, taken) };
  };
  const signed = (of: PaymentOrder, by?: readonly number[]) =>
    adapter.complete(vault, of, cluster.sign(adapter.build(vault, of), by));
  const received = () => {
    const paying = Buffer.from(payingScript(payee, vault)).toString('hex');
    return { paying };
  };
  return { adapter, cluster, vault, node, payee, view, order, signed, received };
}

/** One and a half coins for each commitment, deep enough. */
function funded({ vault, node }: Awaited<ReturnType<typeof scene>>, commitments: readonly (string | null)[]): void {
  for (const commitment of commitments) node.pay(utxoScript(vault, commitment).script, 150_000_000n);
  node.mine(100);
}

describe.each(Object.keys(UTXO_CHAINS) as ChainName[])('%s', (chain) => {
  it('finds a deposit by the address of its transfer, counts its confirmations, and loses it in a reorganization', async () => {
    const { adapter, vault, node, view } = await scene(chain);
    const commitment = aCommitment();
    const place = await adapter.depositPlace(view(), commitment, '1');
    expect(adapter.addressOf(place.address, 'local')).toBe(place.address);
    expect(place).toMatchObject({ memo: null, call: null });
    expect(place.address).not.toBe((await adapter.depositPlace(view(), aCommitment(), '1')).address);
    expect(await adapter.deposits(view(), commitment, '')).toEqual([]);
    const txid = node.pay(payingScript(place.address, vault), 5_000_000n);
    expect(await adapter.deposits(view(), commitment, '')).toEqual([
      { reference: `${txid}:0`, amount: '5000000', confirmations: 0 },
    ]);
    node.mine(3);
    expect(await adapter.deposits(view(), commitment, '')).toMatchObject([
      { confirmations: 3, at: expect.any(Number) },
    ]);
    node.reorganize(5);
    expect(await adapter.deposits(view(), commitment, '')).toEqual([]);
  });

  it('shows no place to pay in for an amount that a JSON number does not hold', async () => {
    const { adapter, view } = await scene(chain);
    const placed = async (amount: string) => adapter.depositPlace(view(), aCommitment(), amount);
    for (const amount of ['0', '-1', '1.5', '', '9007199254740992'])
      await expect(placed(amount), amount).rejects.toThrow(RangeError);
    await expect(placed('9007199254740991')).resolves.toMatchObject({ memo: null });
  });

  it('finds a deposit beside amounts of others that a JSON number does not hold, and takes none of these for its own', async () => {
    const { adapter, vault, node, view } = await scene(chain);
    const commitment = aCommitment();
    const place = await adapter.depositPlace(view(), commitment, '1');
    const txid = node.pay(payingScript(place.address, vault), 5_000_000n);
    node.mine(3);
    const huge = 10_000_000_000_000_000;
    const of = (isOwn: boolean) => {
      const more = (tx: { txid: string; vout: { scriptpubkey: string; value: number }[] }) => {
        if (tx.txid !== txid) return tx;
        const scriptpubkey = isOwn ? (tx.vout[0]?.scriptpubkey ?? '') : '76a9';
        return { ...tx, vout: [...tx.vout, { scriptpubkey, value: huge }] };
      };
      const get = async (path: string) => {
        const answer = (await node.transport.get(path)) as never;
        if (path.endsWith('/txs')) return (answer as never[]).map(more);
        return path === `/tx/${txid}` ? more(answer) : answer;
      };
      return { ...view(), transport: { ...node.transport, get } };
    };
    for (const isOwn of [false, true])
      for (const known of [[], [`${txid}:0`]])
        expect(await adapter.deposits(of(isOwn), commitment, '', known)).toMatchObject([
          { reference: `${txid}:0`, amount: '5000000', confirmations: 3 },
        ]);
  });

  it('finds a deposit among whatever else is paid in, and takes none for lost that it cannot look so far back for', async () => {
    const at = await scene(chain);
    const { adapter, vault, node, view } = at;
    const commitment = aCommitment();
    const { script } = utxoScript(vault, commitment);
    for (let speck = 0; speck < 30; speck++) node.pay(script, 1_000n);
    node.mine();
    const txid = node.pay(script, 5_000_000n);
    node.mine();
    for (let speck = 0; speck < 50; speck++) node.pay(script, 1_000n);
    node.mine();
    for (let speck = 0; speck < 60; speck++) node.pay(script, 1_000n);
    const found = await adapter.deposits(view(), commitment, '');
    expect(found).toContainEqual(
      expect.objectContaining({ reference: `${txid}:0`, amount: '5000000', confirmations: 2 }),
    );
    for (let speck = 0; speck < 1_000; speck++) node.pay(script, 1_000n);
    node.mine();
    await expect(adapter.deposits(view(), commitment, '')).rejects.toThrow('too many');
    const other = aCommitment();
    const [stranger, foreign] = [node.pay(script, 2_000n), node.pay(utxoScript(vault, other).script, 5_000_000n)];
    node.mine();
    // Who has seen it asks for it; what is none of the transfer's is none, whoever names it.
    const known = [`${txid}:0`, `${foreign}:0`, `${txid}:1`, `${'ab'.repeat(32)}:0`, 'no reference'];
    const deposits = await adapter.deposits(view(), commitment, '', known);
    expect(deposits).toHaveLength(20);
    expect(deposits[0]).toMatchObject({ reference: `${txid}:0`, amount: '5000000' });
    expect(deposits.map(({ reference }) => reference)).toContain(`${stranger}:0`);
    expect(deposits.map(({ reference }) => reference)).not.toContain(`${foreign}:0`);
    const refund = { kind: 'refund', commitment, amount: '5000000' } as const;
    await expect(at.order(refund)).rejects.toThrow(InsufficientFunds);
    const coin = { reference: `${txid}:0`, commitment };
    expect(readReference((await at.order(refund, [], [], [coin])).reference).inputs).toMatchObject([{ txid, vout: 0 }]);
  });

  it('pays out of what it remembers of change and deposits, where strangers hide them, and of nothing that is spent, another’s or taken', async () => {
    const at = await scene(chain);
    const { adapter, vault, node, view, signed } = at;
    const commitment = aCommitment();
    funded(at, [null, commitment]);
    const paid = signed(await at.order({ amount: '1000000' }));
    await adapter.broadcast(view(), paid);
    for (const source of [null, commitment])
      for (let speck = 0; speck < 1_010; speck++) node.pay(utxoScript(vault, source).script, 1_000n);
    node.mine(100);
    await expect(at.order({ amount: '220000000' }, [commitment])).rejects.toThrow(InsufficientFunds);
    const change = { reference: paid.transaction ?? '', commitment: null };
    const all = node.transactionsPaying(utxoScript(vault, commitment).script);
    const coins = [change, { reference: `${all[0]}:0`, commitment }, { reference: 'none', commitment: null }];
    const of = await at.order({ amount: '220000000' }, [commitment], [], coins);
    expect(new Set(readReference(of.reference).inputs.map(({ txid }) => txid))).toEqual(
      new Set([paid.transaction, all[0]]),
    );
    await expect(at.order({ amount: '220000000' }, [commitment], [of.reference], coins)).rejects.toThrow(
      InsufficientFunds,
    );
    await adapter.broadcast(view(), signed(of));
    node.mine();
    await expect(at.order({ amount: '220000000' }, [commitment], [], coins)).rejects.toThrow(InsufficientFunds);
  });

  it('spends coins that are deep, and one that is not where those are too little, by what that was paid from', async () => {
    const at = await scene(chain, 'testnet');
    const { adapter, vault, node, view } = at;
    const { script } = utxoScript(vault, null);
    funded(at, [null]);
    const origin = `${'a5'.repeat(32)}:1`;
    const young = node.pay(script, 170_000_000n, origin);
    node.mine();
    const deep = readReference((await at.order({ amount: '90000000' })).reference);
    expect(deep.inputs.map(({ value }) => value)).toEqual(['150000000']);
    expect(deep.origins).toBeUndefined();
    // Of a stranger's coin nobody knows that it stays.
    await expect(at.order({ amount: '220000000' })).rejects.toThrow(InsufficientFunds);
    const of = await at.order({ amount: '220000000' }, [], [], [{ reference: young, commitment: null }]);
    const { inputs, origins, ...rest } = readReference(of.reference);
    expect(inputs.map(({ value }) => value)).toEqual(['170000000', '150000000']);
    const bare = { ...of, reference: JSON.stringify({ inputs, ...rest }) };
    const last = { ...of, reference: JSON.stringify({ inputs: inputs.toReversed(), ...rest, origins }) };
    for (const lie of [bare, { ...bare, kind: 'cancel' as const }, last])
      expect((await adapter.checkReference(view(), lie)).fault?.isForGood).toBe(lie === last);
    expect(origins).toEqual([{ txid: 'a5'.repeat(32), vout: 1 }]);
    expect(await adapter.checkReference(view(), of)).toMatchObject({ fault: null });
    node.reorganize(1);
    expect(await adapter.statusOf(view(), of)).toEqual({ state: 'unspent' });
    const instead = node.pay(script, 160_000_000n, origin);
    node.mine(3);
    expect(instead).not.toBe(young);
    expect(await adapter.statusOf(view(), of)).toEqual({ state: 'void', transaction: instead, confirmations: 3 });
    node.mine(100);
    expect(readReference((await at.order({ amount: '220000000' })).reference).origins).toBeUndefined();
  });

  it('pays out and finds deposits by what is known, also where an indexer lists nothing', async () => {
    const { adapter, vault, node, view, payee } = await scene(chain);
    const commitment = aCommitment();
    const [own, deposit] = [null, commitment].map((of) => node.pay(utxoScript(vault, of).script, 150_000_000n));
    node.mine(100);
    const get = async (path: string) => {
      if (path.startsWith('/address/')) throw new RpcRefusal(503, 'too busy');
      return node.transport.get(path);
    };
    const transport = { ...node.transport, get };
    const of = { kind: 'payout', commitment: aCommitment(), to: payee, amount: '220000000', attempt: 0 } as const;
    const coins = [
      { reference: own ?? '', commitment: null },
      { reference: `${deposit}:0`, commitment },
    ];
    const known = { ...view([commitment], coins), transport };
    await expect(adapter.referenceFor({ ...known, coins: [] }, of, [])).rejects.toThrow('too busy');
    expect(readReference(await adapter.referenceFor(known, of, [])).inputs).toHaveLength(2);
    const more = { ...of, amount: '400000000' };
    await expect(adapter.referenceFor(known, more, [])).rejects.toThrow(InsufficientFunds);
    await expect(adapter.deposits(known, commitment, '', [])).rejects.toThrow('too busy');
    const reference = `${deposit}:0`;
    expect(await adapter.deposits(known, commitment, '', [reference])).toMatchObject([
      { reference, confirmations: 100 },
    ]);
  });

  it('asks for no more lists than it has the time for, however much strangers have paid in', async () => {
    const { adapter, node, view, payee } = await scene(chain);
    const page = Array.from({ length: 25 }, (_, n) => {
      const txid = n.toString(16).padStart(64, '0');
      return { txid, status: { confirmed: true, block_height: 0 }, vin: [], vout: [] };
    });
    let lists = 0;
    const get = async (path: string) => {
      if (!path.startsWith('/address/')) return node.transport.get(path);
      lists += 1;
      if (path.endsWith('/utxo')) throw new RpcRefusal(400, 'Too many unspent transaction outputs');
      return page;
    };
    const known = { ...view(Array.from({ length: 60 }, aCommitment)), transport: { ...node.transport, get } };
    const of = { kind: 'payout', commitment: aCommitment(), to: payee, amount: '220000000', attempt: 0 } as const;
    await expect(adapter.referenceFor(known, of, [])).rejects.toThrow(InsufficientFunds);
    expect(lists).toBe(120);
  });

  it('gives no reference to a payment that could never be built, and pays refunds out of their deposits', async () => {
    const at = await scene(chain);
    funded(at, [null]);
    const { transport } = at.node;
    const { referenceFor } = chainCalls({ transportOf: () => transport, custodyOf: () => transport, relayer: null });
    const order = { kind: 'payout', commitment: aCommitment(), to: (await at.order({})).to, attempt: 0 } as const;
    const known = { taken: [], deposited: [] };
    await expect(referenceFor(at.vault, { ...order, amount: '100' }, known)).rejects.toBeInstanceOf(Unbuildable);
    expect(await referenceFor(at.vault, { ...order, amount: '2000000' }, known)).not.toBeNull();
    expect(refundsFromDeposit(at.vault)).toBe(true);
  });

  it('pays out of its largest outputs, however many specks lie beside them', async () => {
    const at = await scene(chain);
    for (let speck = 0; speck < 150; speck++) at.node.pay(utxoScript(at.vault, null).script, 1_000n);
    at.node.mine();
    funded(at, [null]);
    expect(readReference((await at.order({})).reference).inputs).toHaveLength(1);
  });

  it('pays out behind more specks than an indexer lists, and of nothing that is spent', async () => {
    const at = await scene(chain);
    const { script } = utxoScript(at.vault, null);
    funded(at, [null]);
    await at.adapter.broadcast(at.view(), at.signed(await at.order({ amount: '1000000' }), [0, 1, 2]));
    at.node.mine();
    for (let speck = 0; speck < 501; speck++) at.node.pay(script, 1_000n);
    at.node.mine();
    const { inputs } = readReference((await at.order({ amount: '2000000' })).reference);
    // What the first payment has left: the funds themselves are spent.
    expect(inputs).toHaveLength(1);
    expect(Number(inputs[0]?.value)).toBeLessThan(150_000_000);
  });

  it('takes no reference for a refund that its fee would eat', async () => {
    const at = await scene(chain);
    const commitment = aCommitment();
    funded(at, [commitment]);
    await expect(at.order({ kind: 'refund', commitment, amount: '330' }, [commitment])).rejects.toThrow(
      InsufficientFunds,
    );
  });

  it('pays out of deposits and its own outputs by any three of five, once, and a node takes it', async () => {
    const at = await scene(chain);
    const { adapter, node, order, signed, view } = at;
    const deposited = [aCommitment(), aCommitment()];
    for (const by of [
      [0, 1, 2],
      [2, 3, 4],
      [0, 2, 4],
    ]) {
      funded(at, [...deposited, null]);
      const of = await order({ amount: '220000000' }, deposited);
      expect(readReference(of.reference).inputs).toHaveLength(2);
      expect(await adapter.statusOf(view(), of)).toEqual({ state: 'unspent' });
      const payment = signed(of, by);
      expect(await adapter.broadcast(view(), payment)).toBe(payment.transaction);
      expect(await adapter.broadcast(view(), payment)).toBe(payment.transaction);
      expect(await adapter.statusOf(view(), of)).toEqual({
        state: 'paid',
        transaction: payment.transaction,
        confirmations: 0,
      });
      node.mine(2);
      expect(await adapter.statusOf(view(), of)).toMatchObject({ state: 'paid', confirmations: 2 });
    }
  });

  it('builds the same bytes wherever it is built, and takes no reference that another payment uses', async () => {
    const at = await scene(chain);
    funded(at, [null, null]);
    const first = await at.order({});
    expect(at.adapter.build(at.vault, first)).toEqual(
      utxoAdapter(chain).build(structuredClone(at.vault), structuredClone(first)),
    );
    const second = await at.order({}, [], [first.reference]);
    const inputs = (of: PaymentOrder) => readReference(of.reference).inputs.map(({ txid, vout }) => `${txid}:${vout}`);
    expect(inputs(first).some((each) => inputs(second).includes(each))).toBe(false);
    await expect(at.order({}, [], [first.reference, second.reference])).rejects.toThrow(InsufficientFunds);
  });

  it('gives a deposit back out of itself, less the fee of the chain', async () => {
    const at = await scene(chain);
    const commitment = aCommitment();
    funded(at, [commitment, null]);
    const refund = await at.order({ kind: 'refund', commitment, amount: '150000000' });
    const { inputs, fee } = readReference(refund.reference);
    expect(inputs).toMatchObject([{ commitment }]);
    const payment = at.signed(refund);
    await at.adapter.broadcast(at.view(), payment);
    const { outputsLength } = Transaction.fromRaw(bytes(payment.raw), {
      allowUnknownOutputs: true,
      disableScriptCheck: true,
    });
    const [output] = [
      Transaction.fromRaw(bytes(payment.raw), { allowUnknownOutputs: true, disableScriptCheck: true }).getOutput(0),
    ];
    expect([outputsLength, output.amount]).toEqual([2, 150_000_000n - BigInt(fee)]);
    expect(await at.adapter.statusOf(at.view(), refund)).toMatchObject({ state: 'paid' });
  });

  it('is void for a deposit that was taken away once what that was paid from is spent otherwise, and gives back what comes then', async () => {
    const at = await scene(chain);
    const { adapter, vault, node, view, signed } = at;
    const commitment = aCommitment();
    const { script } = utxoScript(vault, commitment);
    const origin = `${'a5'.repeat(32)}:1`;
    node.pay(script, 150_000_000n, origin);
    node.mine(100);
    const of = { kind: 'refund', commitment, amount: '150000000' } as const;
    const gone = await at.order(of);
    expect(await adapter.statusOf(view(), gone)).toEqual({ state: 'unspent' });
    node.reorganize(100);
    await expect(adapter.statusOf(view(), gone)).rejects.toThrow('not known now');
    const other = node.pay(utxoScript(vault, null).script, 150_000_000n, origin);
    await expect(adapter.statusOf(view(), gone)).rejects.toThrow('not known now');
    node.mine(6);
    const spent = { state: 'void', transaction: other, confirmations: 6 };
    expect(await adapter.statusOf(view(), gone)).toEqual(spent);
    node.pay(script, 140_000_000n);
    node.mine();
    const instead = await at.order({ ...of, amount: '140000000' });
    await adapter.broadcast(view(), signed(instead));
    await expect(adapter.broadcast(view(), signed(gone))).rejects.toThrow('missingorspent');
    node.mine();
    expect(await adapter.statusOf(view(), instead)).toMatchObject({ state: 'paid' });
    expect(await adapter.statusOf(view(), gone)).toMatchObject({ state: 'void' });
  });

  it('is void once another payment has spent any of its coins, the first or another, with the depth of the deepest', async () => {
    const at = await scene(chain);
    const { adapter, node, view, signed } = at;
    funded(at, [null, null]);
    const of = await at.order({ amount: '220000000' });
    const { inputs, fee } = readReference(of.reference);
    const others = inputs.map((input, n) => ({
      ...of,
      commitment: aCommitment(),
      amount: String(90_000_000 + n),
      reference: JSON.stringify({ inputs: [input], fee }),
    }));
    const [first, last] = others as [PaymentOrder, PaymentOrder];
    await adapter.broadcast(view(), signed(last));
    const [byLast, byFirst] = [signed(last).transaction, signed(first).transaction];
    expect(await adapter.statusOf(view(), of)).toEqual({ state: 'void', transaction: byLast, confirmations: 0 });
    node.mine(6);
    expect(await adapter.statusOf(view(), of)).toEqual({ state: 'void', transaction: byLast, confirmations: 6 });
    await adapter.broadcast(view(), signed(first));
    node.mine();
    expect(await adapter.statusOf(view(), of)).toEqual({ state: 'void', transaction: byLast, confirmations: 7 });
    expect(await adapter.statusOf(view(), first)).toEqual({ state: 'paid', transaction: byFirst, confirmations: 1 });
    expect(await adapter.statusOf(view(), last)).toMatchObject({ state: 'paid', confirmations: 7 });
    await expect(adapter.broadcast(view(), signed(of))).rejects.toThrow('missingorspent');
  });

  it('is void also where a coin of it is gone from the chain, once another payment has spent one that is left', async () => {
    const at = await scene(chain);
    const { adapter, node, view, signed } = at;
    funded(at, [null]);
    const { script } = utxoScript(at.vault, null);
    node.pay(script, 150_000_001n);
    node.mine(2);
    const of = await at.order({ amount: '220000000' });
    const { inputs, fee } = readReference(of.reference);
    node.reorganize(2);
    expect(await adapter.statusOf(view(), of)).toEqual({ state: 'unspent' });
    const left = inputs.filter(({ value }) => value === '150000000');
    const other = {
      ...of,
      commitment: aCommitment(),
      amount: '90000000',
      reference: JSON.stringify({ inputs: left, fee }),
    };
    await adapter.broadcast(view(), signed(other));
    node.mine(6);
    expect(await adapter.statusOf(view(), of)).toMatchObject({ state: 'void', confirmations: 6 });
  });

  it('believes no reference of a refund that names what its deposit was not paid from', async () => {
    const at = await scene(chain);
    const commitment = aCommitment();
    funded(at, [commitment]);
    const order = await at.order({ kind: 'refund', commitment, amount: '150000000' });
    const { origins = [], ...rest } = readReference(order.reference);
    expect(origins).toHaveLength(1);
    for (const [txid, vout] of [
      ['b6'.repeat(32), 0],
      [origins[0]!.txid, 1],
    ] as const) {
      const reference = JSON.stringify({ ...rest, origins: [...origins, { txid, vout }] });
      const lie = { ...order, reference };
      expect(await at.adapter.checkReference(at.view(), lie)).toMatchObject({ fault: { isForGood: true } });
      expect(await at.adapter.statusOf(at.view(), lie)).toEqual({ state: 'unspent' });
    }
  });

  it.skipIf(chain === 'bitcoin-cash')(
    'cancels what was handed in and not mined: the same outputs go back to the vault, and the payment is void',
    async () => {
      const at = await scene(chain);
      funded(at, [null]);
      const of = await at.order({});
      await at.adapter.broadcast(at.view(), at.signed(of));
      const cancel = at.signed({ ...of, kind: 'cancel', to: '', amount: '0' });
      await at.adapter.broadcast(at.view(), cancel);
      at.node.mine(1);
      expect(await at.adapter.statusOf(at.view(), of)).toMatchObject({
        state: 'void',
        transaction: cancel.transaction,
      });
      await expect(at.adapter.broadcast(at.view(), at.signed(of))).rejects.toThrow();
    },
  );

  it('cancels what was never handed in', async () => {
    const at = await scene(chain);
    funded(at, [null]);
    const of = await at.order({});
    const cancel = at.signed({ ...of, kind: 'cancel', to: '', amount: '0' });
    await at.adapter.broadcast(at.view(), cancel);
    expect(await at.adapter.statusOf(at.view(), of)).toMatchObject({ state: 'void', transaction: cancel.transaction });
    at.node.mine(1);
    await expect(at.adapter.broadcast(at.view(), at.signed(of))).rejects.toThrow();
  });

  it('is refused by nodes with a signature of another digest', async () => {
    const at = await scene(chain);
    funded(at, [null]);
    const of = await at.order({});
    const { raw } = at.signed(of);
    // The last digits are the locktime, or the change before it: no signature is of it any more.
    const other = `${raw.slice(0, -8)}01000000`;
    await expect(at.adapter.broadcast(at.view(), { raw: other, transaction: null })).rejects.toThrow(
      /mandatory-script-verify-flag-failed/,
    );
  });

  it('counts the bytes of a payment generously, so that nodes relay it, with up to twenty inputs', async () => {
    const at = await scene(chain);
    const deposited = Array.from({ length: 20 }, aCommitment);
    funded(at, deposited);
    const of = await at.order({ amount: '2900000000' }, deposited);
    const { inputs } = readReference(of.reference);
    expect(inputs).toHaveLength(20);
    const { raw } = at.signed(of);
    const { vsize } = Transaction.fromRaw(bytes(raw), { allowUnknownOutputs: true, disableScriptCheck: true });
    expect(vsize).toBeLessThanOrEqual(vsizeOf(at.vault, 20));
    await at.adapter.broadcast(at.view(), { raw, transaction: null });
    expect(await at.adapter.statusOf(at.view(), of)).toMatchObject({ state: 'paid' });
  });

  it('refuses signatures that are missing, wrong, of too few, or of another payment', async () => {
    const at = await scene(chain);
    funded(at, [aCommitment(), null]);
    const of = await at.order({});
    const { adapter, vault, cluster } = at;
    const right = cluster.sign(adapter.build(vault, of));
    const other = cluster.sign(adapter.build(vault, { ...of, amount: '99999999' }));
    expect(() => adapter.complete(vault, of, [])).toThrow(RangeError);
    expect(() => adapter.complete(vault, of, other)).toThrow(RangeError);
    const [first] = right;
    if (first?.kind === 'each') {
      const { signatures } = first;
      expect(() => adapter.complete(vault, of, [{ kind: 'each', signatures: signatures.slice(1) }])).toThrow(
        RangeError,
      );
      const twice = [signatures[0], signatures[0], signatures[1]] as typeof signatures;
      expect(() => adapter.complete(vault, of, [{ kind: 'each', signatures: twice }])).toThrow(RangeError);
    }
    expect(adapter.complete(vault, of, right).transaction).toMatch(/^[0-9a-f]{64}$/);
  });

  it('builds nothing with a fee above the bound, nor dust, nor from another reference', async () => {
    const at = await scene(chain);
    funded(at, [null]);
    const of = await at.order({});
    const { inputs } = readReference(of.reference);
    const build = (change: Partial<PaymentOrder>) => () => at.adapter.build(at.vault, { ...of, ...change });
    expect(build({ reference: JSON.stringify({ inputs, fee: '149000000' }) })).toThrow(RangeError);
    expect(build({ reference: 'other' })).toThrow(RangeError);
    expect(build({ reference: ` ${of.reference}` })).toThrow(RangeError);
    expect(build({ amount: '100' })).toThrow(RangeError);
    expect(build({ amount: '150000000' })).toThrow(RangeError);
    expect(build({ to: 'nowhere' })).toThrow(RangeError);
  });

  it('knows addresses of its own network alone', async () => {
    const adapter = utxoAdapter(chain);
    for (const text of [
      '',
      'bc1',
      '0x52908400098527886E0F7030069857D2E4169EE7',
      'tb1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
    ])
      expect(adapter.addressOf(text, 'mainnet')).toBeNull();
    const { address } = utxoScript({ ...(await scene(chain)).vault, network: 'mainnet' }, null);
    expect(adapter.addressOf(address, 'mainnet')).toBe(address);
    expect(adapter.addressOf(address, 'testnet')).toBeNull();
  });
});

describe('against what others have published', () => {
  it('Taproot: an output key stands in its address as it is (BIP-86, first receiving address)', () => {
    const outputKey = 'a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c';
    const keys = { scheme: 'frost-taproot', groupKey: outputKey, signerKeys: [] } as const;
    const vault: Vault = {
      chain: 'bitcoin-taproot',
      network: 'mainnet',
      keys,
      contract: null,
      token: null,
      decimals: 8,
    };
    expect(utxoScript(vault, null).address).toBe('bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr');
  });

  it('addresses of both SegWit versions (BIP-173, BIP-350) and of Base58Check', () => {
    const bitcoin = utxoAdapter('bitcoin-segwit');
    for (const address of [
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    ])
      expect(bitcoin.addressOf(address, 'mainnet')).toBe(address);
    // Bech32 with a version that BIP-350 gives to Bech32m.
    expect(bitcoin.addressOf('bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'mainnet')).toBeNull();
  });

  it('addresses of Bitcoin Cash (specification of CashAddr, test vectors and translated addresses)', () => {
    for (const [kind, hash, prefix, address] of [
      [
        '76a914',
        'f5bf48b397dae70be82b3cca4793f8eb2b6cdac9',
        'bitcoincash',
        'qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
      ],
      ['a914', 'f5bf48b397dae70be82b3cca4793f8eb2b6cdac9', 'bchtest', 'pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t'],
      [
        '76a914',
        '76a04053bda0a88bda5177b86a15c3b29f559873',
        'bitcoincash',
        'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      ],
      ['a914', '76a04053bda0a88bda5177b86a15c3b29f559873', 'bitcoincash', 'ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
    ] as const) {
      const script = bytes(`${kind}${hash}${kind === 'a914' ? '87' : '88ac'}`);
      expect(cashAddress(script, prefix)).toBe(`${prefix}:${address}`);
      for (const text of [address, `${prefix}:${address}`, `${prefix}:${address}`.toUpperCase()])
        expect(Buffer.from(cashScript(text, prefix))).toEqual(Buffer.from(script));
      expect(() => cashScript(address, 'bchreg')).toThrow(RangeError);
      expect(() => cashScript(`${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}`, prefix)).toThrow(
        RangeError,
      );
    }
    const adapter = utxoAdapter('bitcoin-cash');
    for (const text of [
      '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
      'bitcoincash:Qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      'bitcoincash:qvch8mmxy0rtfrlarg7ucrxxfzds5pamg73h7370aa87d80gyhqxq5nlegake',
    ])
      expect(adapter.addressOf(text, 'mainnet'), text).toBeNull();
  });

  it('addresses of Bitcoin Cash are those that libauth writes and reads', () => {
    for (let n = 0; n < 50; n++)
      for (const [before, length, after] of [
        ['76a914', 20, '88ac'],
        ['a914', 20, '87'],
        ['aa20', 32, '87'],
      ] as const) {
        const bytecode = bytes(`${before}${randomBytes(length).toString('hex')}${after}`);
        for (const tokenSupport of [false, true]) {
          const theirs = lockingBytecodeToCashAddress({ bytecode, prefix: 'bchtest', tokenSupport });
          if (typeof theirs === 'string') throw new Error(theirs);
          if (!tokenSupport) expect(cashAddress(bytecode, 'bchtest')).toBe(theirs.address);
          expect(Buffer.from(cashScript(theirs.address, 'bchtest'))).toEqual(Buffer.from(bytecode));
        }
        expect(cashAddressToLockingBytecode(cashAddress(bytecode, 'bchtest'))).toMatchObject({ bytecode });
      }
  });

  it('a Taproot spend of the cluster is one by @scure/btc-signer’s own digest and BIP-340', async () => {
    const at = await scene('bitcoin-taproot');
    const commitment = aCommitment();
    funded(at, [commitment]);
    const of = await at.order({}, [commitment]);
    const raw = bytes(at.signed(of).raw);
    const { script } = utxoScript(at.vault, commitment);
    const tx = Transaction.fromRaw(raw, { allowUnknownOutputs: true, disableScriptCheck: true });
    const digest = tx.preimageWitnessV1(0, [script], SigHash.DEFAULT, [150_000_000n]);
    const [signature] = tx.getInput(0).finalScriptWitness ?? [];
    const key = OutScript.decode(script);
    if (key?.type !== 'tr') throw new Error('no Taproot output');
    expect(schnorr.verify(signature as Uint8Array, digest, key.pubkey)).toBe(true);
    expect(Address(utxoNetwork(at.vault)).decode(utxoScript(at.vault, commitment).address)).toMatchObject({
      type: 'tr',
      pubkey: key.pubkey,
    });
  });

  it.each(['bitcoin-segwit', 'bitcoin-legacy'] as const)(
    'a spend of %s is byte for byte what @scure/btc-signer signs by the same keys',
    async (chain) => {
      const at = await scene(chain);
      const commitment = aCommitment();
      funded(at, [commitment]);
      const of = await at.order({}, [commitment]);
      const own = utxoScript(at.vault, commitment);
      const multisig = p2ms(3, own.keys.map(bytes));
      const wrapped = chain === 'bitcoin-segwit' ? p2wsh(multisig) : p2sh(multisig);
      const [input] = readReference(of.reference).inputs;
      const built = Transaction.fromRaw(bytes(at.signed(of).raw), {
        allowUnknownOutputs: true,
        disableScriptCheck: true,
      });
      const tx = new Transaction({ allowLegacyWitnessUtxo: true, allowUnknownOutputs: true });
      tx.addInput({
        txid: input?.txid ?? '',
        index: input?.vout ?? 0,
        sequence: 0xffff_fffd,
        witnessUtxo: { script: own.script, amount: 150_000_000n },
        ...(chain === 'bitcoin-segwit' ? { witnessScript: multisig.script } : { redeemScript: multisig.script }),
      });
      for (let n = 0; n < built.outputsLength; n++) {
        const { script, amount } = built.getOutput(n);
        tx.addOutput({ script: script as Uint8Array, amount: amount as bigint });
      }
      expect(Buffer.from(wrapped.script)).toEqual(Buffer.from(own.script));
      for (const n of [0, 2, 4]) {
        const { secret } = tweakedShare(at.cluster.shares[n] as (typeof at.cluster.shares)[number], own.tweak);
        tx.sign(bytes(secret), [SigHash.ALL]);
      }
      tx.finalize();
      expect(tx.hex).toBe(at.signed(of).raw);
    },
  );
});
