import { z } from '@hono/zod-openapi';
import { CANCEL_AFTER_MS_MAX, CANCEL_AFTER_MS_MIN } from '../../durable-objects/cancel-switch/api.ts';

/** Milliseconds until open orders are cancelled; 0 disarms. */
export const cancelAfterMs = z
  .union([z.literal(0), z.int().min(CANCEL_AFTER_MS_MIN).max(CANCEL_AFTER_MS_MAX)])
  .openapi({ type: 'integer', description: '1,000 to 3,600,000; 0 disarms the switch.', example: 30_000 });
