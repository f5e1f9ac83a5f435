import { sha256 } from '@noble/hashes/sha2.js';
import {
  AccountRole,
  type Address,
  address,
  getAddressDecoder,
  getAddressEncoder,
  type Instruction,
  isAddress,
  isOffCurveAddress,
} from '@solana/kit';
import type { Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

export const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
export const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED_TOKEN_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const COMPUTE_BUDGET_PROGRAM = address('ComputeBudget111111111111111111111111111111');
const RECENT_BLOCKHASHES = address('SysvarRecentB1ockHashes11111111111111111111');
const RENT = address('SysvarRent111111111111111111111111111111111');
/** The second memo program, which wallets use, and the first. */
export const MEMO_PROGRAMS: readonly string[] = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
];

/** Bytes of a nonce account. */
export const NONCE_ACCOUNT_BYTES = 80;

export function addressBytes(text: Address): Uint8Array {
  return new Uint8Array(getAddressEncoder().encode(text));
}

export function addressFrom(bytes: Uint8Array): Address {
  return getAddressDecoder().decode(bytes);
}

/** Null where the text is no wallet's address: one off the curve is a program's, and what comes to it may be nobody's. Programs, mints and sysvars have addresses on it, too. */
export function walletAddress(text: string, network: Vault['network']): Address | null {
  if (!isAddress(text) || isOffCurveAddress(text)) return null;
  return isKeyless({ chain: 'solana', network }, { text, bytes: addressBytes(text), isEd25519: true }) ? null : text;
}

/** The token account that a wallet's owner has for a mint. */
export function associatedTokenAccount(owner: Address, mint: Address): Address {
  const seeds = [owner, TOKEN_PROGRAM, mint].map(addressBytes);
  for (let bump = 255; bump >= 0; bump -= 1) {
    const end = [Uint8Array.of(bump), addressBytes(ASSOCIATED_TOKEN_PROGRAM), textBytes('ProgramDerivedAddress')];
    const derived = addressFrom(sha256(bytesOf(...seeds, ...end)));
    if (isOffCurveAddress(derived)) return derived;
  }
  throw new RangeError('no token account can be derived');
}

export function addressWithSeed(base: Address, seed: string): Address {
  return addressFrom(sha256(bytesOf(addressBytes(base), textBytes(seed), addressBytes(SYSTEM_PROGRAM))));
}

export function transferInstruction(from: Address, to: Address, lamports: bigint): Instruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: from, role: AccountRole.WRITABLE_SIGNER },
      { address: to, role: AccountRole.WRITABLE },
    ],
    data: bytesOf(u32(2), u64(lamports)),
  };
}

/** Makes the token account where there is none; else it does nothing. */
export function createTokenAccountInstruction(payer: Address, owner: Address, mint: Address): Instruction {
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address: associatedTokenAccount(owner, mint), role: AccountRole.WRITABLE },
      { address: owner, role: AccountRole.READONLY },
      { address: mint, role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
      { address: TOKEN_PROGRAM, role: AccountRole.READONLY },
    ],
    data: Uint8Array.of(1),
  };
}

/** `TransferChecked`: fails where the mint has other decimals. */
export function tokenTransferInstruction(
  owner: Address,
  to: Address,
  mint: Address,
  amount: bigint,
  decimals: number,
): Instruction {
  return {
    programAddress: TOKEN_PROGRAM,
    accounts: [
      { address: associatedTokenAccount(owner, mint), role: AccountRole.WRITABLE },
      { address: mint, role: AccountRole.READONLY },
      { address: associatedTokenAccount(to, mint), role: AccountRole.WRITABLE },
      { address: owner, role: AccountRole.READONLY_SIGNER },
    ],
    data: bytesOf(Uint8Array.of(12), u64(amount), Uint8Array.of(decimals)),
  };
}

export function computeLimitInstruction(units: number): Instruction {
  return { programAddress: COMPUTE_BUDGET_PROGRAM, data: bytesOf(Uint8Array.of(2), u32(units)) };
}

/** @param price millionths of a lamport a unit */
export function computePriceInstruction(price: bigint): Instruction {
  return { programAddress: COMPUTE_BUDGET_PROGRAM, data: bytesOf(Uint8Array.of(3), u64(price)) };
}

/**
 * A nonce account at an address of the payer's own, which only `authority` can advance, empty or hand over.
 *
 * @param isPaidInto whether somebody has paid to the address before: the program makes no account there, and gives the one that there is its room
 */
export function createNonceAccountInstructions(
  payer: Address,
  seed: string,
  lamports: bigint,
  authority: Address,
  isPaidInto: boolean,
): Instruction[] {
  const account = { address: addressWithSeed(payer, seed), role: AccountRole.WRITABLE };
  const signer = { address: payer, role: AccountRole.WRITABLE_SIGNER };
  const seeded = bytesOf(addressBytes(payer), u64(BigInt(textBytes(seed).length)), textBytes(seed));
  const form = bytesOf(u64(BigInt(NONCE_ACCOUNT_BYTES)), addressBytes(SYSTEM_PROGRAM));
  const made: Instruction[] = isPaidInto
    ? [
        transferInstruction(payer, account.address, lamports),
        { programAddress: SYSTEM_PROGRAM, accounts: [account, signer], data: bytesOf(u32(9), seeded, form) },
      ]
    : [
        {
          programAddress: SYSTEM_PROGRAM,
          accounts: [signer, account],
          data: bytesOf(u32(3), seeded, u64(lamports), form),
        },
      ];
  return [
    ...made,
    {
      programAddress: SYSTEM_PROGRAM,
      accounts: [
        account,
        { address: RECENT_BLOCKHASHES, role: AccountRole.READONLY },
        { address: RENT, role: AccountRole.READONLY },
      ],
      data: bytesOf(u32(6), addressBytes(authority)),
    },
  ];
}

function textBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

function bytesOf(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
