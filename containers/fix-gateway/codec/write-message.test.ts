import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LENGTH_TAG_OF } from './data-fields.ts';
import type { Field } from './fix-message.ts';
import { Framer } from './framer.ts';
import { readMessage } from './read-message.ts';
import { writeMessage } from './write-message.ts';

const HOSTILE = [
  'x\x01150=F\x0139=2\x0114=999999',
  'y10=\x0110=123',
  'y\x0110=123\x018=FIX.4.4\x019=5\x01',
  '\x019=1\x01',
  '€',
  '\ud800',
  '💸=\r\n',
  '=',
  '',
  'é',
];
const TAGS = [11, 37, 41, 55, 58, 95, 96, 354, 355, 10000, ...LENGTH_TAG_OF.keys()];

const value = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('\x01', '1', '0', '=', '9', '8', '\ud800', '\u0101', 'a') }),
  fc.nat({ max: 30 }).map(String),
);
const field: fc.Arbitrary<Field> = fc.tuple(fc.constantFrom(...TAGS), value);

/** What a peer reads of a message on its way over a connection, with another behind it. */
function readBack(type: string, body: readonly Field[]): readonly Field[] {
  const sent = Buffer.from(writeMessage(type, [[34, '1']], body) + writeMessage('0', [[34, '2']], []), 'latin1');
  const frames = new Framer().push(sent.toString('latin1'));
  const [first, second] = frames.map(readMessage);
  expect(frames).toHaveLength(2);
  expect(second).toMatchObject({ ok: true });
  // A frame that is read has the BodyLength and CheckSum of its bytes.
  if (first?.ok !== true) throw new Error(`garbled: ${JSON.stringify(first)}`);
  return first.value.fields.slice(2);
}

describe('a message whose values come from any door', () => {
  it('X-03: is read with the same tags in the same sequence, whatever the values are', () => {
    fc.assert(
      fc.property(fc.array(field, { maxLength: 12 }), (body) => {
        expect(readBack('8', body).map(([tag]) => tag)).toEqual([35, 34, ...body.map(([tag]) => tag)]);
      }),
      { numRuns: 500, seed: 35 },
    );
  });

  it.each(HOSTILE)('X-03: keeps %j within its field', (text) => {
    const fields = readBack('8', [
      [11, text],
      [150, '0'],
    ]);
    expect(fields.filter(([tag]) => tag === 150)).toEqual([[150, '0']]);
    expect(fields[2]?.[1]).not.toContain('\x01');
  });

  it('has each character that FIX takes as it is, and one byte for each that it does not', () => {
    expect(readBack('8', [[58, 'a=b é € \t \ud83d\ude00']])[2]).toEqual([58, 'a=b é ? ? ??']);
  });

  it('keeps the bytes of a data field, and says how many they are', () => {
    const body: Field[] = [
      [95, '99'],
      [96, 'a\x01b'],
    ];
    expect(readBack('8', body).slice(2)).toEqual([
      [95, '3'],
      [96, 'a\x01b'],
    ]);
  });

  it('reads a data field by its own length alone', () => {
    const body: Field[] = [
      [58, '6'],
      [96, 'a'],
      [58, 'b'],
    ];
    expect(readBack('8', body).slice(2)).toEqual(body);
  });
});
