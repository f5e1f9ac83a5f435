/** What an answer that names the orders it has cancelled says of them (docs/design/broker.md#orders-of-a-routed-market). */
export const CANCELLED_ORDER_IDS =
  'Orders that are cancelled. One that the broker may have is not among them: its end is asked for there, and comes as that of any order, in feeds and reads.';
