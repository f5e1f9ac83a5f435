import { createRoute, z } from '@hono/zod-openapi';
import { reviewRequest } from '../../../application/accreditation/request-verification.ts';
import { listVerificationsOfVenue } from '../../../data/accounts/accreditation-verifications.ts';
import { database } from '../../../data/database.ts';
import { VERIFICATION_STATES } from '../../../domain/accreditation/verification.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { OperatorVerificationView, operatorVerificationView } from '../verification-schema.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_READ, OPERATOR_WRITE_OF_OTHERS, ReasonBody, readableOwner } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const PATH = '/v1/operator/accreditation-verifications';

const SUMMARY = {
  allow: 'Allow that a third party is asked about a person whose accreditation an operator has ended',
  refuse: 'Refuse a request that waits for an operator',
} as const;

/** GET /v1/operator/accreditation-verifications; POST …/{id}/allow and /refuse: requests after an operator has ended an accreditation. */
export function verificationReviewRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: PATH,
      tags: ['operator'],
      summary: 'Requests for a verification by a third party, newest first',
      description:
        'Of the own organization, of everyone for the venue. `state=IN_REVIEW` has those that wait for an operator.',
      request: {
        query: z.object({
          state: z.enum(VERIFICATION_STATES).optional(),
          accountId: z.string().optional(),
          limit: limitQuery,
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: envelopeOf('The requests.', z.array(OperatorVerificationView)) },
    }),
    async (c) => {
      const { state = null, accountId = null, limit, cursor = null } = c.req.valid('query');
      const filter = { account: accountId, owner: readableOwner(c), state, now: Date.now(), before: cursor };
      const found = await listVerificationsOfVenue(database(c.env.DB), { ...filter, limit: rowsToRead(limit) });
      return c.json(enveloped(pageOf(c, found, limit, ({ id }) => id).map(operatorVerificationView)), 200);
    },
  );

  for (const decision of ['allow', 'refuse'] as const)
    registerRoute(
      exchange,
      OPERATOR_WRITE_OF_OTHERS,
      createRoute({
        method: 'post',
        path: `${PATH}/{id}/${decision}`,
        tags: ['operator'],
        summary: SUMMARY[decision],
        request: {
          params: z.object({ id: z.string() }),
          body: { required: true, content: { 'application/json': { schema: ReasonBody } } },
        },
        responses: { 200: envelopeOf('The request after the decision.', OperatorVerificationView) },
      }),
      async (c) => {
        const action = actionOf(c, c.req.valid('json').reason);
        const waits = decision === 'allow' ? await weigh(c, c.req.valid('json'), action) : null;
        if (waits !== null) return failure(c, waits);
        const reviewed = await reviewRequest(c.env, c.req.valid('param').id, decision, action);
        return reviewed.ok
          ? c.json(enveloped(operatorVerificationView(reviewed.value)), 200)
          : failure(c, reviewed.error);
      },
    );
}
