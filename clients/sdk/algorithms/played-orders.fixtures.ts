import type { AlgorithmEvent, Level } from './algorithm.ts';

/** What a test tells an algorithm. */
export const TERMS = {
  symbol: 'ACME-USD',
  side: 'buy',
  quantity: '10',
  limitPrice: '20',
  lotSize: '1',
  sizeMin: '1',
} as const;

export function open(clientOrderId: string, filled = '0'): AlgorithmEvent {
  return { type: 'order', clientOrderId, isOver: false, filled, reason: null };
}

export function over(clientOrderId: string, filled: string, reason: string | null = null): AlgorithmEvent {
  return { type: 'order', clientOrderId, isOver: true, filled, reason };
}

/** A book; `at` is its sequence, too. */
export function bookOf(at: number, bids: readonly Level[], asks: readonly Level[]): AlgorithmEvent {
  return { type: 'book', sequence: at, bids, asks, at };
}
