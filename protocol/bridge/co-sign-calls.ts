import { z } from 'zod';
import { TransferTermsDocument } from './signer-calls.ts';

const Compressed = z.string().regex(/^0[23][0-9a-f]{64}$/);
const Signature = z.string().regex(/^[0-9a-f]{128}$/);

/**
 * What a hardware module's process is asked, and what it answers: `POST /v1/<call>` with a JSON list of arguments, under a bearer token. It is shown the terms, not their
 * commitment: it signs by rules of its own.
 */
export const CO_SIGN_CALLS = {
  publicKey: { asked: z.tuple([]), answered: Compressed },
  coSign: {
    asked: z.tuple([TransferTermsDocument]),
    answered: z.discriminatedUnion('ok', [
      z.strictObject({ ok: z.literal(true), value: Signature }),
      z.strictObject({ ok: z.literal(false), reason: z.string().max(1_024) }),
    ]),
  },
} as const;

export const CO_SIGN_CALL_BYTES_MAX = 8_192;
