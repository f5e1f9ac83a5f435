import { createRoute, z } from '@hono/zod-openapi';
import { listSecurity, moveSecurity, releaseAgent } from '../../../application/partner/securities/change-security.ts';
import { database } from '../../../data/database.ts';
import { listSecurities, type Security } from '../../../data/partner/securities.ts';
import { ACCREDITATION_TYPES, REGULATIONS } from '../../../domain/assets/asset.ts';
import { AGENT_STATES, SECURITY_STATES, type SecurityListing } from '../../../domain/partner/security.ts';
import { SECURITY_ACTORS } from '../../../domain/partner/security-state.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { bodyOf, isoTime } from '../../responses/wire.ts';
import { actionOf } from './action-of.ts';
import { SCALE_MAX, SYMBOL, SYMBOL_WORDS } from './asset-schema.ts';
import { BAND_DESCRIPTION, BAND_HALT_SECONDS_MAX, BPS_MAX } from './market-schema.ts';
import { OPERATOR_WRITE, Reason, ReasonBody, VENUE_READ } from './operator-route.ts';

const SecurityView = z
  .object({
    id: z.string(),
    organization: z.string(),
    state: z.enum(SECURITY_STATES),
    reason: z.string().nullable(),
    haltedBy: z.enum(SECURITY_ACTORS).nullable(),
    assetName: z.string(),
    issuerName: z.string(),
    currency: z.string(),
    symbol: z.string().nullable(),
    market: z.string().nullable(),
    transferAgent: z.string().nullable(),
    agentState: z.enum(AGENT_STATES).nullable(),
    isPending: z.boolean().openapi({ description: 'Asset and market have not followed yet.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('OperatorSecurity');

function securityView(security: Security): z.infer<typeof SecurityView> {
  const { id, organization, state, reason, haltedBy, assetName, issuerName, currency } = security;
  const { symbol, market, transferAgent, agentState } = security;
  return {
    ...{ id, organization, state, reason, haltedBy, assetName, issuerName, currency },
    ...{ symbol, market, transferAgent, agentState },
    isPending: security.pending !== null,
    createdAt: isoTime(security.createdAt),
    updatedAt: isoTime(security.updatedAt),
  };
}

const ListingBody = z
  .strictObject({
    symbol: z.string().regex(SYMBOL, SYMBOL_WORDS),
    scale: z.int().min(0).max(SCALE_MAX).default(0).openapi({ description: 'Decimals of a number of shares.' }),
    regulation: z.enum(REGULATIONS).default('reg_d_506c'),
    accreditationType: z.enum(ACCREDITATION_TYPES).nullable().optional().openapi({
      description: 'What a buyer must be: of the regulation when left out.',
    }),
    priceScale: z.int().min(0).max(SCALE_MAX).default(2),
    tickSize: z.number().positive().default(0.01),
    lotSize: z.number().positive().default(1),
    minSize: z.number().positive().default(1),
    maxSize: z.number().positive().default(1_000_000),
    makerFeeBps: z.int().min(0).default(0),
    takerFeeBps: z.int().min(0).default(0),
    bandBps: z.int().min(0).max(BPS_MAX).optional().openapi({ description: BAND_DESCRIPTION }),
    bandHaltSeconds: z.int().min(0).max(BAND_HALT_SECONDS_MAX).optional(),
    referencePrice: z.number().positive().optional().openapi({
      description: 'What the market goes by before it has traded: of its last valuation when left out.',
    }),
    reason: Reason,
  })
  .openapi('OperatorSecurityListing');

function listingOf({ reason: _, ...body }: z.infer<typeof ListingBody>): SecurityListing {
  const derived = body.regulation === 'reg_d_506c' ? '506c' : body.regulation === 'reg_d_506b' ? '506b' : null;
  return { ...body, accreditationType: body.accreditationType ?? derived };
}

const params = z.object({ id: z.string() });
const responses = { 200: envelopeOf('The security.', SecurityView) };

const SUMMARY = {
  refuse: 'Refuse a security that a partner has submitted',
  halt: 'Halt a security: its asset is suspended, open orders are cancelled',
  lift: 'Lift a halt, whoever has halted it',
  delist: 'Delist a security for good',
  'release-agent': 'Take the transfer agent off a security, with the restrictions that it has stated',
} as const;

/** GET /v1/operator/securities, and what operators do about cross-listed securities. */
export function securityRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/securities',
      tags: ['operator'],
      summary: 'Cross-listed securities',
      request: {
        query: z.object({
          state: z.enum(SECURITY_STATES).optional(),
          limit: limitQuery,
          cursor: z.string().optional().openapi({ description: 'Id of the last security of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Securities by id.', z.array(SecurityView)) },
    }),
    async (c) => {
      const { state, limit, cursor } = c.req.valid('query');
      const terms = { state: state ?? null, after: cursor ?? null, limit: rowsToRead(limit) };
      const found = await listSecurities(database(c.env.DB), null, terms);
      return c.json(enveloped(pageOf(c, found, limit, (last) => last.id).map(securityView)), 200);
    },
  );
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/securities/{id}/list',
      tags: ['operator'],
      summary: 'List a security: its asset, its market, then itself',
      request: { params, body: bodyOf(ListingBody) },
      responses,
    }),
    async (c) => {
      const body = c.req.valid('json');
      const listing = { id: c.req.valid('param').id, listing: listingOf(body), reason: body.reason };
      const listed = await listSecurity(c.env, listing, actionOf(c));
      return listed.ok ? c.json(enveloped(securityView(listed.value)), 200) : failure(c, listed.error);
    },
  );
  for (const verb of ['refuse', 'halt', 'lift', 'delist', 'release-agent'] as const) {
    registerRoute(
      exchange,
      OPERATOR_WRITE,
      createRoute({
        method: 'post',
        path: `/v1/operator/securities/{id}/${verb}`,
        tags: ['operator'],
        summary: SUMMARY[verb],
        request: { params, body: bodyOf(ReasonBody) },
        responses,
      }),
      async (c) => {
        const wanted = { id: c.req.valid('param').id, reason: c.req.valid('json').reason };
        const moved =
          verb === 'release-agent'
            ? await releaseAgent(c.env, wanted, actionOf(c))
            : await moveSecurity(c.env, { ...wanted, of: null, verb }, actionOf(c));
        return moved.ok ? c.json(enveloped(securityView(moved.value)), 200) : failure(c, moved.error);
      },
    );
  }
}
