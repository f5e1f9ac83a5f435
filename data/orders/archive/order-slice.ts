import { sha256 } from '../../../domain/ledger/journal-chain.ts';
import { type PackedRecord, type RecordCodec, recordCodec } from '../../../domain/ledger/record-codec.ts';
import type { orderSlices, orders } from '../../schema/orders.ts';

export type ArchivedOrder = typeof orders.$inferSelect;

/** A slice as D1 refers to it. */
export type OrderSlice = typeof orderSlices.$inferSelect;

/** An object of the archive before it is written. */
export interface WrittenSlice {
  readonly slice: OrderSlice;
  readonly text: string;
}

/** What a slice says of the orders in it: another number is read by nobody. */
const FORMAT = 1;

interface SliceBody {
  readonly format: number;
  readonly account: string;
  readonly orders: readonly PackedRecord[];
}

/** The bucket does not answer, or what it has is not what D1 refers to. */
export class OrderArchiveUnavailable extends Error {
  override readonly name = 'OrderArchiveUnavailable';
}

/**
 * The slice of these orders of one account, by rising id.
 *
 * @param place within which no two steps ever write the same key with another text: `<generation>` and `<step>`
 */
export function sliceOf(
  account: string,
  sorted: readonly ArchivedOrder[],
  place: { readonly generation: number; readonly step: number },
): WrittenSlice {
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) throw new Error('a slice has at least one order');
  const body: SliceBody = { format: FORMAT, account, orders: sorted.map(archivedOrderCodec.pack) };
  const text = JSON.stringify(body);
  const hash = sha256(text);
  return {
    text,
    slice: {
      account,
      first: first.id,
      last: last.id,
      key: `${place.generation}/${account}/${first.id}-${place.step}-${hash}.json`,
      hash,
      orders: sorted.length,
      statuses: namesIn(sorted.map(({ status }) => status)),
      books: namesIn(sorted.flatMap(({ book }) => book ?? [])),
      assets: namesIn(sorted.map(({ assetId }) => assetId)),
      clientIds: sorted.flatMap(({ clientOrderId }) => clientIdMark(account, clientOrderId)).join(''),
    },
  };
}

/**
 * The orders of a slice, by rising id.
 *
 * @throws OrderArchiveUnavailable when the text is not the one that was written
 */
export function ordersOf(slice: OrderSlice, text: string): ArchivedOrder[] {
  if (sha256(text) !== slice.hash) throw new OrderArchiveUnavailable(`${slice.key} is not what was archived`);
  const body = JSON.parse(text) as SliceBody;
  if (body.format !== FORMAT) throw new OrderArchiveUnavailable(`${slice.key} has format ${body.format}`);
  return body.orders.map(archivedOrderCodec.unpack);
}

/** Tells client order ids apart, and seldom not: whoever goes by it looks at the order. 48 bits. */
export function clientOrderIdHash(account: string, clientOrderId: string): number {
  return Number.parseInt(sha256(account, '\n', clientOrderId).slice(0, 12), 16);
}

/**
 * How a slice marks that it has a client order id: a comma, and four of 64 characters by its hash. One of 8,000 slices of 2,000 orders has another's mark, and is read for
 * nothing. Five bytes an order, where a row of D1 has 55.
 */
export function clientIdMark(account: string, clientOrderId: string | null): string[] {
  if (clientOrderId === null) return [];
  let hash = clientOrderIdHash(account, clientOrderId);
  let mark = '';
  for (let n = 0; n < MARK_LENGTH; n++) {
    mark += MARK_CHARACTERS[hash % 64];
    hash = Math.floor(hash / 64);
  }
  return [`,${mark}`];
}

const MARK_LENGTH = 4;
const MARK_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function namesIn(names: readonly string[]): string {
  return JSON.stringify([...new Set(names)].sort());
}

const archivedOrderCodec: RecordCodec<ArchivedOrder> = recordCodec<ArchivedOrder>(
  (
    id,
    account,
    owner,
    keyId,
    book,
    assetId,
    open,
    status,
    side,
    type,
    timeInForce,
    quantity,
    price,
    stopPrice,
    expiresAt,
    clientOrderId,
    filled,
    filledNotional,
    fee,
    reserveAsset,
    reserve,
    allowanceAsset,
    allowance,
    positionAsset,
    position,
    restricted,
    preIpo,
    code,
    createdAt,
    updatedAt,
    executedAt,
    cancelledAt,
  ) => ({
    id,
    account,
    owner,
    keyId,
    book,
    assetId,
    open,
    status,
    side,
    type,
    timeInForce,
    quantity,
    price,
    stopPrice,
    expiresAt,
    clientOrderId,
    filled,
    filledNotional,
    fee,
    reserveAsset,
    reserve,
    allowanceAsset,
    allowance,
    positionAsset,
    position,
    restricted,
    preIpo,
    code,
    createdAt,
    updatedAt,
    executedAt,
    cancelledAt,
    // It is final.
    remaining: null,
  }),
);
