import { z } from '@hono/zod-openapi';
import { CHAIN_NAMES } from '../../domain/bridge/chains/chain-name.ts';
import { TRANSFER_STATES } from '../../domain/bridge/transfer.ts';
import type { Place } from '../../domain/bridge/transfer-terms.ts';
import type { TransferView } from '../../durable-objects/transfer/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { isoTime, isoTimeOrNull } from '../responses/wire.ts';

const ADDRESS_LENGTH_MAX = 200;

/** A side of a transfer: an account of the exchange, or an address on a chain (`exchange` is the exchange's own). */
export const PlaceBody = z
  .union([
    z.strictObject({ account_id: z.uuid() }),
    z.strictObject({ chain: z.enum(CHAIN_NAMES), address: z.string().min(1).max(ADDRESS_LENGTH_MAX) }),
  ])
  .openapi('BridgePlace');

const PlaceView = z.union([
  z.object({ account_id: z.string() }),
  z.object({ chain: z.enum(CHAIN_NAMES), address: z.string() }),
]);

export const BridgeTransferView = z
  .object({
    id: z.uuid(),
    state: z.enum(TRANSFER_STATES),
    asset: z.string(),
    source: PlaceView,
    destination: PlaceView,
    quote: z.object({
      amount_in: z.string().openapi({ description: 'What has to come, in the smallest unit of the source.' }),
      amount_out: z.string().openapi({ description: 'What is paid, in the smallest unit of the destination.' }),
      expires_at: z.iso.datetime(),
    }),
    commitment: z.string().openapi({ description: 'SHA-256 of the terms: what a deposit has to name.' }),
    deposit: z
      .object({
        address: z.string(),
        memo: z.string().nullable(),
        call: z
          .object({
            to: z.string(),
            data: z.string(),
            value: z.string(),
            approve: z.object({ token: z.string(), spender: z.string() }).nullable(),
          })
          .nullable(),
      })
      .nullable()
      .openapi({ description: 'How to pay the funds in. Null where they come from an account.' }),
    funds: z.object({ reference: z.string(), amount: z.string(), is_lost: z.boolean() }).nullable(),
    attested_by: z.array(z.int()),
    refused_by: z.array(z.int()),
    payment: z
      .object({ kind: z.enum(['payout', 'refund']), reference: z.string(), transaction: z.string().nullable() })
      .nullable(),
    refund_reason: z.string().nullable(),
    is_uncovered: z.boolean(),
    waits_until: z.iso.datetime().nullable().openapi({ description: 'When its state ends by itself.' }),
    waits_for: z.string().nullable().openapi({ description: 'Why it does not go on, if it does not.' }),
    history: z.array(
      z.object({ at: z.iso.datetime(), from: z.enum(TRANSFER_STATES), to: z.enum(TRANSFER_STATES), cause: z.string() }),
    ),
    created_at: z.iso.datetime(),
  })
  .openapi('BridgeTransfer');

export function transferOnWire(view: TransferView): z.infer<typeof BridgeTransferView> {
  const { terms, transfer, place } = view;
  return {
    id: terms.id,
    state: transfer.state,
    asset: terms.asset,
    source: placeOnWire(terms.source),
    destination: placeOnWire(terms.destination),
    quote: { amount_in: terms.amountIn, amount_out: terms.amountOut, expires_at: isoTime(terms.expiresAt) },
    commitment: view.commitment,
    deposit: place && {
      address: place.address,
      memo: place.memo,
      call: place.call && { ...place.call, approve: place.call.approve && { ...place.call.approve } },
    },
    funds: transfer.funds && {
      reference: transfer.funds.reference,
      amount: transfer.funds.amount,
      is_lost: transfer.funds.isLost,
    },
    attested_by: [...transfer.attestedBy],
    refused_by: [...transfer.refusedBy],
    payment: transfer.payment && { ...transfer.payment },
    refund_reason: transfer.refundReason,
    is_uncovered: transfer.isUncovered,
    waits_until: isoTimeOrNull(transfer.until),
    waits_for: view.waitsFor,
    history: transfer.history.map(({ at, from, to, cause }) => ({ at: isoTime(at), from, to, cause })),
    created_at: isoTime(view.createdAt),
  };
}

function placeOnWire(place: Place): z.infer<typeof PlaceView> {
  return place.kind === 'account' ? { account_id: place.account } : { chain: place.chain, address: place.address };
}

export function noSuchTransfer(): ApiError {
  return apiError('NOT_FOUND', 'no such transfer');
}
