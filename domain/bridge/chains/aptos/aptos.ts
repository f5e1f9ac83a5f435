import {
  type AccountAddress,
  Deserializer,
  Ed25519PublicKey,
  Ed25519Signature,
  generateSigningMessageForTransaction,
  type RawTransaction,
  SignedTransaction,
  SimpleTransaction,
  TransactionAuthenticatorEd25519,
  TransactionPayloadEntryFunction,
} from '@aptos-labs/ts-sdk';
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import { sha3_256 } from '@noble/hashes/sha3.js';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { boundedFee } from '../accounts/bounded-fee.ts';
import { getKnown } from '../accounts/get-known.ts';
import { groupSignature } from '../accounts/group-signature.ts';
import { nextNumber } from '../accounts/next-number.ts';
import { ofSameAccount } from '../accounts/of-same-account.ts';
import { fromOf } from '../accounts/paying-account.ts';
import { transferKey, vaultKey } from '../accounts/paying-key.ts';
import { requireCoin } from '../accounts/require-coin.ts';
import { spentBy } from '../accounts/spent-by.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
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
} from '../chain-adapter.ts';
import { checkedReference, farAhead, notSo, sweepFeeFault } from '../reference-check.ts';
import {
  APTOS_REFERENCE,
  aptosAddressOf,
  aptosPayment,
  GAS_MAX,
  isAptosAddress,
  TRANSFER_LASTS_S,
  U64_MAX,
  UNIT_PRICE_MAX,
  VAULT_EXPIRES_S,
} from './aptos-payment.ts';

const NOT_FOUND = 404;
const MICROSECONDS = 1_000_000n;

/** Nodes are not equally far. */
const LAG_S = 600n;
const Digits = z.string().regex(/^[0-9]{1,20}$/);
const Account = z.object({ sequence_number: Digits });
const Keyed = z.object({ authentication_key: z.string() });
const NO_KEY = /^0x0*$/;
const OfSeveral = z.object({
  data: z.object({ owners: z.array(z.string()), num_signatures_required: z.string().regex(/^[1-9][0-9]{0,8}$/) }),
});
/** The node writes it as a number: beyond 2^53 it would have lost digits. */
const Balance = z.int().nonnegative();
/** Its newest version, and the time of that in microseconds since 1970. */
const Ledger = z.object({ ledger_version: Digits, ledger_timestamp: Digits });
const GasPrice = z.object({ gas_estimate: z.int().positive() });
const Sent = z.array(
  z.object({
    hash: z.string(),
    sequence_number: Digits,
    success: z.boolean(),
    signature: z.object({ signature: z.string().optional() }).optional(),
  }),
);

/**
 * Aptos, with its own coin. Each transfer has an account of its own, whose balance is the deposit; a payment uses a sequence number. What a node has committed is final.
 */
export const aptos: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: 1,

  addressOf: (text, network) => (isAptosAddress(text, network) ? text : null),

  /** Objects, and accounts of contracts, have no key; the latter say zeros for its hash. */
  async payeeFault({ vault, transport }, to) {
    if (to === aptosAddressOf(vault.keys.groupKey)) return 'own';
    const account = await getKnown(transport, `/v1/accounts/${to}`);
    const hasNoKey = account !== null && NO_KEY.test(answerOf(Keyed, account, 'an account').authentication_key);
    if (hasNoKey && !(await isOfSeveral(transport, to))) return 'program';
    return (await getKnown(transport, `/v1/accounts/${to}/resource/0x1::object::ObjectCore`)) === null
      ? null
      : 'program';
  },

  countsBy: ({ keys }) => aptosAddressOf(keys.groupKey),

  depositPlace: ({ vault }, commitment, amount) => {
    requireCoin(vault);
    wholeUnits(amount, U64_MAX);
    return { address: aptosAddressOf(transferKey(vault, commitment).key), memo: null, call: null };
  },

  deposits,

  sweepable: async ({ vault, transport }, commitment) =>
    String(await balanceOf(transport, aptosAddressOf(transferKey(vault, commitment).key))),

  async referenceFor({ vault, transport }, order, taken) {
    requireCoin(vault);
    const from = fromOf(order.kind);
    const { key } = from === 'vault' ? vaultKey(vault) : transferKey(vault, order.commitment);
    const address = aptosAddressOf(key);
    const unitPrice = boundedFee(await unitPriceOf(transport), 1n, UNIT_PRICE_MAX);
    const needed = wholeUnits(order.amount, U64_MAX) + (from === 'vault' ? GAS_MAX * unitPrice : 0n);
    const balance = await balanceOf(transport, address);
    if (balance < needed) throw new InsufficientFunds(`the account has ${balance} octas of ${needed}`);
    const sequence = nextNumber(
      await sequenceOf(transport, address),
      ofSameAccount(from, APTOS_REFERENCE.readAll(taken)).map((one) => one.sequence),
    );
    const expires = from === 'vault' ? VAULT_EXPIRES_S : (await ledgerOf(transport)).seconds + TRANSFER_LASTS_S;
    return APTOS_REFERENCE.write({ from, sequence, unitPrice: String(unitPrice), expires: String(expires) });
  },

  build(vault, order) {
    requireCoin(vault);
    const { transaction, paying } = aptosPayment(vault, order);
    return { messages: [{ bytes: bytesToHex(signingMessage(transaction)), tweak: paying.tweak }] };
  },

  complete(vault, order, signatures) {
    requireCoin(vault);
    const { transaction, paying } = aptosPayment(vault, order);
    const signature = groupSignature(signatures, signingMessage(transaction), paying.key);
    const key = new Ed25519PublicKey(hexToBytes(paying.key));
    const authenticator = new TransactionAuthenticatorEd25519(key, new Ed25519Signature(signature));
    const bytes = new SignedTransaction(transaction, authenticator).bcsToBytes();
    return { raw: bytesToHex(bytes), transaction: hashOf(bytes) };
  },

  /** A number that is gone was used by this payment or another: the status says which. */
  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signature');
    try {
      await transport.post('/v1/transactions', submission(hexToBytes(raw)));
    } catch (refusal) {
      const isUsed =
        refusal instanceof RpcRefusal &&
        /sequence_number_too_old|SEQUENCE_NUMBER_TOO_OLD|already/i.test(refusal.message);
      if (!isUsed) throw refusal;
    }
    return transaction;
  },

  statusOf,
  checkReference,
};

function signingMessage(rawTransaction: RawTransaction): Uint8Array {
  return generateSigningMessageForTransaction(new SimpleTransaction(rawTransaction));
}

/** Hash of a user's transaction by the chain's rules: the domain's hash, the kind, and the signed bytes. */
function hashOf(signed: Uint8Array): string {
  const prefix = sha3_256(new TextEncoder().encode('APTOS::Transaction'));
  return `0x${bytesToHex(sha3_256(Uint8Array.of(...prefix, 0, ...signed)))}`;
}

/** The signed transaction as the node takes it in JSON. */
function submission(signed: Uint8Array): object {
  const { raw_txn: transaction, authenticator } = SignedTransaction.deserialize(new Deserializer(signed));
  const { payload } = transaction;
  if (
    !(payload instanceof TransactionPayloadEntryFunction) ||
    !(authenticator instanceof TransactionAuthenticatorEd25519)
  )
    throw new RangeError('a transaction of another form');
  const [to, amount] = payload.entryFunction.args;
  if (to === undefined || amount === undefined) throw new RangeError('a transaction of another form');
  const octas = new Deserializer(amount.bcsToBytes()).deserializeU64();
  return {
    sender: longText(transaction.sender),
    sequence_number: String(transaction.sequence_number),
    max_gas_amount: String(transaction.max_gas_amount),
    gas_unit_price: String(transaction.gas_unit_price),
    expiration_timestamp_secs: String(transaction.expiration_timestamp_secs),
    payload: {
      type: 'entry_function_payload',
      function: '0x1::aptos_account::transfer',
      type_arguments: [],
      arguments: [`0x${bytesToHex(to.bcsToBytes())}`, String(octas)],
    },
    signature: {
      type: 'ed25519_signature',
      public_key: `0x${bytesToHex(authenticator.public_key.toUint8Array())}`,
      signature: `0x${bytesToHex(authenticator.signature.toUint8Array())}`,
    },
  };
}

function longText(address: AccountAddress): string {
  return address.toStringLong();
}

async function balanceOf(transport: ChainTransport, address: string): Promise<bigint> {
  const path = `/v1/accounts/${address}/balance/0x1::aptos_coin::AptosCoin`;
  return BigInt(answerOf(Balance, await transport.get(path), 'a balance'));
}

/**
 * An account that has sent nothing may not be known to the node.
 *
 * @param at version of the ledger; the newest one unless stated
 * @throws RpcRefusal where the node does not have that version, which is no account that it does not know
 */
async function sequenceOf(transport: ChainTransport, address: string, at?: string): Promise<bigint> {
  const version = at === undefined ? '' : `?ledger_version=${at}`;
  try {
    const answer = await transport.get(`/v1/accounts/${address}${version}`);
    return BigInt(answerOf(Account, answer, 'an account').sequence_number);
  } catch (refusal) {
    const isUnknown = refusal instanceof RpcRefusal && refusal.code === NOT_FOUND;
    if (isUnknown && !refusal.message.includes('version_not_found')) return 0n;
    throw refusal;
  }
}

async function unitPriceOf(transport: ChainTransport): Promise<bigint> {
  const answer = await transport.get('/v1/estimate_gas_price');
  return BigInt(answerOf(GasPrice, answer, 'estimate_gas_price').gas_estimate);
}

async function ledgerOf(transport: ChainTransport): Promise<{ version: string; seconds: bigint }> {
  const { ledger_version, ledger_timestamp } = answerOf(Ledger, await transport.get('/v1'), 'the ledger');
  return { version: ledger_version, seconds: BigInt(ledger_timestamp) / MICROSECONDS };
}

/** The balance of the transfer's own account: what has come, or what a payment has left. */
/** Whether an account without a key of its own is one whose owners sign by the chain's own multisignature, and enough of them can. */
async function isOfSeveral(transport: ChainTransport, account: string): Promise<boolean> {
  const found = await getKnown(transport, `/v1/accounts/${account}/resource/0x1::multisig_account::MultisigAccount`);
  if (found === null) return false;
  const { owners, num_signatures_required: needed } = answerOf(OfSeveral, found, 'MultisigAccount').data;
  const able = new Set(owners.filter((owner) => owner !== account && !NO_KEY.test(owner)));
  return able.size >= Number(needed);
}

async function deposits({ vault, transport }: ChainView, commitment: string): Promise<Deposit[]> {
  const address = aptosAddressOf(transferKey(vault, commitment).key);
  const balance = await balanceOf(transport, address);
  return balance === 0n ? [] : [{ reference: address, amount: String(balance), confirmations: 1, isBalance: true }];
}

/**
 * The transaction that has the account's number is this payment if its signature is one of what the order builds. No block takes a transaction that expires by the block's time: a number
 * that a version of that time or later shows unused is used by it no more.
 */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const { sequence, expires } = APTOS_REFERENCE.read(order.reference);
  const { transaction, paying } = aptosPayment(vault, order);
  const address = aptosAddressOf(paying.key);
  if ((await sequenceOf(transport, address)) <= BigInt(sequence)) {
    const { version, seconds } = await ledgerOf(transport);
    const isLapsed = seconds >= BigInt(expires) && (await sequenceOf(transport, address, version)) <= BigInt(sequence);
    return isLapsed
      ? { state: 'void', transaction: `none until version ${version}`, confirmations: 1 }
      : { state: 'unspent' };
  }
  const path = `/v1/accounts/${address}/transactions?start=${sequence}&limit=1`;
  const [sent] = answerOf(Sent, await transport.get(path), 'transactions');
  if (sent?.sequence_number !== sequence) throw new Error('no transaction is known that used the number');
  const message = signingMessage(transaction);
  const isThis = isSignatureOf(sent.signature?.signature, message, paying.key);
  return spentBy(order, { isThis, hasFailed: !sent.success }, sent.hash, 1);
}

function isSignatureOf(text: string | undefined, message: Uint8Array, key: string): boolean {
  if (text === undefined || !/^0x[0-9a-f]{128}$/.test(text)) return false;
  return ed25519.verify(hexToBytes(text.slice(2)), message, hexToBytes(key));
}

async function checkReference(
  { vault, transport }: ChainView,
  { kind, reference, commitment }: PaymentOrder,
): Promise<ReferenceCheck> {
  const { from, sequence, unitPrice, expires } = APTOS_REFERENCE.read(reference);
  const { key } = from === 'vault' ? vaultKey(vault) : transferKey(vault, commitment);
  const until = from === 'vault' ? VAULT_EXPIRES_S : (await ledgerOf(transport)).seconds + TRANSFER_LASTS_S + LAG_S;
  return checkedReference(
    farAhead(sequence, await sequenceOf(transport, aptosAddressOf(key))),
    notSo(BigInt(expires) <= until, 'it lasts longer than payments do'),
    kind === 'sweep' ? sweepFeeFault(BigInt(unitPrice), await unitPriceOf(transport)) : null,
  );
}
