import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdTable } from './id-table.ts';

const id = fc.oneof(
  fc.uuid(),
  fc.tuple(fc.uuid(), fc.nat(9_999)).map(([uuid, n]) => `${uuid}.${n}`),
  fc.constantFrom(
    'boundary:fees',
    'alice-account',
    '',
    'F47AC10B-58CC-4372-A567-0E02B2C3D479',
    '019b76da-a800-7000-8000-000000000001.01',
  ),
);

describe('a table of ids', () => {
  it('finds, names and forgets ids as a Map would, and gives numbers again', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(id, fc.boolean()), { maxLength: 300 }), (steps) => {
        const table = new IdTable('t');
        const model = new Map<string, number>();
        for (const [each, isReleased] of steps) {
          if (isReleased) {
            const number = model.get(each);
            expect(table.find(each)).toBe(number ?? -1);
            if (number !== undefined) table.release(number);
            model.delete(each);
          } else model.set(each, table.intern(each));
        }
        expect(table.size).toBe(model.size);
        expect(new Set(model.values()).size).toBe(model.size);
        for (const [each, number] of model) {
          expect(table.find(each)).toBe(number);
          expect(table.text(number)).toBe(each);
        }
      }),
    );
  });

  it('is the same after its pieces were stored and loaded, and goes on growing', () => {
    const uuids = Array.from(
      { length: 3_000 },
      (_, n) => `019b76da-a800-7000-8000-${n.toString(16).padStart(12, '0')}`,
    );
    const table = new IdTable('t');
    for (const each of [...uuids, 'other']) table.intern(each);
    for (let n = 0; n < 3_000; n += 3) table.release(table.find(uuids[n] as string));
    const copy = new IdTable('t');
    for (const piece of table.pieces()) copy.load({ name: piece.name, data: piece.data.slice() });
    copy.finish(JSON.parse(JSON.stringify(table.rest())));
    for (const each of [...uuids, 'other']) expect(copy.find(each)).toBe(table.find(each));
    for (let n = 0; n < 5_000; n++) copy.intern(`019b76da-a800-7000-9000-${n.toString(16).padStart(12, '0')}`);
    expect(copy.size).toBe(2_001 + 5_000);
    expect(copy.find(uuids[1] as string)).toBe(table.find(uuids[1] as string));
  });
});
