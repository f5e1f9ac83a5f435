import { getBase58Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { type ChainTransport, RpcRefusal } from '../chain-adapter.ts';
import { MEMO_PROGRAMS } from './solana-programs.ts';

/** The node's word for a transaction of a version that it was not asked for. */
const UNSUPPORTED_VERSION = -32015;

const TokenBalance = z.object({
  accountIndex: z.int().nonnegative(),
  mint: z.string(),
  owner: z.string().optional(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^[0-9]{1,20}$/) }),
});

/** From some nine million SOL on lamports have lost digits as JSON numbers. Whoever pays names what accounts they like: only what is asked for has to be exact. */
const Lamports = z.number().nonnegative();

const Answer = z
  .object({
    transaction: z.tuple([z.string(), z.literal('base64')]),
    meta: z.object({
      err: z.unknown(),
      preBalances: z.array(Lamports),
      postBalances: z.array(Lamports),
      preTokenBalances: z.array(TokenBalance).nullish(),
      postTokenBalances: z.array(TokenBalance).nullish(),
      loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }).nullish(),
      innerInstructions: z
        .array(z.object({ instructions: z.array(z.object({ programIdIndex: z.int(), data: z.string() })) }))
        .nullish(),
    }),
  })
  .nullable();

/** A transaction that is in a block. */
export interface SolanaTransaction {
  readonly hasFailed: boolean;
  readonly messageBytes: Uint8Array;
  /** Accounts whose keys have signed it. */
  readonly signers: readonly string[];
  /** The nonce it uses, or a block's hash. */
  readonly lifetime: string;
  /** What memo programs were called with, inside of other programs, too; what is no UTF-8 is an empty text. */
  readonly memos: readonly string[];
  /** How much more an account has of SOL, or an owner's token account of a token. */
  gained(account: string, token: { readonly mint: string; readonly owner: string } | null): bigint;
}

/** Null where the node has no such transaction, or one of a version that is not read: it is none of ours, and must not hide the others. */
export async function solanaTransaction(
  transport: ChainTransport,
  signature: string,
  commitment: 'confirmed' | 'finalized' = 'confirmed',
): Promise<SolanaTransaction | null> {
  const options = { encoding: 'base64', commitment, maxSupportedTransactionVersion: 0 };
  const found = answerOf(Answer, await answered(transport, [signature, options]), 'getTransaction');
  if (found === null) return null;
  const { meta } = found;
  const { messageBytes } = getTransactionDecoder().decode(Buffer.from(found.transaction[0], 'base64'));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version !== 'legacy' && message.version !== 0) return null;
  const loaded = meta.loadedAddresses;
  const accounts: string[] = [...message.staticAccounts, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])];
  const isMemo = (index: number) => MEMO_PROGRAMS.includes(accounts[index] ?? '');
  const outer = message.instructions.filter(({ programAddressIndex }) => isMemo(programAddressIndex));
  const inner = (meta.innerInstructions ?? []).flatMap(({ instructions }) => instructions);
  return {
    hasFailed: meta.err !== null && meta.err !== undefined,
    messageBytes: new Uint8Array(messageBytes),
    signers: message.staticAccounts.slice(0, message.header.numSignerAccounts),
    lifetime: message.lifetimeToken,
    memos: [
      ...outer.map(({ data }) => textOf(data ?? new Uint8Array())),
      ...inner.filter(({ programIdIndex }) => isMemo(programIdIndex)).map(({ data }) => textOf(base58(data))),
    ],
    gained(account, token) {
      const index = accounts.indexOf(account);
      if (index < 0) return 0n;
      if (token === null) return exact(meta.postBalances[index] ?? 0) - exact(meta.preBalances[index] ?? 0);
      const balance = (balances: readonly z.infer<typeof TokenBalance>[] | null | undefined) => {
        const isIt = (one: z.infer<typeof TokenBalance>) =>
          one.accountIndex === index && one.mint === token.mint && one.owner === token.owner;
        return BigInt(balances?.find(isIt)?.uiTokenAmount.amount ?? '0');
      };
      return balance(meta.postTokenBalances) - balance(meta.preTokenBalances);
    },
  };
}

/** @throws Error where a number has lost digits */
function exact(lamports: number): bigint {
  if (!Number.isSafeInteger(lamports)) throw new Error('a balance has lost digits');
  return BigInt(lamports);
}

async function answered(transport: ChainTransport, params: unknown): Promise<unknown> {
  try {
    return await transport.rpc('getTransaction', params);
  } catch (refusal) {
    if (refusal instanceof RpcRefusal && refusal.code === UNSUPPORTED_VERSION) return null;
    throw refusal;
  }
}

function base58(text: string): Uint8Array {
  return new Uint8Array(getBase58Encoder().encode(text));
}

function textOf(bytes: ArrayLike<number>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return '';
  }
}
