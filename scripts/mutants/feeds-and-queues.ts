import type { Mutant } from './mutant.ts';

const BOOK_TESTS = ['test/adversary/stranger/what-a-book-tells.test.ts'];
const WINDOW_TESTS = ['durable-objects/order-book/feed/book-window.test.ts'];

const QUEUE_TESTS = ['durable-objects/order-book/cycle/command-queue.test.ts'];

const SUBSCRIPTION_TESTS = ['test/runtime/adversary/stranger/subscriptions.test.ts'];

const AGENT_TESTS = ['test/runtime/adversary/agent-key/messages-and-streams.test.ts'];

/** What feeds tell, what a caller's messages cost before they are counted, and who waits for whom. */
export const FEED_AND_QUEUE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'feed: own orders are followed by the symbols that lists give them, by server-sent events too',
    file: 'workers/book/open-stream-route.ts',
    from: "channel === 'orders' ? connectOrders : connectFeed",
    to: "channel === 'account' ? connectOrders : connectFeed",
    tests: ['test/runtime/durable-objects/feed/feeds.test.ts'],
  },
  {
    rule: 'feed: own orders of a symbol where the account has none are refused by server-sent events',
    file: 'workers/book/feed-connection.ts',
    from: 'return unknown === null ? connectFeed(c, undefined) : err(unknown);',
    to: 'return unknown === null || unknown.code.length > 0 ? connectFeed(c, undefined) : err(unknown);',
    tests: ['test/runtime/durable-objects/feed/feeds.test.ts'],
  },
  {
    rule: 'feed: a term that is misspelt refuses its message',
    file: 'protocol/feeds/client-message.ts',
    from: "z.strictObject({\n    type: z.literal('subscribe'),",
    to: "z.object({\n    type: z.literal('subscribe'),",
    tests: ['protocol/feeds/client-message.test.ts'],
  },
  {
    rule: 'feed: a book is told in few depths',
    file: 'protocol/feeds/topic.ts',
    from: 'return BOOK_DEPTHS.find((depth) => depth >= asked) ?? DEPTH_MAX;',
    to: 'return asked;',
    tests: BOOK_TESTS,
  },
  {
    rule: 'feed: a depth that nobody follows costs nothing',
    file: 'durable-objects/order-book/feed/book-feed.ts',
    from: 'if (this.#depths.delete(topicKey(topic))) this.#leftAt = Date.now();',
    to: 'this.#leftAt = Date.now();',
    tests: BOOK_TESTS,
  },
  {
    rule: 'feed: the changed levels that a book keeps have a bound',
    file: 'durable-objects/order-book/feed/book-window.ts',
    from: 'this.#updates.length >= 2 * UPDATES_KEPT || this.#levelsKept > LEVELS_KEPT',
    to: 'this.#updates.length >= 2 * UPDATES_KEPT',
    tests: WINDOW_TESTS,
  },
  {
    rule: 'feed: the sequence of a book counts displayed levels alone',
    file: 'durable-objects/order-book/feed/market-view.ts',
    from: "if (event.type !== 'level') continue;",
    to: '',
    tests: BOOK_TESTS,
  },
  {
    rule: 'feed: the time of a book is that of its last public change',
    file: 'durable-objects/order-book/feed/market-view.ts',
    from: 'if (levels > 0 || chunks.some(({ trades }) => trades.length > 0)) this.changedAt = time_ms;',
    to: 'this.changedAt = time_ms;',
    tests: BOOK_TESTS,
  },
  {
    rule: 'feed: a ticker that its followers know is not said again',
    file: 'durable-objects/order-book/feed/book-feed.ts',
    from: '        this.#ticker = pricesSeen(state);\n        return',
    to: '        return',
    tests: BOOK_TESTS,
  },
  {
    rule: 'queue: an amendment shares no batch with a command on its order',
    file: 'durable-objects/order-book/cycle/command-queue.ts',
    from: 'if (turn.named.has(command.orderId)) return false;',
    to: '',
    tests: QUEUE_TESTS,
  },
  {
    rule: 'queue: a mass cancel is the last of its account in a batch',
    file: 'durable-objects/order-book/cycle/command-queue.ts',
    from: "if (next.pending.command.type !== 'mass_cancel') still.push(turn);",
    to: 'still.push(turn);',
    tests: QUEUE_TESTS,
  },
  {
    rule: 'queue: nothing later shares the batch of the end of all orders',
    file: 'durable-objects/order-book/cycle/command-queue.ts',
    from: 'const before = ofAll?.arrival ?? Number.POSITIVE_INFINITY;',
    to: 'const before = Number.POSITIVE_INFINITY;',
    tests: QUEUE_TESTS,
  },
  {
    rule: 'queue: the end of a family relation comes behind what both sent before',
    file: 'durable-objects/order-book/cycle/command-queue.ts',
    from: 'return other === undefined || (other.lane[other.taken]?.arrival ?? arrival) >= arrival;',
    to: 'return true;',
    tests: QUEUE_TESTS,
  },
  {
    rule: 'queue: whoever has had a turn stands behind those who have not',
    file: 'durable-objects/order-book/cycle/command-queue.ts',
    from: `    this.#lanes.delete(account);
    if (lane.length > 0) this.#lanes.set(account, lane);`,
    to: '    if (lane.length === 0) this.#lanes.delete(account);',
    tests: QUEUE_TESTS,
  },
  {
    rule: 'queue: one account does not fill it',
    file: 'durable-objects/order-book/cycle/order-flow.ts',
    from: 'const hasRoom = isCancel || this.#queue.lengthOf(account) < ACCOUNT_COMMANDS_MAX;',
    to: 'const hasRoom = true;',
    tests: ['durable-objects/order-book/cycle/order-flow.test.ts'],
  },
  {
    rule: 'feed: a subscription draws on the limit of its caller',
    file: 'durable-objects/fan-out/hub.ts',
    from: 'return this.#refuse(connection, message, notDrawn.error);',
    to: '',
    tests: SUBSCRIPTION_TESTS,
  },
  {
    rule: 'feed: names that are asked for together are looked up in one statement',
    file: 'durable-objects/fan-out/listed-markets.ts',
    from: 'this.#next ??= this.#after(this.#running);',
    to: 'this.#next = this.#after(this.#running);',
    tests: SUBSCRIPTION_TESTS,
  },
  {
    rule: 'agent: one request carries one message',
    file: 'workers/agent/post-message-route.ts',
    from: 'if (await isBatch(c)) return oneMessageAlone() as FailureResponse;',
    to: '',
    tests: AGENT_TESTS,
  },
  {
    rule: 'agent: a stream is one of its user’s five connections',
    file: 'workers/agent/open-session-route.ts',
    from: 'if (!acquired) {',
    to: 'if (false) {',
    tests: AGENT_TESTS,
  },
];
