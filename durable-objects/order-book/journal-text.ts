import { type PackedRecord, recordCodec } from '../../domain/ledger/record-codec.ts';
import type { PlaceOrder } from './engine/engine.ts';
import type { AdmittedOrder, JournalCommand, JournalEntry } from './journal-entry.ts';
import type { OrderLot } from './ledger-order.ts';

/**
 * Orders are most of a journal, so they are kept packed: a third of the bytes of objects, to write in every cycle and to read in every
 * recovery. Other commands stay objects.
 */
type PackedOrder = readonly [terms: PackedRecord, rest: PackedRecord];

const termsCodec = recordCodec<Omit<PlaceOrder, 'type'>>(
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
  ) => ({
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
  }),
);

const lotCodec = recordCodec<OrderLot>((reservationId, lotId, quantity, restrictionEndsAt, offeringType) => ({
  reservationId,
  lotId,
  quantity,
  restrictionEndsAt,
  offeringType,
}));

const restCodec = recordCodec<Omit<AdmittedOrder, 'terms'>>(
  (price, makerFeeBps, takerFeeBps, allowanceAsset, positionAsset, restricted, lots) => ({
    price,
    makerFeeBps,
    takerFeeBps,
    allowanceAsset,
    positionAsset,
    restricted,
    lots,
  }),
  { lots: lotCodec },
);

/** An entry as a journal row keeps it. */
export function journalText({ time, batch, commands }: JournalEntry): string {
  const kept = commands.map((command) => (command.type === 'place' ? packed(command.order) : command));
  return JSON.stringify({ time, batch, commands: kept });
}

/** The entry of a journal row. */
export function journalEntryOf(text: string): JournalEntry {
  const kept = JSON.parse(text) as Omit<JournalEntry, 'commands'> & { commands: (PackedOrder | JournalCommand)[] };
  return {
    ...kept,
    commands: kept.commands.map((command) =>
      isPacked(command) ? { type: 'place', order: admittedOf(command) } : command,
    ),
  };
}

function isPacked(command: PackedOrder | JournalCommand): command is PackedOrder {
  return Array.isArray(command);
}

function packed(order: AdmittedOrder): PackedOrder {
  return [termsCodec.pack(order.terms), restCodec.pack(order)];
}

function admittedOf([terms, rest]: PackedOrder): AdmittedOrder {
  return { terms: { type: 'place', ...termsCodec.unpack(terms) }, ...restCodec.unpack(rest) };
}
