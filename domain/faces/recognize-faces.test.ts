import { describe, expect, it } from 'vitest';
import { recognizeFaces } from './recognize-faces.ts';

const RULE = { matchFrom: 0.6, reviewFrom: 0.5, margin: 0.05 };

/** Candidates as `face: person similarity`. */
const among = (...texts: readonly string[]) =>
  texts.map((text) => {
    const [, face = '', person = '', similarity = ''] = /^(\d): (\w+) ([\d.]+)$/.exec(text) ?? [];
    return { face: Number(face), person, similarity: Number(similarity) };
  });

function decided(...texts: readonly string[]) {
  const { matches, reviews } = recognizeFaces(among(...texts), RULE);
  const named = (of: typeof matches) => [...of].map(([face, { candidate }]) => `${face}: ${candidate.person}`).sort();
  return { matches: named(matches), reviews: named(reviews) };
}

describe('a face is', () => {
  it.each([
    ['somebody from the threshold on', ['0: ana 0.6'], { matches: ['0: ana'], reviews: [] }],
    ['for review below it', ['0: ana 0.59'], { matches: [], reviews: ['0: ana'] }],
    ['for review from the lower threshold on', ['0: ana 0.5'], { matches: [], reviews: ['0: ana'] }],
    ['nobody below that', ['0: ana 0.49'], { matches: [], reviews: [] }],
    ['for review while another is nearly as like', ['0: ana 0.7', '0: bo 0.66'], { matches: [], reviews: ['0: ana'] }],
    ['somebody who is ahead by the margin', ['0: ana 0.75', '0: bo 0.6'], { matches: ['0: ana'], reviews: [] }],
    [
      'for review where one who is just too unlike to be reviewed is within the margin',
      ['0: ana 0.6', '0: bo 0.56'],
      { matches: [], reviews: ['0: ana'] },
    ],
  ])('%s', (_, candidates, outcome) => {
    expect(decided(...candidates)).toEqual(outcome);
  });

  it('not its second best because the best was found elsewhere in the image', () => {
    expect(decided('0: ana 0.9', '1: ana 0.59', '1: bo 0.56')).toEqual({ matches: ['0: ana'], reviews: ['1: bo'] });
  });

  it('nobody where all whom it resembles were found elsewhere', () => {
    expect(decided('0: ana 0.9', '1: ana 0.59')).toEqual({ matches: ['0: ana'], reviews: [] });
  });

  it('I-05: for review where another face of the image would be the same person', () => {
    expect(decided('0: ana 0.95', '1: ana 0.94')).toEqual({ matches: [], reviews: ['0: ana', '1: ana'] });
    expect(decided('0: ana 0.95', '1: ana 0.6', '2: ana 0.6')).toMatchObject({ matches: [] });
    const alsoLikeAnother = decided('0: ana 0.9', '1: ana 0.7', '1: bo 0.65');
    expect(alsoLikeAnother).toEqual({ matches: [], reviews: ['0: ana', '1: bo'] });
  });

  it('somebody beside a relative who is like them, and more like themselves', () => {
    const relatives = decided('0: ana 0.9', '0: bo 0.7', '1: bo 0.85', '1: ana 0.7');
    expect(relatives).toEqual({ matches: ['0: ana', '1: bo'], reviews: [] });
  });

  it('told with how like the next one was', () => {
    const { reviews } = recognizeFaces(among('0: ana 0.7', '0: bo 0.66', '0: cy 0.5'), RULE);
    expect(reviews.get(0)).toMatchObject({ runnerUp: 0.66 });
    expect(recognizeFaces(among('0: ana 0.7'), RULE).matches.get(0)).toMatchObject({ runnerUp: null });
  });
});
