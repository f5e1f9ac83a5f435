import { createRoute, z } from '@hono/zod-openapi';
import { readNotice, setNotice } from '../../../application/partner/actions/action-notice.ts';
import {
  type ActionOperationError,
  endAction,
  holdAction,
  releaseAction,
} from '../../../application/partner/actions/operate-action.ts';
import { database } from '../../../data/database.ts';
import { findStop } from '../../../data/partner/actions/action-right.ts';
import {
  type CorporateAction,
  endOf,
  findAction,
  listActionsOfVenue,
} from '../../../data/partner/actions/corporate-actions.ts';
import { HOUR_MS } from '../../../domain/calendar/durations.ts';
import { type ActionNotice, NOTICE_HOURS_MAX } from '../../../domain/corporate-actions/action-notice.ts';
import { ACTION_STATES, ACTION_STOPS, ACTION_WAITS } from '../../../domain/corporate-actions/action-state.ts';
import { ACTION_TYPES, takesShares } from '../../../domain/corporate-actions/corporate-action.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { bodyOf, isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, ReasonBody, VENUE_READ } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const ActionView = z
  .object({
    id: z.string(),
    securityId: z.string(),
    agent: z.string(),
    type: z.enum(ACTION_TYPES),
    state: z.enum(ACTION_STATES),
    waitingFor: z.enum(ACTION_WAITS).nullable(),
    heldReason: z.string().nullable().openapi({ description: 'Why an operator holds it.' }),
    reason: z.string().nullable(),
    description: z.string(),
    terms: z.record(z.string(), z.unknown()),
    dueAt: z.iso.datetime(),
    isMoving: z
      .boolean()
      .openapi({ description: 'Shares move: it goes to its end, and is neither held nor cancelled.' }),
    needsConsent: z.boolean(),
    consentedAt: z.iso.datetime().nullable(),
    survivorConsentedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .openapi('OperatorCorporateAction');

const ActionDetailView = ActionView.extend({
  stoppedBy: z.enum(ACTION_STOPS).nullable().openapi({ description: 'Why it would take no step at this moment.' }),
}).openapi('OperatorCorporateActionDetail');

function actionView(action: CorporateAction): z.infer<typeof ActionView> {
  const { id, security, agent, type, state, waiting, heldReason, reason, description, terms } = action;
  return {
    ...{ id, agent, type, state, heldReason, reason, description },
    securityId: security,
    waitingFor: waiting,
    terms: { ...terms },
    dueAt: isoTime(action.dueAt),
    isMoving: action.movingAt !== null && endOf(action) === null,
    needsConsent: takesShares(terms),
    consentedAt: isoTimeOrNull(action.consentedAt),
    survivorConsentedAt: isoTimeOrNull(action.survivorConsentedAt),
    createdAt: isoTime(action.createdAt),
    endedAt: isoTimeOrNull(endOf(action)),
  };
}

const hours = z.int().min(0).max(NOTICE_HOURS_MAX);
const NoticeBody = z
  .strictObject({
    sharesHours: hours.openapi({ description: 'Of what ends or divides holdings.' }),
    otherHours: hours.openapi({ description: 'Of anything else.' }),
  })
  .openapi('OperatorCorporateActionNotice', { example: { sharesHours: 240, otherHours: 24 } });

const noticeView = ({ sharesMs, otherMs }: ActionNotice): z.infer<typeof NoticeBody> => ({
  sharesHours: sharesMs / HOUR_MS,
  otherHours: otherMs / HOUR_MS,
});

const params = z.object({ id: z.uuid() });
const responses = { 200: envelopeOf('The action.', ActionView) };

const SUMMARY = {
  hold: 'Hold a corporate action: what has begun is given up, what was paid in goes back',
  release: 'Let a corporate action go on that operators hold',
  cancel:
    'End a corporate action in any state in which no shares move; what was paid in, and has reached nobody, goes back',
} as const;

/** What operators see of corporate actions, and do about them (docs/design/corporate-actions.md#states). */
export function corporateActionRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/corporate-actions',
      tags: ['operator'],
      summary: 'Corporate actions, newest first',
      request: {
        query: z.object({
          security: z.uuid().optional(),
          type: z.enum(ACTION_TYPES).optional(),
          state: z.enum(ACTION_STATES).optional(),
          limit: limitQuery,
          cursor: z.string().max(100).optional().openapi({ description: 'Id of the last action of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Actions.', z.array(ActionView)) },
    }),
    async (c) => {
      const { security = null, type = null, state = null, limit, cursor } = c.req.valid('query');
      const query = { security, type, state, before: cursor ?? null, limit: rowsToRead(limit) };
      const found = await listActionsOfVenue(database(c.env.DB), query);
      return c.json(enveloped(pageOf(c, found, limit, (last) => last.id).map(actionView)), 200);
    },
  );
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/corporate-actions/notice',
      tags: ['operator'],
      summary: 'How long before its first effect a corporate action is announced',
      responses: { 200: envelopeOf('The notice.', NoticeBody) },
    }),
    async (c) => c.json(enveloped(noticeView(await readNotice(c.env))), 200),
  );
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'put',
      path: '/v1/operator/corporate-actions/notice',
      tags: ['operator'],
      summary: 'Set the notice of corporate actions that are announced from here on',
      request: { body: bodyOf(NoticeBody) },
      responses: { 200: envelopeOf('The notice.', NoticeBody) },
    }),
    async (c) => {
      const { sharesHours, otherHours } = c.req.valid('json');
      const notice = { sharesMs: sharesHours * HOUR_MS, otherMs: otherHours * HOUR_MS };
      const action = actionOf(c);
      const waits = await weigh(c, { sharesHours, otherHours }, action);
      if (waits !== null) return failure(c, waits);
      return c.json(enveloped(noticeView(await setNotice(c.env, notice, action))), 200);
    },
  );
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/corporate-actions/{id}',
      tags: ['operator'],
      summary: 'A corporate action, and what stops it',
      request: { params },
      responses: { 200: envelopeOf('The action.', ActionDetailView) },
    }),
    async (c) => {
      const db = database(c.env.DB);
      const action = await findAction(db, c.req.valid('param').id);
      if (action === null) return failure(c, operationError({ reason: 'action_not_found' }));
      const stoppedBy = endOf(action) === null ? await findStop(db, action.id) : null;
      return c.json(enveloped({ ...actionView(action), stoppedBy }), 200);
    },
  );
  for (const verb of ['hold', 'release', 'cancel'] as const) {
    registerRoute(
      exchange,
      OPERATOR_WRITE,
      createRoute({
        method: 'post',
        path: `/v1/operator/corporate-actions/{id}/${verb}`,
        tags: ['operator'],
        summary: SUMMARY[verb],
        request: { params, body: bodyOf(ReasonBody) },
        responses,
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const { reason } = c.req.valid('json');
        const by = actionOf(c, reason);
        const waits = verb === 'release' ? await weigh(c, { reason }, by) : null;
        if (waits !== null) return failure(c, waits);
        const operated =
          verb === 'hold'
            ? await holdAction(c.env, { id, reason }, by)
            : verb === 'release'
              ? await releaseAction(c.env, id, by)
              : await endAction(c.env, { id, reason }, by);
        if (!operated.ok) return failure(c, operationError(operated.error));
        return c.json(enveloped(actionView(operated.value)), 200);
      },
    );
  }
}

function operationError(error: ActionOperationError): ApiError {
  switch (error.reason) {
    case 'action_not_found':
      return apiError('NOT_FOUND', 'corporate action does not exist');
    case 'wrong_state':
      return apiError('CONFLICT', 'the action has ended', { reason: error.reason, state: error.action.state });
    case 'shares_move':
      return apiError('CONFLICT', 'shares move: the action goes to its end by itself', { reason: error.reason });
  }
}
