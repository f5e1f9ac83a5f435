import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { isEcdsaRight } from '../../signing/ecdsa.ts';
import { CLUSTER_THRESHOLD } from '../../transfer.ts';
import { nextNumber } from '../accounts/next-number.ts';
import { foundIn } from '../accounts/search-cut.ts';
import { spentBy } from '../accounts/spent-by.ts';
import { threeSignatures } from '../accounts/three-signatures.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import {
  type ChainAdapter,
  type ChainView,
  type Deposit,
  InsufficientFunds,
  type PaymentOrder,
  type PaymentStatus,
  type ReferenceCheck,
  RpcRefusal,
} from '../chain-adapter.ts';
import { checkedReference, farAhead, neverSo, notSo } from '../reference-check.ts';
import { type CometTransaction, comet, signaturesIn } from './comet.ts';
import {
  AMOUNT_MAX,
  CHAIN_IDS,
  COSMOS_REFERENCE,
  cosmosAddress,
  cosmosDenom,
  cosmosDigest,
  cosmosHome,
  cosmosPayment,
  cosmosSigned,
  FEE_DENOM,
  FEE_MAX,
  isCosmosMemo,
} from './cosmos-payment.ts';

const DEPOSITS_MAX = 20;
/** Of a first try: five times the least that the hub takes. Each further one offers twice as much. */
const FEE_FIRST = 5_000n;
const DOUBLINGS_MAX = 5;

/**
 * The Cosmos Hub, with ATOM and whatever else its bank module has. The vault is an account of three of five keys, a deposit carries its commitment as memo, and a payment uses a
 * sequence of the account. A block is final.
 */
export const cosmos: ChainAdapter = {
  scheme: 'multisig-secp256k1',
  confirmations: 1,

  addressOf: (text, network) => cosmosAddress(text, network),

  payeeMemo: { form: 'up to 256 characters of ASCII', isRight: isCosmosMemo },

  async payeeFault({ vault, transport }, to) {
    if (to === cosmosHome(vault)) return 'own';
    return (await comet(transport).isOfProgram(to)) ? 'program' : null;
  },

  /** Decimals of a denomination stand in no place that the chain holds anybody to. */
  async readDecimals({ vault }) {
    cosmosDenom(vault);
    return null;
  },

  countsBy: cosmosHome,

  depositPlace: ({ vault }, commitment, amount) => {
    wholeUnits(amount, AMOUNT_MAX);
    return { address: cosmosHome(vault), memo: commitment, call: null };
  },

  deposits,

  async referenceFor({ vault, transport }, order, taken) {
    const node = comet(transport);
    if ((await node.network()) !== CHAIN_IDS[vault.network]) throw new Error('the node is of another network');
    const home = cosmosHome(vault);
    const { accountNumber, sequence } = await node.account(home);
    const fee = feeOf(order.attempt);
    await requireFunds({ vault, transport }, order, fee);
    const used = COSMOS_REFERENCE.readAll(taken).map((each) => each.sequence);
    return COSMOS_REFERENCE.write({
      account: String(accountNumber),
      sequence: nextNumber(sequence, used),
      fee: String(fee),
    });
  },

  build: (vault, order) => ({ messages: [{ bytes: cosmosDigest(cosmosPayment(vault, order)), tweak: null }] }),

  complete(vault, order, signatures) {
    const payment = cosmosPayment(vault, order);
    if (signatures.length !== 1) throw new RangeError('one message has one set of signatures');
    const { raw, hash } = cosmosSigned(
      payment,
      threeSignatures(vault.keys.signerKeys, cosmosDigest(payment), signatures[0]),
    );
    return { raw, transaction: hash };
  },

  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signatures');
    const node = comet(transport);
    try {
      await node.send(raw);
    } catch (error) {
      // One that is in a block or waits for one is refused, too: what became of it is for `statusOf` to say.
      const isCached = error instanceof RpcRefusal && error.message.includes('already exists in cache');
      if (!(isCached || (error instanceof RpcRefusal && (await isInBlock({ transport }, transaction))))) throw error;
    }
    return transaction;
  },

  statusOf,
  checkReference,
};

function feeOf(attempt: number): bigint {
  const fee = FEE_FIRST << BigInt(Math.min(Math.max(0, attempt - 1), DOUBLINGS_MAX));
  return fee > FEE_MAX ? FEE_MAX : fee;
}

async function deposits(view: ChainView, commitment: string, from: string | null): Promise<Deposit[]> {
  return (await foundIn(newestDeposits(view, commitment, from))).reverse().slice(0, DEPOSITS_MAX);
}

async function* newestDeposits(
  { vault, transport }: ChainView,
  commitment: string,
  from: string | null,
): AsyncGenerator<Deposit> {
  const [home, denom] = [cosmosHome(vault), cosmosDenom(vault)];
  for await (const transaction of comet(transport).search(`transfer.recipient='${home}'`)) {
    const { hash, tx, hasFailed } = transaction;
    if (hasFailed || tx.body?.memo !== commitment) continue;
    for (const [index, { typeUrl, value }] of tx.body.messages.entries()) {
      if (typeUrl !== '/cosmos.bank.v1beta1.MsgSend') continue;
      const { amount, payer } = received(value, { home, denom, from });
      if (amount > 0n) yield { reference: `${hash}:${index}`, amount: String(amount), confirmations: 1, payer };
    }
  }
}

function received(
  value: Uint8Array,
  { home, denom, from }: { readonly home: string; readonly denom: string; readonly from: string | null },
): { readonly amount: bigint; readonly payer: string } {
  const { fromAddress: payer, toAddress, amount: coins } = MsgSend.decode(value);
  if (toAddress !== home || payer !== (from ?? payer) || payer === home) return { amount: 0n, payer };
  const paid = coins.filter((coin) => coin.denom === denom);
  return { amount: paid.reduce((sum, coin) => sum + wholeUnits(coin.amount, AMOUNT_MAX), 0n), payer };
}

async function requireFunds(
  { vault, transport }: Pick<ChainView, 'vault' | 'transport'>,
  { kind, amount }: Omit<PaymentOrder, 'reference'>,
  fee: bigint,
): Promise<void> {
  const [node, home, denom] = [comet(transport), cosmosHome(vault), cosmosDenom(vault)];
  const pays = kind === 'cancel' ? 0n : wholeUnits(amount, AMOUNT_MAX);
  const needed = denom === FEE_DENOM ? pays + fee : fee;
  if ((await node.balance(home, FEE_DENOM)) < needed) throw new InsufficientFunds(`the vault has too few ${FEE_DENOM}`);
  if (denom !== FEE_DENOM && (await node.balance(home, denom)) < pays)
    throw new InsufficientFunds(`the vault has too few ${denom}`);
}

async function isInBlock({ transport }: Pick<ChainView, 'transport'>, transaction: string): Promise<boolean> {
  for await (const { hash } of comet(transport).search(`tx.hash='${transaction}'`))
    if (hash === transaction) return true;
  return false;
}

/** The transaction that has the account's sequence is this payment if its signatures are of what the order builds, however it is encoded. */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const { sequence } = COSMOS_REFERENCE.read(order.reference);
  const [node, home] = [comet(transport), cosmosHome(vault)];
  if ((await node.account(home)).sequence <= BigInt(sequence)) return { state: 'unspent' };
  const digest = cosmosDigest(cosmosPayment(vault, order));
  for await (const transaction of node.search(`tx.acc_seq='${home}/${sequence}'`)) {
    const { hash, tx, hasFailed } = transaction;
    if (String(tx.authInfo?.signerInfos[0]?.sequence) !== sequence) continue;
    return spentBy(order, { isThis: isOf(transaction, digest, vault.keys.signerKeys), hasFailed }, hash, 1);
  }
  throw new Error('no transaction is known that used the sequence');
}

function isOf({ tx }: CometTransaction, digest: string, keys: readonly string[]): boolean {
  const signatures = signaturesIn(tx);
  const isEachRight = signatures.every((signature) => keys.some((key) => isEcdsaRight(key, digest, signature)));
  return signatures.length >= CLUSTER_THRESHOLD && isEachRight;
}

/** No node says what the hub charges: the fee is one of those that tries offer, and no more than the table's. */
async function checkReference({ vault, transport }: ChainView, { reference }: PaymentOrder): Promise<ReferenceCheck> {
  const { account, sequence, fee } = COSMOS_REFERENCE.read(reference);
  const node = comet(transport);
  const own = await node.account(cosmosHome(vault));
  const offered = Array.from({ length: DOUBLINGS_MAX + 1 }, (_, doublings) => feeOf(doublings + 1));
  return checkedReference(
    neverSo((await node.network()) === CHAIN_IDS[vault.network], 'another network'),
    neverSo(account === String(own.accountNumber), 'another number of the account'),
    notSo(offered.includes(BigInt(fee)), 'no payment offers such a fee'),
    farAhead(sequence, own.sequence),
  );
}
