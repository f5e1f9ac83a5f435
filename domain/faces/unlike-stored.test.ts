import { describe, expect, it } from 'vitest';
import { unlikeStored } from './unlike-stored.ts';

/** A face by how much of three people it shows, who are at right angles. */
const face = (a: number, b = 0, c = 0) => Float32Array.from([a, b, c]);
const MIN = 0.6;
const [ann, bob, cyd] = [face(1), face(0, 1), face(0, 0, 1)];

describe('photos that are added to an attendee', () => {
  it('resemble every stored one', () => {
    expect(unlikeStored([face(1, 0.2), ann], [ann, face(1, 0.1)], MIN)).toEqual([]);
    expect(unlikeStored([ann, bob], [ann], MIN)).toEqual([1]);
    expect(unlikeStored([ann], [ann, face(1, 1), face(0.3, 1)], MIN)).toEqual([0]);
  });

  it('show one of two people who were merged and are unlike, and no third', () => {
    expect(unlikeStored([face(1, 0.2)], [ann, bob], MIN)).toEqual([]);
    expect(unlikeStored([face(0.2, 1)], [ann, bob], MIN)).toEqual([]);
    expect(unlikeStored([cyd], [ann, bob], MIN)).toEqual([0]);
  });

  it('are all of the same one of the two', () => {
    expect(unlikeStored([face(1, 0.2), face(0.2, 1)], [ann, bob], MIN)).toEqual([1]);
    expect(unlikeStored([face(1, 1), face(1, 0.2)], [ann, bob], MIN)).toEqual([1]);
  });

  it('lead from nobody to anybody else by a picture made of two', () => {
    const made = face(1, 0, 1);
    expect(unlikeStored([made], [ann, bob], MIN)).toEqual([]);
    expect(unlikeStored([cyd], [ann, bob, made], MIN)).toEqual([0]);
    expect(unlikeStored([cyd], [ann, made], MIN)).toEqual([0]);
  });

  it('that cannot be compared show nobody', () => {
    expect(unlikeStored([face(0)], [ann], MIN)).toEqual([0]);
  });
});
