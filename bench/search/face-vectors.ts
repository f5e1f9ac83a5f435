/** Width of the embedded engine's vectors. */
export const DIMENSIONS = 128;
export const PHOTOS_OF_PERSON = 4;

/**
 * Where vectors come from. `people`: as faces are, several photos of each person close together, and directions in which faces differ
 * more than in others. `uniform`: all directions alike, so that nothing is near and the nearest are hard to tell apart.
 */
export type Distribution = 'people' | 'uniform';

/** Two photos of one person have a cosine of about 1 / (1 + this squared). */
const PHOTO_NOISE = 0.45;

/** Writes vector `number` of a distribution, at unit length: the same each time, in every runtime. */
export function writeVector(distribution: Distribution, number: number, vector: Float32Array): void {
  if (distribution === 'uniform') {
    const random = gaussianFrom(number * 2 + 1);
    for (let i = 0; i < DIMENSIONS; i++) vector[i] = random();
  } else {
    const person = gaussianFrom(Math.floor(number / PHOTOS_OF_PERSON) * 2 + 1);
    const photo = gaussianFrom(number * 2 + 2);
    for (let i = 0; i < DIMENSIONS; i++) {
      vector[i] = (person() + PHOTO_NOISE * photo()) / Math.sqrt(1 + i / 16);
    }
  }
  let squares = 0;
  for (let i = 0; i < DIMENSIONS; i++) squares += vector[i]! * vector[i]!;
  const length = Math.sqrt(squares);
  for (let i = 0; i < DIMENSIONS; i++) vector[i]! /= length;
}

export function faceIdOf(number: number): string {
  return `0199c0de-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

export function subjectOf(distribution: Distribution, number: number): string | null {
  return distribution === 'uniform' ? null : faceIdOf(Math.floor(number / PHOTOS_OF_PERSON)).replace('7000', '7fff');
}

/**
 * Query `at` of a gallery with the vectors 0..`size`: another photo of somebody in it, by turns with a stranger.
 */
export function queryOf(distribution: Distribution, size: number, at: number): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const somebody = Math.floor((Math.imul(at + 1, 2654435761) >>> 0) % size);
  if (at % 2 === 1) {
    writeVector(distribution, STRANGERS_FROM + at * PHOTOS_OF_PERSON, vector);
    return vector;
  }
  writeVector(distribution, somebody, vector);
  const noise = new Float32Array(DIMENSIONS);
  writeVector(distribution, STRANGERS_FROM + at * PHOTOS_OF_PERSON, noise);
  for (let i = 0; i < DIMENSIONS; i++) vector[i]! += PHOTO_NOISE * noise[i]!;
  return vector;
}

const STRANGERS_FROM = 100_000_000;

/** About normal: the sum of four uniform numbers, by xorshift from a mixed seed. */
function gaussianFrom(seed: number): () => number {
  let state = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35) | 1;
  return () => {
    let sum = 0;
    for (let i = 0; i < 4; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      sum += state;
    }
    return sum / 2 ** 31;
  };
}
