import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { compact, fromBufferToBase58, getSs58AddressInfo, u16, u32 } from '@polkadot-api/substrate-bindings';
import { FROM, paidAccount, payingAccount } from '../accounts/paying-account.ts';
import type { PayingKey } from '../accounts/paying-key.ts';
import { HEX_32, isHex32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

/** Whose nonce, the block from which on the payment may land for `LIFETIME_BLOCKS`, the runtime's versions and the network's first block. */
export const POLKADOT_REFERENCE = referenceRecord({
  from: FROM,
  nonce: WHOLE_NUMBER,
  block: HEX_32,
  height: WHOLE_NUMBER,
  spec: WHOLE_NUMBER,
  version: WHOLE_NUMBER,
  genesis: HEX_32,
});

/** Blocks that a payment may wait: a power of two. */
export const LIFETIME_BLOCKS = 128;
export const PLANCKS_MAX = 2n ** 128n - 1n;
/** Stays of what leaves a transfer's own account, for the fee and what an account has to keep: 0.05 DOT. An account that is emptied would forget its nonce. */
export const TRANSFER_FEE = 500_000_000n;
const U32_MAX = 2n ** 32n - 1n;

/** First blocks of Asset Hubs, where balances are: of Polkadot, and of Westend. */
const GENESIS: Readonly<Partial<Record<Vault['network'], string>>> = {
  mainnet: '68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f',
  testnet: '67f9723393ef76214df0118c34bbbd3dbebc8ed46a10973a8c969d48fe7598c9',
};
const FORMATS: Readonly<Record<Vault['network'], number>> = { mainnet: 0, testnet: 42, local: 42 };

/**
 * `Balances.transfer_keep_alive` there. It is no part of the reference: with another call's number, its arguments could be read as something else than a payment.
 */
const TRANSFER_CALL = Uint8Array.of(10, 3);
/** A signed extrinsic of version 4. */
const SIGNED = 0x84;
const ID_ADDRESS = 0;
const ED25519 = 0;
/** What is longer is hashed before it is signed. */
const PAYLOAD_BYTES_MAX = 256;

/** The key that an address of that network stands for; null where it is none, or no key. */
export function polkadotKey(text: string, network: Vault['network']): Uint8Array | null {
  const info = getSs58AddressInfo(text as Parameters<typeof getSs58AddressInfo>[0]);
  if (!info.isValid || info.ss58Format !== FORMATS[network] || info.publicKey.length !== 32) return null;
  if (isKeyless({ chain: 'polkadot', network }, { text, bytes: info.publicKey })) return null;
  return fromBufferToBase58(info.ss58Format)(info.publicKey) === text ? info.publicKey : null;
}

export function polkadotAddress(key: string, network: Vault['network']): string {
  if (!isHex32(key)) throw new RangeError('the vault has no Ed25519 key');
  return fromBufferToBase58(FORMATS[network])(hexToBytes(key));
}

export function isGenesisOf(network: Vault['network'], genesis: string): boolean {
  return (GENESIS[network] ?? genesis) === genesis;
}

/** A payment before it is signed. */
export interface PolkadotPayment {
  readonly paying: PayingKey;
  readonly message: Uint8Array;
  /** As it is handed in. */
  signed(signature: Uint8Array): Uint8Array;
}

/** A cancelled one sends nothing to itself. */
export function polkadotPayment(vault: Vault, order: PaymentOrder): PolkadotPayment {
  const reference = POLKADOT_REFERENCE.read(order.reference);
  if (!isHex32(vault.keys.groupKey)) throw new RangeError('the vault has no Ed25519 key');
  if (!isGenesisOf(vault.network, reference.genesis)) throw new RangeError('a reference of another network');
  const paying = payingAccount(vault, order, reference.from);
  const isEmpty = order.kind === 'cancel';
  const [own, home] = [paying.key, vault.keys.groupKey].map((key) => polkadotAddress(key, vault.network)) as [
    string,
    string,
  ];
  const receiver = polkadotKey(paidAccount(order, { own, home }), vault.network);
  if (receiver === null) throw new RangeError('no address of this network');
  const fee = reference.from === 'vault' ? 0n : TRANSFER_FEE;
  const amount = isEmpty ? 0n : wholeUnits(order.amount, PLANCKS_MAX) - fee;
  if (amount <= 0n && !isEmpty) throw new RangeError('the fee would eat the amount');
  const call = bytesOf(TRANSFER_CALL, Uint8Array.of(ID_ADDRESS), receiver, compact.enc(amount));
  const extra = bytesOf(
    era(Number(wholeUnits(reference.height, U32_MAX))),
    compact.enc(wholeUnits(reference.nonce, U32_MAX, 0n)),
    // No tip, its fee in the chain's own coin, and no hash of metadata.
    Uint8Array.of(0, 0, 0),
  );
  const implied = bytesOf(
    u32.enc(Number(wholeUnits(reference.spec, U32_MAX))),
    u32.enc(Number(wholeUnits(reference.version, U32_MAX))),
    hexToBytes(reference.genesis),
    hexToBytes(reference.block),
    Uint8Array.of(0),
  );
  const payload = bytesOf(call, extra, implied);
  return {
    paying,
    message: payload.length > PAYLOAD_BYTES_MAX ? blake2b(payload, { dkLen: 32 }) : payload,
    signed(signature) {
      const from = bytesOf(Uint8Array.of(SIGNED, ID_ADDRESS), hexToBytes(paying.key), Uint8Array.of(ED25519));
      const body = bytesOf(from, signature, extra, call);
      return bytesOf(compact.enc(body.length), body);
    },
  };
}

/** A mortal era of `LIFETIME_BLOCKS` from a block on. */
function era(height: number): Uint8Array {
  const period = Math.log2(LIFETIME_BLOCKS) - 1;
  return u16.enc(period | ((height % LIFETIME_BLOCKS) << 4));
}

/** Hash by which the chain knows a signed extrinsic. */
export function extrinsicHash(extrinsic: Uint8Array): string {
  return `0x${bytesToHex(blake2b(extrinsic, { dkLen: 32 }))}`;
}

function bytesOf(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
