import type { Facts } from '../texts/texts.ts';
import type { Cause, HaltStep, Overview, StandingMarket } from './queries.ts';
import type { OperatorCount, OperatorKey } from './use-operator-words.ts';

/** Where somebody mends it. */
export type Remedy =
  | { readonly page: 'markets' | 'ledger' | 'parts' }
  | { readonly page: 'market'; readonly symbol: string };

/** Something that needs a person: what, who has done it and why, and where it is mended. */
export interface Trouble {
  readonly id: string;
  readonly tone: 'bad' | 'warn';
  readonly title:
    | { readonly key: OperatorKey; readonly facts?: Facts }
    | { readonly count: OperatorCount; readonly n: number };
  readonly step: HaltStep | null;
  /** In the words of the API. */
  readonly words: string | null;
  /** ISO time at which it ends by itself. */
  readonly until: string | null;
  readonly remedy: Remedy;
}

/** Seconds that reads may be behind, and minutes that something may wait to be told. */
const LAG_SECONDS_MAX = 10;
const TELLING_MS_MAX = 10 * 60_000;
/** So full is worth a look. */
const FILL_MAX = 0.9;

type Terms = Omit<Trouble, 'step' | 'words' | 'until'> & Partial<Pick<Trouble, 'step' | 'words' | 'until'>>;

function trouble(terms: Terms): Trouble {
  return { step: null, words: null, until: null, ...terms };
}

/** Everything that needs a person, what stops trading first, and of that the ledger, without which no market goes on. */
export function troublesOf(overview: Overview): readonly Trouble[] {
  const all = [...ofLedger(overview), ...ofTrading(overview), ...ofParts(overview), ...unread(overview)];
  return [...all.filter(({ tone }) => tone === 'bad'), ...all.filter(({ tone }) => tone === 'warn')];
}

/** Causes of every market at once: each is trouble of its own. */
const OF_ALL: readonly Cause[] = ['venue_halted', 'ledger_halted', 'ledger_away', 'ledger_refuses'];
/** What books come to while the ledger stands still. */
const OF_NO_LEDGER: readonly Cause[] = ['book_away', 'book_not_started'];

function ofTrading(overview: Overview): Trouble[] {
  const { trading } = overview;
  if (trading === null) return [];
  const isWithout = isLedgerAway(overview) || (overview.ledger?.halted ?? null) !== null;
  const ownOf = ({ causes }: StandingMarket) =>
    causes.filter((cause) => !OF_ALL.includes(cause) && !(isWithout && OF_NO_LEDGER.includes(cause)));
  const markets = trading.standing.map((market) => ({ ...market, causes: ownOf(market) }));
  const waiting = trading.standing.filter(
    ({ causes }) => isWithout && causes.some((cause) => OF_NO_LEDGER.includes(cause)),
  );
  return [
    ...(trading.venueHalted
      ? [
          trouble({
            id: 'venue',
            tone: 'bad',
            title: { key: 'trouble.venue' },
            step: trading.venueHalt,
            remedy: { page: 'markets' },
          }),
        ]
      : []),
    ...(waiting.length > 0
      ? [
          trouble({
            id: 'books',
            tone: 'warn',
            title: { count: 'trouble.books', n: waiting.length },
            remedy: { page: 'ledger' },
          }),
        ]
      : []),
    ...markets
      .filter(({ causes }) => causes.length > 0)
      .map((market) =>
        trouble({
          id: `market ${market.symbol}`,
          tone: market.causes.every((cause) => MENDS_ITSELF.includes(cause)) ? 'warn' : 'bad',
          title: { key: 'trouble.market', facts: { symbol: market.symbol, cause: `cause.${market.causes[0]}` } },
          step: market.halt,
          words: market.bookHalted ?? market.securityReason,
          until: market.haltedUntil,
          remedy: { page: 'market', symbol: market.symbol },
        }),
      ),
  ];
}

/** Ends by itself. */
const MENDS_ITSELF: readonly Cause[] = ['band_halt', 'shares_split'];

function isLedgerAway({ ledger, unanswered }: Overview): boolean {
  return ledger === null && unanswered.includes('ledger');
}

function ofLedger(overview: Overview): Trouble[] {
  const { ledger } = overview;
  const remedy = { page: 'ledger' } as const;
  if (isLedgerAway(overview))
    return [trouble({ id: 'ledger', tone: 'bad', title: { key: 'trouble.ledger_away' }, remedy })];
  if (ledger === null) return [];
  const seconds = Math.round(Number(ledger.lag.seconds));
  if (ledger.halted !== null)
    return [
      trouble({ id: 'ledger', tone: 'bad', title: { key: 'trouble.ledger_halted' }, words: ledger.halted, remedy }),
    ];
  return [
    ...(ledger.admits ? [] : [trouble({ id: 'ledger', tone: 'bad', title: { key: 'trouble.ledger_full' }, remedy })]),
    ...(seconds > LAG_SECONDS_MAX
      ? [trouble({ id: 'lag', tone: 'warn', title: { key: 'trouble.lag', facts: { seconds } }, remedy })]
      : []),
    ...ledger.bounds
      .filter(({ fill }) => Number(fill) >= FILL_MAX)
      .map(({ bound, fill }) =>
        trouble({
          id: `bound ${bound}`,
          tone: 'warn',
          title: { key: 'trouble.bound', facts: { bound, percent: Math.floor(Number(fill) * 100) } },
          remedy,
        }),
      ),
  ];
}

/** Jobs that fail again and again, or do not begin. */
export function failingJobs(jobs: NonNullable<Overview['jobs']>) {
  return jobs.filter(({ failuresInRow, isOverdue }) => isOverdue || Number(failuresInRow) >= 2);
}

function ofParts({ at, jobs, deliveries, chain, broker }: Overview): Trouble[] {
  const found: Trouble[] = [];
  const warn = (id: string, title: Trouble['title'], words: string | null = null) =>
    found.push(trouble({ id, tone: 'warn', title, words, remedy: { page: 'parts' } }));
  const failing = jobs === null ? [] : failingJobs(jobs);
  if (failing.length > 0)
    warn('jobs', { count: 'trouble.jobs', n: failing.length }, failing.map(({ job }) => job).join(', '));
  const isLate = (since: string | null) => since !== null && Date.parse(at) - Date.parse(since) > TELLING_MS_MAX;
  for (const [part, key] of [
    ['events', 'trouble.deliveries'],
    ['mails', 'trouble.mails'],
  ] as const) {
    const since = deliveries?.[part].oldestAt ?? null;
    if (since !== null && isLate(since)) warn(part, { key, facts: { time: since } });
  }
  const disabled = Number(deliveries?.disabledEndpoints.count ?? 0);
  if (disabled > 0) warn('endpoints', { count: 'trouble.endpoints', n: disabled });
  if (chain?.blocksWaitFor != null) warn('blocks', { key: 'trouble.blocks' }, chain.blocksWaitFor);
  if (chain?.registryWaitsFor != null) warn('registry', { key: 'trouble.registry' }, chain.registryWaitsFor);
  if (chain?.checkpointsWaitFor != null) warn('checkpoints', { key: 'trouble.checkpoints' }, chain.checkpointsWaitFor);
  for (const part of chain?.unanswered ?? [])
    warn(`chain ${part}`, { key: 'trouble.part', facts: { part: `part.${part}` } });
  const uncompared = Number(broker?.uncompared.count ?? 0);
  if (uncompared > 0) warn('broker', { count: 'trouble.broker', n: uncompared });
  return found;
}

function unread({ unanswered }: Overview): Trouble[] {
  return unanswered
    .filter((part) => part !== 'ledger')
    .map((part) =>
      trouble({
        id: `part ${part}`,
        tone: part === 'trading' ? 'bad' : 'warn',
        title: { key: 'trouble.part', facts: { part: `part.${part}` } },
        remedy: { page: 'parts' },
      }),
    );
}
