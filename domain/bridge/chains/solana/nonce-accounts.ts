import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes } from '@noble/curves/utils.js';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import type { ChainTransport } from '../chain-adapter.ts';
import {
  addressFrom,
  addressWithSeed,
  createNonceAccountInstructions,
  NONCE_ACCOUNT_BYTES,
  SYSTEM_PROGRAM,
} from './solana-programs.ts';

/** Payments of one vault that may be under way at a time. */
export const NONCE_ACCOUNTS_MAX = 16;

const INITIALIZED = 1;

const Account = z.object({ data: z.tuple([z.string(), z.literal('base64')]), owner: z.string() }).nullable();
type Account = z.infer<typeof Account>;
const Accounts = z.object({ value: z.array(Account) });
const Blockhashes = z.object({ value: z.object({ blockhash: z.string(), lastValidBlockHeight: z.int() }) });

/** A nonce account of a vault. */
export interface NonceAccount {
  readonly account: Address;
  readonly nonce: string;
}

/** What an account's data say; null where it is no nonce account of that authority. */
export function nonceOf(data: Uint8Array, authority: Address): string | null {
  if (data.length !== NONCE_ACCOUNT_BYTES) return null;
  const view = new DataView(data.buffer, data.byteOffset);
  if (view.getUint32(4, true) !== INITIALIZED || addressFrom(data.subarray(8, 40)) !== authority) return null;
  return addressFrom(data.subarray(40, 72));
}

/** The nonces that accounts have now; null for each that is none of that authority. */
export async function readNonces(
  transport: ChainTransport,
  accounts: readonly Address[],
  authority: Address,
): Promise<(string | null | 'nothing')[]> {
  return (await readAccounts(transport, accounts)).map((account) => nonceIn(account, authority));
}

async function readAccounts(transport: ChainTransport, accounts: readonly Address[]): Promise<readonly Account[]> {
  const options = { encoding: 'base64', commitment: 'confirmed' };
  const answer = await transport.rpc('getMultipleAccounts', [accounts, options]);
  const { value } = answerOf(Accounts, answer, 'getMultipleAccounts');
  if (value.length !== accounts.length) throw new Error('a node answered for other accounts');
  return value;
}

function nonceIn(account: Account, authority: Address): string | null | 'nothing' {
  if (account === null) return 'nothing';
  if (account.owner !== SYSTEM_PROGRAM) return null;
  return nonceOf(Uint8Array.from(Buffer.from(account.data[0], 'base64')), authority);
}

/** Whether there is nothing but coins that somebody has paid to the address: it can be made a nonce account yet. */
function isPaidInto(account: Account): boolean {
  return account?.owner === SYSTEM_PROGRAM && account.data[0] === '';
}

/**
 * A nonce of the vault that nobody uses. Its accounts stand at addresses of the relayer's, who pays for them; it cannot move what is in them. Where all that exist are
 * used, another is made, which takes a moment.
 *
 * @throws Error where none is free now
 */
export async function freeNonce(
  transport: ChainTransport,
  relayer: string | null,
  vault: Address,
  isTaken: (nonce: string) => boolean,
): Promise<NonceAccount> {
  if (relayer === null) throw new Error('nonce accounts need a relayer that pays for them');
  const secret = hexToBytes(relayer.slice(2));
  const payer = addressFrom(ed25519.getPublicKey(secret));
  const seeds = Array.from({ length: NONCE_ACCOUNTS_MAX }, (_, index) => `${vault.slice(0, 24)}:${index}`);
  const accounts = seeds.map((seed) => addressWithSeed(payer, seed));
  const found = await readAccounts(transport, accounts);
  const nonces = found.map((account) => nonceIn(account, vault));
  for (const [index, nonce] of nonces.entries()) {
    const account = accounts[index];
    if (account === undefined || nonce === null || nonce === 'nothing' || isTaken(nonce)) continue;
    return { account, nonce };
  }
  const next = found.findIndex((account) => account === null || isPaidInto(account));
  const seed = seeds[next];
  if (seed === undefined) throw new Error('every nonce account of the vault is in use');
  await makeNonceAccount(transport, secret, payer, { seed, isPaidInto: found[next] !== null }, vault);
  throw new Error('a nonce account of the vault is being made');
}

async function makeNonceAccount(
  transport: ChainTransport,
  secret: Uint8Array,
  payer: Address,
  place: { readonly seed: string; readonly isPaidInto: boolean },
  vault: Address,
): Promise<void> {
  const rent = answerOf(
    z.int().nonnegative(),
    await transport.rpc('getMinimumBalanceForRentExemption', [NONCE_ACCOUNT_BYTES]),
    'getMinimumBalanceForRentExemption',
  );
  const latest = await transport.rpc('getLatestBlockhash', [{ commitment: 'confirmed' }]);
  const { blockhash, lastValidBlockHeight } = answerOf(Blockhashes, latest, 'getLatestBlockhash').value;
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) };
  const transaction = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) =>
      appendTransactionMessageInstructions(
        createNonceAccountInstructions(payer, place.seed, BigInt(rent), vault, place.isPaidInto),
        message,
      ),
    compileTransaction,
  );
  const signature = ed25519.sign(new Uint8Array(transaction.messageBytes), secret) as unknown as SignatureBytes;
  const wire = getBase64EncodedWireTransaction({ ...transaction, signatures: { [payer]: signature } });
  await transport.rpc('sendTransaction', [wire, { encoding: 'base64', preflightCommitment: 'confirmed' }]);
}
