import { expect, it } from 'vitest';
import { assignFaces } from './assign-faces.ts';

const candidate = (face: number, person: string, similarity: number) => ({ face, person, similarity });
const assigned = (...candidates: ReturnType<typeof candidate>[]) =>
  [...assignFaces(candidates)].map(([face, { person }]) => `${face} ${person}`).toSorted();

it('gives a person to the most similar of two faces, and the other face its next best', () => {
  expect(assigned(candidate(0, 'ana', 0.8), candidate(1, 'ana', 0.9), candidate(0, 'bo', 0.7))).toEqual([
    '0 bo',
    '1 ana',
  ]);
});

it('leaves a face without anyone when all whom it resembles are taken', () => {
  expect(assigned(candidate(0, 'ana', 0.8), candidate(1, 'ana', 0.9))).toEqual(['1 ana']);
});

it('takes the first named of equal pairs', () => {
  expect(assigned(candidate(0, 'ana', 0.8), candidate(1, 'ana', 0.8))).toEqual(['0 ana']);
});
