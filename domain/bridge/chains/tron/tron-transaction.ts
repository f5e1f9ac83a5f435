import { createHash } from 'node:crypto';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { hexToBytes } from '@noble/curves/utils.js';

/** What a transaction does. Addresses are as nodes write them. */
export type TronContract =
  | { readonly type: 'TransferContract'; readonly owner: string; readonly to: string; readonly amount: bigint }
  | { readonly type: 'TriggerSmartContract'; readonly owner: string; readonly contract: string; readonly data: string };

/** `Transaction.raw` of Tron's protocol, as far as payments have it. Bytes are in hexadecimal, times in Unix ms. */
export interface TronRaw {
  /** The block's id, whose network and branch the transaction is for. */
  readonly block: string;
  readonly expiration: bigint;
  /** Text; empty for none. */
  readonly memo: string;
  readonly contract: TronContract;
  readonly timestamp: bigint;
  /** Most that a contract's call burns, in sun; 0 for what calls none. */
  readonly feeLimit: bigint;
}

const CONTRACT_TYPES = { TransferContract: 1, TriggerSmartContract: 31 } as const;
const TYPE_URL = 'type.googleapis.com/protocol.';
/** `transfer(address,uint256)` */
const TRANSFER = 'a9059cbb';

/**
 * The bytes that are signed: fields in the order of their numbers, those of the default left out, as every node writes them again before it takes their hash.
 */
export function tronRaw({ block, expiration, memo, contract, timestamp, feeLimit }: TronRaw): Uint8Array {
  const writer = new BinaryWriter();
  bytes(writer, 1, hexToBytes(block.slice(12, 16)));
  bytes(writer, 4, hexToBytes(block.slice(16, 32)));
  number(writer, 8, expiration);
  bytes(writer, 10, new TextEncoder().encode(memo));
  writer.tag(11, WireType.LengthDelimited).fork();
  number(writer, 1, BigInt(CONTRACT_TYPES[contract.type]));
  writer.tag(2, WireType.LengthDelimited).fork();
  bytes(writer, 1, new TextEncoder().encode(TYPE_URL + contract.type));
  bytes(writer, 2, contractBytes(contract));
  writer.join().join();
  number(writer, 14, timestamp);
  number(writer, 18, feeLimit);
  return writer.finish();
}

/** By which the chain knows a transaction, in hexadecimal: it is also what is signed. */
export function tronTxid(raw: Uint8Array): string {
  return createHash('sha256').update(raw).digest('hex');
}

/** The transaction as nodes take it, in hexadecimal. Signatures are r, s, v. */
export function tronSigned(raw: Uint8Array, signatures: readonly string[]): string {
  const writer = new BinaryWriter();
  bytes(writer, 1, raw);
  for (const signature of signatures) bytes(writer, 2, hexToBytes(signature));
  return Buffer.from(writer.finish()).toString('hex');
}

/** A call of a token, in hexadecimal. */
export function tokenTransfer(to: string, amount: bigint): string {
  return TRANSFER + addressWord(to) + amount.toString(16).padStart(64, '0');
}

/** An address as contracts have it: without 41, in 32 bytes. */
export function addressWord(hex: string): string {
  return hex.slice(2).padStart(64, '0');
}

function contractBytes(contract: TronContract): Uint8Array {
  const writer = new BinaryWriter();
  bytes(writer, 1, hexToBytes(contract.owner));
  if (contract.type === 'TransferContract') {
    bytes(writer, 2, hexToBytes(contract.to));
    number(writer, 3, contract.amount);
  } else {
    bytes(writer, 2, hexToBytes(contract.contract));
    bytes(writer, 4, hexToBytes(contract.data));
  }
  return writer.finish();
}

function bytes(writer: BinaryWriter, field: number, value: Uint8Array): void {
  if (value.length > 0) writer.tag(field, WireType.LengthDelimited).bytes(value);
}

function number(writer: BinaryWriter, field: number, value: bigint): void {
  if (value !== 0n) writer.tag(field, WireType.Varint).int64(value);
}
