import { z } from '@hono/zod-openapi';
import type { Overview } from '../../../application/operator/overview/read-overview.ts';
import type { TradingState } from '../../../application/operator/overview/trading-state.ts';
import { type Waiting, WORK_QUEUES } from '../../../data/overview/waiting-work.ts';
import { JOB_OUTCOMES } from '../../../data/schema/jobs.ts';
import { MINUTE_MS } from '../../../domain/calendar/durations.ts';
import { MARKET_ROUTES } from '../../../domain/markets/market.ts';
import { SECURITY_ACTORS } from '../../../domain/partner/security-state.ts';
import { JOBS, periodOf } from '../../cron/jobs.ts';
import { orNull } from '../../responses/or-null.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { LedgerStatusView, ledgerStatusView } from './ledger-schema.ts';
import { CausesView, HaltStepView, haltStepView } from './venue-market-schema.ts';

/** Markets that stand still, and books that are behind, of one answer. */
const STANDING_MAX = 200;
const BEHIND_MAX = 20;
/** A job that has not begun for so many of its periods is overdue. */
const PERIODS_MAX = 3;

const WaitingView = z
  .object({
    count: z.int(),
    isMore: z.boolean().openapi({ description: 'More wait than were counted.' }),
    oldestAt: z.iso.datetime().nullable(),
  })
  .openapi('OperatorWaiting');

const StandingMarketView = z
  .object({
    symbol: z.string(),
    route: z.enum(MARKET_ROUTES),
    causes: CausesView,
    halt: orNull(HaltStepView),
    securityHaltedBy: z.enum(SECURITY_ACTORS).nullable(),
    securityReason: z.string().nullable(),
    haltedUntil: z.iso.datetime().nullable(),
    bookHalted: z.string().nullable().openapi({ description: 'Why its book stands still, in its own words.' }),
  })
  .openapi('OperatorStandingMarket');

const BehindBookView = z
  .object({ symbol: z.string(), outbox: z.int(), queued: z.int(), unsettled: z.int() })
  .openapi('OperatorBehindBook');

const TradingView = z
  .object({
    venueHalted: z.boolean(),
    venueHalt: orNull(HaltStepView),
    markets: z.object({ open: z.int(), halted: z.int(), closed: z.int() }),
    standing: z
      .array(StandingMarketView)
      .openapi({ description: `Markets that take no orders, but for closed ones; ${STANDING_MAX} at most.` }),
    standingCount: z.int().openapi({ description: 'How many of those that were looked at take no orders.' }),
    isMore: z.boolean().openapi({ description: 'There are more markets than were looked at, or that are listed.' }),
    books: z.object({
      asked: z.int(),
      answered: z.int(),
      halted: z.int(),
      liveOrders: z.int(),
      outbox: z.int().openapi({ description: 'Chunks that the ledger does not have yet, of all of them.' }),
      queued: z.int().openapi({ description: 'Commands that wait for the ledger, of all of them.' }),
      behind: z.array(BehindBookView).openapi({ description: `Those furthest behind; ${BEHIND_MAX} at most.` }),
    }),
  })
  .openapi('OperatorTrading');

const JobView = z
  .object({
    job: z.string(),
    everyMinutes: z.int(),
    lastBeganAt: z.iso.datetime().nullable(),
    lastEndedAt: z.iso.datetime().nullable(),
    outcome: z.enum(JOB_OUTCOMES).nullable(),
    failuresInRow: z.int(),
    lastFailedAt: z.iso.datetime().nullable(),
    lastFailure: z.string().nullable(),
    isOverdue: z.boolean(),
  })
  .openapi('OperatorJob');

const ChainPartView = z
  .object({
    height: z.int().nullable().openapi({ description: 'Of the last block; null while the sequencer does not answer.' }),
    finalHeight: z.int().nullable(),
    lag: z.int().nullable().openapi({ description: 'Blocks that are not final yet.' }),
    blocksWaitFor: z.string().nullable(),
    checkpointsWaitFor: z.string().nullable(),
    registryWaiting: z.int().nullable().openapi({ description: 'Settlements that are final and not on chain.' }),
    registryWaitingSince: z.iso.datetime().nullable(),
    registryWaitsFor: z.string().nullable(),
    unanswered: z.array(z.enum(['sequencer', 'checkpointer', 'recorder'])),
  })
  .openapi('OperatorChainPart');

const PARTS = ['trading', 'ledger', 'waiting', 'deliveries', 'jobs', 'bridge', 'broker', 'chain'] as const;

export const OverviewView = z
  .object({
    at: z.iso.datetime(),
    unanswered: z.array(z.enum(PARTS)).openapi({ description: 'Parts that could not be read; each is null.' }),
    trading: orNull(TradingView),
    ledger: orNull(LedgerStatusView),
    waiting: orNull(
      z.object(
        Object.fromEntries(WORK_QUEUES.map((queue) => [queue, WaitingView])) as Record<
          (typeof WORK_QUEUES)[number],
          typeof WaitingView
        >,
      ),
    ).openapi({ description: 'What waits for a person who runs the venue, by queue.' }),
    deliveries: orNull(z.object({ events: WaitingView, mails: WaitingView, disabledEndpoints: WaitingView })),
    jobs: orNull(z.array(JobView)),
    bridge: orNull(
      z.object({
        underWay: WaitingView,
        changingPlaces: z.array(z.object({ organization: z.string(), from: z.iso.datetime() })),
      }),
    ),
    broker: orNull(z.object({ uncompared: WaitingView })),
    chain: orNull(ChainPartView),
  })
  .openapi('OperatorOverview');

export function overviewView(overview: Overview, now: number): z.infer<typeof OverviewView> {
  const { trading, ledger, waiting, deliveries, bridge, uncompared, chain } = overview;
  const jobs = jobsView(overview.jobs, now);
  const parts = { trading, ledger, waiting, deliveries, jobs, bridge, broker: uncompared, chain };
  return {
    at: isoTime(now),
    unanswered: PARTS.filter((part) => parts[part] === null),
    trading: trading === null ? null : tradingView(trading, now),
    ledger: ledger === null ? null : ledgerStatusView(ledger, now),
    waiting:
      waiting === null
        ? null
        : (Object.fromEntries(WORK_QUEUES.map((queue) => [queue, waitingView(waiting[queue])])) as NonNullable<
            z.infer<typeof OverviewView>['waiting']
          >),
    deliveries:
      deliveries === null
        ? null
        : {
            events: waitingView(deliveries.events),
            mails: waitingView(deliveries.mails),
            disabledEndpoints: waitingView(deliveries.disabledEndpoints),
          },
    jobs,
    bridge:
      bridge === null
        ? null
        : {
            underWay: waitingView(bridge.underWay),
            changingPlaces: bridge.changingPlaces.map(({ organization, from }) => ({
              organization,
              from: isoTime(from),
            })),
          },
    broker: uncompared === null ? null : { uncompared: waitingView(uncompared) },
    chain: chain === null ? null : chainView(chain),
  };
}

function tradingView(
  { venueHalted, venueHalt, counts, markets, isMore }: TradingState,
  now: number,
): z.infer<typeof TradingView> {
  const asked = markets.filter(({ book }) => book !== 'not_asked');
  const books = asked.flatMap(({ market, book }) =>
    typeof book === 'object' ? [{ symbol: market.symbol, ...book }] : [],
  );
  const sum = (of: 'liveOrders' | 'outbox' | 'queued') => books.reduce((total, book) => total + book[of], 0);
  // One that is closed meanwhile stands still for good.
  const standing = markets.filter(({ market, causes }) => market.status !== 'closed' && causes.length > 0);
  return {
    venueHalted,
    venueHalt: venueHalt === null ? null : haltStepView(venueHalt),
    markets: { ...counts },
    standing: standing.slice(0, STANDING_MAX).map(({ market, causes, halt, securityHalt, book, haltedUntil }) => {
      const until = typeof book === 'object' ? book.haltedUntil : haltedUntil;
      return {
        symbol: market.symbol,
        route: market.route,
        causes: [...causes],
        halt: market.status !== 'halted' || halt === null ? null : haltStepView(halt),
        securityHaltedBy: securityHalt?.by ?? null,
        securityReason: securityHalt?.reason ?? null,
        haltedUntil: isoTimeOrNull(until !== null && until > now ? until : null),
        bookHalted: typeof book === 'object' ? book.halted : null,
      };
    }),
    standingCount: standing.length,
    isMore: isMore || standing.length > STANDING_MAX,
    books: {
      asked: asked.length,
      answered: books.length,
      halted: books.filter(({ halted }) => halted !== null).length,
      liveOrders: sum('liveOrders'),
      outbox: sum('outbox'),
      queued: sum('queued'),
      behind: books
        .map(({ symbol, outbox, queued, batch, settled }) => ({
          symbol,
          outbox,
          queued,
          unsettled: Math.max(0, batch - settled),
        }))
        .filter(({ outbox, queued }) => outbox + queued > 0)
        .sort((a, b) => b.outbox + b.queued - a.outbox - a.queued)
        .slice(0, BEHIND_MAX),
    },
  };
}

function jobsView(runs: Overview['jobs'], now: number): z.infer<typeof JobView>[] | null {
  if (runs === null) return null;
  const lastOf = new Map(runs.map((run) => [run.job, run]));
  return Object.keys(JOBS)
    .sort()
    .map((job) => {
      const run = lastOf.get(job);
      const everyMinutes = periodOf(job) ?? 0;
      return {
        job,
        everyMinutes,
        lastBeganAt: isoTimeOrNull(run?.beganAt ?? null),
        lastEndedAt: isoTimeOrNull(run?.endedAt ?? null),
        outcome: run?.outcome ?? null,
        failuresInRow: run?.failuresInRow ?? 0,
        lastFailedAt: isoTimeOrNull(run?.failedAt ?? null),
        lastFailure: run?.failure ?? null,
        isOverdue: run !== undefined && now - run.beganAt > PERIODS_MAX * everyMinutes * MINUTE_MS,
      };
    });
}

function chainView({
  sequencer,
  checkpointer,
  recorder,
}: NonNullable<Overview['chain']>): z.infer<typeof ChainPartView> {
  const away = { sequencer, checkpointer, recorder };
  return {
    height: sequencer?.height ?? null,
    finalHeight: sequencer?.finalHeight ?? null,
    lag: sequencer === null ? null : sequencer.height - sequencer.finalHeight,
    blocksWaitFor: sequencer?.waitsFor ?? null,
    checkpointsWaitFor: checkpointer?.waitsFor ?? recorder?.checkpointsWaitFor ?? null,
    registryWaiting: recorder?.waiting ?? null,
    registryWaitingSince: isoTimeOrNull(recorder?.waitingSince ?? null),
    registryWaitsFor: recorder?.waitsFor ?? null,
    unanswered: (['sequencer', 'checkpointer', 'recorder'] as const).filter((object) => away[object] === null),
  };
}

function waitingView({ count, isMore, oldestAt }: Waiting): z.infer<typeof WaitingView> {
  return { count, isMore, oldestAt: isoTimeOrNull(oldestAt) };
}
