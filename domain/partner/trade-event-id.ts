import { sha256 } from '../ledger/journal-chain.ts';

/** The UUIDv7 of what is told of a trade, the same in every run: the time of the trade, and a hash for what is random in it. */
export function tradeEventId(trade: string, type: string): string {
  const hash = sha256(type, trade);
  return `${trade.slice(0, 14)}7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

/** The id of what tells an agent of a transfer that was another one's before. */
export function handedOverEventId(trade: string, agent: string): string {
  return tradeEventId(trade, `transfer.initiated ${agent}`);
}

/** The id of the bust by which an agent's rejection of a transfer takes its trade back. */
export function rejectionId(trade: string): string {
  return tradeEventId(trade, 'transfer.rejected');
}
