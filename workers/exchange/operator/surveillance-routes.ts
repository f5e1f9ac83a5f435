import { createRoute, z } from '@hono/zod-openapi';
import { peopleBehind } from '../../../application/identity/clients/people-behind.ts';
import { actOnCase, type CaseAct, noSuchCase } from '../../../application/surveillance/act-on-case.ts';
import { database } from '../../../data/database.ts';
import { namesOfUsers } from '../../../data/surveillance/people.ts';
import { findCase, listCases, listNotes, type ScaledCase } from '../../../data/surveillance/surveillance-cases.ts';
import { listDays } from '../../../data/surveillance/surveillance-days.ts';
import { CASE_OUTCOMES, CASE_STATES, SURVEILLANCE_RULES } from '../../../domain/surveillance/surveillance-case.ts';
import { type AppContext, whoActs } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { freeText } from '../../responses/free-text.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, Reason, VENUE_READ } from './operator-route.ts';
import { CaseItemView, CaseView, caseItemView, caseView, DayView, dayView } from './surveillance-schema.ts';

const PATH = '/v1/operator/surveillance';
const ID_LENGTH_MAX = 200;
const NOTE_LENGTH_MAX = 4_000;

const id = z.string().max(ID_LENGTH_MAX);
const params = z.object({ id: z.uuid() });
const version = z
  .int()
  .positive()
  .openapi({ description: 'Of the case as it was read: one that has changed since is left alone.' });

const NoteBody = z.strictObject({ text: freeText(NOTE_LENGTH_MAX).min(1) }).openapi('SurveillanceNoteRequest');
const AssignBody = z
  .strictObject({ version, assignee: id.nullable(), reason: Reason })
  .openapi('SurveillanceAssignment');
const CloseBody = z
  .strictObject({ version, outcome: z.enum(CASE_OUTCOMES), reason: Reason })
  .openapi('SurveillanceClosing');
const ReopenBody = z.strictObject({ version, reason: Reason }).openapi('SurveillanceReopening');

/** Cases of market surveillance (docs/design/surveillance.md): lists, one, its days, and what an operator does with it. */
export function surveillanceRoutes(exchange: Profile): void {
  readRoutes(exchange);
  actRoutes(exchange);
}

function readRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: PATH,
      tags: ['operator'],
      summary: 'Cases of market surveillance, newest first',
      description: 'A case about whoever asks is not in their list.',
      request: {
        query: z.object({
          state: z.enum([...CASE_STATES, 'all']).default('open'),
          rule: z.enum(SURVEILLANCE_RULES).optional(),
          market: id.optional(),
          userId: id.optional().openapi({ description: 'One whom it is about.' }),
          assignee: id.optional().openapi({ description: 'Who looks into it; empty for nobody.' }),
          limit: limitQuery,
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: envelopeOf('The cases, without their evidence.', z.array(CaseItemView)) },
    }),
    async (c) => {
      const { state, rule = null, market = null, userId = null, assignee = null, limit, cursor } = c.req.valid('query');
      const db = database(c.env.DB);
      const found = await listCases(db, [...(await viewersOf(c))], {
        state: state === 'all' ? null : state,
        rule,
        market,
        person: userId,
        assignee,
        before: cursor ?? null,
        limit: rowsToRead(limit),
      });
      const page = pageOf(c, found, limit, (last) => last.id);
      const names = await namesOfUsers(
        db,
        page.flatMap(({ people }) => people),
      );
      return c.json(enveloped(page.map((row) => caseItemView(row, names))), 200);
    },
  );

  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/surveillance-days',
      tags: ['operator'],
      summary: 'Trading days that were watched, newest first, with what was left out of them',
      request: { query: z.object({ limit: limitQuery, cursor: z.iso.date().optional() }) },
      responses: { 200: envelopeOf('The days.', z.array(DayView)) },
    }),
    async (c) => {
      const { limit, cursor = null } = c.req.valid('query');
      const found = await listDays(database(c.env.DB), [...(await viewersOf(c))], {
        before: cursor,
        limit: rowsToRead(limit),
      });
      return c.json(enveloped(pageOf(c, found, limit, ({ day }) => day).map(dayView)), 200);
    },
  );

  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: `${PATH}/{id}`,
      tags: ['operator'],
      summary: 'A case of market surveillance, with its evidence and notes',
      request: { params },
      responses: { 200: envelopeOf('The case.', CaseView) },
    }),
    async (c) => {
      const found = await findCase(database(c.env.DB), c.req.valid('param').id, await viewersOf(c));
      return found === null ? failure(c, noSuchCase()) : c.json(enveloped(await viewOf(c, found)), 200);
    },
  );
}

function actRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: `${PATH}/{id}/notes`,
      tags: ['operator'],
      summary: 'Write a note on a case',
      request: { params, body: { required: true, content: { 'application/json': { schema: NoteBody } } } },
      responses: { 200: envelopeOf('The case with the note.', CaseView) },
    }),
    async (c) => act(c, null, { type: 'note', text: c.req.valid('json').text }),
  );

  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: `${PATH}/{id}/assign`,
      tags: ['operator'],
      summary: 'Say who looks into an open case',
      request: { params, body: { required: true, content: { 'application/json': { schema: AssignBody } } } },
      responses: { 200: envelopeOf('The case.', CaseView) },
    }),
    async (c) => {
      const { assignee, version: read, reason } = c.req.valid('json');
      return act(c, read, { type: 'assign', assignee }, reason);
    },
  );

  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: `${PATH}/{id}/close`,
      tags: ['operator'],
      summary: 'Close a case, with how it has ended and why',
      description:
        'What the outcome names is done elsewhere: an account is restricted by freezing it, a report is filed with the authority.',
      request: { params, body: { required: true, content: { 'application/json': { schema: CloseBody } } } },
      responses: { 200: envelopeOf('The closed case.', CaseView) },
    }),
    async (c) => {
      const { outcome, version: read, reason } = c.req.valid('json');
      return act(c, read, { type: 'close', outcome, reason }, reason);
    },
  );

  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: `${PATH}/{id}/reopen`,
      tags: ['operator'],
      summary: 'Open a closed case again',
      request: { params, body: { required: true, content: { 'application/json': { schema: ReopenBody } } } },
      responses: { 200: envelopeOf('The case, open.', CaseView) },
    }),
    async (c) => {
      const { version: read, reason } = c.req.valid('json');
      return act(c, read, { type: 'reopen' }, reason);
    },
  );
}

async function act(c: AppContext, version: number | null, asked: CaseAct, reason?: string) {
  const acted = await actOnCase(c.env, { id: c.req.param('id') ?? '', version, act: asked }, actionOf(c, reason));
  return acted.ok ? c.json(enveloped(await viewOf(c, acted.value)), 200) : failure(c, acted.error);
}

/** Everybody who may be looking: none of them is shown what is about themselves. */
function viewersOf(c: AppContext): Promise<ReadonlySet<string>> {
  return peopleBehind(database(c.env.DB), whoActs(c));
}

async function viewOf(c: AppContext, found: ScaledCase): Promise<z.infer<typeof CaseView>> {
  const db = database(c.env.DB);
  const [notes, names] = await Promise.all([listNotes(db, found.found.id), namesOfUsers(db, found.found.people)]);
  return caseView(found, notes, names);
}
