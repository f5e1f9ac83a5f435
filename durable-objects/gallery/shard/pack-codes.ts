/** What became of a vector: it is, at unit length, `scale` × its codes but for at most `scale` × `rounding` (Euclidean). */
export interface Quantized {
  readonly scale: number;
  readonly rounding: number;
}

/**
 * Seven bits a component, so packed that they are compared without being unpacked: a unit of 128 components is eight rows of 16, of
 * which seven are stored as signed bytes. The lowest bits of those seven spell the codes of the eighth, 0..127, which stand for the
 * odd numbers −127..127; a byte is the nearest to its component of those with the lowest bit that it has to have.
 */
const UNIT = 128;
const ROW = 16;
const STORED_ROWS = 7;
const CODE_MAX = 127;
/** So small that a dot product of the widest vectors stays below 2^31. */
const QUERY_CODE_MAX = 4095;

/** A query's codes, 16 bits each, for one unit. */
export const QUERY_BYTES_OF_UNIT = UNIT * 2;

export function packedBytes(dimensions: number): number {
  return Math.ceil(dimensions / UNIT) * STORED_ROWS * ROW;
}

/** @param bytes `packedBytes` of them, written whole. */
export function packCodes(vector: Float32Array, bytes: Int8Array): Quantized {
  const { length, largest } = sizeOf(vector);
  const codesPerUnit = CODE_MAX / largest;
  let residue = 0;
  for (let place = 0, unit = 0; place < bytes.length; place += STORED_ROWS * ROW, unit += UNIT) {
    for (let lane = 0; lane < ROW; lane++) {
      const last = unit + STORED_ROWS * ROW + lane;
      let spelt = 0;
      if (last < vector.length) {
        const exact = vector[last]! * codesPerUnit;
        spelt = Math.min(CODE_MAX, Math.round((exact + CODE_MAX) / 2));
        const error = exact - (2 * spelt - CODE_MAX);
        residue += error * error;
      }
      for (let row = 0; row < STORED_ROWS; row++) {
        const at = unit + row * ROW + lane;
        const lowest = (spelt >> row) & 1;
        const exact = at < vector.length ? vector[at]! * codesPerUnit : 0;
        const code = Math.min(CODE_MAX - 1 + lowest, 2 * Math.round((exact - lowest) / 2) + lowest);
        bytes[place + row * ROW + lane] = code;
        // Behind the vector's end the query has zeros, so whatever stands there counts for nothing.
        if (at < vector.length) residue += (exact - code) * (exact - code);
      }
    }
  }
  return { scale: largest / (CODE_MAX * length), rounding: Math.sqrt(residue) };
}

/**
 * A query's codes, 16 bits each, the eighth row's doubled: its dot product with packed codes is `bias` more than with what those
 * stand for.
 */
export function packQuery(query: Float32Array, codes: Int16Array): Quantized & { readonly bias: number } {
  const { length, largest } = sizeOf(query);
  const codesPerUnit = QUERY_CODE_MAX / largest;
  let residue = 0;
  let bias = 0;
  codes.fill(0);
  for (let at = 0; at < query.length; at++) {
    const exact = query[at]! * codesPerUnit;
    const code = Math.round(exact);
    residue += (exact - code) * (exact - code);
    const isSpelt = at % UNIT >= STORED_ROWS * ROW;
    codes[at] = isSpelt ? 2 * code : code;
    if (isSpelt) bias += CODE_MAX * code;
  }
  return { scale: largest / (QUERY_CODE_MAX * length), rounding: Math.sqrt(residue), bias };
}

/** Of a vector that is not zero. */
function sizeOf(vector: Float32Array): { length: number; largest: number } {
  let squares = 0;
  let largest = 0;
  for (let i = 0; i < vector.length; i++) {
    const x = vector[i]!;
    squares += x * x;
    const size = x < 0 ? -x : x;
    if (size > largest) largest = size;
  }
  return { length: Math.sqrt(squares), largest };
}
