import { z } from 'zod';
import type { CardanoPrices } from './cardano-transaction.ts';

/** Outputs that one payment spends at most. */
export const INPUTS_MAX = 20;

/** What the chain charges today (parameters of the main network since epoch 365), which is the least that is paid. */
export const PRICES_MIN: CardanoPrices = { feePerByte: 44, feeFixed: 155_381, coinsPerByte: 4_310 };
/** A signer builds nothing dearer. */
export const PRICES_MAX: CardanoPrices = { feePerByte: 88, feeFixed: 310_762, coinsPerByte: 8_620 };

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Units = z.string().regex(/^(0|[1-9]\d{0,19})$/);
const between = (price: keyof CardanoPrices) => z.int().min(PRICES_MIN[price]).max(PRICES_MAX[price]);
const Outpoint = z.strictObject({ tx: Hash, index: z.int().min(0).max(0xffff) });
const Reference = z.strictObject({
  inputs: z
    .array(
      z.strictObject({
        tx: Hash,
        index: z.int().min(0).max(0xffff),
        lovelace: Units,
        /** Of the vault's token. */
        quantity: Units,
        /** Of the transfer whose deposit it is; null for the vault's own. */
        commitment: Hash.nullable(),
      }),
    )
    .min(1)
    .max(INPUTS_MAX),
  feePerByte: between('feePerByte'),
  feeFixed: between('feeFixed'),
  coinsPerByte: between('coinsPerByte'),
  /** Of a refund, outputs that the deposit's transaction has spent; of a payout with change that is not deep yet, what the transaction that left it has spent. Once another one has spent any of them, that coin is none for good. */
  origins: z.array(Outpoint).max(INPUTS_MAX).optional(),
});

export type CardanoReference = z.infer<typeof Reference>;
export type ReferenceOrigins = NonNullable<CardanoReference['origins']>;
export type ReferenceInput = CardanoReference['inputs'][number];

/** With its inputs in their order. */
export function writeReference(inputs: readonly ReferenceInput[], prices: CardanoPrices): string {
  const { feePerByte, feeFixed, coinsPerByte } = prices;
  return JSON.stringify({ inputs: inputs.toSorted(inOrder), feePerByte, feeFixed, coinsPerByte });
}

/** A reference that says what its deposit, or its change that is not deep, was paid from. */
export function withOrigins(text: string, origins: ReferenceOrigins): string {
  return JSON.stringify({ ...readReference(text), origins: origins.slice(0, INPUTS_MAX) });
}

/** The deposit among what a reference spends; absent where it is of the vault's own outputs alone. */
export function depositOf({ inputs }: CardanoReference): ReferenceInput | undefined {
  return inputs.find(({ commitment }) => commitment !== null);
}

/** @throws RangeError for another text, or where an output stands in it twice */
export function readReference(text: string): CardanoReference {
  try {
    const reference = Reference.parse(JSON.parse(text));
    const { inputs } = reference;
    const isInOrder = inputs.every((input, n) => n === 0 || inOrder(inputs[n - 1] as ReferenceInput, input) < 0);
    if (isInOrder && JSON.stringify(reference) === text) return reference;
  } catch {
    // What it is not is all that matters.
  }
  throw new RangeError('no reference of Cardano');
}

/** Which output of the chain it is. */
export function outpoint({ tx, index }: Pick<ReferenceInput, 'tx' | 'index'>): string {
  return `${tx}:${index}`;
}

function inOrder(one: ReferenceInput, other: ReferenceInput): number {
  if (one.tx !== other.tx) return one.tx < other.tx ? -1 : 1;
  return one.index - other.index;
}
