import { z } from '@hono/zod-openapi';
import type { StatedLot } from '../../../application/operator/deposited-lots.ts';

export const LOTS_PER_DEPOSIT_MAX = 100;

/** A lot of a deposit; its fields are named as the exchange portfolio names them (X-EPI-02). */
export const LotRequest = z.strictObject({
  quantity: z.number().positive(),
  cost: z.number().nonnegative().default(0).openapi({ description: 'US dollars paid for the lot.' }),
  acquisitionDate: z.iso.datetime().optional().openapi({ description: 'Now, when left out.' }),
  restrictionEndDate: z.iso.datetime().nullable().optional().openapi({
    description: 'From the acquisition date by the hold period of the offering, when left out; null for a free lot.',
  }),
  offeringType: z.string().optional().openapi({ example: '506c' }),
});

export function statedLot({ acquisitionDate, restrictionEndDate, ...lot }: z.infer<typeof LotRequest>): StatedLot {
  return {
    ...lot,
    acquiredAt: acquisitionDate === undefined ? undefined : Date.parse(acquisitionDate),
    restrictionEndsAt: typeof restrictionEndDate === 'string' ? Date.parse(restrictionEndDate) : restrictionEndDate,
  };
}
