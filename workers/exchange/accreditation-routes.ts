import { createRoute, z } from '@hono/zod-openapi';
import { attestAccreditation, standingEnd } from '../../application/operator/accreditation.ts';
import { listAccreditationRecords } from '../../data/accounts/accreditation-records.ts';
import { database } from '../../data/database.ts';
import { ACCREDITATION_STATUSES } from '../../domain/accounts/account.ts';
import { kycStatusAt } from '../../domain/accounts/kyc-status-at.ts';
import { ATTESTATION } from '../../domain/accreditation/attestation-text.ts';
import { mayBeAccredited } from '../../domain/accreditation/may-be-accredited.ts';
import { ACCREDITATION_TYPES } from '../../domain/assets/asset.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { principalOf, resourceIdOf, whoActs } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { failure } from '../responses/failure.ts';
import {
  AccreditationRecordView,
  accreditationRecordView,
  EndedByOperator,
  endedByOperatorView,
} from './accreditation-schema.ts';
import { orderFailure } from './order-failure.ts';

const AttestationText = z.object({ version: z.string(), text: z.string() }).openapi('AttestationText');

const OwnAccreditation = z
  .object({
    attestation: AttestationText,
    records: z.array(AccreditationRecordView),
    endedByOperator: EndedByOperator,
  })
  .openapi('OwnAccreditation');

const AttestationRequest = z
  .strictObject({
    version: z.string().openapi({ description: 'Of the text that was read.' }),
    certified: z.literal(true),
  })
  .openapi('AttestationRequest');

const Standing = z
  .object({
    accreditationStatus: z.enum(ACCREDITATION_STATUSES),
    accreditationType: z.enum(ACCREDITATION_TYPES).nullable(),
  })
  .openapi('AccreditationStanding');

/** GET /v1/account/accreditation; POST …/attestations: the person's own statement, 17 CFR 230.506(b). */
export function accreditationRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/account/accreditation',
      tags: ['account'],
      summary: "What the caller's accreditation rests on, and the text to attest",
      responses: { 200: envelopeOf('Records, newest first, and the current text.', OwnAccreditation) },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      const [records, end] = await Promise.all([
        listAccreditationRecords(database(c.env.DB), facts.accountId),
        standingEnd(c.env, facts.accountId),
      ]);
      const shown = { records: records.map(accreditationRecordView), endedByOperator: endedByOperatorView(end) };
      return c.json(enveloped({ attestation: ATTESTATION, ...shown }), 200);
    },
  );

  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private', idempotent: true, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/account/accreditation/attestations',
      tags: ['account'],
      summary: 'Certify to be an accredited investor',
      request: { body: { required: true, content: { 'application/json': { schema: AttestationRequest } } } },
      responses: { 200: envelopeOf('What the caller counts as.', Standing) },
    }),
    async (c) => {
      const { facts, kind } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      if (kind !== 'user') return failure(c, apiError('FORBIDDEN', 'the person alone may certify this'));
      const kycStatus = kycStatusAt(facts, Date.now());
      if (!mayBeAccredited({ kycStatus })) return orderFailure(c, { reason: 'kyc_incomplete', kycStatus });
      const action = { id: resourceIdOf(c), ...whoActs(c) };
      const applied = await attestAccreditation(c.env, facts.accountId, c.req.valid('json').version, action);
      if (!applied.ok) return failure(c, applied.error);
      const { accreditationStatus, accreditationType } = applied.value.after;
      return c.json(enveloped({ accreditationStatus, accreditationType }), 200);
    },
  );
}
