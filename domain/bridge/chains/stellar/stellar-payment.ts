import {
  Account,
  Asset,
  extractBaseAddress,
  Memo,
  Networks,
  Operation,
  StrKey,
  TimeoutInfinite,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-base';
import { isPlainText } from '../accounts/plain-text.ts';
import { isHex32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

/** Sequence of the vault's account, fee in stroops, whether the recipient's account has to be opened, and the ledger from which on the payment is looked for. */
export const STELLAR_REFERENCE = referenceRecord({
  sequence: WHOLE_NUMBER,
  fee: WHOLE_NUMBER,
  opens: /yes|no/,
  ledger: WHOLE_NUMBER,
});

/** The most that a payment pays for itself, in stroops. */
export const FEE_MAX = 100_000n;
/** A cancelled payment was not taken for its fee: what takes its place pays so many times as much. */
const CANCEL_FEE_FACTOR = 10n;
export const STROOPS_MAX = 2n ** 63n - 1n;
/** Amounts of every asset have so many decimals. */
export const DECIMALS = 7;

const PASSPHRASES: Readonly<Record<Vault['network'], string>> = {
  mainnet: Networks.PUBLIC,
  testnet: Networks.TESTNET,
  local: Networks.STANDALONE,
};

/** An account that has a key, or one of the many customers of such an account (`M…`). */
export function isStellarAddress(text: string, network: Vault['network']): boolean {
  if (!StrKey.isValidEd25519PublicKey(text) && !StrKey.isValidMed25519PublicKey(text)) return false;
  const account = extractBaseAddress(text);
  return !isKeyless(
    { chain: 'stellar', network },
    { text: account, bytes: StrKey.decodeEd25519PublicKey(account), isEd25519: true },
  );
}

export function stellarAccountOf(key: string): string {
  if (!isHex32(key)) throw new RangeError('the vault has no Ed25519 key');
  return StrKey.encodeEd25519PublicKey(Buffer.from(key, 'hex'));
}

/** @throws RangeError where the token is not named `CODE:ISSUER` */
export function stellarAsset(token: string | null): Asset {
  if (token === null) return Asset.native();
  const [code = '', issuer = '', ...rest] = token.split(':');
  if (!/^[A-Za-z0-9]{1,12}$/.test(code) || !StrKey.isValidEd25519PublicKey(issuer) || rest.length > 0)
    throw new RangeError('a token of Stellar is named CODE:ISSUER');
  return new Asset(code, issuer);
}

const MEMO_TEXT_BYTES_MAX = 28;
const MEMO_ID_MAX = 2n ** 64n - 1n;

/** A memo as it is stated: its kind and its value, since `text:1` and `id:1` are two to an exchange. Null where it is none. */
export function stellarMemo(memo: string): Memo | null {
  const [, kind, value = ''] = /^(text|id|hash|return):(.+)$/.exec(memo) ?? [];
  if (kind === 'text') return isPlainText(value, MEMO_TEXT_BYTES_MAX) ? Memo.text(value) : null;
  if (kind === 'id')
    return /^(0|[1-9][0-9]{0,19})$/.test(value) && BigInt(value) <= MEMO_ID_MAX ? Memo.id(value) : null;
  if (kind === undefined || !isHex32(value)) return null;
  return kind === 'hash' ? Memo.hash(value) : Memo.return(value);
}

/**
 * What is stated for its payee. Where nothing is, a payment says whose it is, so that two transfers do not have one transaction: but beside a customer's own account (`M…`), where no memo may stand.
 *
 * @throws RangeError where a memo is stated that is none, or beside such an account
 */
function memoOf({ kind, commitment, to, memo }: PaymentOrder): Memo {
  if (kind === 'cancel') return Memo.none();
  const isCustomer = StrKey.isValidMed25519PublicKey(to);
  if (memo === undefined) {
    if (isCustomer) return Memo.none();
    if (!isHex32(commitment)) throw new RangeError('a commitment of another form');
    return Memo.hash(commitment);
  }
  const stated = stellarMemo(memo);
  if (stated === null || isCustomer) throw new RangeError('no memo of Stellar');
  return stated;
}

/** Units as Stellar writes them. */
function decimalOf(stroops: bigint): string {
  const digits = String(stroops).padStart(DECIMALS + 1, '0');
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

/** A decimal as Stellar writes it, in units; null where it is none. */
export function stroopsOf(decimal: string): bigint | null {
  const found = /^([0-9]{1,12})\.([0-9]{7})$/.exec(decimal);
  return found === null ? null : BigInt(`${found[1]}${found[2]}`);
}

/** The transaction without its signature. It never expires: its sequence lets one through, and a cancelled one is spent. */
export function stellarPayment(vault: Vault, order: PaymentOrder): Transaction {
  const reference = STELLAR_REFERENCE.read(order.reference);
  const fee = wholeUnits(reference.fee, FEE_MAX) * (order.kind === 'cancel' ? CANCEL_FEE_FACTOR : 1n);
  const sequence = wholeUnits(reference.sequence, STROOPS_MAX);
  const account = new Account(stellarAccountOf(vault.keys.groupKey), String(sequence - 1n));
  return new TransactionBuilder(account, { fee: String(fee), networkPassphrase: PASSPHRASES[vault.network] })
    .addOperation(operationOf(vault, order, reference.opens === 'yes'))
    .addMemo(memoOf(order))
    .setTimeout(TimeoutInfinite)
    .build();
}

/** A cancelled one changes nothing, or opens the trust line of the vault's token. */
function operationOf(
  { token, decimals, network }: Vault,
  { kind, to, amount: units }: PaymentOrder,
  opens: boolean,
): xdr.Operation {
  const asset = stellarAsset(token);
  if (kind === 'cancel')
    return token === null ? Operation.bumpSequence({ bumpTo: '0' }) : Operation.changeTrust({ asset });
  if (decimals !== DECIMALS) throw new RangeError('assets of Stellar have seven decimals');
  if (!isStellarAddress(to, network)) throw new RangeError('no address of Stellar');
  const amount = decimalOf(wholeUnits(units, STROOPS_MAX));
  if (!opens) return Operation.payment({ destination: to, asset, amount });
  if (token !== null || !StrKey.isValidEd25519PublicKey(to)) throw new RangeError('only lumens open an account');
  return Operation.createAccount({ destination: to, startingBalance: amount });
}
