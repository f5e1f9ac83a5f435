import { describe, expect, it } from 'vitest';
import { surestTurn } from './surest-turn.ts';

const EIGHTH = Math.PI / 4;

/** A detector that is so sure of a face by the eighths of a turn; 0 elsewhere. */
function looker(confidences: Readonly<Record<number, number>>) {
  const looks: number[] = [];
  const confidenceAt = async (angle: number) => {
    const eighths = Math.round(angle / EIGHTH);
    looks.push(eighths);
    return confidences[eighths] ?? 0;
  };
  return { looks, turn: (isLikelyUpright = false) => surestTurn(confidenceAt, isLikelyUpright) };
}

describe('E-01: a face stands upright where the detector is surest of it:', () => {
  it.each([
    ['as its landmarks have it', { 0: 0.999, 2: 0.89, 4: 0.94, 6: 0.4 }, 0],
    ['on its side', { 0: 0.945, 2: 0.992, 4: 0.95, 6: 0.937 }, 2],
    ['on its head', { 0: 0.95, 2: 0.449, 4: 0.999, 6: 0.735 }, 4],
    ['on its other side', { 0: 0.5, 6: 0.99 }, 6],
    ['between two of these', { 0: 0.941, 2: 0.766, 3: 0.99, 4: 0.736 }, 3],
    ['as its landmarks have it, where another side leads by next to nothing', { 0: 0.985, 2: 0.986 }, 0],
    ['on its side, where that leads by more', { 0: 0.965, 2: 0.997 }, 2],
  ])('%s', async (_, confidences, eighths) => {
    expect(await looker(confidences).turn()).toBeCloseTo(eighths * EIGHTH);
  });

  it('nowhere, if the detector is sure nowhere', async () => {
    expect(await looker({ 0: 0.59, 4: 0.44 }).turn()).toBeNull();
    expect(await looker({}).turn()).toBeNull();
  });

  it('looks between the quarters only where none is certain', async () => {
    const certain = looker({ 0: 0.99 });
    await certain.turn();
    expect(certain.looks).toEqual([0, 2, 4, 6]);
    const unsure = looker({ 0: 0.9 });
    await unsure.turn();
    expect(unsure.looks).toEqual([0, 2, 4, 6, 1, 3, 5, 7]);
  });

  it('looks once at a face that is likely upright, and from all sides where that leaves a doubt', async () => {
    const certain = looker({ 0: 0.98, 4: 0.99 });
    expect(await certain.turn(true)).toBe(0);
    expect(certain.looks).toEqual([0]);
    expect(await looker({ 0: 0.97, 4: 0.99 }).turn(true)).toBeCloseTo(4 * EIGHTH);
  });
});
