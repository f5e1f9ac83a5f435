import { createHash } from 'node:crypto';
import { RawOldTx, Script } from '@scure/btc-signer/script.js';
import { SigHash, Transaction } from '@scure/btc-signer/transaction.js';
import { z } from 'zod';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { bytes, hex, OP_RETURN, payingScript, type UtxoScript, utxoChain, utxoScript } from './utxo-script.ts';

/** Outputs that one payment spends at most. */
export const INPUTS_MAX = 20;

const Units = z.string().regex(/^(0|[1-9]\d{0,15})$/);
const OUTPOINT = { txid: z.string().regex(/^[0-9a-f]{64}$/), vout: z.int().min(0).max(0xffff_ffff) };
const Reference = z.strictObject({
  inputs: z
    .array(
      z.strictObject({
        ...OUTPOINT,
        value: Units,
        /** Of the transfer whose deposit it is; null for the vault's own. */
        commitment: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .nullable(),
      }),
    )
    .min(1)
    .max(INPUTS_MAX),
  /** Of a payment; what cancels it pays twice that, so that nodes take it in its place (BIP-125). */
  fee: Units,
  /** Of a refund, and of a payout whose first input is not deep yet: outputs that the transaction of its first input has spent. Once another one has spent any of them, that input is none for good. */
  origins: z.array(z.strictObject(OUTPOINT)).max(INPUTS_MAX).optional(),
});

/** Of Bitcoin Cash: in the type of a signature's hash. */
const FORK_ID = 0x40;

export type UtxoReference = z.infer<typeof Reference>;

/** @throws RangeError for another text */
export function readReference(text: string): UtxoReference {
  try {
    const reference = Reference.parse(JSON.parse(text));
    if (JSON.stringify(reference) === text) return reference;
  } catch {
    // What it is not is all that matters.
  }
  throw new RangeError('no reference of a chain with unspent outputs');
}

export interface UtxoPayment {
  readonly tx: Transaction;
  readonly inputs: readonly (UtxoScript & { readonly value: bigint })[];
  /** What the payee gets; 0 for a cancellation. */
  readonly paid: bigint;
}

/** Of an output that says whose payment it is: value, length, OP_RETURN and 32 bytes. */
const NAMING_BYTES = 43;
const COMMITMENT = /^[0-9a-f]{64}$/;

/** Virtual bytes of a payment, counted generously. */
export function vsizeOf({ chain }: Pick<Vault, 'chain'>, inputs: number): number {
  const each = { taproot: 58, p2wsh: 144, p2sh: 440 }[utxoChain(chain).form];
  return 100 + NAMING_BYTES + inputs * each;
}

/** An output of nothing that carries the commitment: two transfers never have one transaction. @throws RangeError where it is none */
function namingScript(commitment: string): Uint8Array {
  if (!COMMITMENT.test(commitment)) throw new RangeError('a commitment of another form');
  return Uint8Array.of(OP_RETURN, 32, ...bytes(commitment));
}

/**
 * The transaction of an order, which names its transfer unless it pays nobody. A refund pays its fee from what goes back: the vault owes no more than what came. Change goes to the vault's own output.
 *
 * @throws RangeError where the order cannot be built, or is dearer than the chain's bound
 */
export function utxoPayment(vault: Vault, order: PaymentOrder): UtxoPayment {
  const { dust, feeRateMax } = utxoChain(vault.chain);
  const reference = readReference(order.reference);
  const fee = BigInt(reference.fee) * (order.kind === 'cancel' ? 2n : 1n);
  if (fee > BigInt(feeRateMax * vsizeOf(vault, reference.inputs.length)) * (order.kind === 'cancel' ? 2n : 1n))
    throw new RangeError('the fee is above the bound');
  const tx = new Transaction({ allowUnknownOutputs: true, disableScriptCheck: true });
  const inputs = reference.inputs.map(({ value, commitment }) => ({
    ...utxoScript(vault, commitment),
    value: BigInt(value),
  }));
  for (const [index, { txid, vout }] of reference.inputs.entries()) {
    const { script, value } = inputs[index] as (typeof inputs)[number];
    // Below the last number: what is signed may be replaced by what cancels it.
    tx.addInput({ txid, index: vout, sequence: 0xffff_fffd, witnessUtxo: { script, amount: value } });
  }
  const whole = inputs.reduce((sum, { value }) => sum + value, 0n);
  const paid = order.kind === 'cancel' ? 0n : BigInt(order.amount) - (order.kind === 'refund' ? fee : 0n);
  const rest = whole - paid - fee;
  if (rest < 0n || (paid < dust && order.kind !== 'cancel'))
    throw new RangeError('the amount is too small, or the inputs are');
  if (paid > 0n) tx.addOutput({ script: payingScript(order.to, vault), amount: paid });
  if (rest >= dust) tx.addOutput({ script: utxoScript(vault, null).script, amount: rest });
  else if (order.kind === 'cancel') throw new RangeError('nothing would be left');
  if (order.kind !== 'cancel') tx.addOutput({ script: namingScript(order.commitment), amount: 0n });
  return { tx, inputs, paid };
}

/** A transaction's inputs and outputs in their order, as text: all that its signatures are over, but for what every payment has alike. */
export function movesOf(
  inputs: readonly { readonly txid: string; readonly vout: number }[],
  outputs: readonly { readonly script: string; readonly value: bigint }[],
): string {
  return JSON.stringify([
    inputs.map(({ txid, vout }) => `${txid}:${vout}`),
    outputs.map(({ script, value }) => `${script}:${value}`),
  ]);
}

/** The same of an order's own transaction, whoever has signed it: signatures in an input are part of its hash on some chains. */
export function movesOfPayment(vault: Vault, order: PaymentOrder): string {
  const { tx } = utxoPayment(vault, order);
  const outputs = Array.from({ length: tx.outputsLength }, (_, index) => tx.getOutput(index));
  return movesOf(
    readReference(order.reference).inputs,
    outputs.map(({ script, amount }) => ({ script: hex(script ?? new Uint8Array()), value: amount ?? 0n })),
  );
}

/** What is signed for each input: 32 bytes, in hexadecimal. */
export function utxoDigests(vault: Vault, { tx, inputs }: UtxoPayment): string[] {
  const { form, hasForkId } = utxoChain(vault.chain);
  const [scripts, values] = [inputs.map(({ script }) => script), inputs.map(({ value }) => value)];
  return inputs.map(({ redeem, value }, index) => {
    if (form === 'taproot') return hex(tx.preimageWitnessV1(index, scripts, SigHash.DEFAULT, values));
    const script = redeem as Uint8Array;
    if (form === 'p2wsh') return hex(tx.preimageWitnessV0(index, script, SigHash.ALL, value));
    // The digest of BIP-143 with another type, as Bitcoin Cash took it over.
    if (hasForkId) return hex(tx.preimageWitnessV0(index, script, SigHash.ALL | FORK_ID, value));
    return legacyDigest(tx, index, script);
  });
}

/** SIGHASH_ALL of a transaction without witness: every input's script empty but that of the one. */
function legacyDigest(tx: Transaction, index: number, script: Uint8Array): string {
  const plain = RawOldTx.decode(tx.toBytes(false, false));
  const inputs = plain.inputs.map((input, n) => ({
    ...input,
    finalScriptSig: n === index ? script : new Uint8Array(),
  }));
  const preimage = Buffer.concat([RawOldTx.encode({ ...plain, inputs }), Buffer.from('01000000', 'hex')]);
  const once = createHash('sha256').update(preimage).digest();
  return createHash('sha256').update(once).digest('hex');
}

/** With its signatures: of Taproot one an input, else three DER signatures in the order of their keys. */
export function completed(
  vault: Vault,
  { tx, inputs }: UtxoPayment,
  signatures: readonly (readonly string[])[],
): Uint8Array {
  const { form, hasForkId } = utxoChain(vault.chain);
  const hashType = SigHash.ALL | (hasForkId ? FORK_ID : 0);
  for (const [index, { redeem }] of inputs.entries()) {
    const own = (signatures[index] ?? []).map(bytes);
    if (form === 'taproot') tx.updateInput(index, { finalScriptWitness: own }, true);
    else {
      const script = redeem as Uint8Array;
      const parts = [
        new Uint8Array(),
        ...own.map((compact) => Buffer.concat([der(compact), Buffer.from([hashType])])),
        script,
      ];
      if (form === 'p2wsh') tx.updateInput(index, { finalScriptWitness: parts }, true);
      else tx.updateInput(index, { finalScriptSig: Script.encode(['OP_0', ...parts.slice(1)] as never) }, true);
    }
  }
  return tx.toBytes(true, form !== 'p2sh');
}

/** BIP-66. */
function der(compact: Uint8Array): Uint8Array {
  const [r, s] = [integer(compact.subarray(0, 32)), integer(compact.subarray(32))];
  return Buffer.concat([Buffer.from([0x30, r.length + s.length]), r, s]);
}

function integer(big: Uint8Array): Buffer {
  let start = 0;
  while (start < big.length - 1 && big[start] === 0) start += 1;
  const trimmed = big.subarray(start);
  const body = (trimmed[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), trimmed]) : Buffer.from(trimmed);
  return Buffer.concat([Buffer.from([0x02, body.length]), body]);
}
