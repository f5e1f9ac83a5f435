import {
  AccountAddress,
  AuthenticationKey,
  ChainId,
  Ed25519PublicKey,
  EntryFunction,
  RawTransaction,
  TransactionPayloadEntryFunction,
  U64,
} from '@aptos-labs/ts-sdk';
import { hexToBytes } from '@noble/curves/utils.js';
import { FROM, paidAccount, payingAccount } from '../accounts/paying-account.ts';
import type { PayingKey } from '../accounts/paying-key.ts';
import { isHex32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

/** Whose sequence number, the price of a unit of gas in octas, and from when on it lands no more, in seconds since 1970. */
export const APTOS_REFERENCE = referenceRecord({
  from: FROM,
  sequence: WHOLE_NUMBER,
  unitPrice: WHOLE_NUMBER,
  expires: WHOLE_NUMBER,
});

/** More than a payment uses that opens its recipient's account. */
export const GAS_MAX = 5_000n;
/** At most 0.05 APT for a payment. */
export const UNIT_PRICE_MAX = 1_000n;
export const U64_MAX = 2n ** 64n - 1n;
/** What the vault pays lasts until the year 3000: its sequence number lets one through, and a cancelled one is spent. */
export const VAULT_EXPIRES_S = 32_503_680_000n;
/** What leaves a transfer's own account is never cancelled, so it lapses: after a day. */
export const TRANSFER_LASTS_S = 86_400n;

const CHAIN_IDS: Readonly<Record<Vault['network'], number>> = { mainnet: 1, testnet: 2, local: 4 };

/** 32 bytes in full: what is shorter is a special account of the chain. */
export function isAptosAddress(text: string, network: Vault['network']): boolean {
  return (
    /^0x[0-9a-f]{64}$/.test(text) && !isKeyless({ chain: 'aptos', network }, { text, bytes: hexToBytes(text.slice(2)) })
  );
}

export function aptosAddressOf(key: string): string {
  if (!isHex32(key)) throw new RangeError('no Ed25519 key');
  const publicKey = new Ed25519PublicKey(hexToBytes(key));
  return AuthenticationKey.fromPublicKey({ publicKey }).derivedAddress().toStringLong();
}

/** The transaction without its signature, and the key that signs it. A cancelled one sends nothing to itself. */
export function aptosPayment(vault: Vault, order: PaymentOrder): { transaction: RawTransaction; paying: PayingKey } {
  const reference = APTOS_REFERENCE.read(order.reference);
  const unitPrice = wholeUnits(reference.unitPrice, UNIT_PRICE_MAX);
  const paying = payingAccount(vault, order, reference.from);
  const sender = aptosAddressOf(paying.key);
  const isEmpty = order.kind === 'cancel';
  const receiver = paidAccount(order, { own: sender, home: aptosAddressOf(vault.keys.groupKey) });
  if (!isAptosAddress(receiver, vault.network)) throw new RangeError('no address of Aptos');
  const fee = reference.from === 'vault' ? 0n : GAS_MAX * unitPrice;
  const amount = isEmpty ? 0n : wholeUnits(order.amount, U64_MAX) - fee;
  if (amount <= 0n && !isEmpty) throw new RangeError('the fee would eat the amount');
  const payload = new TransactionPayloadEntryFunction(
    EntryFunction.build('0x1::aptos_account', 'transfer', [], [AccountAddress.from(receiver), new U64(amount)]),
  );
  const transaction = new RawTransaction(
    AccountAddress.from(sender),
    wholeUnits(reference.sequence, U64_MAX, 0n),
    payload,
    GAS_MAX,
    unitPrice,
    wholeUnits(reference.expires, U64_MAX),
    new ChainId(CHAIN_IDS[vault.network]),
  );
  return { transaction, paying };
}
