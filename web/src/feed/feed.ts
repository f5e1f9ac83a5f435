import { useEffect, useSyncExternalStore } from 'react';
import { FeedConnection, type FeedState, type Socket, type Topic } from '../../../clients/sdk/feeds/feed-connection.ts';
import type { FeedMessage } from '../../../protocol/feeds/server-message.ts';

export const feed = new FeedConnection({
  open: () => {
    const url = new URL('/console/feed', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return new WebSocket(url) as Socket;
  },
  now: () => Date.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
});

export function useFeedState(): FeedState {
  return useSyncExternalStore(
    (watcher) => feed.watch(watcher),
    () => feed.state,
  );
}

/** Follows a topic while the component is there; null for none. The listener must not change with each picture. */
export function useTopic(topic: Topic | null, listener: (message: FeedMessage) => void): void {
  const key = topic === null ? '' : JSON.stringify(topic);
  useEffect(() => {
    if (key === '') return undefined;
    return feed.follow(JSON.parse(key) as Topic, listener);
  }, [key, listener]);
}
