import type { Mutant } from './mutant.ts';

const DESTINATION = 'domain/webhooks/destination.ts';
const DESTINATION_TESTS = ['domain/webhooks/destination.test.ts'];
const ENDPOINT_TESTS = ['test/runtime/durable-objects/webhook-endpoint/webhook-endpoint.test.ts'];
const ENDPOINT = 'durable-objects/webhook-endpoint/webhook-endpoint.ts';
const QUEUE = 'durable-objects/webhook-endpoint/delivery-queue.ts';
const CARRY = 'application/partner/webhooks/carry-messages.ts';
const BREAKER = 'domain/webhooks/breaker.ts';
const BREAKER_TESTS = ['domain/webhooks/breaker.test.ts'];
const DISPATCH = 'durable-objects/webhook-dispatch/webhook-dispatch.ts';
const DISPATCH_TESTS = ['test/runtime/durable-objects/webhook-dispatch/webhook-dispatch.test.ts'];
const PARTIES = 'data/webhooks/trade-parties.ts';
const PARTY_TESTS = ['test/runtime/durable-objects/webhook-dispatch/trade-parties.test.ts'];
const MANAGE = 'application/partner/webhooks/manage-endpoints.ts';
const LIST = 'application/partner/webhooks/list-events.ts';
const PARTNER_EVENTS = 'durable-objects/partner-events/partner-events.ts';
const EVENT_LOG = 'durable-objects/partner-events/event-log.ts';
const EVENTS_TESTS = ['test/runtime/workers/partner/events.test.ts'];
const ROUTE_TESTS = ['test/runtime/workers/partner/webhooks.test.ts'];

/** Who is told what, how often and in which order, and where nothing may be sent. */
export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  {
    rule: 'webhooks go over https alone',
    file: DESTINATION,
    from: "if (url.protocol !== 'https:') return err('not_https');",
    to: '',
    tests: DESTINATION_TESTS,
  },
  {
    rule: 'a receiver has a name and no address',
    file: DESTINATION,
    from: "if (name.startsWith('[') || parseAddress(name) !== null) return err('address_literal');",
    to: '',
    tests: DESTINATION_TESTS,
  },
  {
    rule: 'link-local addresses are not public',
    file: DESTINATION,
    from: "  '169.254.0.0/16',\n",
    to: '',
    tests: DESTINATION_TESTS,
  },
  {
    rule: 'IPv4 inside IPv6 is not public',
    file: DESTINATION,
    from: "return !text.includes(':') && !isAddressAllowed(text, NOT_PUBLIC);",
    to: 'return !isAddressAllowed(text, NOT_PUBLIC);',
    tests: DESTINATION_TESTS,
  },
  {
    rule: 'every address of a name is examined before a delivery',
    file: 'durable-objects/webhook-endpoint/webhook-endpoint.ts',
    from: "if (!addresses.every(isPublicAddress)) return 'not_public';",
    to: '',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'every address of a name is examined at registration',
    file: 'application/partner/webhooks/examine-destination.ts',
    from: "return addresses.every(isPublicAddress) ? ok(destination.value.url) : err(refused('not_public'));",
    to: 'return ok(destination.value.url);',
    tests: ROUTE_TESTS,
  },
  {
    rule: 'a redirect is followed nowhere',
    file: 'durable-objects/webhook-sending/send.ts',
    from: "redirect: 'manual',",
    to: '',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'a message is given up after three days',
    file: 'domain/webhooks/retry-schedule.ts',
    from: 'if (now >= end) return null;',
    to: '',
    tests: ['domain/webhooks/retry-schedule.test.ts'],
  },
  {
    rule: 'an event is taken into a queue once',
    file: 'durable-objects/webhook-endpoint/delivery-queue.ts',
    from: 'CREATE UNIQUE INDEX IF NOT EXISTS told ON deliveries (event_id) WHERE replay_of IS NULL;',
    to: 'CREATE UNIQUE INDEX IF NOT EXISTS told ON deliveries (event_id) WHERE replay_of IS NULL AND 0;',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'the message at the head of a line blocks those behind it',
    file: QUEUE,
    from: 'line !== null && this.headOf(line) !== null ? 1 : 0,',
    to: '0,',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'a message is given out to one who asks',
    file: ENDPOINT,
    from: 'if (this.#isTaken(sequence, now)) continue;',
    to: '',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'a try by terms that hold no longer disables nothing',
    file: ENDPOINT,
    from: 'generation === this.#generation, now',
    to: 'true, now',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'replays leave room for what happens',
    file: 'durable-objects/webhook-endpoint/api.ts',
    from: 'WAITING_BYTES_WITH_REPLAYS_MAX = WAITING_BYTES_MAX / 2;',
    to: 'WAITING_BYTES_WITH_REPLAYS_MAX = WAITING_BYTES_MAX * 2;',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'an event counts as told once its endpoints have it',
    file: DISPATCH,
    from: "    await this.step('before_enqueue');",
    to: "    await markDispatched(db, events.map(({ id }) => id), now);\n    await this.step('before_enqueue');",
    tests: DISPATCH_TESTS,
  },
  {
    rule: 'an endpoint whose object hangs keeps no event from others',
    file: DISPATCH,
    from: 'await Promise.race([this.#take(to, messages), late]);',
    to: 'await this.#take(to, messages);',
    tests: DISPATCH_TESTS,
  },
  {
    rule: 'what is told while messages are held stands behind them',
    file: DISPATCH,
    from: 'if (!this.#held.isHolding(to) && (await',
    to: 'if ((await',
    tests: DISPATCH_TESTS,
  },
  {
    rule: 'a partner is told of its own securities alone',
    file: DISPATCH,
    from: 'if (!receiving.has(organization) || !events.includes(event.type)) continue;',
    to: 'if (!events.includes(event.type)) continue;',
    tests: DISPATCH_TESTS,
  },
  {
    rule: 'an endpoint is told what it is subscribed to',
    file: DISPATCH,
    from: 'if (!receiving.has(organization) || !events.includes(event.type)) continue;',
    to: 'if (!receiving.has(organization)) continue;',
    tests: DISPATCH_TESTS,
  },
  {
    rule: 'nobody subscribes outside its role',
    file: 'application/partner/webhooks/outside-role.ts',
    from: 'if (outside.length === 0) return null;',
    to: 'if (outside.length >= 0) return null;',
    tests: ROUTE_TESTS,
  },
  {
    rule: 'an endpoint is its organization’s alone',
    file: MANAGE,
    from: 'return endpoint?.organization === organization ? ok(endpoint) : err(noSuchEndpoint());',
    to: 'return endpoint !== null ? ok(endpoint) : err(noSuchEndpoint());',
    tests: ['test/runtime/workers/partner/object-access.test.ts'],
  },
  {
    rule: 'the former secret signs for a day and no longer',
    file: ENDPOINT,
    from: 'secrets.filter(({ endsAt }) => endsAt === null || endsAt > now)',
    to: 'secrets',
    tests: ROUTE_TESTS,
  },
  {
    rule: 'partners of both sides are told of a trade',
    file: DISPATCH,
    from: 'isOfTrade(type) ? [trade?.buyer.partner, trade?.seller.partner] : []',
    to: '[]',
    tests: PARTY_TESTS,
  },
  {
    rule: 'a side of a trade has the broker-dealer of its order',
    file: PARTIES,
    from: 'if (order !== undefined) return',
    to: 'if (order === null) return',
    tests: PARTY_TESTS,
  },
  {
    rule: 'an order that says no partner is that of the partner of its investor',
    file: PARTIES,
    from: "firms.get(order?.organization ?? organization ?? '')",
    to: "firms.get(order?.organization ?? '')",
    tests: PARTY_TESTS,
  },
  {
    rule: 'a resolver that does not answer is no try of the receiver',
    file: ENDPOINT,
    from: "if (refused === 'away') this.#pause(RETRY_MS, new Error('names are not looked up'));",
    to: '',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'a message that was skipped during its last try disables no endpoint',
    file: ENDPOINT,
    from: "if (after.reason === 'gone' || !isWaiting) return",
    to: "if (after.reason === 'gone') return",
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'the list of events has every event that the role receives, subscribed or not',
    file: DISPATCH,
    from: "if (state === 'refused' || !eventsOfRole(role).includes(event.type)) continue;",
    to: "if (state === 'refused' || event.type !== 'trade.executed') continue;",
    tests: EVENTS_TESTS,
  },
  {
    rule: 'an agent is listed no trades',
    file: DISPATCH,
    from: "if (state === 'refused' || !eventsOfRole(role).includes(event.type)) continue;",
    to: "if (state === 'refused') continue;",
    tests: EVENTS_TESTS,
  },
  {
    rule: 'the message that was made first is handed to all',
    file: 'durable-objects/webhook-dispatch/made-messages.ts',
    from: 'kept.set(eventId, before === undefined ? made : (JSON.parse(before.message) as EventMessage));',
    to: 'kept.set(eventId, made);',
    tests: EVENTS_TESTS,
  },
  {
    rule: 'who was suspended while they waited is told nothing',
    file: LIST,
    from: 'return hasToken && !isSuspended;',
    to: 'return hasToken;',
    tests: EVENTS_TESTS,
  },
  {
    rule: 'who waits is told at once',
    file: PARTNER_EVENTS,
    from: "if (isNew) for (const end of [...this.#readers]) end('news');",
    to: '',
    tests: EVENTS_TESTS,
  },
  {
    rule: 'the first who waits makes room for the twenty-first',
    file: PARTNER_EVENTS,
    from: "if (first !== undefined && this.#readers.size >= READERS_MAX) first('over');",
    to: '',
    tests: EVENTS_TESTS,
  },
  {
    rule: 'a page of the list of events ends once it is long',
    file: EVENT_LOG,
    from: 'if (characters >= PAGE_CHARACTERS_MAX) break;',
    to: '',
    tests: EVENTS_TESTS,
  },
  {
    rule: 'the list of events is in the order in which they were told, whatever their types',
    file: EVENT_LOG,
    from: '.toSorted((one, other) => one - other)',
    to: '',
    tests: EVENTS_TESTS,
  },
  {
    rule: 'the list of events forgets after thirty days, and no sooner',
    file: EVENT_LOG,
    from: 'const KEPT_MS = 30 * DAY_MS;',
    to: 'const KEPT_MS = 29 * DAY_MS;',
    tests: EVENTS_TESTS,
  },
  {
    rule: 'what is delivered frees the next of its line',
    file: QUEUE,
    from: 'const head = line === null ? null : this.headOf(line);',
    to: 'const head = null;',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'a message of no line is given up alone where others were taken',
    file: ENDPOINT,
    from: "if (message.line === '' || deliveredAt < firstTriedAt) return after.reason;",
    to: 'return after.reason;',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'a line is given up whole',
    file: QUEUE,
    from: "const [condition, value] = line === null ? ['sequence = ?', sequence] : ['line = ?', line];",
    to: "const [condition, value] = ['sequence = ?', sequence];",
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'what is carried is not carried again',
    file: ENDPOINT,
    from: 'return due.filter((sequence) => !this.#carried.has(sequence)).slice(0, room);',
    to: 'return due.slice(0, room);',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'two messages of an endpoint are under way in a consumer',
    file: CARRY,
    from: 'const AT_ONCE = 2;',
    to: 'const AT_ONCE = 20;',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'a consumer leaves the rest of an endpoint that fails to its object',
    file: CARRY,
    from: 'if (this.#isOver || this.#carriage.isOver || this.#failures >= FAILURES_MAX) return undefined;',
    to: 'if (this.#isOver || this.#carriage.isOver) return undefined;',
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'a breaker opens with the fifth failure in a row',
    file: BREAKER,
    from: 'const OPENS_AFTER = 5;',
    to: 'const OPENS_AFTER = 6;',
    tests: BREAKER_TESTS,
  },
  {
    rule: 'half open one is tried',
    file: BREAKER,
    from: 'return now >= this.#openUntil && underWay === 0 ? 1 : 0;',
    to: 'return now >= this.#openUntil ? 1 : 0;',
    tests: BREAKER_TESTS,
  },
  {
    rule: 'what was under way when a breaker opened does not count',
    file: BREAKER,
    from: 'if (now < this.openUntil) return;',
    to: '',
    tests: BREAKER_TESTS,
  },
  {
    rule: 'the half-open tries are of the oldest message and of the newest',
    file: ENDPOINT,
    from: "return failures % 2 === 1 ? 'oldest' : 'newest';",
    to: "return 'longest_due';",
    tests: ENDPOINT_TESTS,
  },
  {
    rule: 'an owner states no header of ours',
    file: 'domain/webhooks/own-headers.ts',
    from: "if (RESERVED.some((reserved) => reserved.test(name))) return 'reserved';",
    to: '',
    tests: ['domain/webhooks/own-headers.test.ts'],
  },
  {
    rule: 'headers of an owner are sealed',
    file: MANAGE,
    from: 'headers: await sealSecret(JSON.stringify(headers), API_KEY_MASTER_KEY, headersContext(id))',
    to: 'headers: JSON.stringify(headers)',
    tests: ROUTE_TESTS,
  },
  {
    rule: 'an endpoint is told of the securities that it asks for',
    file: DISPATCH,
    from: 'if (securityIds !== null && (securityId === null || !securityIds.includes(securityId))) continue;',
    to: '',
    tests: DISPATCH_TESTS,
  },
  {
    rule: 'a range that is sent again has no tests',
    file: QUEUE,
    from: 'AND type <> ? ORDER BY sequence LIMIT ?`,',
    to: "AND type <> ? || 'x' ORDER BY sequence LIMIT ?`,",
    tests: ROUTE_TESTS,
  },
];
