import type { FeedError } from '../../protocol/feeds/feed-error.ts';
import { type Topic, topicKey } from '../../protocol/feeds/topic.ts';
import { Upstream, type UpstreamHost } from './upstream.ts';

/** A feed object's sockets to the books: one for each pair that clients follow, and another one where a pair has more topics than fit. */
export class Upstreams {
  readonly #env: Env;
  readonly #name: string;
  readonly #host: UpstreamHost;
  readonly #bySymbol = new Map<string, Upstream[]>();

  /** @param name of the object, as the books' logs have it */
  constructor(env: Env, name: string, host: UpstreamHost) {
    this.#env = env;
    this.#name = name;
    this.#host = host;
  }

  async open(
    topic: Topic,
    resumeFrom: number | null,
    join: (messages: readonly string[]) => void,
  ): Promise<FeedError | null> {
    const error = await this.#upstreamOf(topic).open(topicKey(topic), resumeFrom, join);
    this.#endEmpty(topic.symbol);
    return error;
  }

  /** The topic has lost its last follower. */
  close(topic: Topic): void {
    for (const upstream of this.#bySymbol.get(topic.symbol) ?? []) upstream.close(topicKey(topic));
    this.#endEmpty(topic.symbol);
  }

  /** Takes up topics whose clients are here already. */
  async resume(topics: readonly Topic[]): Promise<void> {
    for (const topic of topics) this.#upstreamOf(topic).expect(topicKey(topic));
    await Promise.all([...this.#bySymbol.values()].flat().map((upstream) => upstream.resume()));
  }

  #upstreamOf(topic: Topic): Upstream {
    const { symbol } = topic;
    const upstreams = this.#bySymbol.get(symbol) ?? [];
    const key = topicKey(topic);
    const found = upstreams.find((upstream) => upstream.has(key)) ?? upstreams.find((upstream) => !upstream.isFull);
    if (found !== undefined) return found;
    const upstream = new Upstream(this.#env, symbol, this.#name, this.#host);
    this.#bySymbol.set(symbol, [...upstreams, upstream]);
    return upstream;
  }

  #endEmpty(symbol: string): void {
    const upstreams = this.#bySymbol.get(symbol) ?? [];
    const used = upstreams.filter((upstream) => !upstream.isEmpty);
    if (used.length === upstreams.length) return;
    for (const upstream of upstreams) if (upstream.isEmpty) upstream.end();
    if (used.length === 0) this.#bySymbol.delete(symbol);
    else this.#bySymbol.set(symbol, used);
  }
}
