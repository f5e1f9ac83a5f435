import { createRoute, z } from '@hono/zod-openapi';
import { registerPartner } from '../../../application/partner/registration/register-partner.ts';
import { clientAddressOf } from '../../middleware/client-address.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { ApplicationBody, OrganizationView, organizationOnWire } from './organization-schema.ts';

/** POST /v1/organizations (P-AUT-01). No Idempotency-Key: keeping the answer would keep the secret. */
export function registerOrganizationRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'public' }, bucket: 'public', errors: ['RATE_LIMIT_EXCEEDED'] },
    createRoute({
      method: 'post',
      path: '/v1/organizations',
      tags: ['organizations'],
      summary: 'Apply as a cross-lister, a transfer agent or a tenant of the bridge; the client’s secret is shown once',
      description:
        'Five applications a day from one address. Tokens hold at once; partner calls wait until the organization is active.',
      request: { body: bodyOf(ApplicationBody) },
      responses: {
        201: jsonOf('The organization.', OrganizationView.extend({ client_id: z.string(), client_secret: z.string() })),
      },
    }),
    async (c) => {
      const body = c.req.valid('json');
      const application = {
        name: body.name,
        role: body.role,
        contactEmail: body.contact_email,
        crdNumber: body.role === 'cross_lister' ? body.crd_number : null,
        secRegistrationNumber: body.role === 'transfer_agent' ? body.sec_registration_number : null,
      };
      const caller = { clientAddress: clientAddressOf(c), requestId: c.get('requestId') };
      const applied = await registerPartner(c.env, application, caller);
      if (!applied.ok) {
        const { error, retryAfter } = applied.error;
        c.set('retryAfter', retryAfter);
        return failure(c, error);
      }
      const { partner, clientId, clientSecret } = applied.value;
      c.header('cache-control', 'no-store');
      return c.json({ ...organizationOnWire(partner), client_id: clientId, client_secret: clientSecret }, 201);
    },
  );
}
