import { createRoute, z } from '@hono/zod-openapi';
import {
  acknowledgeCompleted,
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
  tradedAt,
} from '../../../data/partner/register/transfer-instructions.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { liesAhead } from '../../../domain/register/lies-ahead.ts';
import { composed, hasUnseen } from '../../../domain/register/look-alike.ts';
import { precedesTrade } from '../../../domain/register/precedes-trade.ts';
import type { TransferState } from '../../../domain/register/transfer-state.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, partnerOf, principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { dayOrMoment } from '../../responses/day-or-moment.ts';
import { failure } from '../../responses/failure.ts';
import { freeText } from '../../responses/free-text.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { moreOf, moreView } from '../../responses/link-next-page.ts';
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

/** Stored composed, and of characters that are seen, as a register has it. */
const certificateNumber = lineOfText(200)
  .refine((text) => !hasUnseen(text), 'has characters that nobody sees')
  .transform(composed);

/** P-TAR-01 */
const AcknowledgeRequest = z
  .strictObject({
    acknowledged: z.boolean().openapi({ description: 'False rejects it: its trade is taken back.' }),
    transfer_instruction_id: z.uuid().optional(),
    record_date: dayOrMoment().optional(),
    units_to_transfer: z.number().positive().optional(),
    status: z.enum(['pending_transfer', 'completed']).optional().openapi({
      description: '`completed`: it is completed as well, with the fields of that request.',
    }),
    notes: freeText(1_000).min(1).optional().openapi({ description: 'Of a rejection, why.' }),
    new_certificate_number: certificateNumber.optional(),
    legend_applied: z.boolean().optional(),
    cap_table_updated_at: z.iso.datetime({ offset: true }).optional(),
  })
  .openapi('TransferAcknowledgeRequest', { example: TRANSFER_ACKNOWLEDGE_REQUEST });

/** Transfers that are completed with the one of the path. */
const TOGETHER_MAX = 50;

const completion = {
  record_date: dayOrMoment(),
  new_certificate_number: certificateNumber,
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
      responses: { 200: jsonOf('The transfers.', z.object({ transfers: z.array(TransferView), ...moreView })) },
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
      return c.json(
        { transfers: page.map((each) => transferView(each, scales.get(each.security) ?? 0)), ...moreOf(c) },
        200,
      );
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
    { ...AGENT_READ, freshFactor: true, errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'] },
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
      const wrong = wrongField(body, transfer, scale) ?? (await wrongDate(c, transfer, body));
      if (wrong !== null) return failure(c, apiError('VALIDATION_ERROR', wrong.message, { field: wrong.field }));
      const terms = completionOf(body);
      const ahead =
        terms === null
          ? null
          : recordedAhead({ record_date: terms.recordDate, cap_table_updated_at: terms.capTableUpdatedAt });
      if (ahead !== null) return failure(c, ahead);
      const { acknowledged, notes = null } = body;
      const act = actOf(c, transfer);
      const stated = { recordDate: body.record_date ?? '', notes };
      if (terms !== null) {
        const completed = await acknowledgeCompleted(c.env, act, stated, terms);
        if (completed.ok) return c.json(transferView(completed.value, scale), 200);
        const error = transferActError(completed.error, scale);
        if (!completed.isAcknowledged) return failure(c, error);
        return failure(c, { ...error, details: { ...error.details, acknowledged: true, complete: COMPLETE_BY } });
      }
      const acted = acknowledged
        ? await acknowledgeTransfer(c.env, act, stated)
        : await rejectTransfer(c.env, act, notes ?? '');
      if (!acted.ok) return failure(c, transferActError(acted.error, scale));
      return c.json(transferView(acted.value, scale), 200);
    },
  );
}

const COMPLETE_BY = 'POST /v1/transfers/{id}/complete, or the same request again';

/** POST /v1/transfers/{id}/complete (P-TFR-04). The same again is answered the same. */
export function completeTransferRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...AGENT_READ, freshFactor: true, errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'] },
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
      const early = await wrongDate(c, transfer, body);
      if (early !== null) return failure(c, apiError('VALIDATION_ERROR', early.message, { field: early.field }));
      for (const id of ids) {
        const other = await transferNow(c, id);
        if (other === null) return failure(c, noSuchTransfer());
        if (other.security !== transfer.security)
          return failure(c, apiError('VALIDATION_ERROR', 'together names another security', { field: 'together' }));
        const stated = together.find((each) => each.transfer_instruction_id === id);
        const wrong = stated === undefined ? null : await wrongDate(c, other, stated);
        if (wrong !== null) return failure(c, apiError('VALIDATION_ERROR', wrong.message, { field: 'together' }));
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

/** What an acknowledgment says of the completion, where it is one as well. */
function completionOf(body: z.infer<typeof AcknowledgeRequest>): CompletionTerms | null {
  const { status, record_date, new_certificate_number, legend_applied, cap_table_updated_at } = body;
  if (status !== 'completed' || record_date === undefined || new_certificate_number === undefined) return null;
  if (legend_applied === undefined || cap_table_updated_at === undefined) return null;
  return termsOf({ record_date, new_certificate_number, legend_applied, cap_table_updated_at });
}

const COMPLETION_FIELDS = ['record_date', 'new_certificate_number', 'legend_applied', 'cap_table_updated_at'] as const;

const DATES_OF_RECORD = ['record_date', 'cap_table_updated_at'] as const;

/** Nothing is recorded of a trade before its day. */
async function wrongDate(
  c: AppContext,
  { id }: TransferInstruction,
  stated: { readonly [Name in (typeof DATES_OF_RECORD)[number]]?: string | undefined },
): Promise<{ readonly field: string; readonly message: string } | null> {
  if (DATES_OF_RECORD.every((field) => stated[field] === undefined)) return null;
  const executedAt = await tradedAt(database(c.env.DB), id);
  if (executedAt === null) return null;
  const early = DATES_OF_RECORD.find((field) => {
    const date = stated[field];
    return date !== undefined && precedesTrade(date, executedAt);
  });
  return early === undefined ? null : { field: early, message: `${early} lies before the day of the trade` };
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
  const missing = COMPLETION_FIELDS.find((field) => body[field] === undefined);
  if (body.status === 'completed' && !acknowledged)
    return { field: 'status', message: 'a rejected transfer is not completed' };
  if (body.status === 'completed' && missing !== undefined)
    return { field: missing, message: `a completed transfer has ${missing}` };
  const stray = COMPLETION_FIELDS.slice(1).find((field) => body[field] !== undefined);
  if (body.status !== 'completed' && stray !== undefined)
    return {
      field: stray,
      message: `${stray} belongs to the status completed, or to POST /v1/transfers/{id}/complete`,
    };
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
