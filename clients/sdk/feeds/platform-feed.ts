import { FeedConnection, type FeedSeams, type Socket } from './feed-connection.ts';

interface FeedOptions {
  /** Of profile book: `https://exchange.example/book`. */
  readonly baseUrl: string;
  /** For own channels, `{ api_key, api_secret }` or `{ token }`; asked before each connection. */
  readonly auth?: () => Promise<Readonly<Record<string, string>>>;
  /** The platform's own where it is left out, which browsers have and Node from 22 on; `ws` fits before. */
  readonly open?: (url: string) => Socket;
}

/** A connection to the feeds of profile book; `start` opens it. */
export function bookFeed({ baseUrl, auth, open = opened }: FeedOptions): FeedConnection {
  const url = `${baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/v1/ws`;
  const seams: FeedSeams = {
    open: () => open(url),
    now: () => Date.now(),
    later: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    ...(auth !== undefined && { auth }),
  };
  return new FeedConnection(seams);
}

function opened(url: string): Socket {
  // The types of Workers know a WebSocket by its listeners alone.
  return new WebSocket(url) as unknown as Socket;
}
