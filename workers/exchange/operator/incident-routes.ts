import { createRoute, z } from '@hono/zod-openapi';
import { openNewIncident, tellOfIncident } from '../../../application/status/incidents.ts';
import { database } from '../../../data/database.ts';
import { findIncident, type Incident, listIncidents } from '../../../data/status/incidents.ts';
import { INCIDENT_STATES, STATUS_PARTS } from '../../../domain/status/parts.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { freeText } from '../../responses/free-text.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, VENUE_READ } from './operator-route.ts';

const TITLE_LENGTH_MAX = 120;
const WORDS_LENGTH_MAX = 1_000;

const Parts = z
  .array(z.enum(STATUS_PARTS))
  .min(1)
  .max(STATUS_PARTS.length)
  .refine((parts) => new Set(parts).size === parts.length, 'must name each part once')
  .openapi({ description: 'What customers see as disturbed while it is open.' });

const Words = freeText(WORDS_LENGTH_MAX).min(1).openapi({
  description:
    'What the public is told, as it stands here: no names of customers, and nothing of how the venue is built.',
});

const Opening = z
  .strictObject({
    title: freeText(TITLE_LENGTH_MAX).min(1),
    parts: Parts,
    state: z.enum(['investigating', 'identified', 'monitoring']).default('investigating'),
    words: Words,
  })
  .openapi('IncidentOpening');

const Update = z
  .strictObject({ state: z.enum(INCIDENT_STATES), words: Words, parts: Parts.optional() })
  .openapi('IncidentUpdate');

const IncidentView = z
  .object({
    id: z.string(),
    title: z.string(),
    parts: z.array(z.enum(STATUS_PARTS)),
    state: z.enum(INCIDENT_STATES),
    openedAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    resolvedAt: z.iso.datetime().nullable().openapi({ description: 'Null while it is open.' }),
    updates: z.array(z.object({ state: z.enum(INCIDENT_STATES), words: z.string(), at: z.iso.datetime() })),
  })
  .openapi('OperatorIncident');

const PATH = '/v1/operator/incidents';
const tags = ['operator'];
const NO_SUCH = apiError('NOT_FOUND', 'incident does not exist');

/** /v1/operator/incidents: what operators tell the public of a disturbance. Who wrote what stands in the audit trail. */
export function incidentRoutes(exchange: Profile): void {
  readIncidents(exchange);
  writeIncidents(exchange);
}

function readIncidents(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: PATH,
      tags,
      summary: 'Incidents, newest first',
      request: {
        query: z.object({
          status: z.enum(['open', 'resolved']).optional(),
          limit: limitQuery,
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: envelopeOf('The incidents.', z.array(IncidentView)) },
    }),
    async (c) => {
      const { status, limit, cursor = null } = c.req.valid('query');
      const filter = { isOpen: status === undefined ? null : status === 'open', resolvedSince: null, before: cursor };
      const found = await listIncidents(database(c.env.DB), { ...filter, limit: rowsToRead(limit) });
      return c.json(enveloped(pageOf(c, found, limit, ({ id }) => id).map(incidentView)), 200);
    },
  );
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: `${PATH}/{id}`,
      tags,
      summary: 'An incident with all that was told of it',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('The incident.', IncidentView) },
    }),
    async (c) => {
      const found = await findIncident(database(c.env.DB), c.req.valid('param').id);
      return found === null ? failure(c, NO_SUCH) : c.json(enveloped(incidentView(found)), 200);
    },
  );
}

function writeIncidents(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: PATH,
      tags,
      summary: 'Open an incident; the public reads it within two minutes',
      request: { body: { required: true, content: { 'application/json': { schema: Opening } } } },
      responses: { 200: envelopeOf('The incident.', IncidentView) },
    }),
    async (c) => {
      const opened = await openNewIncident(c.env, c.req.valid('json'), actionOf(c));
      return opened.ok ? c.json(enveloped(incidentView(opened.value)), 200) : failure(c, opened.error);
    },
  );
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: `${PATH}/{id}/updates`,
      tags,
      summary: 'Tell more of an open incident, or that it is resolved',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: Update } } },
      },
      responses: { 200: envelopeOf('The incident.', IncidentView) },
    }),
    async (c) => {
      const told = await tellOfIncident(c.env, c.req.valid('param').id, c.req.valid('json'), actionOf(c));
      return told.ok ? c.json(enveloped(incidentView(told.value)), 200) : failure(c, told.error);
    },
  );
}

function incidentView(incident: Incident): z.infer<typeof IncidentView> {
  const { id, title, parts, state, openedAt, updatedAt, resolvedAt, updates } = incident;
  const time = (at: number) => new Date(at).toISOString();
  return {
    id,
    title,
    parts: [...parts],
    state,
    openedAt: time(openedAt),
    updatedAt: time(updatedAt),
    resolvedAt: resolvedAt === null ? null : time(resolvedAt),
    updates: updates.map(({ at, ...told }) => ({ ...told, at: time(at) })),
  };
}
