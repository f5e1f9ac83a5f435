import { z } from '@hono/zod-openapi';
import type { DepartureState } from '../../../data/events/retention/retention-departures.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';

export const DepartureRecord = z
  .object({
    tenant: z.string(),
    events: z.number().int().openapi({ description: 'How many go.' }),
    requested_by: z.string().openapi({ description: 'User id.' }),
    requested_at: z.iso.datetime(),
    leave_at: z.iso
      .datetime()
      .openapi({ description: 'When the tenant’s key is destroyed; until then it can be stopped.' }),
    leaving_at: z.iso.datetime().nullable().openapi({ description: 'When the destruction began.' }),
  })
  .openapi('Departure');

export function departureView({ departure, events }: DepartureState): z.infer<typeof DepartureRecord> {
  return {
    tenant: departure.tenant,
    events,
    requested_by: departure.requestedBy,
    requested_at: isoTime(departure.requestedAt),
    leave_at: isoTime(departure.leaveAt),
    leaving_at: isoTimeOrNull(departure.leavingAt),
  };
}
