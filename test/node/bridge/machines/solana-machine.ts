import { ed25519 } from '@noble/curves/ed25519.js';
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { LiteSVM } from 'litesvm';
import {
  type ChainTransport,
  type DepositPlace,
  RpcRefusal,
  type Vault,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import {
  addressBytes,
  addressFrom,
  associatedTokenAccount,
  createTokenAccountInstruction,
  MEMO_PROGRAMS,
  TOKEN_PROGRAM,
  tokenTransferInstruction,
  transferInstruction,
} from '../../../../domain/bridge/chains/solana/solana-programs.ts';
import { PAYERS } from '../chains-accounts/payers.ts';
import type { Machine } from './describe-machine.ts';

/** Of `PAYERS.solana.payer`. */
const PAYER_SECRET = new Uint8Array(32).fill(100);
const MINT_BYTES = 82;
const TOKEN_ACCOUNT_BYTES = 165;
export const TOKEN_DECIMALS = 6;

interface Landed {
  readonly signature: string;
  readonly wire: string;
  readonly slot: number;
  readonly accounts: readonly Address[];
  readonly memo: string | null;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly error: string | null;
  isFinal: boolean;
}

export interface SolanaMachine extends Machine {
  /** Units of work that the last transaction took. */
  unitsUsed(): bigint;
  /** Why the last transaction failed; null where it did not. */
  lastError(): string | null;
}

/** A validator's JSON-RPC over Solana's own runtime: what a transaction does, and whether it may, is the runtime's. */
export function solanaMachine(svm: LiteSVM, { token, keys }: Vault, relayer: string): SolanaMachine {
  const landed: Landed[] = [];
  const home = addressFrom(Uint8Array.from(Buffer.from(keys.groupKey, 'hex')));
  const mint = token === null ? null : address(token);
  const payer = address(PAYERS.solana.payer);
  let units = 0n;

  const coins = (account: string) => svm.getBalance(address(account)) ?? 0n;
  const give = (account: string, lamports: bigint) => void svm.airdrop(address(account), lamports as never);
  const dataOf = (account: Address) => {
    const found = svm.getAccount(account);
    return found.exists ? Uint8Array.from(found.data) : null;
  };
  const put = (account: Address, data: Uint8Array) =>
    svm.setAccount({
      address: account,
      data,
      executable: false,
      lamports: svm.minimumBalanceForRentExemption(BigInt(data.length)) as never,
      programAddress: TOKEN_PROGRAM,
      space: BigInt(data.length),
    });
  const tokensOf = (account: Address) => {
    const data = dataOf(account);
    return data === null || data.length !== TOKEN_ACCOUNT_BYTES ? null : Buffer.from(data).readBigUInt64LE(64);
  };
  const hold = (owner: Address, amount: bigint) => {
    if (mint === null) return;
    const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES);
    data.set(addressBytes(mint), 0);
    data.set(addressBytes(owner), 32);
    data.writeBigUInt64LE(amount, 64);
    data[108] = 1;
    put(associatedTokenAccount(owner, mint), data);
  };

  give(addressFrom(ed25519.getPublicKey(Buffer.from(relayer.slice(2), 'hex'))), 1_000_000_000n);
  give(payer, 10_000_000_000n);
  if (mint !== null) {
    const data = Buffer.alloc(MINT_BYTES);
    data.writeBigUInt64LE(10n ** 15n, 36);
    data[44] = TOKEN_DECIMALS;
    data[45] = 1;
    put(mint, data);
    hold(payer, 10n ** 12n);
  }

  function take(wire: string): string {
    const transaction = getTransactionDecoder().decode(Buffer.from(wire, 'base64'));
    const compiled = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    if (compiled.version === 1) throw new Error('a version that is not sent here');
    const accounts = [...compiled.staticAccounts];
    const [signature] = Object.values(transaction.signatures).map((bytes) =>
      getBase58Decoder().decode(bytes ?? new Uint8Array()),
    );
    const before = accounts.map((account) => [coins(account), tokensOf(account)] as const);
    const outcome = svm.sendTransaction(transaction);
    const refusal = 'err' in outcome ? outcome.toString() : null;
    const after = accounts.map((account) => [coins(account), tokensOf(account)] as const);
    const isCharged = before.some(([lamports], index) => lamports !== after[index]?.[0]);
    if (refusal !== null && !isCharged) throw new RpcRefusal(-32002, refusal);
    units = ('err' in outcome ? outcome.meta() : outcome).computeUnitsConsumed();
    const slot = Number(svm.getClock().slot);
    const memos = compiled.instructions
      .filter(({ programAddressIndex }) => MEMO_PROGRAMS.includes(accounts[programAddressIndex] ?? ''))
      .map(({ data }) => Buffer.from(data ?? new Uint8Array()).toString());
    const tokens = (of: typeof before) =>
      of.flatMap(([, amount], accountIndex) => {
        const data = dataOf(accounts[accountIndex] as Address);
        if (amount === null || data === null) return [];
        const owner = addressFrom(data.subarray(32, 64));
        return [{ accountIndex, mint, owner, uiTokenAmount: { amount: String(amount), decimals: TOKEN_DECIMALS } }];
      });
    const meta = {
      err: refusal,
      preBalances: before.map(([lamports]) => Number(lamports)),
      postBalances: after.map(([lamports]) => Number(lamports)),
      preTokenBalances: tokens(before),
      postTokenBalances: tokens(after),
    };
    landed.push({
      signature: signature ?? '',
      wire,
      slot,
      accounts,
      memo: memos.length === 0 ? null : memos.join('; '),
      meta,
      error: refusal,
      isFinal: false,
    });
    nextBlock();
    return signature ?? '';
  }

  function nextBlock(): void {
    svm.warpToSlot(svm.getClock().slot + 1n);
    svm.expireBlockhash();
  }

  async function rpc(method: string, params: unknown): Promise<unknown> {
    const [first, options] = params as [string, { before?: string }?];
    const slot = Number(svm.getClock().slot);
    switch (method) {
      case 'getBalance':
        return { context: { slot }, value: Number(coins(first)) };
      case 'getTokenAccountBalance': {
        const amount = tokensOf(address(first));
        if (amount === null) throw new RpcRefusal(-32602, 'Invalid param: could not find account');
        return { context: { slot }, value: { amount: String(amount), decimals: TOKEN_DECIMALS } };
      }
      case 'getRecentPrioritizationFees':
        return [{ slot, prioritizationFee: 1_000 }];
      case 'getMinimumBalanceForRentExemption':
        return Number(svm.minimumBalanceForRentExemption(BigInt(first)));
      case 'getLatestBlockhash':
        return { context: { slot }, value: { blockhash: svm.latestBlockhash(), lastValidBlockHeight: slot + 150 } };
      case 'sendTransaction':
        return take(first);
      case 'getMultipleAccounts':
        return {
          context: { slot },
          value: (params as [Address[]])[0].map((account) => {
            const found = svm.getAccount(account);
            if (!found.exists) return null;
            const data = [Buffer.from(found.data).toString('base64'), 'base64'];
            return { data, owner: found.programAddress, lamports: Number(found.lamports), executable: false };
          }),
        };
      case 'getSignaturesForAddress': {
        const of = landed.filter(({ accounts }) => accounts.includes(address(first))).reverse();
        const from =
          options?.before === undefined ? 0 : of.findIndex(({ signature }) => signature === options.before) + 1;
        return of.slice(from).map((one) => ({
          signature: one.signature,
          slot: one.slot,
          err: one.error,
          memo: one.memo === null ? null : `[${one.memo.length}] ${one.memo}`,
          confirmationStatus: one.isFinal ? 'finalized' : 'confirmed',
        }));
      }
      case 'getTransaction': {
        const one = landed.find(({ signature }) => signature === first);
        return one === undefined ? null : { slot: one.slot, transaction: [one.wire, 'base64'], meta: one.meta };
      }
      default:
        throw new RpcRefusal(-32601, `Method not found: ${method}`);
    }
  }

  /** What a wallet sends: the funds, and the memo. */
  function deposit({ address: to, memo }: DepositPlace, amount: bigint): void {
    const owner = address(to);
    const pays: Instruction[] =
      mint === null
        ? [transferInstruction(payer, owner, amount)]
        : [
            createTokenAccountInstruction(payer, owner, mint),
            tokenTransferInstruction(payer, owner, mint, amount, TOKEN_DECIMALS),
          ];
    const named: Instruction = {
      programAddress: address(MEMO_PROGRAMS[0] ?? ''),
      accounts: [{ address: payer, role: AccountRole.READONLY_SIGNER }],
      data: new TextEncoder().encode(memo ?? ''),
    };
    const transaction = pipe(
      createTransactionMessage({ version: 'legacy' }),
      (message) => setTransactionMessageFeePayer(payer, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: svm.latestBlockhash() as Blockhash, lastValidBlockHeight: 1_000n },
          message,
        ),
      (message) => appendTransactionMessageInstructions([...pays, named], message),
      compileTransaction,
    );
    const signature = ed25519.sign(
      Uint8Array.from(transaction.messageBytes),
      PAYER_SECRET,
    ) as unknown as SignatureBytes;
    take(getBase64EncodedWireTransaction({ ...transaction, signatures: { [payer]: signature } }));
  }

  const none = () => Promise.reject(new Error('no such interface'));
  const transport: ChainTransport = { rpc, get: none, post: none };
  return {
    transport,
    relayer,
    payer,
    fund(amount) {
      give(home, mint === null ? amount : 100_000_000n);
      hold(home, (mint === null ? 0n : (tokensOf(associatedTokenAccount(home, mint)) ?? 0n)) + amount);
    },
    deposit,
    finalize() {
      nextBlock();
      for (const one of landed) one.isFinal = true;
    },
    balance: (account) =>
      mint === null ? coins(account) : (tokensOf(associatedTokenAccount(address(account), mint)) ?? 0n),
    take,
    unitsUsed: () => units,
    lastError: () => landed.at(-1)?.error ?? null,
  };
}
