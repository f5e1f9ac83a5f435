import {
  type AccountMeta,
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  type Instruction,
  type Nonce,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingDurableNonce,
} from '@solana/kit';
import { isHex32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import {
  addressFrom,
  computeLimitInstruction,
  computePriceInstruction,
  createTokenAccountInstruction,
  tokenTransferInstruction,
  transferInstruction,
  walletAddress,
} from './solana-programs.ts';

const BASE58_32 = /[1-9A-HJ-NP-Za-km-z]{32,44}/;

/** `nonce` is the value that the nonce account has until a transaction uses it; `unitPrice` millionths of a lamport a unit of work. */
export const SOLANA_REFERENCE = referenceRecord({ nonceAccount: BASE58_32, nonce: BASE58_32, unitPrice: WHOLE_NUMBER });

/** More than a payment that makes a token account was seen to use. */
export const COMPUTE_UNITS = 80_000;
/** At most 0.00008 SOL more for a payment. */
export const UNIT_PRICE_MAX = 1_000_000n;
/** What a signature costs, in lamports. */
export const SIGNATURE_FEE = 5_000n;

const U64_MAX = 2n ** 64n - 1n;

/** The message that the cluster signs, as the chain takes it. */
export function solanaMessage(vault: Vault, order: PaymentOrder): Uint8Array {
  const reference = SOLANA_REFERENCE.read(order.reference);
  const unitPrice = wholeUnits(reference.unitPrice, UNIT_PRICE_MAX, 0n);
  if (!isHex32(vault.keys.groupKey)) throw new RangeError('the vault has no Ed25519 key');
  const payer = addressFrom(Uint8Array.from(Buffer.from(vault.keys.groupKey, 'hex')));
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (empty) => setTransactionMessageFeePayer(payer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingDurableNonce(
        {
          nonce: reference.nonce as Nonce,
          nonceAccountAddress: address(reference.nonceAccount),
          nonceAuthorityAddress: payer,
        },
        paid,
      ),
    (bound) =>
      appendTransactionMessageInstructions(
        [
          computeLimitInstruction(COMPUTE_UNITS),
          computePriceInstruction(unitPrice),
          ...paymentInstructions(vault, order, payer),
        ],
        bound,
      ),
  );
  return new Uint8Array(compileTransaction(message).messageBytes);
}

/** A cancelled nonce is advanced, and nothing else happens. */
function paymentInstructions(
  { token, decimals, network }: Vault,
  { kind, to, amount: units, commitment }: PaymentOrder,
  payer: ReturnType<typeof address>,
): Instruction[] {
  if (kind === 'cancel') return [];
  if (!isHex32(commitment)) throw new RangeError('a commitment of another form');
  const recipient = walletAddress(to, network);
  if (recipient === null) throw new RangeError('no address of a wallet');
  const amount = wholeUnits(units, U64_MAX);
  const named = (instruction: Instruction): Instruction => ({
    ...instruction,
    accounts: [...(instruction.accounts ?? []), namingAccount(commitment)],
  });
  if (token === null) return [named(transferInstruction(payer, recipient, amount))];
  const mint = address(token);
  return [
    createTokenAccountInstruction(payer, recipient, mint),
    named(tokenTransferInstruction(payer, recipient, mint, amount, decimals)),
  ];
}

/** An account more than a transfer reads, as in `reference` of Solana Pay: it says whose payment it is, so two transfers never have one transaction. */
function namingAccount(commitment: string): AccountMeta {
  return { address: addressFrom(Uint8Array.from(Buffer.from(commitment, 'hex'))), role: AccountRole.READONLY };
}
