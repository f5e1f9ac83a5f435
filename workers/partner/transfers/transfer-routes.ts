import { createRoute, z } from '@hono/zod-openapi';
import {
  acknowledgeTransfer,
  type CompletionTerms,
  completeTogether,
  completeTransfer,
  initiateTransfers,
  rejectTransfer,
} from '../../../application/partner/register/transfers.ts';
import { database } from '../../../data/database.ts';
import { scalesOf } from '../../../data/partner/register/registered-security.ts';
import {
  findTransferInstruction,
  listTransfers,
  type TransferInstruction,
} from '../../../data/partner/register/transfer-instructions.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { liesAhead } from '../../../domain/register/lies-ahead.ts';
import type { TransferState } from '../../../domain/register/transfer-state.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, partnerOf, principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { dayOrMoment } from '../../responses/day-or-moment.ts';
import { failure } from '../../responses/failure.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { TRANSFER_ACKNOWLEDGE_REQUEST, TRANSFER_COMPLETE_REQUEST } from '../examples.ts';
import { AGENT_READ } from '../partner-route.ts';
import { recordedAhead } from '../recorded-ahead.ts';
import { noSuchTransfer, TRANSFER_STATUSES, TransferView, transferActError, transferView } from './transfer-schema.ts';

const tags = ['transfers'];
const transferParam = z.object({ id: z.uuid() });
/** Of the record date of a transfer that is accepted. */
const RECORD_DAYS_AHEAD_MAX = 366;
const OPEN: readonly TransferState[] = ['pending', 'acknowledged', 'rejecting'];

/** P-TAR-01 */
const AcknowledgeRequest = z
  .strictObject({
    acknowledged: z.boolean().openapi({ description: 'False rejects it: its trade is taken back.' }),
    transfer_instruction_id: z.uuid().optional(),
    record_date: dayOrMoment().optional(),
    units_to_transfer: z.number().positive().optional(),
    status: z.literal('pending_transfer').optional(),
    notes: z.string().trim().min(1).max(1_000).optional().openapi({ description: 'Of a rejection, why.' }),
  })
  .openapi('TransferAcknowledgeRequest', { example: TRANSFER_ACKNOWLEDGE_REQUEST });

/** Transfers that are completed with the one of the path. */
const TOGETHER_MAX = 50;

const completion = {
  record_date: dayOrMoment(),
  new_certificate_number: lineOfText(200),
  legend_applied: z.boolean(),
  cap_table_updated_at: z.iso.datetime({ offset: true }),
};

/** P-TCR-01; `together` is this venue's. */
const CompleteRequest = z
  .strictObject({
    status: z.literal('completed'),
    ...completion,
    together: z
      .array(z.strictObject({ transfer_instruction_id: z.uuid().toLowerCase(), ...completion }))
      .max(TOGETHER_MAX)
      .optional()
      .openapi({
        description:
          'Other accepted transfers of the same security that are completed with this one, all of them or none: for transfers that wait for each other, of which each seller is registered with too little until another one is completed.',
      }),
  })
  .openapi('TransferCompleteRequest', { example: TRANSFER_COMPLETE_REQUEST });

/** GET /v1/transfers (P-TFR-01). */
export function listTransfersRoute(partner: Profile): void {
  registerRoute(
    partner,
    AGENT_READ,
    createRoute({
      method: 'get',
      path: '/v1/transfers',
      tags,
      summary: 'Transfers of your securities',
      description: 'Those that wait for you, unless a status is asked for. Oldest first.',
      request: {
        query: z.object({
          status: z.enum(TRANSFER_STATUSES as [string, ...string[]]).optional(),
          security_id: z.uuid().optional(),
          limit: limitQuery,
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: jsonOf('The transfers.', z.object({ transfers: z.array(TransferView) })) },
    }),
    async (c) => {
      const { status, security_id, limit, cursor } = c.req.valid('query');
      const { organization } = partnerOf(c);
      const states = status === undefined ? OPEN : [stateOf(status)];
      await initiateTransfers(c.env, organization, Date.now());
      const query = { states, security: security_id ?? null, after: cursor ?? null, limit: rowsToRead(limit) };
      const found = await listTransfers(database(c.env.DB), organization, query);
      const page = pageOf(c, found, limit, (last) => last.id);
      const scales = await scalesOf(database(c.env.DB), [...new Set(page.map(({ security }) => security))]);
      return c.json({ transfers: page.map((each) => transferView(each, scales.get(each.security) ?? 0)) }, 200);
    },
  );
}

/** GET /v1/transfers/{id} (P-TFR-02). */
export function getTransferRoute(partner: Profile): void {
  registerRoute(
    partner,
    AGENT_READ,
    createRoute({
      method: 'get',
      path: '/v1/transfers/{id}',
      tags,
      summary: 'A transfer',
      request: { params: transferParam },
      responses: { 200: jsonOf('The transfer.', TransferView) },
    }),
    async (c) => {
      const transfer = await transferNow(c, c.req.valid('param').id);
      if (transfer === null) return failure(c, noSuchTransfer());
      return c.json(transferView(transfer, await scaleOf(c, transfer)), 200);
    },
  );
}

/** POST /v1/transfers/{id}/acknowledge (P-TFR-03). The same again is answered the same. */
export function acknowledgeTransferRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...AGENT_READ, errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'post',
      path: '/v1/transfers/{id}/acknowledge',
      tags,
      summary: 'Accept or reject a transfer',
      request: { params: transferParam, body: bodyOf(AcknowledgeRequest) },
      responses: { 200: jsonOf('The transfer.', TransferView) },
    }),
    async (c) => {
      const transfer = await transferNow(c, c.req.valid('param').id);
      if (transfer === null) return failure(c, noSuchTransfer());
      const scale = await scaleOf(c, transfer);
      const body = c.req.valid('json');
      const wrong = wrongField(body, transfer, scale);
      if (wrong !== null) return failure(c, apiError('VALIDATION_ERROR', wrong.message, { field: wrong.field }));
      const { acknowledged, notes = null } = body;
      const act = actOf(c, transfer);
      const acted = acknowledged
        ? await acknowledgeTransfer(c.env, act, { recordDate: body.record_date ?? '', notes })
        : await rejectTransfer(c.env, act, notes ?? '');
      if (!acted.ok) return failure(c, transferActError(acted.error, scale));
      return c.json(transferView(acted.value, scale), 200);
    },
  );
}

/** POST /v1/transfers/{id}/complete (P-TFR-04). The same again is answered the same. */
export function completeTransferRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...AGENT_READ, errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'post',
      path: '/v1/transfers/{id}/complete',
      tags,
      summary: 'Record a transfer on the cap table',
      request: { params: transferParam, body: bodyOf(CompleteRequest) },
      responses: { 200: jsonOf('The transfer, completed.', TransferView) },
    }),
    async (c) => {
      const transfer = await transferNow(c, c.req.valid('param').id);
      if (transfer === null) return failure(c, noSuchTransfer());
      const scale = await scaleOf(c, transfer);
      const body = c.req.valid('json');
      const together = body.together ?? [];
      const ids = [transfer.id, ...together.map(({ transfer_instruction_id: id }) => id)];
      if (new Set(ids).size < ids.length)
        return failure(c, apiError('VALIDATION_ERROR', 'together names a transfer twice', { field: 'together' }));
      for (const each of [body, ...together]) {
        const ahead = recordedAhead(each);
        if (ahead !== null) return failure(c, ahead);
      }
      for (const id of ids) {
        const other = await transferNow(c, id);
        if (other === null) return failure(c, noSuchTransfer());
        if (other.security !== transfer.security)
          return failure(c, apiError('VALIDATION_ERROR', 'together names another security', { field: 'together' }));
      }
      const [act, terms] = [actOf(c, transfer), termsOf(body)];
      const others = together.map((each) => ({ transfer: each.transfer_instruction_id, ...termsOf(each) }));
      const acted =
        others.length === 0
          ? await completeTransfer(c.env, act, terms)
          : await completeTogether(c.env, act, [{ transfer: transfer.id, ...terms }, ...others]);
      if (!acted.ok) return failure(c, transferActError(acted.error, scale));
      return c.json(transferView(acted.value, scale), 200);
    },
  );
}

function termsOf(body: Omit<z.infer<typeof CompleteRequest>, 'status' | 'together'>): CompletionTerms {
  return {
    recordDate: body.record_date,
    certificate: body.new_certificate_number,
    legendApplied: body.legend_applied,
    capTableUpdatedAt: body.cap_table_updated_at,
  };
}

function wrongField(
  body: z.infer<typeof AcknowledgeRequest>,
  transfer: TransferInstruction,
  scale: number,
): { readonly field: string; readonly message: string } | null {
  const { acknowledged, transfer_instruction_id: id, units_to_transfer: units } = body;
  if (id !== undefined && id !== transfer.id)
    return { field: 'transfer_instruction_id', message: 'transfer_instruction_id is that of another transfer' };
  if (units !== undefined && units !== fromScaled(transfer.units, scale))
    return { field: 'units_to_transfer', message: 'units_to_transfer is not what the transfer is of' };
  if (acknowledged && body.record_date === undefined)
    return { field: 'record_date', message: 'an accepted transfer has a record_date' };
  if (liesAhead(body.record_date ?? '', { now: Date.now(), days: RECORD_DAYS_AHEAD_MAX }))
    return { field: 'record_date', message: 'record_date lies more than a year ahead' };
  if (!acknowledged && body.notes === undefined) return { field: 'notes', message: 'a rejection says why in notes' };
  return null;
}

function transferNow(c: AppContext, id: string): Promise<TransferInstruction | null> {
  return findTransferInstruction(database(c.env.DB), partnerOf(c).organization, id);
}

async function scaleOf(c: AppContext, { security }: TransferInstruction): Promise<number> {
  return (await scalesOf(database(c.env.DB), [security])).get(security) ?? 0;
}

function actOf(c: AppContext, { id }: TransferInstruction) {
  return { agent: partnerOf(c).organization, transfer: id, actor: principalOf(c).userId, now: Date.now() };
}

function stateOf(status: string): TransferState {
  return status === 'pending_transfer' ? 'acknowledged' : (status as TransferState);
}
