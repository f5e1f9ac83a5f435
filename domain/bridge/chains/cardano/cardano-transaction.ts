import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { CBOR_NULL, CBOR_TRUE, cborArray, cborBytes, cborMap, cborNumber, cborSet } from './cbor.ts';

/** An output that is spent. */
export interface CardanoInput {
  readonly tx: string;
  readonly index: number;
}

/** What an address is given. */
export interface CardanoOutput {
  /** In hexadecimal. */
  readonly address: string;
  readonly lovelace: bigint;
  readonly token: { readonly policy: string; readonly name: string; readonly quantity: bigint } | null;
}

/** What the chain charges. */
export interface CardanoPrices {
  readonly feePerByte: number;
  readonly feeFixed: number;
  readonly coinsPerByte: number;
}

export interface CardanoWitness {
  readonly key: string;
  readonly signature: string;
}

/** Of an output, in the chain's count: what it takes to hold it beside its own bytes (Babbage, `utxoEntrySizeWithoutVal`). */
const OUTPUT_OVERHEAD_BYTES = 160n;
/** A number of lovelace that is written in four bytes, as all fees and all that an output needs at least are. */
const FOUR_BYTES = 0xffff_ffffn;
const NO_WITNESS = { key: '00'.repeat(32), signature: '00'.repeat(64) };
const HASH_BYTES = 32;

/** Label of metadata, of those that are nobody's (CIP-10). */
const LABEL = 65_536n;

/** Metadata that say whose payment a transaction is: two transfers never have one transaction. */
function metadataItem(commitment: string): string {
  return cborMap([[cborNumber(LABEL), cborBytes(commitment)]]);
}

/**
 * A transaction's body that spends outputs and makes others (Conway), in hexadecimal: what is signed is its hash.
 *
 * @param named commitment of the transfer whose payment it is; null for nobody's
 */
export function transactionBody(
  inputs: readonly CardanoInput[],
  outputs: readonly CardanoOutput[],
  fee: bigint,
  named: string | null = null,
): string {
  const spent = inputs.map(({ tx, index }) => cborArray([cborBytes(tx), cborNumber(BigInt(index))]));
  return cborMap([
    [cborNumber(0n), cborSet(spent)],
    [cborNumber(1n), cborArray(outputs.map(outputItem))],
    [cborNumber(2n), cborNumber(fee)],
    ...(named === null ? [] : [[cborNumber(7n), cborBytes(hashOf(metadataItem(named)))] as const]),
  ]);
}

/** By which the chain knows a transaction, and what its keys sign. */
export function transactionHash(body: string): string {
  return hashOf(body);
}

function hashOf(item: string): string {
  return bytesToHex(blake2b(hexToBytes(item), { dkLen: HASH_BYTES }));
}

/** As the chain takes it: one witness for each key whose outputs it spends, and the metadata that its body names. */
export function signedTransaction(
  body: string,
  witnesses: readonly CardanoWitness[],
  named: string | null = null,
): string {
  const each = witnesses.map(({ key, signature }) => cborArray([cborBytes(key), cborBytes(signature)]));
  return cborArray([
    body,
    cborMap([[cborNumber(0n), cborSet(each)]]),
    CBOR_TRUE,
    named === null ? CBOR_NULL : metadataItem(named),
  ]);
}

/**
 * What a transaction costs that is signed by so many keys.
 *
 * @param outputs with no less than they get in the end: what is written longer costs more
 */
export function feeOf(
  inputs: readonly CardanoInput[],
  outputs: readonly CardanoOutput[],
  keys: number,
  { feePerByte, feeFixed }: CardanoPrices,
  named: string | null = null,
): bigint {
  const body = transactionBody(inputs, outputs, FOUR_BYTES, named);
  const size = signedTransaction(body, Array<CardanoWitness>(keys).fill(NO_WITNESS), named).length / 2;
  return BigInt(feePerByte) * BigInt(size) + BigInt(feeFixed);
}

/** What an output has to hold in lovelace, by its size. */
export function lovelaceMin(output: CardanoOutput, { coinsPerByte }: CardanoPrices): bigint {
  const size = outputItem({ ...output, lovelace: FOUR_BYTES }).length / 2;
  return (OUTPUT_OVERHEAD_BYTES + BigInt(size)) * BigInt(coinsPerByte);
}

function outputItem({ address, lovelace, token }: CardanoOutput): string {
  const coin = cborNumber(lovelace);
  const value = token === null ? coin : cborArray([coin, tokenItem(token)]);
  return cborMap([
    [cborNumber(0n), cborBytes(address)],
    [cborNumber(1n), value],
  ]);
}

function tokenItem({ policy, name, quantity }: NonNullable<CardanoOutput['token']>): string {
  return cborMap([[cborBytes(policy), cborMap([[cborBytes(name), cborNumber(quantity)]])]]);
}
