import type { Side } from '../../domain/orders/order.ts';
import type { WireLevel } from './checksum.ts';
import type { ServerMessage } from './server-message.ts';

/**
 * What a stream of partners says (P-MKT-05, P-MKT-06): the messages of a feed about one security, in the words of the partner profile. Prices and
 * quantities are JSON numbers, times ISO 8601. @internal */
export type PartnerMessage =
  /** The first one; `sequence` is the last that happened. */
  | (OfSecurity & { readonly type: 'subscribed'; readonly depth?: number })
  /** Levels best first, within the depth that was asked for. `resync`: the stream was interrupted, this replaces what the client has. */
  | (BookMessage & { readonly type: 'book_snapshot'; readonly resync?: true })
  /** Levels that have changed since `prev_sequence`; quantity 0 removes. None: the book changed beyond the depth. */
  | (BookMessage & { readonly type: 'book_update'; readonly prev_sequence: number })
  | (OfSecurity & {
      readonly type: 'trade';
      readonly prev_sequence: number;
      readonly trade_id: string;
      readonly price: number;
      readonly quantity: number;
      /** Of the taker. */
      readonly side: Side;
      readonly executed_at: string;
    })
  /** An earlier trade was taken back, or stands at another price. `sequence` is that of the last trade, which stays as it is. */
  | (OfSecurity & {
      readonly type: 'trade_bust' | 'trade_correction';
      readonly trade_id: string;
      readonly trade_sequence: number;
      readonly price: number;
      readonly quantity: number;
      readonly corrected_price: number | null;
      readonly adjusted_at: string;
    })
  /** Nothing is missing when the last message had this sequence. */
  | (OfSecurity & { readonly type: 'heartbeat'; readonly timestamp: string })
  /** What followed `resume_from` is no longer kept: a snapshot follows on the book, on trades read GET /v1/securities/{id}/trades. */
  | (OfSecurity & { readonly type: 'reset' })
  | { readonly type: 'ping' | 'pong'; readonly id?: string | number }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

interface OfSecurity {
  readonly security_id: string;
  readonly sequence: number;
}

interface BookMessage extends OfSecurity {
  readonly bids: readonly PartnerLevel[];
  readonly asks: readonly PartnerLevel[];
  /** CRC-32 of the top ten levels a side that the client sees, each `price:quantity` (docs/feeds.md). */
  readonly checksum: number;
  readonly timestamp: string;
}

interface PartnerLevel {
  readonly price: number;
  readonly quantity: number;
}

/** A feed's text as a partner's stream says it; null for what streams do not say. */
export function partnerText(text: string, securityId: string): string | null {
  const message = partnerMessage(JSON.parse(text) as ServerMessage, securityId);
  return message === null ? null : JSON.stringify(message);
}

function partnerMessage(message: ServerMessage, security_id: string): PartnerMessage | null {
  switch (message.type) {
    case 'subscribed': {
      const { type, sequence, depth } = message;
      return { type, security_id, sequence, ...(depth === undefined ? {} : { depth }) };
    }
    case 'orderbook_snapshot': {
      const { sequence, resync } = message;
      return { type: 'book_snapshot', security_id, sequence, ...levels(message), ...(resync ? { resync } : {}) };
    }
    case 'orderbook_update': {
      const { sequence, prev_sequence } = message;
      return { type: 'book_update', security_id, sequence, prev_sequence, ...levels(message) };
    }
    case 'trade': {
      const { type, sequence, prev_sequence, trade_id, price, size: quantity, side, timestamp } = message;
      const executed_at = isoTime(timestamp);
      return { type, security_id, sequence, prev_sequence, trade_id, price, quantity, side, executed_at };
    }
    case 'trade_bust':
    case 'trade_correction': {
      const { type, sequence, trade_id, trade_sequence, price, size: quantity, corrected_price, timestamp } = message;
      const adjusted_at = isoTime(timestamp);
      return { type, security_id, sequence, trade_id, trade_sequence, price, quantity, corrected_price, adjusted_at };
    }
    case 'heartbeat': {
      const { type, sequence, timestamp } = message;
      return { type, security_id, sequence, timestamp: isoTime(timestamp) };
    }
    case 'reset':
      return { type: message.type, security_id, sequence: message.sequence };
    case 'ping':
    case 'pong':
      return message;
    case 'error':
      return { type: message.type, code: message.code, message: message.message };
    default:
      return null;
  }
}

function levels({
  bids,
  asks,
  checksum,
  timestamp,
}: {
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
  readonly checksum: number;
  readonly timestamp: number;
}) {
  const level = ([price, quantity]: WireLevel) => ({ price, quantity });
  return { bids: bids.map(level), asks: asks.map(level), checksum, timestamp: isoTime(timestamp) };
}

function isoTime(at_ms: number): string {
  return new Date(at_ms).toISOString();
}
