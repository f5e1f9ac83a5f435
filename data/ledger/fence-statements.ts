/** The fence of a book in D1 (DESIGN 8, Fence and recovery), and reading one order or amendment. */

/**
 * ?1 book, ?2 owner, ?3 batch, ?4 settled before, ?5 settled after, ?6 rows asking for admission. A mismatch drives batch to −1, which
 * the CHECK refuses.
 */
export const MOVE_FENCE = `
UPDATE books SET
  batch = CASE WHEN owner = ?2 AND batch = CAST(?3 AS INTEGER) - 1 AND settled = CAST(?4 AS INTEGER) THEN CAST(?3 AS INTEGER) ELSE -1 END,
  settled = CAST(?5 AS INTEGER),
  admission = ?6,
  together = '[]',
  admitted_together = 0
WHERE book = ?1`;

/** ?1 book. */
export const OPEN_FENCE = `INSERT INTO books (book, owner, batch, settled, admission) VALUES (?1, '', 0, 0, '{}') ON CONFLICT DO NOTHING`;
export const READ_OWNER = `SELECT owner FROM books WHERE book = ?1`;
export const READ_FENCE = `SELECT owner, batch, settled FROM books WHERE book = ?1`;

/** ?1 book, ?2 the owner that was read, ?3 oneself. Safe to send again. */
export const TAKE_OWNERSHIP = `
UPDATE books SET batch = CASE WHEN owner IN (?2, ?3) THEN batch ELSE -1 END, owner = ?3 WHERE book = ?1`;

/** ?1 order id. */
export const READ_ORDER = `
SELECT id, account, status, quantity, price, filled, filled_notional, restricted, code, updated_at FROM orders WHERE id = ?1`;

/** ?1 amendment id. */
export const READ_AMENDMENT = `SELECT 1 FROM amendments WHERE id = ?1`;
