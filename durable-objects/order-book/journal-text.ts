import type { PlaceOrder } from './engine/engine.ts';
import type { AdmittedOrder, JournalCommand, JournalEntry } from './journal-entry.ts';

/**
 * Orders are most of a journal, so they are kept as arrays: a third of the bytes of objects, to write in every cycle and to read in
 * every recovery. Other commands stay objects.
 */
type OrderFields = [
  orderId: string,
  account: string,
  keyId: string | null,
  side: PlaceOrder['side'],
  orderType: PlaceOrder['orderType'],
  timeInForce: PlaceOrder['timeInForce'],
  quantity: number,
  limit: number,
  price: number | null,
  stopPrice: number,
  expiresAt: number,
  selfTradePrevention: PlaceOrder['selfTradePrevention'],
  hidden: boolean,
  displayQuantity: number,
  attributes: number,
  requires: number,
  makerFeeBps: number,
  takerFeeBps: number,
  allowanceAsset: string | null,
  positionAsset: string | null,
  restricted: boolean,
  lots: AdmittedOrder['lots'],
];

/** An entry as a journal row keeps it. */
export function journalText({ time, batch, commands }: JournalEntry): string {
  const kept = commands.map((command) => (command.type === 'place' ? fieldsOf(command.order) : command));
  return JSON.stringify({ time, batch, commands: kept });
}

/** The entry of a journal row; rows of before the arrays hold orders as objects. */
export function journalEntryOf(text: string): JournalEntry {
  const kept = JSON.parse(text) as Omit<JournalEntry, 'commands'> & { commands: (OrderFields | JournalCommand)[] };
  return {
    ...kept,
    commands: kept.commands.map((command) =>
      Array.isArray(command) ? { type: 'place', order: admittedOf(command) } : command,
    ),
  };
}

function fieldsOf(order: AdmittedOrder): OrderFields {
  const { terms } = order;
  return [
    terms.orderId,
    terms.account,
    terms.keyId,
    terms.side,
    terms.orderType,
    terms.timeInForce,
    terms.quantity,
    terms.price,
    order.price,
    terms.stopPrice,
    terms.expiresAt,
    terms.selfTradePrevention,
    terms.hidden,
    terms.displayQuantity,
    terms.attributes,
    terms.requires,
    order.makerFeeBps,
    order.takerFeeBps,
    order.allowanceAsset,
    order.positionAsset,
    order.restricted,
    order.lots,
  ];
}

function admittedOf(fields: OrderFields): AdmittedOrder {
  const [
    orderId,
    account,
    keyId,
    side,
    orderType,
    timeInForce,
    quantity,
    limit,
    price,
    stopPrice,
    expiresAt,
    selfTradePrevention,
    hidden,
    displayQuantity,
    attributes,
    requires,
    makerFeeBps,
    takerFeeBps,
    allowanceAsset,
    positionAsset,
    restricted,
    lots,
  ] = fields;
  return {
    terms: {
      type: 'place',
      orderId,
      account,
      keyId,
      side,
      orderType,
      timeInForce,
      quantity,
      price: limit,
      stopPrice,
      expiresAt,
      selfTradePrevention,
      hidden,
      displayQuantity,
      attributes,
      requires,
    },
    price,
    makerFeeBps,
    takerFeeBps,
    allowanceAsset,
    positionAsset,
    restricted,
    lots,
  };
}
