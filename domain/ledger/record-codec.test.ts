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

interface Entry {
  readonly type: 'entry';
  readonly posting: Posting;
  readonly note: string | null;
}

const legCodec: RecordCodec<Leg> = recordCodec<Leg>((account, amount) => ({ account, amount }));
const postingCodec = recordCodec<Posting>((id, legs, tags) => ({ id, legs, tags }), { lists: { legs: legCodec } });
const entryCodec = recordCodec<Entry>((posting, note) => ({ type: 'entry', posting, note }), {
  records: { posting: postingCodec },
});

const posting: Posting = {
  id: 'p',
  legs: [
    { account: 'a', amount: -1 },
    { account: 'b', amount: null },
  ],
  tags: ['x'],
};

describe('the codec of a record', () => {
  it('packs values in the order of the field list, lists of records field by field', () => {
    const packed = ['p', [2, ['a', 'b'], [-1, null]], ['x']];
    expect(postingCodec.pack(posting)).toEqual(packed);
    expect(postingCodec.unpack(packed)).toEqual(posting);
  });

  it('packs what the list names and nothing else, however the record was written', () => {
    const { tags, legs, id } = posting;
    expect(postingCodec.pack({ more: 1, tags, legs, id } as Posting)).toEqual(postingCodec.pack(posting));
  });

  it('packs a record within a record, and no value that all records of the type have', () => {
    const entry: Entry = { type: 'entry', posting, note: null };
    expect(entryCodec.pack(entry)).toEqual([postingCodec.pack(posting), null]);
    expect(entryCodec.unpack(entryCodec.pack(entry))).toEqual(entry);
  });

  it('names every field, or does not compile', () => {
    // @ts-expect-error: `amount` is missing.
    const incomplete = recordCodec<Leg>((account) => ({ account }));
    expect(incomplete.pack({ account: 'a', amount: 1 })).toEqual(['a']);
  });

  it('refuses a function that does not make each value a field', () => {
    expect(() => recordCodec<Leg>((account, amount) => ({ account, amount: String(amount) as never }))).toThrow(
      'a record is not made of its values one by one',
    );
  });
});

describe('the codec of a list of records', () => {
  const lists: [name: string, records: readonly Entry[]][] = [
    ['nothing', []],
    ['one record', [{ type: 'entry', posting, note: 'n' }]],
    [
      'records that agree in some fields',
      [
        { type: 'entry', posting, note: 'n' },
        { type: 'entry', posting: { ...posting, id: 'q' }, note: 'n' },
      ],
    ],
    [
      'lists that are empty in all records, and in some',
      [
        { type: 'entry', posting: { ...posting, legs: [] }, note: null },
        { type: 'entry', posting: { ...posting, legs: [], tags: [] }, note: 'n' },
      ],
    ],
    [
      'lists that are empty in some',
      [
        { type: 'entry', posting: { ...posting, legs: [] }, note: null },
        { type: 'entry', posting, note: null },
      ],
    ],
  ];

  it.each(lists)('gives back %s as it was, by way of JSON', (_, records) => {
    expect(entryCodec.unpackList(JSON.parse(JSON.stringify(entryCodec.packList(records))))).toEqual(records);
  });

  it('says once what all records agree in', () => {
    const legs = Array.from({ length: 3 }, (_, index): Leg => ({ account: 'a', amount: index }));
    expect(legCodec.packList(legs)).toEqual([3, 'a', [0, 1, 2]]);
  });

  it('leaves out a last field that no record has, as records of before it', () => {
    const noted = recordCodec<Leg & { readonly note?: string | undefined }>((account, amount, note) => ({
      account,
      amount,
      note,
    }));
    const legs = [1, 2].map((amount) => ({ account: 'a', amount, note: undefined }));
    expect(noted.packList(legs)).toEqual(legCodec.packList(legs));
    expect(noted.unpackList(legCodec.packList(legs))).toEqual(legs);
  });

  it('gives each record a list of its own where all are empty', () => {
    const [first, second] = postingCodec.unpackList(
      postingCodec.packList([
        { ...posting, legs: [] },
        { ...posting, legs: [] },
      ]),
    );
    expect(first?.legs).not.toBe(second?.legs);
  });
});
