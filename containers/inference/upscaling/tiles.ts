/** A part of an image: what it answers for, and what it must see for that. Pixels. */
export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly seen: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

export interface TileTerms {
  readonly width: number;
  readonly height: number;
  /** Longest side of what a tile answers for. */
  readonly side_max: number;
  /** How far beyond it a tile sees, where there is image. */
  readonly margin: number;
}

/** Parts an image into tiles of nearly equal size, row by row, so that none is a sliver. */
export function tiles({ width, height, side_max, margin }: TileTerms): readonly Tile[] {
  const columns = spans(width, side_max, margin);
  return spans(height, side_max, margin).flatMap((row) =>
    columns.map((column) => ({
      x: column.from,
      y: row.from,
      width: column.length,
      height: row.length,
      seen: { x: column.seenFrom, y: row.seenFrom, width: column.seenLength, height: row.seenLength },
    })),
  );
}

function spans(length: number, side_max: number, margin: number) {
  const count = Math.ceil(length / side_max);
  return Array.from({ length: count }, (_, at) => {
    const from = Math.floor((at * length) / count);
    const to = Math.floor(((at + 1) * length) / count);
    const seenFrom = Math.max(0, from - margin);
    return { from, length: to - from, seenFrom, seenLength: Math.min(length, to + margin) - seenFrom };
  });
}
