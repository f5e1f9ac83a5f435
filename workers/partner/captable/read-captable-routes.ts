import { createRoute, z } from '@hono/zod-openapi';
import { exportRegister } from '../../../application/partner/register/export-register.ts';
import { database } from '../../../data/database.ts';
import { listHistory, listHoldings, readCapTable } from '../../../data/partner/register/cap-table.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { isCountryCode, NO_COUNTRY } from '../../../domain/partner/country-code.ts';
import { HOLDER_KINDS } from '../../../domain/register/register-event.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { moreOf, moreView } from '../../responses/link-next-page.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { wholeNumber } from '../../responses/whole-number.ts';
import { isoTime, isoTimeOrNull, jsonOf } from '../../responses/wire.ts';
import { CAP_TABLE, REGISTER_HISTORY_EVENT, REGISTERED_HOLDER } from '../examples.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { asOfMoment, asOfQuery, EventView, isError, registerOf, securityParam } from './captable-schema.ts';
import { OcfPackageView } from './ocf-schema.ts';

const CapTableView = z
  .object({
    security_id: z.uuid(),
    asset_name: z.string(),
    issuer_name: z.string(),
    security_class: z.string(),
    share_class: z.string(),
    as_of: z.iso.datetime().nullable(),
    sequence: z.number().int().openapi({ description: 'Of the last event; 0 before the first.' }),
    last_recorded_at: z.iso.datetime().nullable(),
    shares_outstanding: z.number(),
    holders: z.number().int(),
    pending_transfer_units: z.number().openapi({ description: 'Traded, or taken back, and not recorded yet; now.' }),
  })
  .openapi('CapTable', { example: CAP_TABLE });

const HolderView = z
  .object({
    holder_id: z.uuid(),
    reference: z.string(),
    account_id: z.string().nullable(),
    name: z.string(),
    holder_kind: z.enum(HOLDER_KINDS),
    country: z.string().nullable(),
    shares: z.number(),
    pending_shares: z.number().openapi({
      description:
        'What trades, and what was taken back, add or take that is not recorded yet; now. Both together are what the holder has in the ledger.',
    }),
  })
  .openapi('RegisteredHolder', { example: REGISTERED_HOLDER });

const HistoryView = EventView.extend({
  outstanding_change: z.number(),
  line_count: z.number().int(),
  lines: z
    .array(
      z.object({
        holder_id: z.uuid(),
        name: z.string(),
        shares: z.number(),
        certificate_number: z.string().nullable(),
        legend_applied: z.boolean(),
      }),
    )
    .openapi({ description: 'The first 20.' }),
}).openapi('RegisterHistoryEvent', { example: REGISTER_HISTORY_EVENT });

const tags = ['cap table'];

/** GET /v1/captable/{security_id} (P-TFR-05). */
export function getCapTableRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['CONFLICT'] },
    createRoute({
      method: 'get',
      path: '/v1/captable/{security_id}',
      tags,
      summary: 'The cap table',
      request: { params: securityParam, query: z.object({ as_of: asOfQuery }) },
      responses: { 200: jsonOf('The cap table.', CapTableView) },
    }),
    async (c) => {
      const register = await registerOf(c, c.req.valid('param').security_id);
      if (isError(register)) return failure(c, register);
      const asOf = asOfMoment(c.req.valid('query').as_of);
      const table = await readCapTable(database(c.env.DB), register.id, asOf);
      const { id, assetName, issuerName, securityClass, shareClass, scale } = register;
      return c.json(
        {
          security_id: id,
          asset_name: assetName,
          issuer_name: issuerName,
          security_class: securityClass,
          share_class: shareClass,
          as_of: isoTimeOrNull(asOf),
          sequence: table.sequence,
          last_recorded_at: isoTimeOrNull(table.recordedAt),
          shares_outstanding: fromScaled(table.outstanding, scale),
          holders: table.holders,
          pending_transfer_units: fromScaled(table.pendingUnits, scale),
        },
        200,
      );
    },
  );
}

/** GET /v1/captable/{security_id}/holders (P-TFR-06). */
export function listHoldersRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['CONFLICT'] },
    createRoute({
      method: 'get',
      path: '/v1/captable/{security_id}/holders',
      tags,
      summary: 'Registered holders',
      description: 'Who has shares by the register, by holder id.',
      request: {
        params: securityParam,
        query: z.object({ as_of: asOfQuery, limit: limitQuery, cursor: z.uuid().optional() }),
      },
      responses: { 200: jsonOf('The holders.', z.object({ holders: z.array(HolderView), ...moreView })) },
    }),
    async (c) => {
      const register = await registerOf(c, c.req.valid('param').security_id);
      if (isError(register)) return failure(c, register);
      const { as_of, limit, cursor } = c.req.valid('query');
      const query = { asOf: asOfMoment(as_of), after: cursor ?? null, limit: rowsToRead(limit) };
      const found = await listHoldings(database(c.env.DB), register.id, query);
      const holders = pageOf(c, found, limit, (last) => last.holder).map((each) => ({
        holder_id: each.holder,
        reference: each.reference,
        account_id: each.account,
        name: each.name,
        holder_kind: each.kind,
        country: each.country,
        shares: fromScaled(each.shares, register.scale),
        pending_shares: fromScaled(each.pending, register.scale),
      }));
      return c.json({ holders, ...moreOf(c) }, 200);
    },
  );
}

/** GET /v1/captable/{security_id}/ocf: the register as Open Cap Table Format. */
export function exportRegisterRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['CONFLICT'] },
    createRoute({
      method: 'get',
      path: '/v1/captable/{security_id}/ocf',
      tags,
      summary: 'The register as Open Cap Table Format',
      description:
        'Version 1.2.1, with all that has changed the register. The format wants two things of the issuer that the register does not know: state them.',
      request: {
        params: securityParam,
        query: z.object({
          formation_date: z.iso.date().optional().openapi({ description: 'When the issuer was formed.' }),
          country_of_formation: z
            .string()
            .refine(isCountryCode, NO_COUNTRY)
            .optional()
            .openapi({ description: 'ISO 3166-1, two letters.', pattern: '^[A-Z]{2}$' }),
        }),
      },
      responses: { 200: jsonOf('The document.', OcfPackageView) },
    }),
    async (c) => {
      const register = await registerOf(c, c.req.valid('param').security_id);
      if (isError(register)) return failure(c, register);
      const { formation_date = null, country_of_formation = null } = c.req.valid('query');
      const issuer = { formationDate: formation_date, country: country_of_formation };
      const exported = await exportRegister(c.env, register, issuer, Date.now());
      if (!exported.ok) {
        const { lines, linesMax: lines_max } = exported.error;
        return failure(
          c,
          apiError('CONFLICT', 'the register is too long for a document', { reason: 'too_long', lines, lines_max }),
        );
      }
      return c.json(exported.value as z.infer<typeof OcfPackageView>, 200);
    },
  );
}

/** GET /v1/captable/{security_id}/history (P-TFR-07). */
export function listHistoryRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['CONFLICT'] },
    createRoute({
      method: 'get',
      path: '/v1/captable/{security_id}/history',
      tags,
      summary: 'Everything that has changed the register',
      description: 'In the order in which it was recorded.',
      request: {
        params: securityParam,
        query: z.object({ limit: limitQuery, cursor: wholeNumber(0).optional() }),
      },
      responses: { 200: jsonOf('The events.', z.object({ events: z.array(HistoryView), ...moreView })) },
    }),
    async (c) => {
      const register = await registerOf(c, c.req.valid('param').security_id);
      if (isError(register)) return failure(c, register);
      const { limit, cursor } = c.req.valid('query');
      const query = { after: cursor ?? 0, limit: rowsToRead(limit) };
      const found = await listHistory(database(c.env.DB), register.id, query);
      const events = pageOf(c, found, limit, (last) => String(last.sequence)).map((each) => ({
        event_id: each.id,
        event_type: each.type,
        sequence: each.sequence,
        recorded_at: isoTime(each.recordedAt),
        record_date: each.recordDate,
        notes: each.notes,
        outstanding_change: fromScaled(each.outstanding, register.scale),
        line_count: each.lines,
        lines: each.first.map((line) => ({
          holder_id: line.holder,
          name: line.name,
          shares: fromScaled(line.shares, register.scale),
          certificate_number: line.certificate,
          legend_applied: line.legend === 1,
        })),
      }));
      return c.json({ events, ...moreOf(c) }, 200);
    },
  );
}
