import { DurableObject } from 'cloudflare:workers';
import type { FeedError } from '../../protocol/feeds/client-message.ts';
import { type Topic, topicKey, topicOf } from '../../protocol/feeds/topic.ts';
import type { FeedSource } from '../fan-out/feed-source.ts';
import { Hub } from '../fan-out/hub.ts';
import { ListedMarkets } from '../fan-out/listed-markets.ts';
import { Upstream } from './upstream.ts';

/** Serves clients that follow many pairs over one socket each; holds one socket to the book of each pair (docs/design/feeds.md#fan-out). */
export class Feed extends DurableObject<Env> implements FeedSource {
  readonly #upstreams = new Map<string, Upstream>();
  readonly #hub: Hub;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#hub = new Hub(ctx, env, { kind: 'feed', source: this, markets: new ListedMarkets(env) });
    // After an eviction the clients are still here, and the sockets to the books are not.
    for (const symbol of new Set([...this.#hub.topics].map((key) => topicOf(key).symbol)))
      ctx.waitUntil(this.#upstream(symbol).resume(this.#topicsOf(symbol)));
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
    const error = await this.#upstream(topic.symbol).open(topicKey(topic), resumeFrom, join);
    // Whoever followed this pair may have left while this one waited.
    this.#endUnfollowed(topic.symbol);
    return error;
  }

  close(topic: Topic): void {
    this.#upstreams.get(topic.symbol)?.close(topicKey(topic));
    this.#endUnfollowed(topic.symbol);
  }

  /** The books beat for theirs. */
  heartbeat(): null {
    return null;
  }

  #upstream(symbol: string): Upstream {
    let upstream = this.#upstreams.get(symbol);
    if (upstream === undefined) {
      upstream = new Upstream(this.env, symbol, `feed ${this.ctx.id}`, {
        publish: (key, texts) => this.#hub.publish(key, texts),
        topics: () => this.#topicsOf(symbol),
      });
      this.#upstreams.set(symbol, upstream);
    }
    return upstream;
  }

  #endUnfollowed(symbol: string): void {
    const upstream = this.#upstreams.get(symbol);
    if (upstream === undefined || upstream.isAwaited || this.#topicsOf(symbol).length > 0) return;
    upstream.end();
    this.#upstreams.delete(symbol);
  }

  #topicsOf(symbol: string): string[] {
    return [...this.#hub.topics].filter((key) => topicOf(key).symbol === symbol);
  }

  async #scheduleBeat(): Promise<void> {
    const at = this.#hub.nextBeat(Date.now());
    if (at === null) return;
    const set = await this.ctx.storage.getAlarm();
    if (set === null || set > at) await this.ctx.storage.setAlarm(at);
  }
}
