import { createRoute, z } from '@hono/zod-openapi';
import { CONSOLE_CLIENT_ID } from '../../../application/console/console-client.ts';
import { endApplicationForAll, readmitForAll } from '../../../application/operator/end-application.ts';
import { database } from '../../../data/database.ts';
import { listApplications, PEOPLE_COUNTED_MAX } from '../../../data/identity/ended-applications.ts';
import { isDocumentId } from '../../../domain/identity/client-metadata.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_STOP, OPERATOR_WRITE, Reason, VENUE_READ } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const PATH = '/v1/operator/applications';

const ID_LENGTH_MAX = 2_000;
const ClientId = z.string().min(1).max(ID_LENGTH_MAX);

const ApplicationView = z
  .object({
    clientId: z.string(),
    kind: z.enum(['registered', 'document']),
    name: z.string().nullable().openapi({ description: 'What it calls itself; null where nobody allows it anything.' }),
    people: z.int().openapi({ description: `Who allow it something now, up to ${PEOPLE_COUNTED_MAX}.` }),
    endedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When nothing was left of what people had allowed it.' }),
    reason: z.string().nullable(),
  })
  .openapi('OperatorApplication');

const EndedView = z
  .object({
    clientId: z.string(),
    endedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    reason: z.string(),
    ended: z.int().openapi({ description: 'Of what people had allowed it, what this call has ended.' }),
    failed: z.int().openapi({ description: 'What this call could not end; it is tried again.' }),
  })
  .openapi('OperatorEndedApplication');

const named = { clientId: ClientId, reason: Reason };

const Body = z.strictObject(named).openapi('OperatorApplicationWord');

const EndBody = z
  .strictObject({
    ...named,
    inAdvance: z
      .boolean()
      .optional()
      .openapi({ description: 'Ends documents of an origin that nobody has allowed anything yet.' }),
  })
  .openapi('OperatorApplicationEnd');

const request = { body: { required: true, content: { 'application/json': { schema: Body } } } };

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** GET /v1/operator/applications; POST …/end, …/readmit: applications that no operator has made. */
export function applicationRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: PATH,
      tags: ['operator'],
      summary: 'Applications that people have allowed something and no operator has made',
      description:
        'Those that have registered themselves, and those that are known by their document, by id; with those that an operator has ended.',
      request: {
        query: z.object({
          limit: limitQuery,
          cursor: ClientId.optional().openapi({ description: 'Id of the last application of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Applications by id.', z.array(ApplicationView)) },
    }),
    async (c) => {
      const { limit, cursor = '' } = c.req.valid('query');
      const notThese = [CONSOLE_CLIENT_ID];
      const found = await listApplications(database(c.env.DB), { after: cursor, notThese, limit: rowsToRead(limit) });
      const shown = pageOf(c, found, limit, ({ clientId }) => clientId).map((application) => ({
        ...application,
        kind: isDocumentId(application.clientId) ? ('document' as const) : ('registered' as const),
        endedAt: timeOf(application.endedAt),
        finishedAt: timeOf(application.finishedAt),
      }));
      return c.json(enveloped(shown), 200);
    },
  );
  registerRoute(
    exchange,
    OPERATOR_STOP,
    createRoute({
      method: 'post',
      path: `${PATH}/end`,
      tags: ['operator'],
      summary: 'End an application for everybody',
      description:
        'At once it gets no token, and nobody allows it anything. What people had allowed ends person by person, with keys of agents, their open orders and tokens: `finishedAt` says when nothing is left. With a document end all of its origin.',
      request: { body: { required: true, content: { 'application/json': { schema: EndBody } } } },
      responses: { 200: envelopeOf('The application.', EndedView) },
    }),
    async (c) => {
      const word = c.req.valid('json');
      const done = await endApplicationForAll(c.env, word, actionOf(c));
      if (!done.ok) return failure(c, done.error);
      const { clientId, endedAt, finishedAt, reason, ended, failed } = done.value;
      const times = { endedAt: new Date(endedAt).toISOString(), finishedAt: timeOf(finishedAt) };
      return c.json(enveloped({ clientId, ...times, reason, ended, failed }), 200);
    },
  );
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: `${PATH}/readmit`,
      tags: ['operator'],
      summary: 'Let people allow an application something again',
      description: 'What they had allowed before stays ended.',
      request,
      responses: { 200: envelopeOf('Its id.', z.object({ clientId: z.string() })) },
    }),
    async (c) => {
      const word = c.req.valid('json');
      const action = actionOf(c);
      const waits = await weigh(c, word, action);
      if (waits !== null) return failure(c, waits);
      const admitted = await readmitForAll(c.env, word, action);
      return admitted.ok ? c.json(enveloped({ clientId: word.clientId }), 200) : failure(c, admitted.error);
    },
  );
}
