import { createHash } from 'node:crypto';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { OutScript } from '@scure/btc-signer/payment.js';
import { RawTx, Script } from '@scure/btc-signer/script.js';
import { SigHash, Transaction } from '@scure/btc-signer/transaction.js';
import { type ChainTransport, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';

export interface Output {
  readonly script: Uint8Array;
  readonly value: bigint;
}

/** Outputs that an indexer lists of one address (electrs). */
const LISTED_MAX = 500;

interface Mined {
  readonly txid: string;
  readonly raw: Uint8Array;
  readonly spends: readonly string[];
  readonly outputs: readonly Output[];
}

/** What differs between such chains. */
export interface ChainRules {
  /** Whether what waits for a block gives way to what pays more. */
  readonly replaces: boolean;
  /** Checks all of a transaction's scripts in place of the chain's own check. @returns why not */
  readonly verify?: (raw: Uint8Array, spent: readonly Output[]) => string | null;
}

/**
 * A chain with unspent outputs, as Esplora tells it: blocks, a mempool, replacement by fee, reorganizations. It takes a transaction only where each input is unspent, its script is
 * satisfied (P2TR by key, P2WSH and P2SH of OP_CHECKMULTISIG), and no more comes out than goes in.
 */
export class SimulatedChain {
  readonly #rules: ChainRules;
  #blocks: Mined[][] = [[]];
  #mempool: Mined[] = [];
  #heights = new Map<string, number>();
  readonly #addresses = new Map<string, string>();
  #coins = 0;
  feeRate = 5;

  constructor(rules: ChainRules = { replaces: true }) {
    this.#rules = rules;
  }

  get transport(): ChainTransport {
    return {
      rpc: () => Promise.reject(new Error('no JSON-RPC')),
      get: async (path) => this.#get(path),
      post: async (_, raw) => this.#take(String(raw)),
    };
  }

  /** Pays somebody out of what nobody has, or what `origin` says whoever had it. @returns the transaction */
  pay(script: Uint8Array, value: bigint, origin?: string): string {
    this.#coins += 1;
    const [txid = '', before = ''] = ['coin', 'before'].map((what) =>
      createHash('sha256').update(`${what} ${this.#coins}`).digest('hex'),
    );
    this.#mempool.push({
      txid,
      raw: new Uint8Array(),
      spends: [origin ?? `${before}:0`],
      outputs: [{ script, value }],
    });
    return txid;
  }

  mine(blocks = 1): void {
    for (let n = 0; n < blocks; n++) {
      for (const { txid } of this.#mempool) this.#heights.set(txid, this.#blocks.length);
      this.#blocks.push(this.#mempool);
      this.#mempool = [];
    }
  }

  /** The last blocks are none any more, and neither is what was in them. */
  reorganize(blocks: number): void {
    this.#blocks = this.#blocks.slice(0, Math.max(1, this.#blocks.length - blocks));
    for (let n = 0; n < blocks + 1; n++) this.#blocks.push([]);
    this.#heights = new Map(this.#blocks.flatMap((block, height) => block.map(({ txid }) => [txid, height] as const)));
  }

  /** Transactions that pay a script, oldest first. */
  transactionsPaying(script: Uint8Array): string[] {
    const isThat = (output: Output) => Buffer.from(output.script).equals(script);
    return this.#all().flatMap(({ txid, outputs }) => (outputs.some(isThat) ? [txid] : []));
  }

  transactionOf(txid: string): Uint8Array {
    return this.#all().find((each) => each.txid === txid)?.raw ?? new Uint8Array();
  }

  #all(): Mined[] {
    return [...this.#blocks.flat(), ...this.#mempool];
  }

  #statusOf(txid: string) {
    const height = this.#heights.get(txid);
    return height === undefined
      ? { confirmed: false }
      : { confirmed: true, block_height: height, block_time: 1_700_000_000 + height * 600 };
  }

  #spender(outpoint: string): Mined | undefined {
    return this.#all().find(({ spends }) => spends.includes(outpoint));
  }

  #shown({ txid, spends, outputs }: Mined) {
    const vin = spends.map((outpoint) => ({ txid: outpoint.slice(0, 64), vout: Number(outpoint.slice(65)) }));
    const vout = outputs.map(({ script, value }) => ({
      scriptpubkey: Buffer.from(script).toString('hex'),
      value: Number(value),
    }));
    return { txid, vin, vout, status: this.#statusOf(txid) };
  }

  /** Newest first: 50 that wait for a block, and 25 of blocks, of which `after` is the last that was seen. */
  #page(paying: readonly Mined[], after: string | undefined) {
    const newest = paying.toReversed();
    const mined = newest.filter(({ txid }) => this.#heights.has(txid));
    const waiting = newest.filter(({ txid }) => !this.#heights.has(txid)).slice(0, 50);
    const from = after === undefined ? 0 : mined.findIndex(({ txid }) => txid === after) + 1;
    const page = [...(after === undefined ? waiting : []), ...mined.slice(from, from + 25)];
    return page.map((each) => this.#shown(each));
  }

  #get(path: string): unknown {
    const [, first, id = '', what, vout = '', after] = path.split('/');
    if (path === '/blocks/tip/height') return this.#blocks.length - 1;
    if (path === '/fee-estimates') return { '3': this.feeRate };
    if (first === 'tx') {
      const found = this.#all().find(({ txid }) => txid === id);
      if (what !== 'outspend') {
        if (found === undefined) throw new RpcRefusal(404, 'Transaction not found');
        return this.#shown(found);
      }
      const spender = this.#spender(`${id}:${vout}`);
      return spender === undefined
        ? { spent: false }
        : { spent: true, txid: spender.txid, vin: 0, status: this.#statusOf(spender.txid) };
    }
    const isAt = ({ script }: Output) => this.#addressOf(script) === id;
    const paying = this.#all().filter(({ outputs }) => outputs.some(isAt));
    if (what === 'txs') {
      const at = new Set(
        paying.flatMap(({ txid, outputs }) => outputs.flatMap((each, vout) => (isAt(each) ? [`${txid}:${vout}`] : []))),
      );
      const isPaying = new Set(paying);
      return this.#page(
        this.#all().filter((each) => isPaying.has(each) || each.spends.some((outpoint) => at.has(outpoint))),
        after,
      );
    }
    const spent = new Set(this.#all().flatMap(({ spends }) => spends));
    const unspent = paying.flatMap((each) =>
      each.outputs.flatMap((output, index) =>
        isAt(output) && !spent.has(`${each.txid}:${index}`)
          ? [{ txid: each.txid, vout: index, value: Number(output.value), status: this.#statusOf(each.txid) }]
          : [],
      ),
    );
    if (unspent.length > LISTED_MAX) throw new RpcRefusal(400, 'Too many unspent transaction outputs');
    return unspent;
  }

  /** Set by the test: how the chain writes addresses. */
  addressOf: (script: Uint8Array) => string = () => '';

  #addressOf(script: Uint8Array): string {
    const text = Buffer.from(script).toString('hex');
    const known = this.#addresses.get(text) ?? this.addressOf(script);
    this.#addresses.set(text, known);
    return known;
  }

  #take(raw: string): string {
    const bytes = Uint8Array.from(Buffer.from(raw, 'hex'));
    const tx = Transaction.fromRaw(bytes, {
      allowUnknownOutputs: true,
      allowUnknownInputs: true,
      disableScriptCheck: true,
    });
    const plain = RawTx.decode(bytes);
    const spends = plain.inputs.map(({ txid, index }) => `${Buffer.from(txid).toString('hex')}:${index}`);
    const spent = spends.map((outpoint) => this.#output(outpoint));
    const outputs = plain.outputs.map(({ amount, script }) => ({ script, value: amount }));
    const fee = spent.reduce((sum, { value }) => sum + value, 0n) - outputs.reduce((sum, { value }) => sum + value, 0n);
    if (fee < 0n) throw new RpcRefusal(400, 'bad-txns-in-belowout');
    const refusal = this.#rules.verify?.(bytes, spent);
    if (refusal) throw refused(refusal);
    if (refusal === undefined) for (const [index] of spent.entries()) this.#check(tx, plain, spent, index);
    const { id: txid } = tx;
    if (this.#all().some((each) => each.txid === txid)) throw new RpcRefusal(400, 'txn-already-known');
    for (const outpoint of spends) {
      const other = this.#spender(outpoint);
      if (other === undefined) continue;
      if (!this.#rules.replaces || this.#statusOf(other.txid).confirmed)
        throw new RpcRefusal(400, 'bad-txns-inputs-missingorspent');
      this.#mempool = this.#mempool.filter((each) => each !== other);
    }
    this.#mempool.push({ txid, raw: bytes, spends, outputs });
    return txid;
  }

  #output(outpoint: string): Output {
    const [txid, vout] = outpoint.split(':');
    const found = this.#all().find((each) => each.txid === txid)?.outputs[Number(vout)];
    if (found === undefined) throw new RpcRefusal(400, 'bad-txns-inputs-missingorspent');
    return found;
  }

  #check(tx: Transaction, plain: ReturnType<typeof RawTx.decode>, spent: readonly Output[], index: number): void {
    const { script, value } = spent[index] as Output;
    const decoded = OutScript.decode(script);
    const witness = plain.witnesses?.[index] ?? [];
    if (decoded?.type === 'tr') {
      const digest = tx.preimageWitnessV1(
        index,
        spent.map((each) => each.script),
        SigHash.DEFAULT,
        spent.map((each) => each.value),
      );
      if (witness.length !== 1 || !schnorr.verify(witness[0] as Uint8Array, digest, decoded.pubkey))
        throw refused('schnorr');
      return;
    }
    const stack =
      decoded?.type === 'wsh'
        ? witness
        : (Script.decode(plain.inputs[index]?.finalScriptSig ?? new Uint8Array()) as (Uint8Array | string)[]);
    const redeem = stack.at(-1) as Uint8Array;
    const sha = createHash('sha256').update(redeem).digest();
    if (decoded?.type === 'wsh' && !sha.equals(Buffer.from(decoded.hash))) throw refused('witness program');
    if (decoded?.type === 'sh' && !createHash('ripemd160').update(sha).digest().equals(Buffer.from(decoded.hash)))
      throw refused('script hash');
    const digest =
      decoded?.type === 'wsh' ? tx.preimageWitnessV0(index, redeem, SigHash.ALL, value) : legacy(plain, index, redeem);
    this.#multisig(redeem, stack.slice(1, -1) as Uint8Array[], digest);
  }

  /** OP_CHECKMULTISIG: signatures in the order of their keys. */
  #multisig(redeem: Uint8Array, signatures: readonly Uint8Array[], digest: Uint8Array): void {
    const parsed = OutScript.decode(redeem);
    if (parsed?.type !== 'ms' || signatures.length !== parsed.m) throw refused('signatures');
    let key = 0;
    for (const signature of signatures) {
      if (signature.at(-1) !== SigHash.ALL) throw refused('sighash');
      const der = signature.subarray(0, -1);
      while (key < parsed.pubkeys.length) {
        const pubkey = parsed.pubkeys[key] as Uint8Array;
        key += 1;
        if (secp256k1.verify(der, digest, pubkey, { prehash: false, lowS: true, format: 'der' })) break;
        if (key === parsed.pubkeys.length) throw refused('multisig');
      }
    }
  }
}

function legacy(plain: ReturnType<typeof RawTx.decode>, index: number, script: Uint8Array): Uint8Array {
  const u32 = (n: number) => {
    const out = Buffer.alloc(4);
    out.writeUInt32LE(n >>> 0);
    return out;
  };
  const length = (n: number) => (n < 0xfd ? Buffer.from([n]) : Buffer.from([0xfd, n & 0xff, n >> 8]));
  const parts = [u32(plain.version), length(plain.inputs.length)];
  for (const [n, { txid, index: vout, sequence }] of plain.inputs.entries()) {
    const own = n === index ? script : new Uint8Array();
    parts.push(Buffer.from(txid).reverse(), u32(vout), length(own.length), Buffer.from(own), u32(sequence));
  }
  parts.push(length(plain.outputs.length));
  for (const { amount, script: to } of plain.outputs) {
    const units = Buffer.alloc(8);
    units.writeBigUInt64LE(amount);
    parts.push(units, length(to.length), Buffer.from(to));
  }
  const preimage = Buffer.concat([...parts, u32(plain.lockTime), u32(1)]);
  return createHash('sha256').update(createHash('sha256').update(preimage).digest()).digest();
}

function refused(what: string): RpcRefusal {
  return new RpcRefusal(400, `mandatory-script-verify-flag-failed (${what})`);
}
