import { KeyType, PublicKey } from '@near-js/crypto';
import { actionCreators, createTransaction, encodeTransaction, type Transaction } from '@near-js/transactions';
import { hexToBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { FROM, paidAccount, payingAccount } from '../accounts/paying-account.ts';
import type { PayingKey } from '../accounts/paying-key.ts';
import { HEX_32, isHex32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

/** Whose key, its nonce, and the block by which the payment's time is counted. */
export const NEAR_REFERENCE = referenceRecord({ from: FROM, nonce: WHOLE_NUMBER, block: HEX_32, height: WHOLE_NUMBER });

export const YOCTO_MAX = 2n ** 128n - 1n;
/** Kept of what leaves a transfer's own account, for gas: 0.001 NEAR. */
export const TRANSFER_FEE = 10n ** 21n;
const U64_MAX = 2n ** 64n - 1n;

const ACCOUNT = /^(?=.{2,64}$)(([a-z\d]+[-_])*[a-z\d]+\.)*([a-z\d]+[-_])*[a-z\d]+$/;
const NAMES: Readonly<Record<Vault['network'], RegExp>> = {
  mainnet: /\.(near|tg)$/,
  testnet: /\.testnet$/,
  local: /\.(near|test)$/,
};

/** An account that a key names, or one with a name of that network. */
export function isNearAccount(text: string, network: Vault['network']): boolean {
  if (isHex32(text)) return !isKeyless({ chain: 'near', network }, { text, bytes: hexToBytes(text), isEd25519: true });
  return (
    ACCOUNT.test(text) && NAMES[network].test(text) && !isKeyless({ chain: 'near', network }, { text, bytes: null })
  );
}

export function nearHome({ keys }: Vault): string {
  if (!isHex32(keys.groupKey)) throw new RangeError('the vault has no Ed25519 key');
  return keys.groupKey;
}

export function nearKey(key: string): PublicKey {
  return new PublicKey({ keyType: KeyType.ED25519, data: hexToBytes(key) });
}

/** The transaction without its signature, and the key that signs it. A cancelled one sends nothing to itself. */
export function nearPayment(vault: Vault, order: PaymentOrder): { transaction: Transaction; paying: PayingKey } {
  const { from, nonce, block, height } = NEAR_REFERENCE.read(order.reference);
  wholeUnits(height, U64_MAX);
  const paying = payingAccount(vault, order, from);
  const receiver = paidAccount(order, { own: paying.key, home: nearHome(vault) });
  if (!isNearAccount(receiver, vault.network)) throw new RangeError('no account of this network');
  const transaction = createTransaction(
    paying.key,
    nearKey(paying.key),
    receiver,
    wholeUnits(nonce, U64_MAX),
    [actionCreators.transfer(order.kind === 'cancel' ? 0n : sent(order, from))],
    hexToBytes(block),
  );
  return { transaction, paying };
}

/** What arrives: from a transfer's own account, the amount without its fee. */
function sent({ amount }: PaymentOrder, from: string): bigint {
  const units = wholeUnits(amount, YOCTO_MAX);
  if (from === 'vault') return units;
  if (units <= TRANSFER_FEE) throw new RangeError('the fee would eat the amount');
  return units - TRANSFER_FEE;
}

/** What is signed: the hash, by which the chain knows the transaction, too. */
export function nearHash(transaction: Transaction): Uint8Array {
  return sha256(encodeTransaction(transaction));
}
