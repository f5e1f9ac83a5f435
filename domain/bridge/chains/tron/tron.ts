import { spentBy } from '../accounts/spent-by.ts';
import { threeSignatures } from '../accounts/three-signatures.ts';
import { JSON_UNITS_MAX, wholeUnits } from '../accounts/whole-units.ts';
import {
  type ChainAdapter,
  type ChainTransport,
  type ChainView,
  type Deposit,
  InsufficientFunds,
  type PaymentOrder,
  type PaymentStatus,
  type ReferenceCheck,
  RpcRefusal,
  type Vault,
} from '../chain-adapter.ts';
import { checkedReference, neverSo, notSo } from '../reference-check.ts';
import { requireTronHex, tronHex, tronPayee } from './tron-address.ts';
import { type Account, type TronOutcome, type TronTransaction, tronGrid } from './tron-grid.ts';
import {
  FEE_LIMIT_MAX,
  isTronStatement,
  TRON_REFERENCE,
  tronAmount,
  tronDigest,
  tronHome,
  tronPayment,
  tronStatement,
  tronToken,
  tronWithSignatures,
  WINDOW_MS,
} from './tron-payment.ts';
import { requireTronVault } from './tron-vault.ts';

const DEPOSITS_MAX = 20;
/** Blocks that super representatives need to make one solid. */
const SOLID_CONFIRMATIONS = 19;
/** References that take the same block expire within so many milliseconds of each other: a block's time. */
const EXPIRATIONS_OF_BLOCK = 3_000n;
/** What the chain takes of the vault beside a token's call, at most, in sun: bandwidth, the memo, more than one signature, and a recipient that is new come to some 3.5 TRX. */
const CHAIN_FEES = 5_000_000n;
/** Of a first try's call, in sun: a transfer of USDT burns 6 to 30 TRX, by the price of energy. */
const FEE_LIMIT_FIRST = 100_000_000n;
/** By so much a node may be behind the one that says how far the chain is. */
const LAG_MS = 600_000n;

/**
 * Tron, with TRX and TRC-20 tokens, by TronGrid. The vault is an account whose permissions are three of the five keys; a deposit carries its commitment as memo. A payment is one
 * transaction whose bytes follow from its order, and which may land for an hour. A solidified block is final.
 */
export const tron: ChainAdapter = {
  scheme: 'multisig-secp256k1',
  confirmations: SOLID_CONFIRMATIONS,

  addressOf: (text, network) => (tronPayee(text, network) === null ? null : text),

  /** The chain itself refuses TRX for contracts, and what a token moves to one is not known. */
  async payeeFault({ vault, transport }, to) {
    if (to === vault.contract || to === vault.token) return 'own';
    const [grid, payee] = [tronGrid(transport), requireTronHex(to)];
    if (!(await grid.isContract(payee))) return null;
    // The chain takes no payment of its coin to a contract.
    return vault.token === null || (await grid.isToken(payee)) ? 'program' : null;
  },

  async readDecimals(view) {
    const token = tronToken(view.vault);
    if (token === null) return null;
    const decimals = await tronGrid(view.transport).tokenDecimals(token);
    if (decimals === null) throw new RangeError('no token is there');
    return decimals;
  },

  countsBy: tronHome,

  depositPlace: ({ vault }, commitment, amount) => {
    if (vault.token === null) wholeUnits(amount, JSON_UNITS_MAX);
    tronAmount(vault, amount);
    tronToken(vault);
    tronHome(vault);
    return { address: vault.contract ?? '', memo: commitment, call: null };
  },

  deposits,

  async referenceFor({ vault, transport }, order, taken) {
    const account = await requireTronVault(vault, transport);
    const fee = vault.token === null ? 0n : order.attempt > 1 ? FEE_LIMIT_MAX : FEE_LIMIT_FIRST;
    await requireFunds({ vault, transport }, order, account, fee);
    const { id: block, time } = await tronGrid(transport).solidBlock();
    for (let later = 0n; later < EXPIRATIONS_OF_BLOCK; later += 1n) {
      const expiration = String(BigInt(time) + WINDOW_MS + later);
      const reference = TRON_REFERENCE.write({ block, expiration, attempt: String(order.attempt), fee: String(fee) });
      if (!taken.includes(reference)) return reference;
    }
    throw new Error('too many payments at one block');
  },

  build: (vault, order) => ({ messages: [{ bytes: tronDigest(vault, order), tweak: null }] }),

  complete(vault, order, signatures) {
    if (signatures.length !== 1) throw new RangeError('one message has one set of signatures');
    const three = threeSignatures(vault.keys.signerKeys, tronDigest(vault, order), signatures[0]);
    if (order.kind === 'cancel') return { raw: tronStatement(vault, order), transaction: absence(order) };
    const { raw, txid } = tronWithSignatures(vault, tronPayment(vault, order), three);
    return { raw, transaction: txid };
  },

  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signatures');
    if (isTronStatement(raw)) return transaction;
    const grid = tronGrid(transport);
    const refusal = await grid.send(raw);
    // One that is in a block is refused, too, once it has expired: what became of it is for `statusOf` to say.
    if (refusal !== null && (await grid.outcome(transaction)) === null) throw new RpcRefusal(0, refusal);
    return transaction;
  },

  statusOf,
  checkReference,

  async requireVault({ vault, transport }) {
    await requireTronVault(vault, transport);
  },
};

/** By what the payer's own account has sent: nobody else can hide a deposit behind other payments. */
async function deposits({ vault, transport }: ChainView, commitment: string, from: string | null): Promise<Deposit[]> {
  // By payers alone they are found.
  if (from === null) return [];
  await requireTronVault(vault, transport);
  const [grid, payer, home] = [tronGrid(transport), tronHex(from), tronHome(vault)];
  if (payer === null || payer === home) return [];
  const sent = await grid.sentWith(commitment, payer);
  const found: Deposit[] = [];
  for (const transaction of sent.reverse().slice(0, DEPOSITS_MAX)) {
    const outcome = await grid.outcome(transaction.txid);
    const amount = outcome === null || outcome.hasFailed ? 0n : received(vault, transaction, outcome, payer);
    if (outcome === null || amount <= 0n) continue;
    const confirmations = confirmationsOf(outcome);
    found.push({ reference: transaction.txid, amount: String(amount), confirmations, at: outcome.time, payer: from });
  }
  return found;
}

/** Of TRX what is sent; of a token what it says that it moved, since a call that succeeds may move nothing. */
function received(vault: Vault, { contract }: TronTransaction, { transfers }: TronOutcome, payer: string): bigint {
  const [home, token] = [tronHome(vault), tronToken(vault)];
  if (token === null) {
    if (contract.type !== 'TransferContract') return 0n;
    const { owner_address: owner, to_address: to, amount } = contract.parameter.value;
    return owner === payer && to === home ? BigInt(amount) : 0n;
  }
  if (contract.type !== 'TriggerSmartContract') return 0n;
  const { owner_address: owner, contract_address: called } = contract.parameter.value;
  if (owner !== payer || called !== token) return 0n;
  return transfers
    .filter((transfer) => transfer.token === token && transfer.from === payer && transfer.to === home)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

async function requireFunds(
  { vault, transport }: Pick<ChainView, 'vault' | 'transport'>,
  { kind, amount }: Omit<PaymentOrder, 'reference'>,
  account: Account,
  fee: bigint,
): Promise<void> {
  const [home, token] = [tronHome(vault), tronToken(vault)];
  const pays = kind === 'cancel' ? 0n : tronAmount(vault, amount);
  const needed = CHAIN_FEES + fee + (token === null ? pays : 0n);
  if (BigInt(account.balance) < needed)
    throw new InsufficientFunds(`the vault has ${account.balance} sun of ${needed}`);
  if (token === null || kind === 'cancel') return;
  const held = await tronGrid(transport).tokenBalance(token, home);
  if (held < pays) throw new InsufficientFunds(`the vault has ${held} of ${pays}`);
}

/**
 * What became of the one transaction that the order builds. A block takes none that expires by the time of the block before it, so none lands any more once a solidified block is that late; a while longer,
 * as another node may have said that it knows none.
 */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const grid = tronGrid(transport);
  const { id, time } = await grid.solidBlock();
  const txid = order.kind === 'cancel' ? await usedBy({ vault, transport }, order) : tronDigest(vault, order);
  const outcome = txid === null ? null : await grid.outcome(txid);
  if (txid !== null && outcome !== null) return becameOf(vault, order, txid, outcome);
  await requireOwnBlock(transport, order, id);
  const { expiration } = TRON_REFERENCE.read(order.reference);
  if (BigInt(time) < BigInt(expiration) + LAG_MS) return { state: 'unspent' };
  if (txid !== null && (await grid.isKnown(txid)))
    throw new Error('the node does not keep what became of transactions');
  return { state: 'void', transaction: absence(order), confirmations: SOLID_CONFIRMATIONS };
}

/** @throws Error where a token's call succeeded without moving what it had to: neither paid nor void can be said */
function becameOf(vault: Vault, order: PaymentOrder, txid: string, outcome: TronOutcome): PaymentStatus {
  const token = tronToken(vault);
  const { hasFailed, transfers } = outcome;
  if (token !== null && !hasFailed && order.kind !== 'cancel') {
    const to = requireTronHex(order.to);
    const hasMoved = transfers.some(
      (moved) =>
        moved.token === token &&
        moved.from === tronHome(vault) &&
        moved.to === to &&
        moved.amount === tronAmount(vault, order.amount),
    );
    if (!hasMoved) throw new Error('the token’s call succeeded and did not move the payment');
  }
  return spentBy(order, { isThis: order.kind !== 'cancel', hasFailed }, txid, confirmationsOf(outcome));
}

/** The payment of a reference that the vault has sent; null where there is none. */
async function usedBy(
  { vault, transport }: Pick<ChainView, 'vault' | 'transport'>,
  { reference, commitment }: PaymentOrder,
): Promise<string | null> {
  const expiration = BigInt(TRON_REFERENCE.read(reference).expiration);
  const between = { from: expiration - WINDOW_MS - EXPIRATIONS_OF_BLOCK, to: expiration + WINDOW_MS };
  const sent = await tronGrid(transport).sentWith(commitment, tronHome(vault), between);
  return sent.find((transaction) => BigInt(transaction.expiration) === expiration)?.txid ?? null;
}

/**
 * A transaction counts on every network that has its block, and for as long as it says.
 *
 * @throws Error where the reference's block is none of the node's chain, or it expires at another time than an hour later
 */
async function requireOwnBlock(transport: ChainTransport, { reference }: PaymentOrder, newest: string): Promise<void> {
  const { block } = TRON_REFERENCE.read(reference);
  if (numberOf(block) > numberOf(newest)) throw new Error('the node does not have the block of the reference yet');
  if (!(await isOfSolidBlock(transport, reference))) throw new Error('a reference of another chain');
}

/** Whether a solid block is that of the reference, which expires an hour later: no other ever takes its place. */
async function isOfSolidBlock(transport: ChainTransport, reference: string): Promise<boolean> {
  const { block, expiration } = TRON_REFERENCE.read(reference);
  const { id, time } = await tronGrid(transport).solidBlock(numberOf(block));
  const later = BigInt(expiration) - BigInt(time) - WINDOW_MS;
  return id === block && later >= 0n && later < EXPIRATIONS_OF_BLOCK;
}

/** A block's id begins with its number. */
function numberOf(block: string): bigint {
  return BigInt(`0x${block.slice(0, 16)}`);
}

function confirmationsOf({ isSolid }: TronOutcome): number {
  return isSolid ? SOLID_CONFIRMATIONS : 1;
}

/** What stands in place of a transaction where none has landed. */
function absence({ reference }: Pick<PaymentOrder, 'reference'>): string {
  return `none until ${TRON_REFERENCE.read(reference).expiration}`;
}

/**
 * What a token's call burns is what the chain charges for it: the reference says the most, which `build` bounds. A block that is solid is the reference's or never will be; one to come is none once a block before it is as late as the
 * reference says that it was.
 */
async function checkReference({ transport }: ChainView, { reference }: PaymentOrder): Promise<ReferenceCheck> {
  const { id, time } = await tronGrid(transport).solidBlock();
  const { block, expiration } = TRON_REFERENCE.read(reference);
  if (numberOf(block) > numberOf(id))
    return checkedReference(
      neverSo(BigInt(time) < BigInt(expiration) - WINDOW_MS, 'its block is none'),
      notSo(false, 'its block is not there yet'),
    );
  return checkedReference(
    neverSo(await isOfSolidBlock(transport, reference), 'its block is none, or it lasts longer than payments do'),
  );
}
