import { describe, expect, it } from 'vitest';
import { examinePhotos } from '../../../application/events/registration/examine-photos.ts';
import { recognizeFaces } from '../../../domain/faces/recognize-faces.ts';

type Analysis = Parameters<typeof examinePhotos>[0][number];

const RULE = { matchFrom: 0.6, reviewFrom: 0.5, margin: 0.05 };

/** A photo of one good face, that points at so many degrees. */
function photo(degrees: number, name = 'mobilefacenet'): Analysis {
  const angle = (degrees * Math.PI) / 180;
  const vector = new Float32Array([Math.cos(angle), Math.sin(angle)]);
  return {
    model: { name, version: '1', dimensions: 2 },
    faces: [
      {
        bbox: [0, 0, 200, 200],
        confidence: 0.99,
        quality: { blur: 0.1, yaw: 0, pitch: 0, face_size: 200 },
        embedding: btoa(String.fromCharCode(...new Uint8Array(vector.buffer))),
      },
    ],
  } as unknown as Analysis;
}

function outcome(...photos: readonly Analysis[]): unknown {
  const examined = examinePhotos(photos);
  return examined.ok ? 'taken' : examined.error.details;
}

describe('I-05: photos of one call make an attendee where all of them show one person:', () => {
  it('one photo, and several that resemble each other', () => {
    expect(outcome(photo(0))).toBe('taken');
    expect(outcome(photo(0), photo(20), photo(59))).toBe('taken');
  });

  it('not where two of them are less alike than a review wants', () => {
    expect(outcome(photo(0), photo(90))).toEqual({ reason: 'photos_unlike', photos: [0, 1] });
    expect(outcome(photo(0), photo(61))).toMatchObject({ reason: 'photos_unlike' });
    expect(outcome(photo(0), photo(10), photo(180))).toMatchObject({ photos: [0, 1, 2] });
  });

  it('not where a third resembles both of two that are unlike, as a picture made of two people does', () => {
    expect(outcome(photo(0), photo(45), photo(90))).toEqual({ reason: 'photos_unlike', photos: [0, 2] });
  });

  it('by the threshold of their model', () => {
    expect(outcome(photo(0, 'face-api-resnet-34'), photo(55, 'face-api-resnet-34'))).toMatchObject({
      reason: 'photos_unlike',
    });
  });

  it('and no answer has a score', () => {
    expect(JSON.stringify(outcome(photo(0), photo(75)))).not.toMatch(/\d\.\d/);
  });
});

describe('I-05: faces of one frame that would be one attendee', () => {
  it.each([
    [0.95, 0.94],
    [0.95, 0.6],
  ])('at %d and %d are none of them a match', (first, second) => {
    const { matches, reviews } = recognizeFaces(
      [
        { face: 0, person: 'P', similarity: first },
        { face: 1, person: 'P', similarity: second },
      ],
      RULE,
    );
    expect(matches.size).toBe(0);
    expect([...reviews.keys()]).toEqual([0, 1]);
  });
});
