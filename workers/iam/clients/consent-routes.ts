import { createRoute, z } from '@hono/zod-openapi';
import { endConsent } from '../../../application/identity/authorization/own-consents.ts';
import { database } from '../../../data/database.ts';
import { type ClientConsent, listClientConsents } from '../../../data/identity/client-consents.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';

const Consent = z
  .object({
    id: z.string(),
    clientId: z.string(),
    clientName: z.string().openapi({ description: 'As the client called itself.' }),
    resource: z.string().nullable().openapi({ description: 'What its tokens are for; null for what it is by itself.' }),
    scope: z.string(),
    keyId: z.string().nullable().openapi({ description: 'The API key that an agent acts under.' }),
    agreedAt: z.iso.datetime(),
  })
  .openapi('ClientConsent');

/** GET /v1/consents: which applications and agents the caller has let in by a browser. */
export function listConsentsRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/consents',
      summary: 'Applications and agents that the caller has allowed',
      responses: { 200: envelopeOf('The latest first, 200 at most.', z.array(Consent)) },
    }),
    async (c) => {
      const consents = await listClientConsents(database(c.env.DB), principalOf(c).userId);
      return c.json(enveloped(consents.map(consentOnWire)), 200);
    },
  );
}

/** DELETE /v1/consents/{id}: its tokens and its key end, with the open orders of that. */
export function endConsentRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'stops', errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'delete',
      path: '/v1/consents/{id}',
      summary: 'End what an application or agent was allowed',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('What has ended.', Consent) },
    }),
    async (c) => {
      const ended = await endConsent(c.env, principalOf(c).userId, c.req.valid('param').id);
      return ended.ok ? c.json(enveloped(consentOnWire(ended.value)), 200) : failure(c, ended.error);
    },
  );
}

function consentOnWire({ resource, agreedAt, userId: _, ...consent }: ClientConsent): z.infer<typeof Consent> {
  return { ...consent, resource: resource === '' ? null : resource, agreedAt: new Date(agreedAt).toISOString() };
}
