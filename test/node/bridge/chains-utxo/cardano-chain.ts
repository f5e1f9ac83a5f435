import { createHash } from 'node:crypto';
import {
  Address,
  BigNum,
  DataCost,
  FixedTransaction,
  LinearFee,
  min_ada_for_output,
  min_fee,
  Transaction,
  type Value,
} from '@emurgo/cardano-serialization-lib-nodejs';
import { type ChainTransport, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { isSignedBy } from '../chains-accounts/is-signed-by.ts';

/** What an output holds, by unit: `lovelace`, or policy and name of a token. */
export type Held = Readonly<Record<string, bigint>>;

interface Output {
  readonly address: string;
  readonly held: Held;
  readonly script: string | null;
  readonly collateral: boolean;
}

interface Mined {
  readonly hash: string;
  readonly spends: readonly string[];
  readonly outputs: readonly Output[];
  readonly isValid: boolean;
}

/** An output that a transaction wants to spend. */
export interface WantedOutput {
  readonly tx: string;
  readonly index: number;
  readonly address: string;
  readonly held: Held;
  readonly isSpent: boolean;
}

/** Judges a transaction before the chain in memory does. @returns why it is refused */
export type CardanoJudge = (
  transaction: Uint8Array,
  wanted: readonly WantedOutput[],
  prices: CardanoChain['prices'],
) => string | null;

const PAGE_MAX = 100;
const SIZE_MAX = 16_384;

/**
 * Cardano as Blockfrost tells it: blocks, a mempool without replacement, rollbacks. It takes a transaction only where each input is unspent and signed for by its key, the fee is
 * what its size costs, each output holds what its size needs, and exactly as much comes out as goes in. Transactions are read by Cardano's serialization library, signatures
 * checked by OpenSSL.
 */
export class CardanoChain {
  #blocks: Mined[][] = [[]];
  #mempool: Mined[] = [];
  #coins = 0;
  readonly #judge: CardanoJudge | undefined;
  prices = { feePerByte: 44, feeFixed: 155_381, coinsPerByte: 4_310 };
  /** Where it knows no more than that it has no such thing. */
  isEmpty = false;
  /** Where it does not keep by what an output was spent. */
  forgetsSpenders = false;

  constructor(judge?: CardanoJudge) {
    this.#judge = judge;
  }

  get transport(): ChainTransport {
    return {
      rpc: () => Promise.reject(new Error('no JSON-RPC')),
      get: async (path) => this.#get(new URL(path, 'http://node')),
      post: async (path, body) => this.#post(path, body),
    };
  }

  /** Pays an address out of what nobody has, or what `origin` says whoever had it. @returns the transaction */
  pay(
    address: string,
    held: Held,
    change: { script?: string; collateral?: boolean; isValid?: boolean; origin?: string } = {},
  ): string {
    this.#coins += 1;
    const [hash = '', before = ''] = ['coin', 'before'].map((what) =>
      createHash('sha256').update(`${what} ${this.#coins}`).digest('hex'),
    );
    const { script = null, collateral = false, isValid = true, origin = `${before}:0` } = change;
    this.#mempool.push({
      hash,
      spends: [origin],
      outputs: [{ address, held, script, collateral }],
      isValid,
    });
    return hash;
  }

  mine(blocks = 1): void {
    for (let n = 0; n < blocks; n++) {
      this.#blocks.push(this.#mempool);
      this.#mempool = [];
    }
  }

  /** The last blocks are none any more, and neither is what was in them. */
  rollBack(blocks: number): void {
    this.#blocks = this.#blocks.slice(0, Math.max(1, this.#blocks.length - blocks));
    for (let n = 0; n < blocks + 1; n++) this.#blocks.push([]);
  }

  /** Forgets what waits for a block. */
  dropMempool(): void {
    this.#mempool = [];
  }

  /** What an address holds, in blocks and beyond. */
  balance(address: string): Held {
    const sum: Record<string, bigint> = {};
    for (const { hash, outputs } of this.#all())
      for (const [index, output] of outputs.entries())
        if (output.address === address && this.#spender(`${hash}:${index}`, this.#all()) === undefined)
          for (const [unit, quantity] of Object.entries(output.held)) sum[unit] = (sum[unit] ?? 0n) + quantity;
    return sum;
  }

  #chain(): Mined[] {
    return this.#blocks.flat();
  }

  #all(): Mined[] {
    return [...this.#chain(), ...this.#mempool];
  }

  #heightOf(hash: string): number {
    return this.#blocks.findIndex((block) => block.some((each) => each.hash === hash));
  }

  #spender(outpoint: string, among: readonly Mined[]): Mined | undefined {
    return among.find(({ spends }) => spends.includes(outpoint));
  }

  #get({ pathname, searchParams }: URL): unknown {
    const [, first = '', id = '', what] = pathname.split('/');
    if (this.isEmpty) throw notFound();
    if (pathname === '/blocks/latest') return { height: this.#blocks.length - 1, hash: 'block' };
    if (pathname === '/epochs/latest/parameters') {
      const { feePerByte, feeFixed, coinsPerByte } = this.prices;
      return { min_fee_a: feePerByte, min_fee_b: feeFixed, coins_per_utxo_size: String(coinsPerByte) };
    }
    if (first === 'mempool') {
      if (!this.#mempool.some(({ hash }) => hash === id)) throw notFound();
      return { tx: { hash: id } };
    }
    if (first === 'txs') return this.#transaction(id, what === 'utxos');
    const count = Number(searchParams.get('count'));
    const start = (Number(searchParams.get('page')) - 1) * count;
    const all = what === 'utxos' ? this.#unspent(id) : this.#touching(id);
    if (all.length === 0 || count > PAGE_MAX) throw notFound();
    const ordered = searchParams.get('order') === 'desc' ? all.toReversed() : all;
    return ordered.slice(start, start + count);
  }

  #transaction(hash: string, withOutputs: boolean): unknown {
    const found = this.#chain().find((each) => each.hash === hash);
    if (found === undefined) throw notFound();
    if (!withOutputs) return { hash, ...this.#placeOf(hash), valid_contract: found.isValid };
    const outputs = found.outputs.map((output, index) => ({
      address: output.address,
      ...shown(output, index),
      collateral: output.collateral,
      consumed_by_tx: this.forgetsSpenders ? null : (this.#spender(`${hash}:${index}`, this.#chain())?.hash ?? null),
    }));
    const inputs = found.spends.map((outpoint) => ({
      tx_hash: outpoint.slice(0, 64),
      output_index: Number(outpoint.slice(65)),
      collateral: false,
      reference: false,
    }));
    return { hash, inputs, outputs };
  }

  #placeOf(hash: string) {
    const height = this.#heightOf(hash);
    return { block_height: height, block_time: 1_700_000_000 + height * 20 };
  }

  #unspent(address: string): unknown[] {
    const spent = new Set(this.#chain().flatMap(({ spends }) => spends));
    return this.#chain()
      .filter(({ isValid }) => isValid)
      .flatMap(({ hash, outputs }) =>
        outputs.flatMap((output, index) =>
          output.address === address && !output.collateral && !spent.has(`${hash}:${index}`)
            ? [{ tx_hash: hash, ...shown(output, index), block: 'block' }]
            : [],
        ),
      );
  }

  #touching(address: string): unknown[] {
    const all = this.#chain();
    const isOf = (outpoint: string) => this.#output(outpoint, all)?.address === address;
    return all
      .filter(({ spends, outputs }) => spends.some(isOf) || outputs.some((output) => output.address === address))
      .map(({ hash }) => ({ tx_hash: hash, tx_index: 0, ...this.#placeOf(hash) }));
  }

  #output(outpoint: string, among: readonly Mined[]): Output | undefined {
    const [hash, index] = outpoint.split(':');
    return among.find((each) => each.hash === hash)?.outputs[Number(index)];
  }

  async #post(path: string, body: unknown): Promise<string> {
    if (path !== '/tx/submit' || !(body instanceof Blob) || body.type !== 'application/cbor') throw refused('no CBOR');
    const bytes = new Uint8Array(await body.arrayBuffer());
    const fixed = FixedTransaction.from_bytes(bytes);
    const hash = fixed.transaction_hash().to_hex();
    const tx = Transaction.from_bytes(bytes);
    const { prices } = this;
    const refusal = this.#judge?.(bytes, this.#wanted(fixed), prices) ?? null;
    if (refusal !== null) throw refused(refusal);
    const linear = LinearFee.new(BigNum.from_str(String(prices.feePerByte)), BigNum.from_str(String(prices.feeFixed)));
    if (bytes.length > SIZE_MAX) throw refused('MaxTxSizeUTxO');
    if (BigInt(fixed.body().fee().to_str()) < BigInt(min_fee(tx, linear).to_str())) throw refused('FeeTooSmallUTxO');
    const inputs = fixed.body().inputs();
    const spends = each(inputs).map((input) => `${input.transaction_id().to_hex()}:${input.index()}`);
    const spent = spends.map((outpoint) => this.#output(outpoint, this.#all()));
    if (new Set(spends).size !== spends.length || spent.some((output) => output === undefined))
      throw refused('BadInputsUTxO');
    if (spends.some((outpoint) => this.#spender(outpoint, this.#all()) !== undefined))
      throw refused('All inputs are spent. Transaction has probably already been included');
    const cost = DataCost.new_coins_per_byte(BigNum.from_str(String(prices.coinsPerByte)));
    const outputs = each(fixed.body().outputs()).map((output) => {
      const held = heldBy(output.amount());
      if ((held.lovelace ?? 0n) < BigInt(min_ada_for_output(output, cost).to_str()))
        throw refused('BabbageOutputTooSmallUTxO');
      return { address: output.address().to_bech32(), held, script: null, collateral: false };
    });
    const fee = { lovelace: BigInt(fixed.body().fee().to_str()) };
    const [before, after] = [
      summed(spent.map((output) => output?.held ?? {})),
      summed([...outputs.map(({ held }) => held), fee]),
    ];
    if (before !== after) throw refused('ValueNotConservedUTxO');
    this.#checkWitnesses(
      fixed,
      spent.map((output) => output?.address ?? ''),
    );
    this.#mempool.push({ hash, spends, outputs, isValid: true });
    return hash;
  }

  #wanted(fixed: FixedTransaction): WantedOutput[] {
    return each(fixed.body().inputs()).flatMap((input) => {
      const [tx, index] = [input.transaction_id().to_hex(), input.index()];
      const output = this.#output(`${tx}:${index}`, this.#all());
      const isSpent = this.#spender(`${tx}:${index}`, this.#all()) !== undefined;
      return output === undefined ? [] : [{ tx, index, address: output.address, held: output.held, isSpent }];
    });
  }

  /** Each spent address has its key's signature, and no signature is of another key. */
  #checkWitnesses(fixed: FixedTransaction, addresses: readonly string[]): void {
    const hash = fixed.transaction_hash().to_bytes();
    const needed = new Set(addresses.map((text) => Address.from_bech32(text).payment_cred()?.to_keyhash()?.to_hex()));
    const keys = fixed.witness_set().vkeys();
    const signed = new Set<string | undefined>();
    for (let n = 0; n < (keys?.len() ?? 0); n++) {
      const witness = keys?.get(n);
      const key = witness?.vkey().public_key();
      if (key === undefined || !isSignedBy(key.as_bytes(), hash, witness?.signature().to_bytes() ?? new Uint8Array()))
        throw refused('InvalidWitnessesUTXOW');
      signed.add(key.hash().to_hex());
    }
    if (signed.size !== needed.size || [...needed].some((key) => !signed.has(key)))
      throw refused('MissingVKeyWitnessesUTXOW');
  }
}

function each<Of>(list: { len(): number; get(index: number): Of }): Of[] {
  return Array.from({ length: list.len() }, (_, n) => list.get(n));
}

function heldBy(value: Value): Held {
  const held: Record<string, bigint> = { lovelace: BigInt(value.coin().to_str()) };
  const assets = value.multiasset();
  const policies = assets?.keys();
  for (let n = 0; n < (policies?.len() ?? 0); n++) {
    const policy = policies?.get(n);
    const names = policy === undefined ? undefined : assets?.get(policy)?.keys();
    for (let m = 0; m < (names?.len() ?? 0); m++) {
      const name = names?.get(m);
      if (policy === undefined || name === undefined) continue;
      const unit = policy.to_hex() + Buffer.from(name.name()).toString('hex');
      held[unit] = BigInt(assets?.get_asset(policy, name).to_str() ?? '0');
    }
  }
  return held;
}

/** As text, without what is nothing. */
function summed(all: readonly Held[]): string {
  const sum: Record<string, bigint> = {};
  for (const held of all) for (const [unit, quantity] of Object.entries(held)) sum[unit] = (sum[unit] ?? 0n) + quantity;
  return Object.entries(sum)
    .filter(([, quantity]) => quantity > 0n)
    .map(([unit, quantity]) => `${unit}=${quantity}`)
    .toSorted()
    .join(' ');
}

function shown({ held, script }: Output, index: number) {
  const amount = Object.entries(held).map(([unit, quantity]) => ({ unit, quantity: String(quantity) }));
  return { output_index: index, amount, data_hash: null, inline_datum: null, reference_script_hash: script };
}

function notFound(): RpcRefusal {
  return new RpcRefusal(
    404,
    '{"status_code":404,"error":"Not Found","message":"The requested component has not been found."}',
  );
}

function refused(what: string): RpcRefusal {
  return new RpcRefusal(400, `ConwayUtxowFailure (${what})`);
}
