import { bcs } from '@mysten/sui/bcs';
import { messageWithIntent } from '@mysten/sui/cryptography';
import { TransactionDataBuilder } from '@mysten/sui/transactions';
import { hexToBytes } from '@noble/curves/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { base58 } from '@scure/base';
import { FROM, paidAccount, payingAccount } from '../accounts/paying-account.ts';
import type { PayingKey } from '../accounts/paying-key.ts';
import { isHex32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

/** Coins that a payment is made of, at most: the chain lets 256 pay for gas, and a reference names each. */
export const COINS_MAX = 64;
const COIN = /0x[0-9a-f]{64}:(?:0|[1-9][0-9]{0,15}):[1-9A-HJ-NP-Za-km-z]{32,44}/;

/** Whose coins, each with its version and digest, the price of gas, and the last epoch in which the payment can land. */
export const SUI_REFERENCE = referenceRecord({
  from: FROM,
  coins: new RegExp(`${COIN.source}(?:,${COIN.source}){0,${COINS_MAX - 1}}`),
  price: WHOLE_NUMBER,
  epoch: WHOLE_NUMBER,
});

/** The most that a payment pays for itself: 0.02 SUI. What leaves a transfer's own account is so much less. */
export const GAS_BUDGET = 20_000_000n;
export const PRICE_MAX = 10_000n;
export const U64_MAX = 2n ** 64n - 1n;
const DIGEST_BYTES = 32;
/** Of Ed25519, in addresses and signatures. */
const SCHEME = 0;

/** A version of a coin: it can be used once. */
export interface SuiCoin {
  readonly objectId: string;
  readonly version: string;
  readonly digest: string;
}

export function coinText({ objectId, version, digest }: SuiCoin): string {
  return `${objectId}:${version}:${digest}`;
}

export function coinsOf(text: string): SuiCoin[] {
  return text.split(',').map((coin) => {
    const [objectId = '', version = '', digest = ''] = coin.split(':');
    if (base58.decode(digest).length !== DIGEST_BYTES) throw new RangeError('no digest of a coin');
    return { objectId, version, digest };
  });
}

/** 32 bytes in full: what is shorter is a package or an object of the chain. */
export function isSuiAddress(text: string, network: Vault['network']): boolean {
  return (
    /^0x[0-9a-f]{64}$/.test(text) && !isKeyless({ chain: 'sui', network }, { text, bytes: hexToBytes(text.slice(2)) })
  );
}

export function suiAddressOf(key: string): string {
  if (!isHex32(key)) throw new RangeError('no Ed25519 key');
  const hash = blake2b(Uint8Array.of(SCHEME, ...hexToBytes(key)), { dkLen: 32 });
  return `0x${Buffer.from(hash).toString('hex')}`;
}

/** A payment before it is signed. */
export interface SuiPayment {
  readonly paying: PayingKey;
  readonly bytes: Uint8Array;
  /** What is signed: the hash of the bytes with what they are meant for. */
  readonly message: Uint8Array;
  /** By which the chain knows the transaction; it is without the signature. */
  readonly digest: string;
}

/** A cancelled one gives a millionth of a thousandth to itself. */
export function suiPayment(vault: Vault, order: PaymentOrder): SuiPayment {
  const reference = SUI_REFERENCE.read(order.reference);
  const coins = coinsOf(reference.coins);
  if (new Set(coins.map(({ objectId }) => objectId)).size !== coins.length) throw new RangeError('a coin twice');
  const paying = payingAccount(vault, order, reference.from);
  const sender = suiAddressOf(paying.key);
  const receiver = paidAccount(order, { own: sender, home: suiAddressOf(vault.keys.groupKey) });
  if (!isSuiAddress(receiver, vault.network)) throw new RangeError('no address of Sui');
  const fee = reference.from === 'vault' ? 0n : GAS_BUDGET;
  const amount = order.kind === 'cancel' ? 1n : wholeUnits(order.amount, U64_MAX) - fee;
  if (amount <= 0n) throw new RangeError('the fee would eat the amount');
  if (!isHex32(order.commitment)) throw new RangeError('a commitment of another form');
  const bytes = bcs.TransactionData.serialize({
    V1: {
      kind: {
        ProgrammableTransaction: {
          inputs: [
            { Pure: { bytes: bcs.u64().serialize(amount).toBase64() } },
            { Pure: { bytes: bcs.Address.serialize(receiver).toBase64() } },
            // No command reads it: it says whose payment it is, so two transfers never have one transaction.
            { Pure: { bytes: Buffer.from(hexToBytes(order.commitment)).toString('base64') } },
          ],
          commands: [
            { SplitCoins: { coin: { GasCoin: true }, amounts: [{ Input: 0 }] } },
            { TransferObjects: { objects: [{ NestedResult: [0, 0] }], address: { Input: 1 } } },
          ],
        },
      },
      sender,
      gasData: {
        payment: coins,
        owner: sender,
        price: String(wholeUnits(reference.price, PRICE_MAX)),
        budget: String(GAS_BUDGET),
      },
      expiration: { Epoch: String(wholeUnits(reference.epoch, U64_MAX)) },
    },
  }).toBytes();
  return {
    paying,
    bytes,
    message: blake2b(messageWithIntent('TransactionData', bytes), { dkLen: 32 }),
    digest: TransactionDataBuilder.getDigestFromBytes(bytes),
  };
}

/** A signature with its kind and key, as the chain takes it. */
export function suiSignature(signature: Uint8Array, key: string): Uint8Array {
  return Uint8Array.of(SCHEME, ...signature, ...hexToBytes(key));
}
