import { type PackedList, recordCodec } from '../../../domain/ledger/record-codec.ts';
import type { OrderLot } from '../admission/ledger-order.ts';
import type { PlaceOrder } from '../engine/engine.ts';
import type { AdmittedOrder, JournalCommand, JournalEntry, JournaledPlace } from './journal-entry.ts';
import { sorted, unsorted } from './sorted-list.ts';

const termsCodec = recordCodec<PlaceOrder>(
  (
    orderId,
    account,
    keyId,
    side,
    orderType,
    timeInForce,
    quantity,
    price,
    stopPrice,
    expiresAt,
    selfTradePrevention,
    hidden,
    displayQuantity,
    attributes,
    requires,
    family,
    priceMost,
  ) => ({
    type: 'place',
    orderId,
    account,
    keyId,
    side,
    orderType,
    timeInForce,
    quantity,
    price,
    stopPrice,
    expiresAt,
    selfTradePrevention,
    hidden,
    displayQuantity,
    attributes,
    requires,
    family,
    priceMost,
  }),
  { leftOut: { priceMost: true } },
);

export const lotCodec = recordCodec<OrderLot>((reservationId, lotId, quantity, restrictionEndsAt, offeringType) => ({
  reservationId,
  lotId,
  quantity,
  restrictionEndsAt,
  offeringType,
}));

const orderCodec = recordCodec<AdmittedOrder>(
  (terms, price, makerFeeBps, takerFeeBps, allowanceAsset, positionAsset, restricted, lots, rate) => ({
    terms,
    price,
    makerFeeBps,
    takerFeeBps,
    allowanceAsset,
    positionAsset,
    restricted,
    lots,
    rate,
  }),
  { lists: { lots: lotCodec }, records: { terms: termsCodec } },
);

type OtherCommand = Exclude<JournalCommand, JournaledPlace>;

/** Orders are most of a journal, so they are kept packed; other commands stay objects. */
interface PackedEntry extends Pick<JournalEntry, 'time' | 'batch'> {
  readonly orders: PackedList;
  readonly others: readonly (readonly [at: number, command: OtherCommand])[];
}

/** An entry as a journal row keeps it. */
export function journalText({ time, batch, commands }: JournalEntry): string {
  const { many, few } = sorted<JournaledPlace, OtherCommand>(commands, (command) => command.type === 'place');
  const orders = orderCodec.packList(many.map(({ order }) => order));
  return JSON.stringify({ time, batch, orders, others: few } satisfies PackedEntry);
}

/** The entry of a journal row. */
export function journalEntryOf(text: string): JournalEntry {
  const { time, batch, orders, others } = JSON.parse(text) as PackedEntry;
  const many = orderCodec.unpackList(orders).map((order): JournaledPlace => ({ type: 'place', order }));
  return { time, batch, commands: unsorted<JournaledPlace, OtherCommand>({ many, few: others }) };
}
