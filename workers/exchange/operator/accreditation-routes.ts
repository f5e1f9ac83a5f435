import { createRoute, z } from '@hono/zod-openapi';
import { endAccreditation, recordVerification, standingEnd } from '../../../application/operator/accreditation.ts';
import { findAccount } from '../../../data/accounts/accounts.ts';
import { listAccreditationRecords } from '../../../data/accounts/accreditation-records.ts';
import { database } from '../../../data/database.ts';
import { EVIDENCE_KINDS } from '../../../domain/accreditation/evidence.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { freeText } from '../../responses/free-text.ts';
import {
  AccreditationRecordView,
  accreditationRecordView,
  EndedByOperator,
  endedByOperatorView,
} from '../accreditation-schema.ts';
import { FactsChangeView, factsChangeView } from './account-schema.ts';
import { actionOf } from './action-of.ts';
import {
  OPERATOR_READ,
  OPERATOR_WRITE,
  OPERATOR_WRITE_OF_OTHERS,
  ReasonBody,
  readableOwner,
} from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const TEXT_LENGTH_MAX = 500;
const text = freeText(TEXT_LENGTH_MAX).min(1);

const VerificationRequest = z
  .strictObject({
    verifier: text.openapi({ description: 'Who has verified: a broker-dealer, adviser, attorney or accountant.' }),
    evidence: text.openapi({ description: 'Where the evidence is kept.' }),
    evidenceKind: z
      .enum(EVIDENCE_KINDS)
      .nullable()
      .default(null)
      .openapi({ description: 'What it is, by 17 CFR 230.506(c)(2)(ii).' }),
    verifiedAt: z.iso.datetime().openapi({ description: 'Within the last three months.' }),
    expiresAt: z.iso.datetime().openapi({
      description:
        'Five years after the verification at most, 90 days with evidence of the date: income, net worth, a letter.',
    }),
  })
  .openapi('OperatorVerificationRequest');

const Records = z
  .object({ records: z.array(AccreditationRecordView), endedByOperator: EndedByOperator })
  .openapi('OperatorAccreditationRecords');
const params = z.object({ id: z.string() });
const changed = { 200: envelopeOf('The facts before and after, and the orders that were cancelled.', FactsChangeView) };

/** What an account's accreditation rests on: verifications by third parties (17 CFR 230.506(c)(2)(ii)), and their end. */
export function operatorAccreditationRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_OF_OTHERS,
    createRoute({
      method: 'post',
      path: '/v1/operator/accounts/{id}/verifications',
      tags: ['operator'],
      summary: 'Record that a third party has verified accreditation',
      request: { params, body: { required: true, content: { 'application/json': { schema: VerificationRequest } } } },
      responses: changed,
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const { verifiedAt, expiresAt, ...by } = c.req.valid('json');
      const verification = { ...by, verifiedAt: Date.parse(verifiedAt), expiresAt: Date.parse(expiresAt) };
      const action = actionOf(c);
      const waits = await weigh(c, c.req.valid('json'), action);
      if (waits !== null) return failure(c, waits);
      const applied = await recordVerification(c.env, id, verification, action);
      return applied.ok ? c.json(enveloped(factsChangeView(id, applied.value)), 200) : failure(c, applied.error);
    },
  );

  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/accounts/{id}/accreditation/end',
      tags: ['operator'],
      summary: 'End the accreditation of an account',
      description:
        'All that it rests on ends, and open orders that need it are cancelled. Until an operator allows a request of the person, nobody is asked about them and they do not certify themselves.',
      request: { params, body: { required: true, content: { 'application/json': { schema: ReasonBody } } } },
      responses: changed,
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const applied = await endAccreditation(c.env, id, c.req.valid('json').reason, actionOf(c));
      return applied.ok ? c.json(enveloped(factsChangeView(id, applied.value)), 200) : failure(c, applied.error);
    },
  );

  registerRoute(
    exchange,
    { ...OPERATOR_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/accounts/{id}/accreditation',
      tags: ['operator'],
      summary: 'What the accreditation of an account rests on',
      request: { params },
      responses: { 200: envelopeOf('Newest first.', Records) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const db = database(c.env.DB);
      const account = await findAccount(db, id);
      const owner = readableOwner(c);
      if (account === null || account.boundary || (owner !== null && account.owner !== owner))
        return failure(c, apiError('NOT_FOUND', 'account does not exist'));
      const [records, end] = await Promise.all([listAccreditationRecords(db, id), standingEnd(c.env, id)]);
      const shown = { records: records.map(accreditationRecordView), endedByOperator: endedByOperatorView(end) };
      return c.json(enveloped(shown), 200);
    },
  );
}
