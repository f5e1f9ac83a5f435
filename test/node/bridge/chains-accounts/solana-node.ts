import { createHash } from 'node:crypto';
import {
  type Address,
  decompileTransactionMessage,
  getBase58Decoder,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { type DepositPlace, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import {
  addressBytes,
  addressWithSeed,
  associatedTokenAccount,
} from '../../../../domain/bridge/chains/solana/solana-programs.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { isSignedBy } from './is-signed-by.ts';
import { PAYERS } from './payers.ts';

const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ATA = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** Of 165 bytes: whoever closes the account gets it. */
const TOKEN_ACCOUNT_RENT = 2_039_280n;
const BUDGET = 'ComputeBudget111111111111111111111111111111';

interface Landed {
  readonly signature: string;
  readonly wire: string;
  readonly slot: number;
  readonly accounts: readonly string[];
  readonly memo: string | null;
  readonly meta: object;
  readonly failed: boolean;
  isFinal: boolean;
}
interface Nonce {
  readonly authority: string;
  nonce: string;
}
interface Step {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

const hash = (text: string) => getBase58Decoder().decode(createHash('sha256').update(text).digest());
const base58 = (text: string) => Uint8Array.from(getBase58Encoder().encode(text));
const u64 = (data: Uint8Array, at: number) => new DataView(data.buffer, data.byteOffset).getBigUint64(at, true);

/** A validator's JSON-RPC. SOL and tokens move as the system and the token program move them. */
export function solanaNode(mint: string | null): SimulatedNode & {
  fundSol(address: string, lamports: bigint): void;
  /** From here on this account signs what comes in as well. */
  coSignBy(account: string): void;
  /** A stranger's transaction that names an account, by a block or by a nonce of an account of their own. */
  name(account: string, lifetime?: string): void;
} {
  let payer: string = PAYERS.solana.payer;
  let coSigner: string | null = null;
  const lamports = new Map<string, bigint>();
  const tokens = new Map<string, { owner: string; amount: bigint }>();
  const nonces = new Map<string, Nonce>();
  const allocated = new Set<string>();
  let landed: Landed[] = [];
  let slot = 100;

  function stepsOf(messageBytes: Uint8Array): { steps: Step[]; lifetime: string; accounts: string[] } {
    const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
    if (compiled.version !== 'legacy') throw new Error('not a legacy message');
    const accounts = [...compiled.staticAccounts];
    const steps = compiled.instructions.map((step) => ({
      program: accounts[step.programAddressIndex]!,
      accounts: (step.accountIndices ?? []).map((index) => accounts[index]!),
      data: Uint8Array.from(step.data ?? []),
    }));
    return { steps, lifetime: compiled.lifetimeToken, accounts };
  }

  const move = (map: Map<string, bigint>, account: string, by: bigint) => {
    const after = (map.get(account) ?? 0n) + by;
    if (after < 0n) throw new Error('insufficient funds');
    map.set(account, after);
  };

  function run({ program, accounts, data }: Step, signer: string): void {
    const [first, second, third] = accounts;
    if (program === BUDGET || program === MEMO) return;
    if (program === ATA) {
      const account = associatedTokenAccount(third as Address, mint as Address);
      if (account !== second) throw new Error('not the associated account');
      if (!tokens.has(account)) {
        move(lamports, first!, -TOKEN_ACCOUNT_RENT);
        move(lamports, account, TOKEN_ACCOUNT_RENT);
        tokens.set(account, { owner: third!, amount: 0n });
      }
      return;
    }
    if (program === TOKEN) {
      const from = tokens.get(first!);
      const to = tokens.get(third!);
      if (data[0] !== 12 || second !== mint || data[9] !== 6) throw new Error('another mint');
      if (from?.owner !== signer || to === undefined || from.amount < u64(data, 1)) throw new Error('cannot move');
      from.amount -= u64(data, 1);
      to.amount += u64(data, 1);
      return;
    }
    if (program !== SYSTEM) throw new Error(`unknown program ${program}`);
    const kind = data[0];
    if (kind === 2) {
      if (first !== signer) throw new Error('not signed by the owner');
      move(lamports, first, -u64(data, 4));
      move(lamports, second!, u64(data, 4));
    } else if (kind === 3) {
      const length = Number(u64(data, 36));
      if ((lamports.get(second!) ?? 0n) > 0n) throw new Error('account already in use');
      allocated.add(second!);
      move(lamports, first!, -u64(data, 44 + length));
      move(lamports, second!, u64(data, 44 + length));
    } else if (kind === 9) {
      if (second !== signer || allocated.has(first!)) throw new Error('account already in use');
      const length = Number(u64(data, 36));
      const seed = Buffer.from(data.subarray(44, 44 + length)).toString();
      if (addressWithSeed(second as Address, seed) !== first || u64(data, 44 + length) !== 80n)
        throw new Error('address with seed mismatch');
      allocated.add(first!);
    } else if (kind === 6) {
      if (!allocated.has(first!) || (lamports.get(first!) ?? 0n) < 1_447_680n) throw new Error('invalid account data');
      nonces.set(first!, { authority: getBase58Decoder().decode(data.subarray(4)), nonce: hash(`${first}${slot}`) });
    } else if (kind !== 4) throw new Error(`unknown instruction ${kind}`);
  }

  function land(wire: string): string {
    const transaction = getTransactionDecoder().decode(Buffer.from(wire, 'base64'));
    const messageBytes = Uint8Array.from(transaction.messageBytes);
    const { steps, lifetime, accounts } = stepsOf(messageBytes);
    const [signer] = accounts;
    const bytes = Uint8Array.from(transaction.signatures[signer as Address] ?? []);
    if (!isSignedBy(addressBytes(signer as Address), messageBytes, bytes)) throw new RpcRefusal(-32003, 'signature');
    const signature = getBase58Decoder().decode(bytes);
    if (landed.some((one) => one.signature === signature))
      throw new RpcRefusal(-32002, 'This transaction has already been processed');
    const advance = steps[0]?.program === SYSTEM && steps[0].data[0] === 4 ? steps[0] : null;
    const nonce = advance === null ? undefined : nonces.get(advance.accounts[0]!);
    if (advance === null ? lifetime !== hash('block') : nonce?.nonce !== lifetime || nonce.authority !== signer)
      return signature;
    slot += 1;
    if (nonce !== undefined) nonce.nonce = hash(`${lifetime}${slot}`);
    move(lamports, signer!, -5_000n);
    const before = [new Map(lamports), structuredClone(tokens)] as const;
    let failed = false;
    try {
      for (const step of steps) run(step, signer!);
    } catch {
      failed = true;
      lamports.clear();
      for (const [account, amount] of before[0]) lamports.set(account, amount);
      tokens.clear();
      for (const [account, state] of before[1]) tokens.set(account, state);
    }
    record(signature, wire, accounts, null, failed, before[0], before[1]);
    return signature;
  }

  function record(
    signature: string,
    wire: string,
    accounts: readonly string[],
    memo: string | null,
    failed: boolean,
    lamportsBefore: ReadonlyMap<string, bigint>,
    tokensBefore: ReadonlyMap<string, { owner: string; amount: bigint }>,
  ): void {
    const tokenBalances = (of: ReadonlyMap<string, { owner: string; amount: bigint }>) =>
      accounts.flatMap((account, accountIndex) => {
        const state = of.get(account);
        if (state === undefined) return [];
        return [
          {
            accountIndex,
            mint,
            owner: state.owner,
            programId: TOKEN,
            uiTokenAmount: { amount: String(state.amount), decimals: 6 },
          },
        ];
      });
    const meta = {
      err: failed ? { InstructionError: [1, { Custom: 1 }] } : null,
      fee: 5_000,
      preBalances: accounts.map((account) => Number(lamportsBefore.get(account) ?? 0n)),
      postBalances: accounts.map((account) => Number(lamports.get(account) ?? 0n)),
      preTokenBalances: tokenBalances(tokensBefore),
      postTokenBalances: tokenBalances(tokens),
      innerInstructions: [],
      loadedAddresses: { writable: [], readonly: [] },
    };
    landed.push({ signature, wire, slot, accounts, memo, meta, failed, isFinal: false });
  }

  async function rpc(method: string, params: unknown): Promise<unknown> {
    const [first, options] = params as [string, { before?: string; limit?: number; commitment?: string }?];
    switch (method) {
      case 'getBalance':
        return { context: { slot }, value: Number(lamports.get(first) ?? 0n) };
      case 'getTokenAccountBalance': {
        const account = tokens.get(first);
        if (account === undefined) throw new RpcRefusal(-32602, 'Invalid param: could not find account');
        return { context: { slot }, value: { amount: String(account.amount), decimals: 6 } };
      }
      case 'getRecentPrioritizationFees':
        return [
          { slot, prioritizationFee: 0 },
          { slot, prioritizationFee: 1_000 },
          { slot, prioritizationFee: 2_000 },
        ];
      case 'getMinimumBalanceForRentExemption':
        return 1_447_680;
      case 'getLatestBlockhash':
        return { context: { slot }, value: { blockhash: hash('block'), lastValidBlockHeight: slot + 150 } };
      case 'sendTransaction':
        return land(first);
      case 'getMultipleAccounts':
        return {
          context: { slot },
          value: (params as [string[]])[0].map((account) => {
            const nonce = nonces.get(account);
            if (nonce === undefined)
              return (lamports.get(account) ?? 0n) > 0n ? { data: ['', 'base64'], owner: SYSTEM } : null;
            const data = Buffer.alloc(80);
            data.writeUInt32LE(1, 0);
            data.writeUInt32LE(1, 4);
            data.set(getBase58Encoder().encode(nonce.authority), 8);
            data.set(getBase58Encoder().encode(nonce.nonce), 40);
            return { data: [data.toString('base64'), 'base64'], owner: SYSTEM, lamports: 1_447_680, executable: false };
          }),
        };
      case 'getSignaturesForAddress': {
        const of = landed.filter(({ accounts }) => accounts.includes(first)).reverse();
        const from =
          options?.before === undefined ? 0 : of.findIndex(({ signature }) => signature === options.before) + 1;
        return of.slice(from, from + (options?.limit ?? 1_000)).map((one) => ({
          signature: one.signature,
          slot: one.slot,
          err: one.failed ? { InstructionError: [1, { Custom: 1 }] } : null,
          memo: one.memo === null ? null : `[${one.memo.length}] ${one.memo}`,
          blockTime: 1_700_000_000 + one.slot,
          confirmationStatus: one.isFinal ? 'finalized' : 'confirmed',
        }));
      }
      case 'getTransaction': {
        const one = landed.find(({ signature }) => signature === first);
        return one === undefined || (options?.commitment === 'finalized' && !one.isFinal)
          ? null
          : { slot: one.slot, transaction: [one.wire, 'base64'], meta: one.meta, version: 'legacy' };
      }
      default:
        throw new RpcRefusal(-32601, `Method not found: ${method}`);
    }
  }

  /** A customer's own transaction: a transfer and memos, laid out by hand. */
  function deposit(place: DepositPlace, amount: bigint, memo: string | null = place.memo): void {
    const memos = memo === null ? [] : memo.split('\n');
    const to = mint === null ? place.address : associatedTokenAccount(place.address as Address, mint as Address);
    const program = mint === null ? SYSTEM : TOKEN;
    const signers = coSigner === null ? [payer] : [payer, coSigner];
    const accounts = [...signers, to, program, MEMO];
    const at = signers.length;
    const before = [new Map(lamports), structuredClone(tokens)] as const;
    if (mint === null) move(lamports, to, amount);
    else {
      const account = tokens.get(to) ?? { owner: place.address, amount: 0n };
      tokens.set(to, { ...account, amount: account.amount + amount });
    }
    const data = Buffer.alloc(12);
    data.writeUInt32LE(2);
    data.writeBigUInt64LE(amount, 4);
    const instructions = [
      Buffer.concat([Buffer.from([at + 1, 2, 0, at, data.length]), data]),
      ...memos.map((text) => Buffer.concat([Buffer.from([at + 2, 0, text.length]), Buffer.from(text)])),
    ];
    const message = Buffer.concat([
      Buffer.from([at, 0, 2, accounts.length]),
      ...accounts.map(base58),
      base58(hash('block')),
      Buffer.from([instructions.length]),
      ...instructions,
    ]);
    slot += 1;
    const signatureBytes = createHash('sha512').update(message).update(String(slot)).digest();
    const wire = Buffer.concat([Buffer.from([at]), ...signers.map(() => signatureBytes), message]).toString('base64');
    record(
      getBase58Decoder().decode(signatureBytes),
      wire,
      accounts,
      memos.join('; ') || null,
      false,
      before[0],
      before[1],
    );
  }

  function name(account: string, lifetime = hash('block')): void {
    const accounts = [payer, account, MEMO];
    const message = Buffer.concat([
      Buffer.from([1, 0, 2, accounts.length]),
      ...accounts.map(base58),
      base58(lifetime),
      Buffer.from([1, 2, 1, 1, 0]),
    ]);
    slot += 1;
    const signature = createHash('sha512').update(message).update(String(slot)).digest();
    const wire = Buffer.concat([Buffer.from([1]), signature, message]).toString('base64');
    record(getBase58Decoder().decode(signature), wire, accounts, null, false, lamports, tokens);
  }

  const fundSol = (address: string, amount: bigint) => move(lamports, address, amount);
  return {
    transport: { rpc, get: rest, post: rest },
    fundSol,
    fund(address, amount) {
      fundSol(address, mint === null ? amount : 1_000_000_000n);
      if (mint === null) return;
      tokens.set(associatedTokenAccount(address as Address, mint as Address), { owner: address, amount });
    },
    balance: (address) =>
      mint === null
        ? (lamports.get(address) ?? 0n)
        : (tokens.get(associatedTokenAccount(address as Address, mint as Address))?.amount ?? 0n),
    coins: (address) => lamports.get(address) ?? 0n,
    deposit,
    name,
    payBy: (account) => {
      payer = account;
    },
    coSignBy: (account) => {
      coSigner = account;
    },
    finalize: () => {
      for (const one of landed) one.isFinal = true;
    },
    reorganize: () => {
      landed = landed.slice(0, -1);
    },
    decode(raw) {
      const { messageBytes } = getTransactionDecoder().decode(Buffer.from(raw, 'base64'));
      const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes));
      const pays = message.instructions.filter(({ programAddress, data }) =>
        mint === null ? programAddress === SYSTEM && data?.[0] === 2 : programAddress === TOKEN,
      );
      const [pay] = pays;
      if (pay === undefined || pays.length !== 1) throw new Error('not one transfer');
      const data = Uint8Array.from(pay.data ?? []);
      if (mint === null) return { to: pay.accounts![1]!.address, amount: u64(data, 4) };
      const owner = message.instructions.find(({ programAddress }) => programAddress === ATA)!.accounts![2]!.address;
      if (pay.accounts![2]!.address !== associatedTokenAccount(owner, mint as Address))
        throw new Error('another account');
      return { to: owner, amount: u64(data, 1) };
    },
  };
}

async function rest(): Promise<unknown> {
  throw new Error('no such interface');
}
