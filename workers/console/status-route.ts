import { createRoute, z } from '@hono/zod-openapi';
import { readPublicStatus, type StatusNow } from '../../application/status/read-public-status.ts';
import type { Incident } from '../../data/status/incidents.ts';
import { INCIDENT_STATES, PART_STATES, STATUS_PARTS } from '../../domain/status/parts.ts';
import { STATUS_REASONS, type StatusReason } from '../../domain/status/public-status.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { isoTime, jsonOf } from '../responses/wire.ts';

const EDGE_SECONDS = 15;

const IncidentView = z
  .object({
    id: z.string(),
    title: z.string(),
    parts: z.array(z.enum(STATUS_PARTS)),
    state: z.enum(INCIDENT_STATES),
    opened_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().nullable(),
    updates: z.array(z.object({ state: z.enum(INCIDENT_STATES), words: z.string(), at: z.iso.datetime() })),
  })
  .openapi('PublicIncident');

const Status = z
  .object({
    at: z.iso.datetime().openapi({ description: 'When it was looked at.' }),
    state: z.enum(PART_STATES).openapi({ description: 'Of the part that is worst.' }),
    parts: z.array(
      z.object({
        part: z.enum(STATUS_PARTS),
        state: z.enum(PART_STATES),
        reason: z.enum(STATUS_REASONS).nullable(),
        words: z.string().openapi({ description: 'The same as a sentence.' }),
      }),
    ),
    incidents: z
      .array(IncidentView)
      .nullable()
      .openapi({ description: 'That are open, newest first; null where they cannot be read.' }),
    past_incidents: z.array(IncidentView).nullable().openapi({ description: 'Of the last 90 days, 20 at most.' }),
  })
  .openapi('PublicStatus');

const WORDS: Readonly<Record<StatusReason | 'ok', string>> = {
  ok: 'Works.',
  not_available: 'Not available at the moment.',
  trading_halted: 'All trading is halted. Open orders can be cancelled.',
  no_new_orders: 'No new orders are taken at the moment. Open orders can be cancelled.',
  incident: 'Disturbed: see the incident.',
  delayed: 'Works with a delay.',
  some_markets_halted: 'Works; some markets are halted.',
};

/** GET /v1/status: what works and what does not, for anybody. */
export function statusRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public', edge: { seconds: EDGE_SECONDS } },
    createRoute({
      method: 'get',
      path: '/v1/status',
      summary: 'What of the venue works',
      description: `Public, and as it was ${EDGE_SECONDS} s ago at most. It is answered while parts are away, which it then says.`,
      responses: { 200: jsonOf('Each part, and incidents.', Status) },
    }),
    async (c) => c.json(statusView(await readPublicStatus(c.env, Date.now())), 200),
  );
}

function statusView({ at, state, parts, open, past }: StatusNow): z.infer<typeof Status> {
  return {
    at: isoTime(at),
    state,
    parts: parts.map((one) => ({ ...one, words: WORDS[one.reason ?? 'ok'] })),
    incidents: open?.map(incidentView) ?? null,
    past_incidents: past?.map(incidentView) ?? null,
  };
}

/** Without who wrote it. */
function incidentView({
  id,
  title,
  parts,
  state,
  openedAt,
  resolvedAt,
  updates,
}: Incident): z.infer<typeof IncidentView> {
  return {
    id,
    title,
    parts: [...parts],
    state,
    opened_at: isoTime(openedAt),
    resolved_at: resolvedAt === null ? null : isoTime(resolvedAt),
    updates: updates.map(({ at, ...told }) => ({ ...told, at: isoTime(at) })),
  };
}
