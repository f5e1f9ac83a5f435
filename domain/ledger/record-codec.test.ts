import fc from 'fast-check';
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
    const noted = recordCodec<Leg & { readonly note?: string | undefined }>(
      (account, amount, note) => ({ account, amount, note }),
      { leftOut: { note: true } },
    );
    const legs = [1, 2].map((amount) => ({ account: 'a', amount, note: undefined }));
    expect(noted.packList(legs)).toEqual(legCodec.packList(legs));
    expect(noted.unpackList(legCodec.packList(legs))).toEqual(legs);
  });

  describe('of fields that a record may leave out', () => {
    interface Loose {
      readonly id: string;
      readonly first?: number | undefined;
      readonly second?: readonly string[] | undefined;
      readonly third?: boolean | undefined;
      readonly last?: { readonly of: string } | undefined;
    }
    const looseCodec = recordCodec<Loose>((id, first, second, third, last) => ({ id, first, second, third, last }), {
      leftOut: { first: true, second: true, third: true, last: true },
    });
    const heldCodec = recordCodec<{ readonly loose: Loose; readonly all: readonly Loose[] }>(
      (loose, all) => ({ loose, all }),
      { records: { loose: looseCodec }, lists: { all: looseCodec } },
    );
    const loose = fc.record<Loose, 'id'>(
      {
        id: fc.string(),
        first: fc.integer(),
        second: fc.array(fc.string(), { maxLength: 2 }),
        third: fc.boolean(),
        last: fc.record({ of: fc.string() }),
      },
      { requiredKeys: ['id'] },
    );
    const stored = <T>(packed: T): T => JSON.parse(JSON.stringify(packed)) as T;
    const present = (record: Loose) =>
      Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

    it('reads what was left out as left out, whichever they are, of a record and of one within another', () => {
      fc.assert(
        fc.property(loose, fc.array(loose, { maxLength: 5 }), (record, all) => {
          expect(present(looseCodec.unpack(stored(looseCodec.pack(record))))).toEqual(record);
          const held = heldCodec.unpack(stored(heldCodec.pack({ loose: record, all })));
          expect([present(held.loose), held.all.map(present)]).toEqual([record, all]);
        }),
      );
    });

    it('reads them so in a list where another record has them', () => {
      fc.assert(
        fc.property(fc.array(loose, { maxLength: 5 }), (records) => {
          expect(looseCodec.unpackList(stored(looseCodec.packList(records))).map(present)).toEqual(records);
        }),
      );
    });

    it('must all be named, and no other', () => {
      recordCodec<Pick<Loose, 'first' | 'second'>>((first, second) => ({ first, second }), {
        // @ts-expect-error: `second` is missing.
        leftOut: { first: true },
      });
      // @ts-expect-error: nothing says which it may leave out.
      recordCodec<Pick<Loose, 'first'>>((first) => ({ first }));
    });
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
