import { DurableObject } from 'cloudflare:workers';
import type { FeedError } from '../../protocol/feeds/feed-error.ts';
import type { ServerMessage } from '../../protocol/feeds/server-message.ts';
import {
  ALL_MARKETS,
  isOwnTopic,
  OWN_CHANNELS,
  type OwnTopic,
  type Topic,
  topicKey,
  topicOf,
} from '../../protocol/feeds/topic.ts';
import type { FeedSource } from '../fan-out/feed-source.ts';
import { Hub } from '../fan-out/hub.ts';
import { ListedMarkets } from '../fan-out/listed-markets.ts';
import { log } from '../log/log.ts';
import { AccountStream } from './account-stream.ts';
import { LedgerLink } from './ledger-link.ts';
import { SharedNames } from './shared-names.ts';
import { Upstreams } from './upstreams.ts';

/** An account that nobody follows any more is kept this long, for one who comes back. */
const LINGER_MS = 30_000;

/**
 * Serves clients that follow many pairs, or an account over all of them, over one socket each; holds one socket to the book of each pair, and one
 * to the ledger (docs/design/feeds.md#fan-out).
 */
export class Feed extends DurableObject<Env> implements FeedSource {
  readonly #upstreams: Upstreams;
  readonly #accounts = new Map<string, AccountStream>();
  readonly #link: LedgerLink;
  readonly #names: SharedNames;
  readonly #hub: Hub;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#hub = new Hub(ctx, env, { kind: 'feed', source: this, markets: new ListedMarkets(env) });
    this.#link = new LedgerLink(env);
    this.#names = new SharedNames(env);
    this.#upstreams = new Upstreams(env, `feed ${ctx.id}`, {
      publish: (key, texts) => this.#hub.publish(key, texts),
      follows: (key) => this.#hub.follows(key),
    });
    // After an eviction the clients are still here, and the sockets to the books and the ledger are not.
    const topics = [...this.#hub.topics].map(topicOf);
    ctx.waitUntil(this.#upstreams.resume(topics.filter((topic) => !isOwnTopic(topic))));
    for (const account of new Set(topics.flatMap((topic) => (isOwnTopic(topic) ? [topic.account] : []))))
      ctx.waitUntil(this.#accountStream(account).resume());
  }

  override async fetch(request: Request): Promise<Response> {
    const response = this.#hub.connect(request);
    await this.#scheduleBeat();
    return response;
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    await this.#hub.message(socket, message);
    await this.#scheduleBeat();
  }

  override webSocketClose(socket: WebSocket): void {
    this.#hub.closed(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#hub.closed(socket);
  }

  /** What the Gate of this name knows of a credential has changed. */
  credentialChanged(gate: string): Promise<void> {
    return this.#hub.credentialChanged(gate);
  }

  override async alarm(): Promise<void> {
    await this.#hub.beat(Date.now());
    await this.#scheduleBeat();
  }

  async open(
    topic: Topic,
    resumeFrom: number | null,
    join: (messages: readonly string[]) => void,
  ): Promise<FeedError | null> {
    return isOwnTopic(topic) ? this.#openOwn(topic, resumeFrom, join) : this.#upstreams.open(topic, resumeFrom, join);
  }

  close(topic: Topic): void {
    if (isOwnTopic(topic)) {
      setTimeout(() => this.#endUnfollowedAccount(topic.account), LINGER_MS);
      return;
    }
    this.#upstreams.close(topic);
  }

  /** The books beat for theirs. */
  heartbeat(topic: Topic, now_ms: number): string | null {
    if (!isOwnTopic(topic)) return null;
    const { channel, symbol, account } = topic;
    const sequence = this.#accounts.get(account)?.saidOn(channel) ?? null;
    if (sequence === null) return null;
    const message: ServerMessage = { type: 'heartbeat', channel, symbol, sequence, timestamp: now_ms };
    return JSON.stringify(message);
  }

  async #openOwn(
    topic: OwnTopic,
    resumeFrom: number | null,
    join: (messages: readonly string[]) => void,
  ): Promise<FeedError | null> {
    const { channel, account } = topic;
    try {
      await this.#accountStream(account).open(channel, resumeFrom, join);
      // Who has left while the account was being read has closed nothing.
      if (!this.#hub.follows(topicKey(topic))) this.#endUnfollowedAccount(account);
      return null;
    } catch (error) {
      log('warn', 'an account could not be followed', {
        reason: error instanceof Error ? error.message : String(error),
      });
      this.#endUnfollowedAccount(account);
      return { code: 'SERVICE_UNAVAILABLE', message: 'the account cannot be read now: try again' };
    }
  }

  #accountStream(account: string): AccountStream {
    let stream = this.#accounts.get(account);
    if (stream === undefined) {
      stream = new AccountStream(
        {
          env: this.env,
          link: this.#link,
          names: this.#names,
          follows: (key) => this.#hub.follows(key),
          publish: (key, texts) => this.#hub.publish(key, texts),
        },
        account,
      );
      this.#accounts.set(account, stream);
    }
    return stream;
  }

  #endUnfollowedAccount(account: string): void {
    const stream = this.#accounts.get(account);
    const isFollowed = OWN_CHANNELS.some((channel) =>
      this.#hub.follows(topicKey({ channel, symbol: ALL_MARKETS, account })),
    );
    if (stream === undefined || isFollowed || stream.isAwaited) return;
    stream.end();
    this.#accounts.delete(account);
  }

  async #scheduleBeat(): Promise<void> {
    const at = this.#hub.nextBeat(Date.now());
    if (at === null) return;
    const set = await this.ctx.storage.getAlarm();
    if (set === null || set > at) await this.ctx.storage.setAlarm(at);
  }
}
