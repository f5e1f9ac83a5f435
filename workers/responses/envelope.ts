import { z } from '@hono/zod-openapi';
import { jsonOf } from './wire.ts';

/** `{data, message: 'ok'}`, the envelope of profile A and of the identity provider, as `responses` of a route declares it. */
export function envelopeOf<Data extends z.ZodType>(description: string, data: Data) {
  return jsonOf(description, z.object({ data, message: z.literal('ok') }));
}

export function enveloped<Data>(data: Data) {
  return { data, message: 'ok' as const };
}
