import { z } from '@hono/zod-openapi';
import type { CancelError } from '../../../application/partner/register/cancel-shares.ts';
import type { Issued, IssueError } from '../../../application/partner/register/issue-shares.ts';
import { database } from '../../../data/database.ts';
import type { RegisterEventRow } from '../../../data/partner/register/register-events.ts';
import type { RoomFault } from '../../../data/partner/register/register-room.ts';
import { findRegisteredSecurity, type RegisteredSecurity } from '../../../data/partner/register/registered-security.ts';
import { findSecurityOf } from '../../../data/partner/securities.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { REGISTER_EVENT_TYPES } from '../../../domain/register/register-event.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { type AppContext, partnerOf } from '../../middleware/app-env.ts';
import { dayOrMoment } from '../../responses/day-or-moment.ts';
import { orNull } from '../../responses/or-null.ts';
import { isoTime } from '../../responses/wire.ts';
import { ISSUED_SHARES, REGISTER_EVENT } from '../examples.ts';
import { noSuchSecurity } from '../securities/security-schema.ts';

export const securityParam = z.object({ security_id: z.uuid() });

/** The register of a security, of its lister or of the agent that keeps it. */
export type Register = RegisteredSecurity & { readonly scale: number };

/** Another partner's security is not there; one that is not listed has no shares yet. */
export async function registerOf(c: AppContext, id: string): Promise<Register | ApiError> {
  const db = database(c.env.DB);
  const security = await findRegisteredSecurity(db, partnerOf(c), id);
  if (security === null) return (await whyOwnHasNone(c, id)) ?? noSuchSecurity();
  const { scale } = security;
  return scale === null ? notListed() : { ...security, scale };
}

/** A partner’s own security is there, without a register where no agent keeps one; whoever is asked to be its agent accepts first. */
async function whyOwnHasNone(c: AppContext, id: string): Promise<ApiError | null> {
  const partner = partnerOf(c);
  const own = await findSecurityOf(database(c.env.DB), partner, id);
  if (own === null) return null;
  if (partner.role !== 'cross_lister')
    return apiError('CONFLICT', 'accept to be its agent first', { reason: 'not_accepted' });
  if (own.market === null) return notListed();
  return apiError('CONFLICT', 'no transfer agent keeps the register of the security', { reason: 'no_agent' });
}

function notListed(): ApiError {
  return apiError('CONFLICT', 'the security is not listed', { reason: 'not_listed' });
}

export function isError(found: Register | ApiError): found is ApiError {
  return 'code' in found;
}

/** References that an answer names. */
const REFERENCES_TOLD_MAX = 100;

export const asOfQuery = dayOrMoment()
  .refine((text) => (asOfMoment(text) ?? 0) < (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS, 'lies ahead')
  .optional()
  .openapi({
    description: 'What the register said then. ISO 8601; a date stands for its end in UTC. Now, when left out.',
  });

/** Unix milliseconds. */
export function asOfMoment(text: string | undefined): number | null {
  if (text === undefined) return null;
  return text.length === 10 ? Date.parse(text) + DAY_MS - 1 : Date.parse(text);
}

export const EventView = z
  .object({
    event_id: z.uuid(),
    event_type: z.enum(REGISTER_EVENT_TYPES),
    sequence: z.number().int().openapi({ description: 'Place in the register, from 1 on without gaps.' }),
    recorded_at: z.iso.datetime(),
    record_date: z.string().nullable(),
    notes: z.string().nullable(),
  })
  .openapi('RegisterEvent', { example: REGISTER_EVENT });

export function eventView(event: RegisterEventRow): z.infer<typeof EventView> {
  return {
    event_id: event.id,
    event_type: event.type,
    sequence: event.sequence ?? 0,
    recorded_at: isoTime(event.recordedAt ?? event.createdAt),
    record_date: event.recordDate,
    notes: event.notes,
  };
}

export const IssuedView = z
  .object({
    dry_run: z.boolean(),
    rows: z.number().int(),
    shares: z.number(),
    event: orNull(EventView).openapi({ description: 'Null for a dry run.' }),
    rows_without_cost: z
      .number()
      .int()
      .optional()
      .openapi({ description: 'Of an OCF document: stock whose cost is not stated, or not in US dollars.' }),
  })
  .openapi('IssuedShares', { example: ISSUED_SHARES });

export function issuedView({ rows, shares, event }: Issued, scale: number): z.infer<typeof IssuedView> {
  return {
    dry_run: event === null,
    rows,
    shares: fromScaled(shares, scale),
    event: event === null ? null : eventView(event),
  };
}

/** By the bound: it lets more in on the next day, or never. */
export function tooManyRows({ reason, of, limit }: RoomFault): ApiError {
  const { whose, since } = ROOM_WORDS[of];
  return apiError('CONFLICT', `the registers of ${whose} have as many rows as they may ${since}`, {
    reason,
    of: ROOM_NAMES[of],
    limit,
  });
}

const ROOM_WORDS = {
  agent: { whose: 'the agent', since: 'have' },
  agentDay: { whose: 'the agent', since: 'get in a day' },
  security: { whose: 'the security', since: 'have' },
  securityDay: { whose: 'the security', since: 'get in a day' },
} as const;

const ROOM_NAMES = {
  agent: 'agent',
  agentDay: 'agent_day',
  security: 'security',
  securityDay: 'security_day',
} as const;

export function databaseFull(): ApiError {
  return apiError('SERVICE_UNAVAILABLE', 'the venue has room for orders alone; nothing was done', {
    reason: 'database_full',
  });
}

export function registerError(error: IssueError | CancelError, scale: number): ApiError {
  switch (error.reason) {
    case 'rows':
      return apiError('VALIDATION_ERROR', 'rows are wrong; nothing was done', {
        reason: error.reason,
        error_count: error.errorCount,
        errors: error.errors,
      });
    case 'account_not_eligible':
      return apiError('CONFLICT', 'the account takes no shares: its owner is not identified, or it is frozen', {
        reason: error.reason,
        account_id: error.account,
      });
    case 'holder_not_found':
      return apiError('NOT_FOUND', 'holder does not exist');
    case 'needs_corporate_action':
      return apiError(
        'CONFLICT',
        'shares of an account are cancelled by a corporate action of the type share_cancellation; nothing was done',
        { reason: error.reason },
      );
    case 'holder_differs':
      return apiError(
        'CONFLICT',
        'the register has come to know holders of these references otherwise; nothing was done',
        {
          reason: error.reason,
          references: error.references.slice(0, REFERENCES_TOLD_MAX),
        },
      );
    case 'certificate_exists':
      return apiError('CONFLICT', 'the register knows these certificates already; nothing was done', {
        reason: error.reason,
        certificates: error.certificates,
      });
    case 'not_registered':
      return apiError('CONFLICT', 'the holder is not registered with so many', {
        reason: error.reason,
        holder_id: error.holder,
        required: fromScaled(error.required, scale),
        registered: fromScaled(error.held, scale),
      });
    case 'not_available':
      return apiError('CONFLICT', 'the holder has sold or offers some of these shares; nothing was done', {
        reason: error.reason,
      });
    case 'has_deposits':
      return apiError('CONFLICT', 'people hold shares of this security that came in by deposits', {
        reason: error.reason,
      });
    case 'too_many_lots':
      return apiError(
        'CONFLICT',
        'an account, or the security, would have too many lots: rows of one date become one',
        {
          reason: error.reason,
        },
      );
    case 'ended_by_operator':
      return apiError('CONFLICT', 'an operator of the venue has ended it; nothing was done', { reason: error.reason });
    case 'id_conflict':
      return apiError('CONFLICT', 'the Idempotency-Key stands for another change');
    case 'balance_too_large':
    case 'malformed':
      return apiError('VALIDATION_ERROR', 'the register does not take these amounts', { reason: error.reason });
    case 'too_many_rows':
      return tooManyRows(error);
    case 'database_full':
      return databaseFull();
    case 'busy':
    case 'ledger_full':
      return apiError('SERVICE_UNAVAILABLE', 'the register takes no change for the moment; nothing was done', {
        reason: error.reason,
      });
    case 'outcome_unknown':
      return apiError('SERVICE_UNAVAILABLE', 'it may have been done: the same request finds out', {
        reason: error.reason,
      });
  }
}
