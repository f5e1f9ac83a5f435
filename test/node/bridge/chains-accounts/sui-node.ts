import { createHash } from 'node:crypto';
import { bcs } from '@mysten/sui/bcs';
import { parseSerializedSignature } from '@mysten/sui/cryptography';
import { Ed25519PublicKey } from '@mysten/sui/keypairs/ed25519';
import { TransactionDataBuilder } from '@mysten/sui/transactions';
import { blake2b } from '@noble/hashes/blake2.js';
import { base58 } from '@scure/base';
import type { DepositPlace } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { isSignedBy } from './is-signed-by.ts';
import { PAYERS } from './payers.ts';

const SUI = `0x${'0'.repeat(63)}2::sui::SUI`;
const COIN = `0x${'0'.repeat(63)}2::coin::Coin<${SUI}>`;
const GAS = 2_000_000n;
/** Objects of a transaction that are told at once. */
const PAGE_CHANGES = 50;
/** Coins of a page. */
const PAGE_COINS = 5;

interface Coin {
  readonly id: string;
  readonly version: number;
  readonly owner: string;
  readonly balance: bigint;
}
interface Landed {
  readonly digest: string;
  readonly sender: string;
  readonly status: 'SUCCESS' | 'FAILURE';
  readonly affected: readonly string[];
  readonly changes: readonly { owner: string; amount: bigint }[];
  /** Coins that it has left others. */
  readonly left: readonly { owner: string; balance: bigint }[];
  /** Coins as they are after it. */
  readonly made: readonly { id: string; before: number }[];
}

/** Sui's GraphQL. Coins are objects with versions, each of which is used once. */
export function suiNode(): SimulatedNode & {
  nextEpoch(): void;
  /** In so many coins of one size; in none, it is in the account's balance alone. */
  depositInCoins(place: DepositPlace, amount: bigint, count: number): void;
} {
  let payer: string = PAYERS.sui.payer;
  let coins: Coin[] = [];
  let landed: Landed[] = [];
  let epoch = 900;
  let version = 10;

  const digestOf = (coin: Coin) => base58.encode(createHash('sha256').update(`${coin.id}${coin.version}`).digest());
  const newId = () => {
    version += 1;
    return `0x${createHash('sha256').update(`coin ${version}`).digest('hex')}`;
  };
  const put = (owner: string, balance: bigint) => void coins.push({ id: newId(), version, owner, balance });

  function open(text: string) {
    const bytes = Buffer.from(text, 'base64');
    const { V1: data } = bcs.TransactionData.parse(bytes);
    const program = data!.kind.ProgrammableTransaction!;
    const [amount, receiver] = program.inputs.map((input) => Buffer.from(input.Pure!.bytes, 'base64'));
    const [split, transfer, ...more] = program.commands;
    if (split?.SplitCoins?.coin.GasCoin !== true || transfer?.TransferObjects === undefined || more.length > 0)
      throw new Error('another program');
    return { bytes, data: data!, amount: BigInt(bcs.u64().parse(amount!)), to: bcs.Address.parse(receiver!) };
  }

  async function execute(transaction: string, [signature]: string[]): Promise<unknown> {
    const { bytes, data, amount, to } = open(transaction);
    const digest = TransactionDataBuilder.getDigestFromBytes(bytes);
    const known = landed.find((one) => one.digest === digest);
    const parsed = parseSerializedSignature(signature!);
    if (parsed.signatureScheme !== 'ED25519') return { errors: [{ message: 'another scheme' }] };
    const key = new Ed25519PublicKey(parsed.publicKey);
    const message = blake2b(Buffer.concat([Buffer.of(0, 0, 0), bytes]), { dkLen: 32 });
    const isValid =
      isSignedBy(parsed.publicKey, message, parsed.signature) && (await key.verifyTransaction(bytes, signature!));
    if (!isValid || key.toSuiAddress() !== data.sender) return { errors: [{ message: 'Invalid user signature' }] };
    if (known !== undefined) return { data: { executeTransaction: { effects: { status: known.status } } } };
    if (Number(data.expiration.Epoch) < epoch) return { errors: [{ message: 'Transaction Expired' }] };
    const used = data.gasData.payment!.map((ref) =>
      coins.find(
        (coin) =>
          coin.id === ref.objectId && String(coin.version) === String(ref.version) && digestOf(coin) === ref.digest,
      ),
    );
    if (used.some((coin) => coin === undefined || coin.owner !== data.sender))
      return { errors: [{ message: 'Object is not available for consumption' }] };
    const sum = used.reduce((total, coin) => total + coin!.balance, 0n);
    if (sum < BigInt(data.gasData.budget)) return { errors: [{ message: 'gas balance too low' }] };
    coins = coins.filter((coin) => !used.includes(coin));
    version += 1;
    const status = sum - GAS >= amount ? 'SUCCESS' : 'FAILURE';
    const sent = status === 'SUCCESS' ? amount : 0n;
    coins.push({ id: used[0]!.id, version, owner: data.sender, balance: sum - GAS - sent });
    const made = [{ id: used[0]!.id, before: used[0]!.version }];
    if (sent > 0n) put(to, sent);
    const changes = [
      { owner: data.sender, amount: -GAS - sent },
      { owner: to, amount: sent },
    ];
    const left = sent > 0n ? [{ owner: to, balance: sent }] : [];
    landed.push({ digest, sender: data.sender, status, affected: [data.sender, to], changes, left, made });
    return { data: { executeTransaction: { effects: { status } } } };
  }

  async function post(path: string, body: unknown): Promise<unknown> {
    const { query, variables } = body as { query: string; variables: Record<string, never> };
    if (path !== '/graphql') throw new Error('not found');
    if (query.includes('executeTransaction')) return execute(variables.transaction!, variables.signatures!);
    if (query.includes('objects(')) {
      const own = coins.filter(({ owner }) => owner === variables.owner);
      const nodes = own.map((coin) => ({
        address: coin.id,
        version: coin.version,
        digest: digestOf(coin),
        contents: { json: { id: coin.id, balance: String(coin.balance) } },
      }));
      const start = Number(variables.after ?? 0);
      const pageInfo = {
        hasNextPage: start + PAGE_COINS < nodes.length,
        endCursor: nodes.length > 0 ? String(start + PAGE_COINS) : null,
      };
      return {
        data: {
          epoch: { epochId: epoch, referenceGasPrice: '750' },
          address: { objects: { pageInfo, nodes: nodes.slice(start, start + PAGE_COINS) } },
        },
      };
    }
    if (query.includes('transactions(')) {
      const nodes = landed
        .filter(({ affected }) => affected.includes(variables.owner!))
        .map(({ digest, sender, status, changes, left }, index) => ({
          digest,
          sender: { address: sender },
          effects: {
            status,
            checkpoint: { sequenceNumber: index + 1 },
            balanceChanges: {
              nodes: changes.map(({ owner, amount }) => ({
                amount: String(amount),
                owner: { address: owner },
                coinType: { repr: SUI },
              })),
            },
            objectChanges: {
              nodes: left.slice(0, PAGE_CHANGES).map(({ owner, balance }) => ({
                outputState: {
                  owner: { address: { address: owner } },
                  asMoveObject: { contents: { type: { repr: COIN }, json: { balance: String(balance) } } },
                },
              })),
            },
          },
        }));
      return { data: { transactions: { pageInfo: { hasNextPage: false, endCursor: null }, nodes } } };
    }
    const next = landed.find(({ made }) =>
      made.some(({ id, before }) => id === variables.coin && before === variables.version),
    );
    const isThere =
      next !== undefined || coins.some(({ id, version: at }) => id === variables.coin && at === variables.version);
    const nodes =
      next === undefined ? [] : [{ previousTransaction: { digest: next.digest, effects: { status: next.status } } }];
    return { data: { epoch: { epochId: epoch }, object: isThere ? { objectVersionsAfter: { nodes } } : null } };
  }

  function depositInCoins(place: DepositPlace, amount: bigint, count: number): void {
    const part = amount / BigInt(Math.max(1, count));
    const left = Array.from({ length: count }, () => ({ owner: place.address, balance: part }));
    for (const { owner, balance } of left) put(owner, balance);
    const sender = payer;
    const digest = base58.encode(createHash('sha256').update(`deposit ${version}`).digest());
    const changes = [
      { owner: sender, amount: -amount - GAS },
      { owner: place.address, amount },
    ];
    landed.push({ digest, sender, status: 'SUCCESS', affected: [sender, place.address], changes, left, made: [] });
  }

  return {
    transport: { rpc: post as never, get: post as never, post },
    nextEpoch: () => {
      epoch += 1;
    },
    /** In four coins. */
    fund(address, amount) {
      for (const part of [1n, 1n, 1n]) put(address, (amount / 4n) * part);
      put(address, amount - (amount / 4n) * 3n);
    },
    balance: (address) =>
      coins.filter(({ owner }) => owner === address).reduce((sum, { balance }) => sum + balance, 0n),
    deposit: (place: DepositPlace, amount: bigint) => depositInCoins(place, amount, 1),
    depositInCoins,
    payBy: (account) => {
      payer = account;
    },
    finalize: () => undefined,
    reorganize: () => {
      landed = landed.slice(0, -1);
    },
    decode(raw) {
      const { to, amount } = open(raw.split(' ')[0]!);
      return { to, amount };
    },
  };
}
