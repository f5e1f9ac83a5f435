import { createRoute, z } from '@hono/zod-openapi';
import {
  answerProposal,
  editSecurity,
  moveSecurity,
  stateRestrictions,
  submitSecurity,
} from '../../../application/partner/securities/change-security.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { freeText } from '../../responses/free-text.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { partnerActionOf } from '../action-of.ts';
import { SECURITY_REASON } from '../examples.ts';
import { AGENT_WRITE, LISTER_WRITE, PARTNER_WRITE } from '../partner-route.ts';
import { RestrictionsAnswer, restrictionsAnswer } from './get-restrictions-route.ts';
import {
  CrossListBody,
  editOf,
  newSecurityOf,
  RestrictionsBody,
  SecurityEditBody,
  SecurityView,
  securityOnWire,
  statedRestrictions,
} from './security-schema.ts';

const REASON_LENGTH_MAX = 500;
const reason = freeText(REASON_LENGTH_MAX).min(1);
const params = z.object({ id: z.uuid() });
const responses = { 200: jsonOf('The security.', SecurityView) };

/** POST /v1/securities (P-SEC-01). */
export function submitSecurityRoute(partner: Profile): void {
  registerRoute(
    partner,
    LISTER_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/securities',
      tags: ['securities'],
      summary: 'Cross-list a security: it waits until an operator of the venue lists it',
      request: { body: bodyOf(CrossListBody) },
      responses: { 201: jsonOf('The security.', SecurityView) },
    }),
    async (c) => {
      const security = newSecurityOf(c.req.valid('json'), partnerOf(c).organization);
      const submitted = await submitSecurity(c.env, security, partnerActionOf(c));
      return submitted.ok ? c.json(securityOnWire(submitted.value), 201) : failure(c, submitted.error);
    },
  );
}

/** PATCH /v1/securities/{id} (P-SEC-04). */
export function editSecurityRoute(partner: Profile): void {
  registerRoute(
    partner,
    LISTER_WRITE,
    createRoute({
      method: 'patch',
      path: '/v1/securities/{id}',
      tags: ['securities'],
      summary: 'Change restrictions, valuation or transfer agent',
      request: { params, body: bodyOf(SecurityEditBody) },
      responses,
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const edit = editOf(c.req.valid('json'));
      const edited = await editSecurity(c.env, partnerOf(c), { id, edit }, partnerActionOf(c));
      return edited.ok ? c.json(securityOnWire(edited.value), 200) : failure(c, edited.error);
    },
  );
}

/** DELETE /v1/securities/{id} (P-SEC-05). */
export function delistSecurityRoute(partner: Profile): void {
  registerRoute(
    partner,
    LISTER_WRITE,
    createRoute({
      method: 'delete',
      path: '/v1/securities/{id}',
      tags: ['securities'],
      summary: 'Delist: open orders are cancelled, holders keep what they hold; for good',
      request: { params },
      responses,
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const delisting = { id, of: partnerOf(c), verb: 'delist', reason: 'delisted by its lister' } as const;
      const delisted = await moveSecurity(c.env, delisting, partnerActionOf(c));
      return delisted.ok ? c.json(securityOnWire(delisted.value), 200) : failure(c, delisted.error);
    },
  );
}

const SUMMARY = {
  halt: 'Halt trading: open orders are cancelled',
  lift: 'Lift a halt of one’s own',
} as const;

/** POST /v1/securities/{id}/halt and /lift. */
export function haltSecurityRoutes(partner: Profile): void {
  for (const verb of ['halt', 'lift'] as const) {
    registerRoute(
      partner,
      LISTER_WRITE,
      createRoute({
        method: 'post',
        path: `/v1/securities/{id}/${verb}`,
        tags: ['securities'],
        summary: SUMMARY[verb],
        request: {
          params,
          body: bodyOf(z.strictObject({ reason }).openapi('SecurityReason', { example: SECURITY_REASON })),
        },
        responses,
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const move = { id, of: partnerOf(c), verb, reason: c.req.valid('json').reason };
        const moved = await moveSecurity(c.env, move, partnerActionOf(c));
        return moved.ok ? c.json(securityOnWire(moved.value), 200) : failure(c, moved.error);
      },
    );
  }
}

/** POST /v1/securities/{id}/agent: the transfer agent that its lister names accepts or declines. */
export function answerProposalRoute(partner: Profile): void {
  registerRoute(
    partner,
    AGENT_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/securities/{id}/agent',
      tags: ['securities'],
      summary: 'Accept or decline to be the transfer agent of a security',
      request: {
        params,
        body: bodyOf(
          z.strictObject({ accepted: z.boolean(), reason: reason.nullable().default(null) }).openapi('AgentAnswer'),
        ),
      },
      responses,
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const answered = await answerProposal(c.env, partnerOf(c), { id, ...c.req.valid('json') }, partnerActionOf(c));
      return answered.ok ? c.json(securityOnWire(answered.value), 200) : failure(c, answered.error);
    },
  );
}

/** PATCH /v1/securities/{id}/restrictions (P-TFR-13). */
export function stateRestrictionsRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_WRITE, freshFactor: true },
    createRoute({
      method: 'patch',
      path: '/v1/securities/{id}/restrictions',
      tags: ['securities'],
      summary: 'State restrictions; those of the transfer agent count before those of the lister',
      request: { params, body: bodyOf(RestrictionsBody) },
      responses: { 200: jsonOf('The restrictions.', RestrictionsAnswer) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const restrictions = statedRestrictions(c.req.valid('json'));
      const stated = await stateRestrictions(c.env, partnerOf(c), { id, restrictions }, partnerActionOf(c));
      return stated.ok ? c.json(restrictionsAnswer(stated.value), 200) : failure(c, stated.error);
    },
  );
}
