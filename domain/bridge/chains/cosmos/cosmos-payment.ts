import { createHash } from 'node:crypto';
import {
  createMultisigThresholdPubkey,
  encodeSecp256k1Pubkey,
  type MultisigThresholdPubkey,
  makeSignDoc,
  pubkeyToAddress,
  type StdSignDoc,
  serializeSignDoc,
} from '@cosmjs/amino';
import { fromBech32 } from '@cosmjs/encoding';
import { encodePubkey } from '@cosmjs/proto-signing';
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { CompactBitArray, MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig';
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing';
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { Any } from 'cosmjs-types/google/protobuf/any';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../transfer.ts';
import { referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import type { SignerSignature } from '../accounts/three-signatures.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

/** Number and sequence of the vault's account, and the fee in millionths of an ATOM. */
export const COSMOS_REFERENCE = referenceRecord({
  account: WHOLE_NUMBER,
  sequence: WHOLE_NUMBER,
  fee: WHOLE_NUMBER,
});

/** The chain's own coin, in which fees are paid. */
export const FEE_DENOM = 'uatom';
/** The most that a payment pays for itself. */
export const FEE_MAX = 100_000n;
export const AMOUNT_MAX = 2n ** 127n;
/** A cancelled payment was not taken for its fee: what takes its place pays so many times as much. */
const CANCEL_FEE_FACTOR = 5n;
/** A transfer of one coin by three signatures of five uses some 130,000. */
const GAS = '200000';
const NUMBER_MAX = BigInt(Number.MAX_SAFE_INTEGER);
const SEND = '/cosmos.bank.v1beta1.MsgSend';
const PREFIX = 'cosmos';
/** BIP-173. */
const ADDRESS_CHARACTERS_MAX = 90;
const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;

/** What signatures name, so that none counts on another network. */
export const CHAIN_IDS = { mainnet: 'cosmoshub-4', testnet: 'provider', local: 'localcosmos-1' } as const;

export interface CosmosPayment {
  readonly document: StdSignDoc;
  readonly key: MultisigThresholdPubkey;
  readonly body: Uint8Array;
}

/** An account's, or a contract's of 32 bytes; null for another text. All networks write the same. */
export function cosmosAddress(text: string, network: Vault['network']): string | null {
  try {
    const { prefix, data } = fromBech32(text, ADDRESS_CHARACTERS_MAX);
    const isOne = prefix === PREFIX && (data.length === 20 || data.length === 32) && text === text.toLowerCase();
    return isOne && !isKeyless({ chain: 'cosmos', network }, { text, bytes: data }) ? text : null;
  } catch {
    return null;
  }
}

/** The address of the five keys, in the order of the signers' numbers. */
export function cosmosHome(vault: Vault): string {
  return pubkeyToAddress(vaultKey(vault), PREFIX);
}

/** @throws RangeError where the token is none that the bank module has */
export function cosmosDenom({ token }: Vault): string {
  const denom = token ?? FEE_DENOM;
  if (!DENOM.test(denom)) throw new RangeError('no denomination of a coin');
  return denom;
}

/** What the hub takes, in bytes. */
const MEMO_BYTES_MAX = 256;

/** Whether a text is a memo for who is paid. Of printable ASCII alone: of all else, programs write the document that is signed in different ways. */
export function isCosmosMemo(memo: string): boolean {
  return memo.length <= MEMO_BYTES_MAX && /^[!-~]([ -~]*[!-~])?$/.test(memo);
}

/** What a payment carries: what its payee asks for, else the commitment. It is recognized by its sequence and signatures, not by this. */
function memoOf({ kind, commitment, memo }: PaymentOrder): string {
  if (kind === 'cancel' || memo === undefined) return commitment;
  if (!isCosmosMemo(memo)) throw new RangeError('no memo of the Cosmos Hub');
  return memo;
}

/** The transaction without its signatures. A cancelled one moves the smallest part of a coin from the vault to itself. */
export function cosmosPayment(vault: Vault, order: PaymentOrder): CosmosPayment {
  const { account, sequence, fee: quoted } = COSMOS_REFERENCE.read(order.reference);
  const isCancel = order.kind === 'cancel';
  const fee = wholeUnits(quoted, FEE_MAX) * (isCancel ? CANCEL_FEE_FACTOR : 1n);
  const home = cosmosHome(vault);
  const to = isCancel ? home : cosmosAddress(order.to, vault.network);
  if (to === null) throw new RangeError('no address of this chain');
  if (!/^[0-9a-f]{64}$/.test(order.commitment)) throw new RangeError('a commitment of another form');
  const memo = memoOf(order);
  const amount = isCancel
    ? [{ denom: FEE_DENOM, amount: '1' }]
    : [{ denom: cosmosDenom(vault), amount: String(wholeUnits(order.amount, AMOUNT_MAX)) }];
  const document = makeSignDoc(
    [{ type: 'cosmos-sdk/MsgSend', value: { from_address: home, to_address: to, amount } }],
    { amount: [{ denom: FEE_DENOM, amount: String(fee) }], gas: GAS },
    CHAIN_IDS[vault.network],
    memo,
    Number(wholeUnits(account, NUMBER_MAX, 0n)),
    Number(wholeUnits(sequence, NUMBER_MAX, 0n)),
  );
  const value = MsgSend.encode(MsgSend.fromPartial({ fromAddress: home, toAddress: to, amount })).finish();
  const messages = [Any.fromPartial({ typeUrl: SEND, value })];
  const body = TxBody.encode(TxBody.fromPartial({ messages, memo })).finish();
  return { document, key: vaultKey(vault), body };
}

/** What each signer signs: SHA-256 of the document, in hexadecimal. */
export function cosmosDigest({ document }: CosmosPayment): string {
  return createHash('sha256').update(serializeSignDoc(document)).digest('hex');
}

/** As the chain takes it, in Base64, and the hash by which it knows it. */
export function cosmosSigned(
  { document, key, body }: CosmosPayment,
  signatures: readonly SignerSignature[],
): { raw: string; hash: string } {
  const mode = { single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } };
  const authInfo = AuthInfo.fromPartial({
    signerInfos: [
      {
        publicKey: encodePubkey(key),
        modeInfo: { multi: { bitarray: bitsOf(signatures), modeInfos: signatures.map(() => mode) } },
        sequence: BigInt(document.sequence),
      },
    ],
    fee: { amount: [...document.fee.amount], gasLimit: BigInt(document.fee.gas) },
  });
  const own = signatures.map(({ signature }) => Uint8Array.from(Buffer.from(signature, 'hex')));
  const multi = MultiSignature.encode(MultiSignature.fromPartial({ signatures: own })).finish();
  const authInfoBytes = AuthInfo.encode(authInfo).finish();
  const raw = TxRaw.encode(TxRaw.fromPartial({ bodyBytes: body, authInfoBytes, signatures: [multi] })).finish();
  return { raw: Buffer.from(raw).toString('base64'), hash: cosmosHash(raw) };
}

export function cosmosHash(raw: Uint8Array): string {
  return createHash('sha256').update(raw).digest('hex').toUpperCase();
}

/** Who has signed: the first signer is the highest bit. */
function bitsOf(signatures: readonly SignerSignature[]): CompactBitArray {
  const bits = signatures.reduce((sum, { signer }) => sum | (0x80 >> signer), 0);
  return CompactBitArray.fromPartial({ extraBitsStored: CLUSTER_SIZE, elems: Uint8Array.of(bits) });
}

function vaultKey({ keys }: Vault): MultisigThresholdPubkey {
  if (keys.signerKeys.length !== CLUSTER_SIZE || !keys.signerKeys.every((key) => /^0[23][0-9a-f]{64}$/.test(key)))
    throw new RangeError('no keys of the vault');
  const each = keys.signerKeys.map((key) => encodeSecp256k1Pubkey(Uint8Array.from(Buffer.from(key, 'hex'))));
  return createMultisigThresholdPubkey(each, CLUSTER_THRESHOLD, true);
}
