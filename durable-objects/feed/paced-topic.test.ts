import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PacedTopic } from './paced-topic.ts';

let sent: (readonly string[])[] = [];
const topicWith = (sockets: number) =>
  new PacedTopic((texts) => {
    sent.push(texts);
    return sockets;
  });

beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('messages of a topic', () => {
  it('leave at once where few follow it', () => {
    const topic = topicWith(5);
    topic.publish('a');
    vi.advanceTimersByTime(1);
    topic.publish('b');
    expect(sent).toEqual([['a'], ['b']]);
  });

  it('leave together, in order and each once, when many follow it and they come thick', () => {
    const topic = topicWith(1_000);
    for (const text of ['a', 'b', 'c']) topic.publish(text);
    expect(sent).toEqual([['a']]);
    vi.advanceTimersByTime(99);
    topic.publish('d');
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([['a'], ['b', 'c', 'd']]);
    vi.advanceTimersByTime(1_000);
    expect(sent).toHaveLength(2);
  });

  it('wait a tenth of a second at most, however many follow it', () => {
    const topic = topicWith(100_000);
    topic.publish('a');
    topic.publish('b');
    vi.advanceTimersByTime(100);
    expect(sent).toEqual([['a'], ['b']]);
  });

  it('that wait are sent before someone joins, and are dropped when the last has left', () => {
    const topic = topicWith(1_000);
    topic.publish('a');
    topic.publish('b');
    topic.flush();
    expect(sent).toEqual([['a'], ['b']]);
    topic.publish('c');
    topic.end();
    vi.advanceTimersByTime(1_000);
    expect(sent).toHaveLength(2);
  });
});
