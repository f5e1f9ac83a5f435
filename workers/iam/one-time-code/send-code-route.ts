import { createRoute, z } from '@hono/zod-openapi';
import { issueOneTimeCode } from '../../../application/identity/one-time-code/issue-one-time-code.ts';
import { numberAsKept } from '../../../application/identity/one-time-code/number-as-kept.ts';
import { otpSenderOf } from '../../../application/identity/one-time-code/otp-sender-of.ts';
import { database } from '../../../data/database.ts';
import { findOAuthClient } from '../../../data/identity/oauth-clients.ts';
import { CODE_LIFETIME_MS } from '../../../domain/identity/one-time-code.ts';
import { phoneNumberOf } from '../../../domain/identity/phone-number.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { clientAddressOf } from '../../middleware/client-address.ts';
import { rateExceeded } from '../../middleware/count-address.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';

const Form = z.object({
  phone: z.string().refine((written) => phoneNumberOf(written) !== null, 'an international phone number'),
  client_id: z.string().min(1).max(200).optional().openapi({
    description: 'Where the code is good alone, and its message says so. Without it the code is good at each client.',
  }),
});
const Sent = z.object({ expiresIn: z.int() });

/** Sends a one-time code, the `password` of the password grant, for the client that is named. The answer is the same whether the number is known or not. */
export function sendCodeRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'oauth' }, bucket: 'public' },
    createRoute({
      method: 'post',
      path: '/api/login/oauth/send-code',
      summary: 'Send a one-time code to a phone',
      request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: Form } } } },
      responses: {
        200: envelopeOf('Sent, if the number is known', Sent),
      },
    }),
    async (c) => {
      const sender = otpSenderOf(c.env);
      if (sender === null) return failure(c, apiError('SERVICE_UNAVAILABLE', 'no SMS gateway is configured'));
      const { phone: written, client_id: clientId } = c.req.valid('form');
      const phone = (await numberAsKept(database(c.env.DB), written)) ?? written;
      const client = clientId === undefined ? null : await findOAuthClient(database(c.env.DB), clientId);
      if (
        clientId !== undefined &&
        (client === null || client.revokedAt !== null || !client.grants.includes('password'))
      )
        return failure(c, apiError('VALIDATION_ERROR', 'nobody signs in at this client', { field: 'client_id' }));
      const code = await issueOneTimeCode(phone, clientAddressOf(c), c.env, client);
      if (!code.issued) return failure(c, rateExceeded(c, code.retryAfter));
      c.executionCtx.waitUntil(code.deliver(sender));
      return c.json(enveloped({ expiresIn: CODE_LIFETIME_MS / 1_000 }), 200);
    },
  );
}
