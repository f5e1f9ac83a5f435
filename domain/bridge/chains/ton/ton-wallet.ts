import { hexToBytes } from '@noble/curves/utils.js';
import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  external,
  internal,
  type StateInit,
  storeMessage,
  storeMessageRelaxed,
} from '@ton/core';
import { isPlainText } from '../accounts/plain-text.ts';
import { isHex32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';
import { WALLET_CODE } from './wallet-code.ts';

/** Sequence number of the vault's wallet, whether the wallet has to be put on the chain with it, and the logical time after which the payment is looked for. */
export const TON_REFERENCE = referenceRecord({ seqno: WHOLE_NUMBER, deploys: /yes|no/, after: WHOLE_NUMBER });

/** What wallets of that version have, by which programs find them. */
const SUBWALLET = 698_983_191;
/**
 * The wallet's number on a network: it stands in what is signed, and in the wallet's address, so that nothing counts on two. Off the main network it is changed by the network's global id, as wallets of
 * the fifth version have it; a machine's own is next to that.
 */
const SUBWALLETS: Readonly<Record<Vault['network'], number>> = {
  mainnet: SUBWALLET,
  testnet: (SUBWALLET ^ -3) >>> 0,
  local: (SUBWALLET ^ -4) >>> 0,
};
/** It never expires: its number lets one through, and a cancelled one is spent. */
const VALID_UNTIL = 0xffff_ffff;
const SEQNO_MAX = 2n ** 32n - 1n;
export const NANOTONS_MAX = 2n ** 63n - 1n;
/** Fees are the wallet's; an action that cannot be done is left out, and the number is used all the same. */
const SEND_MODE = 3;
const SIGNATURE_BITS = 512;

/** The address as programs write it, with its flags; null where it is none of that network, or of nobody. */
export function tonAddress(text: string, network: Vault['network']): Address | null {
  if (!Address.isFriendly(text)) return null;
  try {
    const { address, isBounceable, isTestOnly } = Address.parseFriendly(text);
    const isOfNetwork = isTestOnly === (network !== 'mainnet') && address.workChain === 0;
    const canonical = address.toString({ bounceable: isBounceable, testOnly: isTestOnly });
    const isPayable = !isKeyless(
      { chain: 'ton', network },
      { text: address.hash.toString('hex'), bytes: Uint8Array.from(address.hash) },
    );
    return isOfNetwork && canonical === text && isPayable ? address : null;
  } catch {
    return null;
  }
}

export function walletInit(key: string, network: Vault['network'] = 'mainnet'): StateInit {
  if (!isHex32(key)) throw new RangeError('the vault has no Ed25519 key');
  const data = beginCell()
    .storeUint(0, 32)
    .storeUint(SUBWALLETS[network], 32)
    .storeBuffer(Buffer.from(hexToBytes(key)))
    .storeBit(0)
    .endCell();
  return { code: Cell.fromBase64(WALLET_CODE), data };
}

export function walletAddress(key: string, network: Vault['network'] = 'mainnet'): Address {
  return contractAddress(0, walletInit(key, network));
}

/** The body of a text that comes with a payment. */
export function commentBody(text: string): Cell {
  return beginCell().storeUint(0, 32).storeStringTail(text).endCell();
}

/** What fits behind a comment's first 32 bits in one cell: readers exist that look at no other. */
const COMMENT_BYTES_MAX = 123;

/** Whether a text is a comment for who is paid. */
export function isTonComment(memo: string): boolean {
  return isPlainText(memo, COMMENT_BYTES_MAX);
}

/** What the cluster signs the hash of. A cancelled payment sends nothing. */
export function walletOrder(vault: Vault, order: PaymentOrder): Cell {
  const seqno = wholeUnits(TON_REFERENCE.read(order.reference).seqno, SEQNO_MAX, 0n);
  const head = beginCell()
    .storeUint(SUBWALLETS[vault.network], 32)
    .storeUint(VALID_UNTIL, 32)
    .storeUint(seqno, 32)
    .storeUint(0, 8);
  if (order.kind === 'cancel') return head.endCell();
  const to = tonAddress(order.to, vault.network);
  if (to === null) throw new RangeError('no address of this network');
  const value = wholeUnits(order.amount, NANOTONS_MAX);
  // What bounced would be with the vault again, and the payment would count as made.
  const message = beginCell().store(
    storeMessageRelaxed(internal({ to, value, bounce: false, body: payeeBody(order) })),
  );
  if (!isHex32(order.commitment)) throw new RangeError('a commitment of another form');
  // The wallet reads no further than its messages: what follows is signed, and says whose payment it is.
  const named = head.storeUint(SEND_MODE, 8).storeBuffer(Buffer.from(hexToBytes(order.commitment)));
  return named.storeRef(message.endCell()).endCell();
}

/** Empty where nothing is stated. @throws RangeError where it is no comment */
function payeeBody({ memo }: PaymentOrder): Cell {
  if (memo === undefined) return Cell.EMPTY;
  if (!isTonComment(memo)) throw new RangeError('no comment of TON');
  return commentBody(memo);
}

/** As it is handed in. */
export function walletMessage(vault: Vault, order: PaymentOrder, signature: Uint8Array): Cell {
  const { deploys } = TON_REFERENCE.read(order.reference);
  const init = walletInit(vault.keys.groupKey, vault.network);
  const body = beginCell()
    .storeBuffer(Buffer.from(signature))
    .storeSlice(walletOrder(vault, order).beginParse())
    .endCell();
  const to = contractAddress(0, init);
  const message = external({ to, body, ...(deploys === 'yes' ? { init } : {}) });
  return beginCell().store(storeMessage(message)).endCell();
}

/** Of what was handed in to a wallet: its number, and the hash that was signed; null where the body is of another form. */
export function readWalletOrder(body: string): { readonly seqno: number; readonly hash: string } | null {
  try {
    const slice = Cell.fromBase64(body).beginParse();
    slice.skip(SIGNATURE_BITS);
    const order = slice.asCell();
    const fields = order.beginParse().skip(64);
    return { seqno: fields.loadUint(32), hash: order.hash().toString('hex') };
  } catch {
    return null;
  }
}
