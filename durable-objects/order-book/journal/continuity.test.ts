import { describe, expect, it } from 'vitest';
import { continuityFailure } from './continuity.ts';

const BOOK = { lastBatch: 5, confirmed: 7, nextOutbox: 8, outboxEnd: 9 };

describe('ledger and book', () => {
  it('belong together when the outbox goes on where the ledger has settled', () => {
    expect(continuityFailure({ batch: 5, settled: 7 }, BOOK)).toBeNull();
    expect(continuityFailure({ batch: 6, settled: 9 }, { ...BOOK, nextOutbox: null })).toBeNull();
    expect(
      continuityFailure({ batch: 0, settled: 0 }, { lastBatch: 0, confirmed: 0, nextOutbox: null, outboxEnd: 0 }),
    ).toBeNull();
  });

  it('do not when the ledger was restored to before a batch that the book has journaled', () => {
    expect(continuityFailure({ batch: 4, settled: 7 }, BOOK)).toBe(
      'the ledger stands at batch 4, and batch 5 was journaled: it is older than this book',
    );
  });

  it('do not when the ledger has settled less than it had confirmed', () => {
    expect(continuityFailure({ batch: 5, settled: 6 }, BOOK)).toBe(
      'the ledger has settled 6, and had confirmed 7: it is older than this book',
    );
  });

  it('do not when the ledger has settled what the book never had', () => {
    expect(continuityFailure({ batch: 5, settled: 12 }, { ...BOOK, nextOutbox: null })).toBe(
      'the ledger has settled 12, and the outbox goes on with 10',
    );
  });

  it('do not when a row of the outbox is missing', () => {
    expect(continuityFailure({ batch: 5, settled: 7 }, { ...BOOK, nextOutbox: 9 })).toBe(
      'the ledger has settled 7, and the outbox goes on with 9',
    );
  });
});
