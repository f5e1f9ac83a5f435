import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf } from './fix-message.ts';
import { Framer } from './framer.ts';
import { readMessage } from './read-message.ts';
import { writeMessage } from './write-message.ts';

const message = (text: string) => writeMessage('0', [[34, '1']], [[58, text]]);

describe('the framer', () => {
  it('finds the same messages however the stream is cut, with noise in between', () => {
    const piece = fc.oneof(
      fc.stringMatching(/^[\x20-\x7e]{1,40}$/).map(message),
      fc.stringMatching(/^[a-z=]{1,10}$/).map((noise) => `${noise}\x01`),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 50 })),
        (pieces, sizes) => {
          const stream = pieces.join('');
          const framer = new Framer();
          const found: string[] = [];
          for (let at = 0; at < stream.length; ) {
            const size = sizes.next().value as number;
            found.push(...framer.push(stream.slice(at, at + size)));
            at += size;
          }
          expect(found).toEqual(pieces.filter((text) => text.startsWith('8=FIX')));
        },
      ),
    );
  });

  it('cuts a message whose length is too short at its check sum, and one whose length is too long with the next', () => {
    const [first, second] = [message('first'), message('second')];
    const third = message('third');
    const short = first.replace(/9=\d+/, '9=1');
    const long = first.replace(/9=\d+/, '9=60');
    expect(new Framer().push(short + second)).toEqual([short, second]);
    const frames = new Framer().push(long + second + third);
    expect(frames).toEqual([long + second, third]);
    expect(frames.map((frame) => readMessage(frame).ok)).toEqual([false, true]);
  });

  it('keeps data fields whole, whatever bytes they hold', () => {
    const data = 'a\x01b=c';
    const text = writeMessage(
      'A',
      [[34, '1']],
      [
        [95, String(data.length)],
        [96, data],
      ],
    );
    const read = readMessage(new Framer().push(text)[0] ?? '');
    expect(read.ok && read.value.fields.at(-1)).toEqual([96, data]);
  });

  it('keeps the header of a message that is too long, and goes on behind it, however the stream is cut', () => {
    const tooLong = writeMessage('D', [[34, '7']], [[58, 'x'.repeat(1024 * 1024)]]);
    const stream = message('before') + tooLong + message('after');
    for (const size of [1_000, 65_536, stream.length]) {
      const framer = new Framer();
      const found: string[] = [];
      for (let at = 0; at < stream.length; at += size) found.push(...framer.push(stream.slice(at, at + size)));
      expect([found[0], found[2], found.length]).toEqual([message('before'), message('after'), 3]);
      const read = readMessage(found[1] ?? '');
      expect(read.ok && [read.value.isCut, textOf(read.value, 34), textOf(read.value, 58)]).toEqual([true, '7', null]);
    }
  });

  it('goes on behind a message whose length is damaged to be beyond the limit', () => {
    const damaged = message('damaged').replace(/9=\d+/, '9=99999999999');
    const frames = new Framer().push(damaged + message('after'));
    expect(frames.map((frame) => readMessage(frame))).toMatchObject([
      { ok: true, value: { isCut: true } },
      { ok: true, value: {} },
    ]);
    expect(frames[1]).toBe(message('after'));
  });
});
