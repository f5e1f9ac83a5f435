import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PacedTopic } from './paced-topic.ts';

let sent: (readonly string[])[] = [];

/** `writing_ms`: how long the thread is busy with one flush. */
const topicWith = (sockets: number, writing_ms = 0) =>
  new PacedTopic((texts) => {
    sent.push(texts);
    vi.setSystemTime(Date.now() + writing_ms);
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
    topic.publish(['a']);
    vi.advanceTimersByTime(1);
    topic.publish(['b']);
    expect(sent).toEqual([['a'], ['b']]);
  });

  it('leave at once where many follow it and it has been quiet', () => {
    const topic = topicWith(1_000, 80);
    for (const text of ['a', 'b', 'c']) {
      topic.publish([text]);
      vi.advanceTimersByTime(20);
    }
    expect(sent).toEqual([['a'], ['b'], ['c']]);
  });

  it('leave together, in order and each once, when many follow it and they come thick', () => {
    const topic = topicWith(1_000);
    for (const text of ['a', 'b', 'c']) topic.publish([text]);
    expect(sent).toEqual([['a']]);
    vi.advanceTimersByTime(99);
    topic.publish(['d']);
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([['a'], ['b', 'c', 'd']]);
    vi.advanceTimersByTime(1_000);
    expect(sent).toHaveLength(2);
  });

  it('that are handed in together leave together', () => {
    const topic = topicWith(1_000);
    topic.publish(['a', 'b', 'c']);
    expect(sent).toEqual([['a', 'b', 'c']]);
  });

  it('wait, once a flush has been written out, as long again as the thread was busy with it', () => {
    const topic = topicWith(60, 40);
    topic.publish(['a']);
    topic.publish(['b']);
    vi.advanceTimersByTime(39);
    topic.publish(['c']);
    expect(sent).toEqual([['a']]);
    vi.advanceTimersByTime(2);
    expect(sent).toEqual([['a'], ['b', 'c']]);
  });

  it('wait half as long where none came while the thread was busy', () => {
    const topic = topicWith(60, 40);
    topic.publish(['a']);
    vi.advanceTimersByTime(1);
    topic.publish(['b']);
    vi.advanceTimersByTime(18);
    expect(sent).toEqual([['a']]);
    vi.advanceTimersByTime(2);
    expect(sent).toEqual([['a'], ['b']]);
  });

  it('wait a tenth of a second at most, however many follow it and however long writing takes', () => {
    const topic = topicWith(100_000, 5_000);
    topic.publish(['a']);
    topic.publish(['b']);
    vi.advanceTimersByTime(101);
    expect(sent).toEqual([['a'], ['b']]);
  });

  it('that wait are sent before someone joins, and are dropped when the last has left', () => {
    const topic = topicWith(1_000);
    topic.publish(['a']);
    topic.publish(['b']);
    topic.flush();
    expect(sent).toEqual([['a'], ['b']]);
    topic.publish(['c']);
    topic.end();
    vi.advanceTimersByTime(1_000);
    expect(sent).toHaveLength(2);
  });
});
