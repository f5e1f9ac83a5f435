import { createRoute, z } from '@hono/zod-openapi';
import { requestVerification } from '../../application/accreditation/request-verification.ts';
import { listVerifications } from '../../data/accounts/accreditation-verifications.ts';
import { database } from '../../data/database.ts';
import { kycStatusAt } from '../../domain/accounts/kyc-status-at.ts';
import { EVIDENCE_KINDS } from '../../domain/accreditation/evidence.ts';
import { mayBeAccredited } from '../../domain/accreditation/may-be-accredited.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { principalOf, resourceIdOf, whoActs } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { failure } from '../responses/failure.ts';
import { orderFailure } from './order-failure.ts';
import { VerificationView, verificationView } from './verification-schema.ts';

const VerificationRequest = z
  .strictObject({
    evidenceKind: z
      .enum(EVIDENCE_KINDS)
      .openapi({ description: 'What the provider is to go by, 17 CFR 230.506(c)(2)(ii).' }),
  })
  .openapi('AccreditationVerificationRequest');

const PATH = '/v1/account/accreditation/verifications';

/** POST and GET /v1/account/accreditation/verifications: 17 CFR 230.506(c), by a third party that the person asks. */
export function verificationRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    {
      access: { credential: 'tenant' },
      bucket: 'private',
      idempotent: true,
      errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
    },
    createRoute({
      method: 'post',
      path: PATH,
      tags: ['account'],
      summary: 'Ask a third party to verify that the caller is an accredited investor',
      description:
        'One request at a time, ten within 30 days. REQUESTED becomes VERIFIED or REFUSED once the provider has answered, EXPIRED where it does not within 30 days, and VERIFIED becomes REVOKED where the provider takes it back or an operator ends the accreditation. After an operator has, a request is IN_REVIEW until an operator allows it.',
      request: { body: { required: true, content: { 'application/json': { schema: VerificationRequest } } } },
      responses: { 200: envelopeOf('The request as it stands.', VerificationView) },
    }),
    async (c) => {
      const { facts, kind, owner } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      if (kind !== 'user') return failure(c, apiError('FORBIDDEN', 'the person alone may ask for this'));
      const kycStatus = kycStatusAt(facts, Date.now());
      if (!mayBeAccredited({ kycStatus })) return orderFailure(c, { reason: 'kyc_incomplete', kycStatus });
      const asking = { account: facts.accountId, owner, ...c.req.valid('json') };
      const action = { id: resourceIdOf(c), ...whoActs(c) };
      const asked = await requestVerification(c.env, asking, action);
      return asked.ok ? c.json(enveloped(verificationView(asked.value)), 200) : failure(c, asked.error);
    },
  );

  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: PATH,
      tags: ['account'],
      summary: 'Verifications that the caller has asked for, newest first',
      responses: { 200: envelopeOf('The last hundred.', z.array(VerificationView)) },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      const verifications = await listVerifications(database(c.env.DB), facts.accountId);
      return c.json(enveloped(verifications.map(verificationView)), 200);
    },
  );
}
