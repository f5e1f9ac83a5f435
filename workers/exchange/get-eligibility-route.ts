import { createRoute, z } from '@hono/zod-openapi';
import { type Eligibility, readEligibility } from '../../application/order-entry/eligibility.ts';
import type { OrderEntryFailure } from '../../application/order-entry/order-entry-failure.ts';
import { rulesOfFailure } from '../../application/order-entry/refusals/rules-of-failure.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { REFUSAL_RULES } from '../../domain/order-entry/refusal-rules.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { orderEntryError } from '../responses/order-entry-error.ts';
import { orderFailure } from './order-failure.ts';

const Rule = z.object({
  rule: z.string().openapi({ description: 'As refusals name it.', example: 'third_party_verified_buyer' }),
  source: z.string().openapi({ example: '17 CFR 230.506(c)(2)(ii)' }),
  remedy: z.string(),
  code: z.string().openapi({ description: 'Of the error that an order would be answered with.' }),
  words: z.string().openapi({ description: 'What that error would say.' }),
  until: z.iso
    .datetime()
    .nullable()
    .openapi({ description: 'When it ends by itself; null where it does not, or nobody knows.' }),
});

const Side = z.object({
  allowed: z.boolean().openapi({ description: 'Whether an order of the side is taken now, its own terms aside.' }),
  rules: z.array(Rule).openapi({ description: 'Every rule that would refuse it, foremost first.' }),
});

const EligibilityView = z
  .object({
    assetId: z.string(),
    buy: Side,
    sell: Side.extend({
      freeQuantity: z.number().openapi({ description: 'The largest sale that the rules of resale let through.' }),
      restrictedQuantity: z.number().openapi({ description: 'What they hold back, and open orders do not hold.' }),
      next: z
        .array(z.object({ date: z.iso.datetime(), quantity: z.number() }))
        .openapi({ description: 'When restrictions of lots end, the first ones first, at most 20.' }),
    }),
    opensAt: z.iso.datetime().nullable().openapi({
      description:
        'When the market opens next: until then limit orders wait, and others are refused. Null while it is open.',
    }),
    regCf: z
      .object({ limit: z.number(), used: z.number(), available: z.number(), currency: z.literal('USD') })
      .nullable()
      .openapi({ description: 'The limit of 17 CFR 227.100(a)(2) over 12 months; null where it does not apply.' }),
  })
  .openapi('Eligibility');

/** GET /v1/assets/{id}/eligibility: may I buy this, and what may I sell of it. */
export function getEligibilityRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private', errors: ['ASSET_NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/assets/{id}/eligibility',
      tags: ['assets'],
      summary: 'What the caller may do in an asset now',
      description: 'By the rules that decide orders. Nothing is placed, held or recorded.',
      request: { params: z.object({ id: z.string() }) },
      responses: {
        200: {
          description: 'What would refuse an order of each side.',
          content: { 'application/json': { schema: z.object({ data: EligibilityView, message: z.literal('ok') }) } },
        },
      },
    }),
    async (c) => {
      const read = await readEligibility({ env: c.env, principal: principalOf(c) }, c.req.valid('param').id);
      if (!read.ok) return orderFailure(c, read.error);
      return c.json({ data: eligibilityView(read.value), message: 'ok' as const }, 200);
    },
  );
}

function eligibilityView({
  instrument: { asset },
  buy,
  sell,
  sellable,
  regCf,
  opensAt,
}: Eligibility): z.infer<typeof EligibilityView> {
  const quantity = (scaled: number) => fromScaled(scaled, asset.scale);
  return {
    assetId: asset.id,
    buy: { allowed: buy.length === 0, rules: rulesOf(buy) },
    sell: {
      allowed: sell.length === 0,
      rules: rulesOf(sell),
      freeQuantity: quantity(sellable.free),
      restrictedQuantity: quantity(sellable.restricted),
      next: sellable.next.map((end) => ({ date: new Date(end.at).toISOString(), quantity: quantity(end.quantity) })),
    },
    opensAt: isoOf(opensAt),
    regCf: regCf === null ? null : regCfView(regCf),
  };
}

function regCfView({ limit, used, scale }: NonNullable<Eligibility['regCf']>) {
  const available = Math.max(0, limit - used);
  const dollars = (scaled: number) => fromScaled(scaled, scale);
  return { limit: dollars(limit), used: dollars(used), available: dollars(available), currency: 'USD' as const };
}

function rulesOf(failures: readonly OrderEntryFailure[]): z.infer<typeof Rule>[] {
  return failures.flatMap((failure) => {
    const { code, message } = orderEntryError(failure);
    return rulesOfFailure(failure).map((rule) => {
      const { source, remedy } = REFUSAL_RULES[rule];
      return { rule, source, remedy, code, words: message, until: isoOf(endOf(failure)) };
    });
  });
}

/** When a failure ends by itself, Unix milliseconds; null where that is not known. */
function endOf(failure: OrderEntryFailure): number | null {
  if (failure.reason === 'resale_restricted') return failure.restrictionEndsAt;
  return failure.reason === 'market_not_open' ? (failure.resumesAt ?? null) : null;
}

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
