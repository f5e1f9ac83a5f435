import { describe, expect, it } from 'vitest';
import { type RecordCodec, recordCodec } from './record-codec.ts';

interface Leg {
  readonly account: string;
  readonly amount: number | null;
}

interface Posting {
  readonly id: string;
  readonly legs: readonly Leg[];
  readonly tags: readonly string[];
}

const legCodec: RecordCodec<Leg> = recordCodec<Leg>((account, amount) => ({ account, amount }));
const postingCodec = recordCodec<Posting>((id, legs, tags) => ({ id, legs, tags }), { legs: legCodec });

describe('the codec of a record', () => {
  const posting: Posting = {
    id: 'p',
    legs: [
      { account: 'a', amount: -1 },
      { account: 'b', amount: null },
    ],
    tags: ['x'],
  };

  it('packs values in the order of the field list, lists of records each with its own codec', () => {
    const packed = [
      'p',
      [
        ['a', -1],
        ['b', null],
      ],
      ['x'],
    ];
    expect(postingCodec.pack(posting)).toEqual(packed);
    expect(postingCodec.unpack(packed)).toEqual(posting);
  });

  it('packs what the list names and nothing else, however the record was written', () => {
    const { tags, legs, id } = posting;
    expect(postingCodec.pack({ more: 1, tags, legs, id } as Posting)).toEqual(postingCodec.pack(posting));
  });

  it('names every field, or does not compile', () => {
    // @ts-expect-error: `amount` is missing.
    const incomplete = recordCodec<Leg>((account) => ({ account }));
    expect(incomplete.pack({ account: 'a', amount: 1 })).toEqual(['a']);
  });
});
