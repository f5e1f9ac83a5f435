import type { Model } from './explore.ts';

/**
 * A book and its ledger as messages see them: fences, batches and cursors, with instances that die or linger, requests and answers that
 * are lost or come late. Admitted orders are filled at once; those with an odd number may rest instead until they are cancelled, which the
 * newest instance may do before it owns the book. At rest nothing else may be held.
 */

/**
 * The rules of fence and recovery that no money is safe without: each may be left out, to see that the model needs it. The ledger has
 * more, which are always on here because leaving them out breaks nothing in this model: the settled cursor in the fence (a second lock beside
 * the batch number, for a book restored from a backup), and ownership only from the owner that was read (a late request of a dead instance
 * would not harm the ledger, but stop the living one).
 */
export interface Rules {
  /** The ledger takes a batch from the owner alone. */
  readonly fenceNamesOwner: boolean;
  /** Batch n lands after n − 1 alone. */
  readonly fenceNamesBatch: boolean;
  /** While a batch's outcome is open, the same batch is sent again and nothing else. */
  readonly sameBatchUntilKnown: boolean;
  /** A new owner releases what the last batch admitted and the journal lacks. */
  readonly recoveryReleases: boolean;
  /** Callers are answered once the journal has the cycle. */
  readonly journalBeforeAnswer: boolean;
  /** A retry carries the same id, and an id enters once. */
  readonly idsEnterOnce: boolean;
  /** A cancel counts once it is in the storage, which the newest instance alone can write. */
  readonly cancelsAreStored: boolean;
}

export const ALL_RULES: Rules = {
  fenceNamesOwner: true,
  fenceNamesBatch: true,
  sameBatchUntilKnown: true,
  recoveryReleases: true,
  journalBeforeAnswer: true,
  idsEnterOnce: true,
  cancelsAreStored: true,
};

const INSTANCES_MAX = 5;

/** How much may go wrong in one run. */
export interface Budget {
  readonly orders: number;
  /** Whether orders with an odd number rest. */
  readonly resting: boolean;
  readonly crashes: number;
  readonly losses: number;
  readonly resends: number;
}

interface Effect {
  readonly kind: 'fill' | 'release';
  readonly order: number;
}

interface Batch {
  readonly owner: number;
  readonly n: number;
  readonly from: number;
  readonly effects: readonly Effect[];
  readonly orders: readonly number[];
}

type Message =
  | { readonly type: 'own'; readonly owner: number; readonly previous: number }
  | { readonly type: 'batch'; readonly batch: Batch }
  | {
      readonly type: 'owned';
      readonly to: number;
      readonly batch: number;
      readonly settled: number;
      readonly admitted: readonly number[];
    }
  | { readonly type: 'landed'; readonly to: number; readonly n: number; readonly refused: readonly number[] }
  | { readonly type: 'fenced'; readonly to: number };

interface Instance {
  readonly id: number;
  readonly phase: 'starting' | 'taking' | 'running' | 'sent';
  /** The fence as this instance knows it. */
  readonly batch: number;
  readonly settled: number;
  readonly pending: Batch | null;
  readonly queue: readonly number[];
}

export interface State {
  readonly ledger: {
    readonly owner: number;
    readonly batch: number;
    readonly settled: number;
    /** Of the last batch: what it admitted and what it refused. */
    readonly admitted: readonly number[];
    readonly refused: readonly number[];
    readonly holds: readonly number[];
    readonly known: readonly number[];
    readonly fills: readonly number[];
  };
  /** The book's storage, which the newest instance alone can write. */
  readonly journal: {
    readonly batch: number;
    readonly effects: readonly Effect[];
    /** Orders that rest, by the journal. */
    readonly resting: readonly number[];
  };
  readonly instances: readonly Instance[];
  readonly newest: number;
  readonly messages: readonly Message[];
  /** Orders by their number: how often they were sent, and whether they were answered. */
  readonly sent: readonly number[];
  readonly answered: readonly number[];
  /** Orders whose cancellation was acknowledged. */
  readonly cancelled: readonly number[];
  readonly left: Omit<Budget, 'orders' | 'resting'>;
  readonly resting: boolean;
  readonly broken: string | null;
}

export function bookAndLedger(rules: Rules, { orders, resting, ...left }: Budget): Model<State> {
  return {
    initial: {
      ledger: { owner: 0, batch: 0, settled: 0, admitted: [], refused: [], holds: [], known: [], fills: [] },
      journal: { batch: 0, effects: [], resting: [] },
      instances: [newInstance(1)],
      newest: 1,
      messages: [],
      sent: [],
      answered: [],
      cancelled: [],
      left,
      resting,
      broken: null,
    },
    steps: (state) => stepsOf(state, rules, orders),
    violation: violationOf,
  };
}

function newInstance(id: number): Instance {
  return { id, phase: 'starting', batch: 0, settled: 0, pending: null, queue: [] };
}

function violationOf(state: State): string | null {
  if (state.broken !== null) return state.broken;
  const { ledger, journal, cancelled } = state;
  const filled = journal.effects.filter(({ kind }) => kind === 'fill').map(({ order }) => order);
  if (new Set(filled).size < filled.length) return 'an order was executed twice';
  for (const order of state.answered)
    if (![...filled, ...journal.resting, ...cancelled].includes(order))
      return `order ${order} was acknowledged and is not in the journal`;
  for (const order of cancelled)
    if (journal.resting.includes(order)) return `order ${order} was acknowledged as cancelled and rests`;
  const isQuiet =
    state.messages.length === 0 &&
    state.instances.every(({ phase, queue }) => phase === 'running' && queue.length === 0);
  const stuck = ledger.holds.find((order) => !journal.resting.includes(order));
  if (isQuiet && state.instances.length === 1 && ledger.settled === journal.effects.length && stuck !== undefined)
    return `at rest, order ${stuck} is still held`;
  return null;
}

function* stepsOf(state: State, rules: Rules, orders: number): Generator<readonly [string, State]> {
  const { instances, messages, left } = state;
  const newest = instances.find(({ id }) => id === state.newest);
  // Callers: a new order, or one whose answer was lost on its way, sent once more.
  if (newest !== undefined && (newest.phase === 'running' || newest.phase === 'sent')) {
    for (let order = 0; order < orders; order++) {
      const times = state.sent[order] ?? 0;
      if (times > 1 || newest.queue.includes(order) || newest.pending?.orders.includes(order)) continue;
      const sent = Array.from({ length: orders }, (_, each) => (state.sent[each] ?? 0) + (each === order ? 1 : 0));
      const queue = [...newest.queue, order];
      yield [`order ${order} to ${newest.id}`, withInstance({ ...state, sent }, { ...newest, queue })];
    }
  }
  for (const instance of instances) yield* cancelSteps(state, rules, instance);
  for (const instance of instances) yield* instanceSteps(state, rules, instance);
  for (const [at, message] of messages.entries()) {
    const rest = { ...state, messages: messages.filter((_, index) => index !== at) };
    yield [`deliver ${nameOf(message)}`, delivered(rest, rules, message)];
    if (left.losses > 0) yield [`lose ${nameOf(message)}`, { ...rest, left: { ...left, losses: left.losses - 1 } }];
  }
  if (left.crashes > 0 && newest !== undefined) {
    const next = { ...state, newest: state.newest + 1, left: { ...left, crashes: left.crashes - 1 } };
    const others = instances.filter(({ id }) => id !== newest.id);
    yield ['crash', { ...next, instances: [...others, newInstance(next.newest)] }];
    // The old instance lives on without its storage: what it sent, and may send again, is still on the wire.
    if (newest.phase === 'sent')
      yield ['replaced', { ...next, instances: [...others, newest, newInstance(next.newest)] }];
  }
}

/** An order that rests is cancelled, whether the instance owns the book or not. One that was replaced cannot write it down. */
function* cancelSteps(state: State, rules: Rules, { id, phase }: Instance): Generator<readonly [string, State]> {
  if (phase === 'starting' || (id !== state.newest && rules.cancelsAreStored)) return;
  for (const order of state.journal.resting) {
    const { batch, effects, resting } = state.journal;
    const stored = {
      batch,
      effects: [...effects, { kind: 'release', order } as const],
      resting: resting.filter((each) => each !== order),
    };
    const journal = id === state.newest ? stored : state.journal;
    const cancelled = [...new Set([...state.cancelled, order])].sort();
    yield [`${id} cancels order ${order}`, { ...state, journal, cancelled }];
  }
}

function* instanceSteps(state: State, rules: Rules, instance: Instance): Generator<readonly [string, State]> {
  const { ledger, journal, left } = state;
  switch (instance.phase) {
    case 'starting':
      yield [
        `${instance.id} reads the owner and asks for the book`,
        withMessage(withInstance(state, { ...instance, phase: 'taking' }), {
          type: 'own',
          owner: instance.id,
          previous: ledger.owner,
        }),
      ];
      return;
    case 'taking':
      if (left.resends > 0 && !isOnTheWire(state, instance.id))
        yield [
          `${instance.id} asks again`,
          withMessage(usedResend(state), { type: 'own', owner: instance.id, previous: ledger.owner }),
        ];
      return;
    case 'running': {
      const effects = journal.effects.slice(instance.settled);
      if (instance.queue.length === 0 && effects.length === 0) return;
      if (instance.id !== state.newest) return;
      const batch = {
        owner: instance.id,
        n: instance.batch + 1,
        from: instance.settled,
        effects,
        orders: instance.queue,
      };
      yield [
        `${instance.id} sends batch ${batch.n}`,
        withMessage(withInstance(state, { ...instance, phase: 'sent', pending: batch, queue: [] }), {
          type: 'batch',
          batch,
        }),
      ];
      return;
    }
    case 'sent': {
      if (left.resends === 0 || instance.pending === null) return;
      const batch = rules.sameBatchUntilKnown
        ? instance.pending
        : { ...instance.pending, orders: instance.queue, effects: journal.effects.slice(instance.settled) };
      const queue = rules.sameBatchUntilKnown ? instance.queue : instance.pending.orders;
      yield [
        `${instance.id} sends batch ${batch.n} again`,
        withMessage(withInstance(usedResend(state), { ...instance, pending: batch, queue }), { type: 'batch', batch }),
      ];
    }
  }
}

function delivered(state: State, rules: Rules, message: Message): State {
  switch (message.type) {
    case 'own':
      return takenOver(state, message);
    case 'batch':
      return landed(state, rules, message.batch);
    default:
      return answeredTo(state, rules, message);
  }
}

function takenOver(state: State, { owner, previous }: Extract<Message, { type: 'own' }>): State {
  const { ledger } = state;
  if (ledger.owner !== previous && ledger.owner !== owner) return withMessage(state, { type: 'fenced', to: owner });
  const { batch, settled } = ledger;
  const admitted = ledger.admitted.filter((order) => ledger.holds.includes(order));
  return withMessage(
    { ...state, ledger: { ...ledger, owner } },
    { type: 'owned', to: owner, batch, settled, admitted },
  );
}

function landed(state: State, rules: Rules, batch: Batch): State {
  const { ledger } = state;
  const isOwner = !rules.fenceNamesOwner || ledger.owner === batch.owner;
  const wasLast = ledger.batch === batch.n && ledger.owner === batch.owner;
  if (wasLast && rules.fenceNamesBatch)
    return withMessage(state, { type: 'landed', to: batch.owner, n: batch.n, refused: ledger.refused });
  const isNext = !rules.fenceNamesBatch || ledger.batch === batch.n - 1;
  const isFromCursor = ledger.settled === batch.from;
  if (!isOwner || !isNext || !isFromCursor) return withMessage(state, { type: 'fenced', to: batch.owner });
  let { holds, fills } = ledger;
  let broken: string | null = state.broken;
  for (const { kind, order } of batch.effects) {
    if (!holds.includes(order)) broken = `a ${kind} of order ${order} settles, which holds nothing`;
    holds = holds.filter((held) => held !== order);
    if (kind === 'fill') fills = [...fills, order];
  }
  const refused = rules.idsEnterOnce ? batch.orders.filter((order) => ledger.known.includes(order)) : [];
  const admitted = batch.orders.filter((order) => !refused.includes(order));
  const next = {
    ...ledger,
    batch: batch.n,
    settled: batch.from + batch.effects.length,
    admitted,
    refused,
    holds: [...holds, ...admitted].sort(),
    known: [...new Set([...ledger.known, ...admitted])].sort(),
    fills,
  };
  return withMessage({ ...state, ledger: next, broken }, { type: 'landed', to: batch.owner, n: batch.n, refused });
}

function answeredTo(state: State, rules: Rules, message: Exclude<Message, { type: 'own' | 'batch' }>): State {
  const instance = state.instances.find(({ id }) => id === message.to);
  if (instance === undefined) return state;
  const isNewest = instance.id === state.newest;
  switch (message.type) {
    case 'fenced':
      return withoutInstance(state, instance.id);
    case 'owned': {
      if (instance.phase !== 'taking') return state;
      if (!isNewest) return withoutInstance(state, instance.id);
      const isUnjournaled = message.batch > state.journal.batch;
      const releases: Effect[] =
        isUnjournaled && rules.recoveryReleases ? message.admitted.map((order) => ({ kind: 'release', order })) : [];
      const journal = { ...state.journal, batch: message.batch, effects: [...state.journal.effects, ...releases] };
      const { batch, settled } = message;
      return withInstance({ ...state, journal }, { ...instance, phase: 'running', batch, settled });
    }
    case 'landed': {
      const { pending } = instance;
      if (instance.phase !== 'sent' || pending?.n !== message.n) return state;
      const matched = pending.orders.filter((order) => !message.refused.includes(order));
      const answered = [...new Set([...state.answered, ...matched])].sort();
      if (!isNewest) {
        const next = withoutInstance(state, instance.id);
        return rules.journalBeforeAnswer ? next : { ...next, answered };
      }
      const rests = (order: number): boolean => state.resting && order % 2 === 1;
      const fills = matched.filter((order) => !rests(order)).map((order): Effect => ({ kind: 'fill', order }));
      const resting = [...state.journal.resting, ...matched.filter(rests)].sort();
      const journal = { batch: message.n, effects: [...state.journal.effects, ...fills], resting };
      const settled = pending.from + pending.effects.length;
      const running: Instance = { ...instance, phase: 'running', batch: message.n, settled, pending: null };
      return withInstance({ ...state, journal, answered }, running);
    }
  }
}

function isOnTheWire({ messages }: State, id: number): boolean {
  return messages.some((message) =>
    message.type === 'own' ? message.owner === id : 'to' in message && message.to === id,
  );
}

function withInstance(state: State, instance: Instance): State {
  return { ...state, instances: state.instances.map((each) => (each.id === instance.id ? instance : each)) };
}

function withoutInstance(state: State, id: number): State {
  if (id !== state.newest) return { ...state, instances: state.instances.filter((each) => each.id !== id) };
  // A book that must stop is started again by its next caller, a few times.
  const newest = state.newest + 1;
  if (newest > INSTANCES_MAX) return { ...state, instances: state.instances.filter((each) => each.id !== id) };
  return { ...state, newest, instances: [...state.instances.filter((each) => each.id !== id), newInstance(newest)] };
}

/** Messages have no order: they are kept sorted, so that equal states look equal. One that is on its way already is not doubled. */
function withMessage(state: State, message: Message): State {
  const keyed = new Map([...state.messages, message].map((each) => [JSON.stringify(each), each]));
  return { ...state, messages: [...keyed.keys()].sort().map((key) => keyed.get(key) as Message) };
}

function usedResend(state: State): State {
  return { ...state, left: { ...state.left, resends: state.left.resends - 1 } };
}

function nameOf(message: Message): string {
  switch (message.type) {
    case 'own':
      return `ownership for ${message.owner}`;
    case 'batch':
      return `batch ${message.batch.n} of ${message.batch.owner}`;
    default:
      return `${message.type} to ${message.to}`;
  }
}
