import { z } from '@hono/zod-openapi';
import type { MarketNow } from '../../../application/operator/overview/trading-state.ts';
import type { HaltStep } from '../../../data/overview/halts.ts';
import type { VenueMarket } from '../../../data/overview/venue-markets.ts';
import { ASSET_STATUSES } from '../../../domain/assets/asset.ts';
import { MARKET_ROUTES } from '../../../domain/markets/market.ts';
import { STANDSTILL_CAUSES } from '../../../domain/markets/standstill.ts';
import { opensAt } from '../../../domain/markets/trading-hours.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { SECURITY_ACTORS } from '../../../domain/partner/security-state.ts';
import { orNull } from '../../responses/or-null.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { BookStatusView } from './book-schema.ts';
import { MarketRulesView, marketRulesView } from './market-schema.ts';

/** Who has halted something, or let it go on, when and why. */
export const HaltStepView = z
  .object({
    halted: z.boolean().openapi({ description: 'False of the step that ended a halt.' }),
    actor: z.string(),
    actorName: z.string().nullable().openapi({ description: 'Null where it was no user.' }),
    reason: z.string().nullable(),
    at: z.iso.datetime(),
  })
  .openapi('OperatorHaltStep');

export function haltStepView({ id: _, subject: __, at, ...step }: HaltStep): z.infer<typeof HaltStepView> {
  return { ...step, at: isoTime(at) };
}

/** The end of a list of causes tells what is to be mended after the rest. */
export const CausesView = z.array(z.enum(STANDSTILL_CAUSES)).openapi({
  description: 'Why it takes no orders, what is to be mended first before the rest; none while it takes them.',
});

const PairAssetView = z
  .object({ id: z.string(), symbol: z.string(), name: z.string(), status: z.enum(ASSET_STATUSES) })
  .openapi('OperatorPairAsset');

const SecurityHaltView = z
  .object({ by: z.enum(SECURITY_ACTORS).nullable(), reason: z.string().nullable() })
  .openapi('OperatorSecurityHalt');

const marketFields = {
  symbol: z.string().openapi({ example: 'ACME-USD' }),
  route: z.enum(MARKET_ROUTES),
  base: PairAssetView,
  quote: PairAssetView,
  rules: MarketRulesView,
  tickSize: z.number(),
  lotSize: z.number(),
  lastPrice: z.number().nullable().openapi({ description: 'Of its last trade; null before the first.' }),
  causes: CausesView,
  halt: orNull(HaltStepView).openapi({ description: 'The last halt of the market itself, while it lasts.' }),
  securityHalt: orNull(SecurityHaltView).openapi({
    description: 'Who has halted its security (`docs/partner.md`); null where nobody has.',
  }),
  haltedUntil: z.iso
    .datetime()
    .nullable()
    .openapi({ description: 'When the halt ends that its book has begun by itself.' }),
  opensAt: z.iso.datetime().nullable().openapi({ description: 'Null while its hours do not keep it closed.' }),
};

/** A market of whatever route and state. */
export const VenueMarketView = z.object(marketFields).openapi('OperatorVenueMarket');

export const VenueMarketDetailView = z
  .object({
    ...marketFields,
    isCurrent: z.boolean().openapi({
      description: 'False where the ledger did not say that D1 shows all of it: what stands here may be older.',
    }),
    venueHalted: z.boolean(),
    book: orNull(BookStatusView).openapi({ description: 'What its book says; null where it does not answer.' }),
    halts: z.array(HaltStepView).openapi({ description: 'The newest 20 halts and ends of halts.' }),
  })
  .openapi('OperatorVenueMarketDetail');

export function venueMarketView(row: MarketNow, now: number): z.infer<typeof VenueMarketView> {
  const { market, base, quote, securityHalt, lastPrice, causes, halt } = row;
  const { symbol, route, priceScale, quantityScale, tickSize, lotSize } = market;
  return {
    symbol,
    route,
    base: { ...base },
    quote: { ...quote },
    rules: marketRulesView(rulesOf(market), { quantityScale, priceScale }),
    tickSize: fromScaled(tickSize, priceScale),
    lotSize: fromScaled(lotSize, quantityScale),
    lastPrice: lastPrice === null ? null : fromScaled(lastPrice, priceScale),
    causes: [...causes],
    halt: market.status !== 'halted' || halt === null ? null : haltStepView(halt),
    securityHalt: securityHalt === null ? null : { ...securityHalt },
    haltedUntil: isoTimeOrNull(bandHaltEnd(row, now)),
    opensAt: isoTimeOrNull(opensAt(market.tradingHours, now)),
  };
}

function bandHaltEnd({ book, haltedUntil }: MarketNow, now: number): number | null {
  const until = typeof book === 'object' ? book.haltedUntil : haltedUntil;
  return until !== null && until > now ? until : null;
}

function rulesOf({ referenceStatement = null, tradingHours = 'always', ...market }: VenueMarket['market']) {
  return { ...market, referenceStatement, tradingHours };
}
