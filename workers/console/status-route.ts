import { createRoute, z } from '@hono/zod-openapi';
import { readPublicStatus, type StatusNow } from '../../application/status/read-public-status.ts';
import type { Incident } from '../../data/status/incidents.ts';
import { INCIDENT_STATES, PART_STATES, STATUS_PARTS, VENUE_STATES } from '../../domain/status/parts.ts';
import { STATUS_REASONS, type StatusReason } from '../../domain/status/public-status.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { isoTime, jsonOf } from '../responses/wire.ts';

const EDGE_SECONDS = 15;
/** Of an open incident; the bar and the page show the newest. */
const UPDATES_MAX = 10;

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
    state: z.enum(VENUE_STATES).openapi({
      description: 'Of the part that is worst. Halts of some markets, and parts that nobody measures, leave it `ok`.',
    }),
    parts: z.array(
      z.object({
        part: z.enum(STATUS_PARTS),
        state: z
          .enum(PART_STATES)
          .openapi({ description: '`unknown`: nothing measures it; an incident would name it.' }),
        reason: z.enum(STATUS_REASONS).nullable(),
        words: z.string().openapi({ description: 'The same as a sentence.' }),
      }),
    ),
    incidents: z
      .array(IncidentView)
      .nullable()
      .openapi({
        description: `That are open, newest first, each with its last ${UPDATES_MAX} updates; null where they cannot be read.`,
      }),
    past_incidents: z
      .array(IncidentView)
      .nullable()
      .openapi({ description: 'Of the last 90 days, 20 at most, each with its last update.' }),
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
  not_measured: 'No disturbance is known; it is not measured.',
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
      description:
        'Public, and as it was 25 s ago; up to 75 s while parts are slow. `at` says when. It is answered while parts are away, which it then says.',
      responses: { 200: jsonOf('Each part, and incidents.', Status) },
    }),
    async (c) => c.json(statusView(await readPublicStatus(c.env, Date.now())), 200),
  );
}

const NewestIncident = z
  .object({
    incident: z
      .object({ id: z.string(), title: z.string() })
      .nullable()
      .openapi({ description: 'The newest that is open; null where none is, or none can be read.' }),
  })
  .openapi('NewestIncident');

/**
 * GET /v1/session/incident: what the bar of each open page asks for once a minute. It draws on the session's requests: those of a stranger are shared by
 * everybody behind one address, and are what a sign-in needs.
 */
export function newestIncidentRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'console', session: 'own' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/session/incident',
      summary: 'The newest open incident',
      description: 'As it was ten seconds ago; up to a minute while parts are slow.',
      responses: { 200: jsonOf('Its title.', NewestIncident) },
    }),
    async (c) => {
      const { open } = await readPublicStatus(c.env, Date.now());
      const newest = open?.[0];
      return c.json({ incident: newest === undefined ? null : { id: newest.id, title: newest.title } }, 200);
    },
  );
}

function statusView({ at, state, parts, open, past }: StatusNow): z.infer<typeof Status> {
  return {
    at: isoTime(at),
    state,
    parts: parts.map((one) => ({ ...one, words: WORDS[one.reason ?? 'ok'] })),
    incidents: open?.map((incident) => incidentView(incident, UPDATES_MAX)) ?? null,
    past_incidents: past?.map((incident) => incidentView(incident, 1)) ?? null,
  };
}

/** Without who wrote it. */
function incidentView(
  { id, title, parts, state, openedAt, resolvedAt, updates }: Incident,
  updatesMax: number,
): z.infer<typeof IncidentView> {
  return {
    id,
    title,
    parts: [...parts],
    state,
    opened_at: isoTime(openedAt),
    resolved_at: resolvedAt === null ? null : isoTime(resolvedAt),
    updates: updates.slice(0, updatesMax).map(({ at, ...told }) => ({ ...told, at: isoTime(at) })),
  };
}
