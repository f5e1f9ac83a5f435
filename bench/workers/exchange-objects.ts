/** The objects of the exchange that a bench Worker serves, as deployed. */
export {
  CancelSwitch,
  Feed,
  Gate,
  IdempotencyKeys,
  Ledger,
  OrderBook,
  OrderEntry,
  OrderEntryService,
} from '../../workers/index.ts';
