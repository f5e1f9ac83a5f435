import type { Window } from './decode-detections.ts';

/** The detector is sure of faces from this share of a window's side on: 28 of its 512 pixels. */
const FACE_SHARE_MIN = 0.055;
/** In a tile of this side a face of 80 pixels, the smallest that may be stored, still takes 24 of the detector's 512. */
const TILE_SIDE_MAX = 1700;
/** A bound on the time that one photograph takes; for more, tiles grow. */
const TILES_MAX = 36;
const GROWTH = 1.1;
/** Boxes are taller than wide, and a face must lie well inside a tile to be seen as one. */
const OVERLAP_MARGIN = 1.4;

/**
 * Squares of the image for the detector to look at: the whole, and for an image in which faces of 80 pixels would be too small there,
 * tiles beside each other. Tiles overlap by the size of the faces that the whole cannot show for sure.
 */
export function detectionWindows(width: number, height: number): Window[] {
  const whole = Math.max(width, height);
  const windows: Window[] = [{ x: (width - whole) / 2, y: (height - whole) / 2, side: whole }];
  if (whole <= TILE_SIDE_MAX) return windows;
  const overlap = whole * FACE_SHARE_MIN * OVERLAP_MARGIN;
  for (let sideMax = Math.max(TILE_SIDE_MAX, 2 * overlap); ; sideMax *= GROWTH) {
    const columns = tileCount(width, sideMax, overlap);
    const rows = tileCount(height, sideMax, overlap);
    if (columns * rows > TILES_MAX) continue;
    const side = Math.max(tileSide(width, columns, overlap), tileSide(height, rows, overlap));
    for (const y of starts(height, side, rows))
      for (const x of starts(width, side, columns)) windows.push({ x, y, side });
    return windows;
  }
}

function tileCount(length: number, sideMax: number, overlap: number): number {
  return length <= sideMax ? 1 : Math.ceil((length - overlap) / (sideMax - overlap));
}

/** The least side with which so many overlapping tiles cover the length. */
function tileSide(length: number, count: number, overlap: number): number {
  return (length + (count - 1) * overlap) / count;
}

/** Evenly spread; a single tile is centred. */
function starts(length: number, side: number, count: number): number[] {
  if (count === 1) return [(length - side) / 2];
  return Array.from({ length: count }, (_, i) => (i * (length - side)) / (count - 1));
}
