import { describe, expect, it } from 'vitest';
import { openingReply, readInnerFrame, topicFrames } from './inner-protocol.ts';

describe('what a book tells a feed object', () => {
  it('arrives together when it left together', () => {
    expect(topicFrames('trades ACME-USD', ['{"a":1}', '{"b":2}']).map(readInnerFrame)).toEqual([
      { type: 'published', key: 'trades ACME-USD', texts: ['{"a":1}', '{"b":2}'] },
    ]);
  });

  it('is divided, in order and whole, before a frame grows too long for a socket', () => {
    const texts = Array.from({ length: 10 }, (_, index) => `{"${index}":"${'x'.repeat(100_000)}"}`);
    const frames = topicFrames('orderbook ACME-USD 1000', texts);
    expect(frames.length).toBeGreaterThan(1);
    for (const frame of frames) expect(frame.length).toBeLessThan(400_000);
    const read = frames.map(readInnerFrame);
    expect(read.flatMap((frame) => (frame.type === 'published' ? frame.texts : []))).toEqual(texts);
  });

  it('answers an opening with the messages that the topic begins with', () => {
    expect(readInnerFrame(openingReply(7, ['{"a":1}', '{"b":2}']))).toEqual({
      type: 'opened',
      ref: 7,
      messages: ['{"a":1}', '{"b":2}'],
    });
  });
});
