import { type PartState, STATUS_PARTS, type StatusPart, VENUE_STATES, type VenueState } from './parts.ts';

/** Reads may lag behind by so much before customers are told. */
const BEHIND_MS_MAX = 60_000;
/** So long messages to partners may wait before they are told. */
const TELLING_MS_MAX = 10 * 60_000;

/** What is known of the venue; null of what could not be read. Times are Unix milliseconds. */
export interface StatusFacts {
  readonly markets: { readonly isVenueHalted: boolean; readonly isAnyHalted: boolean } | null;
  readonly ledger: {
    readonly isHalted: boolean;
    readonly admits: boolean;
    /** Since when reads lag behind; null where they do not. */
    readonly behindSince: number | null;
  } | null;
  /** Since when partners wait to be told of something. */
  readonly partners: { readonly oldestAt: number | null } | null;
  readonly hasEvents: boolean;
  /** Parts that an open incident names; null where incidents could not be read. */
  readonly incidents: readonly StatusPart[] | null;
}

/** Why a part is not well, from worst to mildest. */
export const STATUS_REASONS = [
  'not_available',
  'trading_halted',
  'no_new_orders',
  'incident',
  'delayed',
  'some_markets_halted',
  'not_measured',
] as const;

export type StatusReason = (typeof STATUS_REASONS)[number];

const STATE_OF: Readonly<Record<StatusReason, Exclude<PartState, 'ok'>>> = {
  not_available: 'down',
  trading_halted: 'down',
  no_new_orders: 'down',
  incident: 'degraded',
  delayed: 'degraded',
  some_markets_halted: 'degraded',
  not_measured: 'unknown',
};

interface PartStatus {
  readonly part: StatusPart;
  readonly state: PartState;
  /** Null where it is well. */
  readonly reason: StatusReason | null;
}

/** Reasons that say nothing of the venue as a whole: a market is halted for minutes by a jump of its own price. */
const OF_THEIR_PART: ReadonlySet<StatusReason> = new Set(['some_markets_halted', 'not_measured']);

export interface PublicStatus {
  /** Of the part that is worst; halts of some markets, and parts that nobody measures, leave it `ok`. */
  readonly state: VenueState;
  readonly parts: readonly PartStatus[];
}

/** What customers are told: of each part whether it works, and the worst reason where it does not. No numbers, no names of markets. */
export function publicStatus(facts: StatusFacts, now: number): PublicStatus {
  const parts = STATUS_PARTS.map((part): PartStatus => {
    const found = reasonsOf(part, facts, now);
    if (facts.incidents?.includes(part) === true) found.push('incident');
    const reason = STATUS_REASONS.find((known) => found.includes(known)) ?? null;
    return { part, state: reason === null ? 'ok' : STATE_OF[reason], reason };
  });
  const ofTheWhole = parts.filter(({ reason }) => reason !== null && !OF_THEIR_PART.has(reason));
  const worst = VENUE_STATES.findLast((known) => ofTheWhole.some(({ state }) => state === known));
  return { state: worst ?? 'ok', parts };
}

function reasonsOf(part: StatusPart, facts: StatusFacts, now: number): StatusReason[] {
  switch (part) {
    case 'trading':
      return [...ofMarkets(facts), ...ofLedger(facts)];
    case 'market_data':
      if (facts.markets === null) return ['not_available'];
      // What is read follows the ledger: it stands still while that is away.
      return facts.ledger === null ? ['delayed'] : ofLag(facts, now);
    case 'money':
      return facts.ledger === null || facts.ledger.isHalted || facts.markets === null
        ? ['not_available']
        : ofLag(facts, now);
    case 'sign_in':
    case 'bridge':
      // Both need the database. Providers, mail, chains and signers are looked at by operators, and by nothing that could be told here.
      return facts.markets === null ? ['not_available'] : ['not_measured'];
    case 'partners':
      if (facts.partners === null) return ['not_available'];
      return isLong(facts.partners.oldestAt, TELLING_MS_MAX, now) ? ['delayed'] : [];
    case 'events':
      return facts.hasEvents ? [] : ['not_available'];
  }
}

function ofMarkets({ markets }: StatusFacts): StatusReason[] {
  if (markets === null) return ['not_available'];
  if (markets.isVenueHalted) return ['trading_halted'];
  return markets.isAnyHalted ? ['some_markets_halted'] : [];
}

function ofLedger({ ledger }: StatusFacts): StatusReason[] {
  if (ledger === null || ledger.isHalted) return ['not_available'];
  return ledger.admits ? [] : ['no_new_orders'];
}

function ofLag({ ledger }: StatusFacts, now: number): StatusReason[] {
  return isLong(ledger?.behindSince ?? null, BEHIND_MS_MAX, now) ? ['delayed'] : [];
}

function isLong(since: number | null, msMax: number, now: number): boolean {
  return since !== null && now - since > msMax;
}
