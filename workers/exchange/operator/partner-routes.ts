import { createRoute, z } from '@hono/zod-openapi';
import { decidePartner } from '../../../application/partner/registration/decide-partner.ts';
import { releaseNumber } from '../../../application/partner/registration/release-number.ts';
import { database } from '../../../data/database.ts';
import { listPartners, type PartnerOrganization } from '../../../data/partner/organizations.ts';
import { PARTNER_ACTIONS } from '../../../domain/partner/organization-state.ts';
import { PARTNER_ROLES, PARTNER_STATES } from '../../../domain/partner/partner-organization.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { bodyOf, isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, Reason, ReasonBody, VENUE_READ } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const PartnerView = z
  .object({
    id: z.string(),
    role: z.enum(PARTNER_ROLES),
    firmName: z.string(),
    crdNumber: z.string().nullable(),
    secRegistrationNumber: z.string().nullable(),
    contactEmail: z.string(),
    state: z.enum(PARTNER_STATES),
    reason: z.string().nullable(),
    verificationProvider: z.string().nullable(),
    checkedAt: z.iso.datetime().nullable(),
    verifiedAt: z.iso.datetime().nullable(),
    verificationExpiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .openapi('OperatorPartner');

function partnerView(partner: PartnerOrganization): z.infer<typeof PartnerView> {
  const { organization: id, role, firmName, crdNumber, secRegistrationNumber, contactEmail, state, reason } = partner;
  return {
    ...{ id, role, firmName, crdNumber, secRegistrationNumber, contactEmail, state, reason },
    verificationProvider: partner.verificationProvider,
    checkedAt: isoTimeOrNull(partner.checkedAt),
    verifiedAt: isoTimeOrNull(partner.verifiedAt),
    verificationExpiresAt: isoTimeOrNull(partner.verificationExpiresAt),
    createdAt: isoTime(partner.createdAt),
  };
}

const SUMMARY = {
  approve: 'Let an organization begin: a cross-lister, a transfer agent whose number was found, a tenant of the bridge',
  refuse: 'Refuse an application',
  suspend: 'Suspend a partner: its calls are refused within 5 s',
  reinstate: 'Let a suspended partner go on',
  recheck: 'Have the registration of a refused or suspended transfer agent checked again',
} as const satisfies Partial<Record<(typeof PARTNER_ACTIONS)[number], string>>;

/** What lets an organization list securities, keep registers or hold funds: a second operator agrees. */
const LETS_BEGIN: ReadonlySet<string> = new Set(['approve', 'reinstate', 'recheck']);

/** GET /v1/operator/partners, and what operators decide about one. */
export function partnerRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/partners',
      tags: ['operator'],
      summary: 'Cross-listers and transfer agents',
      request: {
        query: z.object({
          state: z.enum(PARTNER_STATES).optional(),
          role: z.enum(PARTNER_ROLES).optional(),
          limit: limitQuery,
          cursor: z.string().optional().openapi({ description: 'Id of the last partner of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Partners by id.', z.array(PartnerView)) },
    }),
    async (c) => {
      const { state, role, limit, cursor } = c.req.valid('query');
      const terms = { state: state ?? null, role: role ?? null, after: cursor ?? null, limit: rowsToRead(limit) };
      const found = await listPartners(database(c.env.DB), terms);
      return c.json(enveloped(pageOf(c, found, limit, (last) => last.organization).map(partnerView)), 200);
    },
  );
  for (const decision of PARTNER_ACTIONS) {
    if (decision === 'release-number') continue;
    registerRoute(
      exchange,
      OPERATOR_WRITE,
      createRoute({
        method: 'post',
        path: `/v1/operator/partners/{id}/${decision}`,
        tags: ['operator'],
        summary: SUMMARY[decision],
        request: { params: z.object({ id: z.string() }), body: bodyOf(ReasonBody) },
        responses: { 200: envelopeOf('The partner.', PartnerView) },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const { reason } = c.req.valid('json');
        const action = actionOf(c);
        const waits = LETS_BEGIN.has(decision) ? await weigh(c, { reason }, action) : null;
        if (waits !== null) return failure(c, waits);
        const decided = await decidePartner(c.env, { id, decision, reason }, action);
        return decided.ok ? c.json(enveloped(partnerView(decided.value)), 200) : failure(c, decided.error);
      },
    );
  }
}

const ReleaseBody = z
  .strictObject({
    reason: Reason,
    claimant: z
      .string()
      .optional()
      .openapi({ description: 'Id of the organization that was refused for the number, and is checked again.' }),
  })
  .openapi('OperatorNumberRelease');

/** POST /v1/operator/partners/{id}/release-number: the wrong agent loses a registration number. */
export function releaseNumberRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/partners/{id}/release-number',
      tags: ['operator'],
      summary: 'Take a registration number from a transfer agent that is not its registrant',
      description:
        'The agent is refused, within 5 s everywhere, and sees the reason; the claimant’s registration is checked again. ' +
        'Its securities stay without an active agent until each is released.',
      request: { params: z.object({ id: z.string() }), body: bodyOf(ReleaseBody) },
      responses: { 200: envelopeOf('The agent that has lost the number.', PartnerView) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const { reason, claimant = null } = c.req.valid('json');
      const action = actionOf(c);
      const waits = await weigh(c, c.req.valid('json'), action);
      if (waits !== null) return failure(c, waits);
      const released = await releaseNumber(c.env, { id, claimant, reason }, action);
      return released.ok ? c.json(enveloped(partnerView(released.value)), 200) : failure(c, released.error);
    },
  );
}
