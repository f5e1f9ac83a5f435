/** A value may have 2 MB: a piece of so many UTF-16 units has 1.5 MB of UTF-8 at most. */
const PIECE_UNITS = 500_000;

/** Texts of any length in an object's SQLite: the caller's row has the first piece, the table `more_text` the others. */
export class LongTexts {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS more_text (kind TEXT NOT NULL, seq INTEGER NOT NULL, piece INTEGER NOT NULL,
      text TEXT NOT NULL, PRIMARY KEY (kind, seq, piece)) WITHOUT ROWID`);
  }

  /** Keeps what does not fit into the row, and returns what the row is to have. */
  keep(kind: string, seq: number, text: string): string {
    if (text.length <= PIECE_UNITS) return text;
    const [first = '', ...more] = piecesOf(text);
    for (const [piece, part] of more.entries())
      this.#sql.exec('INSERT INTO more_text (kind, seq, piece, text) VALUES (?, ?, ?, ?)', kind, seq, piece, part);
    return first;
  }

  /** The text of which the row has `first`. */
  whole(kind: string, seq: number, first: string): string {
    if (first.length < PIECE_UNITS - 1) return first;
    const more = this.#sql.exec<{ text: string }>(
      'SELECT text FROM more_text WHERE kind = ? AND seq = ? ORDER BY piece',
      kind,
      seq,
    );
    return first + Array.from(more, ({ text }) => text).join('');
  }

  /** Call it with the rows up to `seq`. */
  forget(kind: string, seq: number): void {
    this.#sql.exec('DELETE FROM more_text WHERE kind = ? AND seq <= ?', kind, seq);
  }
}

/** No piece ends within a surrogate pair, which UTF-8 could not keep. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE_UNITS);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
