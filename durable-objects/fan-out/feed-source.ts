import type { FeedError } from '../../protocol/feeds/feed-error.ts';
import type { Topic } from '../../protocol/feeds/topic.ts';

/** Where a hub's messages come from: the book itself, or the books that a feed object follows. */
export interface FeedSource {
  /**
   * Opens a topic for one more subscriber: `join` is called with the messages it begins with, and from that very moment on what is
   * published belongs to it. Returns an error instead when the topic cannot be had.
   */
  open(topic: Topic, resumeFrom: number | null, join: (messages: readonly string[]) => void): Promise<FeedError | null>;
  /** The topic has lost its last subscriber. */
  close(topic: Topic): void;
  /** Messages that tell subscribers of a topic, while it is quiet, that nothing is missing; called at every beat. */
  heartbeat(topic: Topic, now_ms: number): string | null;
}
