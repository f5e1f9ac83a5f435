import { findOperatorChange, type OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { findAssetBySymbol } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import {
  type AnnouncedAction,
  type AnnouncementEvent,
  actionRows,
  type CorporateAction,
  findAction,
  insertAction,
  OPEN_ACTIONS_MAX,
} from '../../../data/partner/actions/corporate-actions.ts';
import { findOpenMerger } from '../../../data/partner/actions/merger-actions.ts';
import type { PartnerOrganization } from '../../../data/partner/organizations.ts';
import { findHolder } from '../../../data/partner/register/cap-table.ts';
import { type FullFault, roomFault } from '../../../data/partner/register/register-room.ts';
import { scalesOf } from '../../../data/partner/register/registered-security.ts';
import { findSecurityOf } from '../../../data/partner/securities.ts';
import { actionMoments, type DateFault } from '../../../domain/corporate-actions/action-dates.ts';
import { noticeMsOf } from '../../../domain/corporate-actions/action-notice.ts';
import {
  type ActionTerms,
  AMOUNT_PER_SHARE_SCALE,
  type CancellationTerms,
  type CashMergerTerms,
  changesShares,
  type DividendTerms,
  endsShares,
  isPaid,
  stockOf,
} from '../../../domain/corporate-actions/corporate-action.ts';
import { fromScaled, toScaled } from '../../../domain/money/scaled.ts';
import { tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { wakeDispatch } from '../../../durable-objects/webhook-dispatch/api.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';
import { readNotice } from './action-notice.ts';
import type { ActionsEnv } from './actions-env.ts';
import { type SurvivorFault, survivorFault } from './surviving-security.ts';

/** What an agent says of an action. */
export interface Announcement {
  readonly security: string;
  /** Without the id of the currency and the scale of shares, which are those of the wire. */
  readonly terms:
    | Exclude<ActionTerms, DividendTerms | CashMergerTerms | CancellationTerms>
    | Omit<CancellationTerms, 'scale'>
    | Omit<DividendTerms, 'currencyAsset'>
    | Omit<CashMergerTerms, 'currencyAsset'>;
  readonly description: string;
  readonly recordDate: string | null;
  readonly dueDate: string;
}

export type AnnouncementError =
  | { readonly reason: 'security_not_found' }
  /** The agent has not accepted, or the security is not listed. */
  | { readonly reason: 'not_accepted' | 'not_listed' }
  | { readonly reason: 'unknown_currency' }
  /** Of a cancellation: the register has no such holder, or its security no such part of a share. */
  | { readonly reason: 'holder_not_found' | 'shares_not_representable' }
  /** Another one that ends its shares is announced, or has begun. */
  | { readonly reason: 'merger_announced'; readonly merger: string }
  | { readonly reason: SurvivorFault }
  | { readonly reason: 'too_many_actions'; readonly limit: number }
  | FullFault
  | DateFault;

/** The transfer agent of a security announces an action (P-TFR-09), once for the id of its announcement; partners are told of it. */
export async function announceAction(
  env: ActionsEnv,
  agent: PartnerOrganization,
  announcement: Announcement,
  action: OperatorAction,
): Promise<Result<CorporateAction, AnnouncementError>> {
  const db = database(env.DB);
  const before = (await findOperatorChange(db, action, action.id)) === null ? null : await findAction(db, action.id);
  if (before !== null) return ok(before);
  const security = await findSecurityOf(db, agent, announcement.security);
  if (security === null) return err({ reason: 'security_not_found' });
  if (security.agentState !== 'accepted') return err({ reason: 'not_accepted' });
  if (security.state !== 'listed' && security.state !== 'halted') return err({ reason: 'not_listed' });
  const now = Date.now();
  const notice_ms = noticeMsOf(await readNotice(env), announcement.terms);
  const moments = actionMoments(announcement, now, notice_ms);
  if (!moments.ok) return moments;
  const completed = await completeTerms(env, security.id, announcement.terms);
  if (!completed.ok) return completed;
  const terms = completed.value;
  const stock = stockOf(terms);
  const keeps = { security: security.id, agent: agent.organization };
  const fault = stock === null ? null : await survivorFault(env, keeps, stock);
  if (fault !== null) return err({ reason: fault });
  const openMerger = () => (endsShares(terms) ? findOpenMerger(db, security.id) : Promise.resolve(null));
  const merger = await openMerger();
  if (merger !== null) return err({ reason: 'merger_announced', merger });
  const { description, recordDate, dueDate } = announcement;
  const stated = { security: security.id, agent: agent.organization, type: terms.type, terms, description };
  const announced = { ...stated, recordDate, dueDate, ...moments.value };
  const event = announcementEvent(action.id, announced);
  const survivorEvent =
    stock === null
      ? null
      : { id: tradeEventId(action.id, 'corporate_action.announced.survivor'), security: stock.survivor };
  const isStored = await insertAction(db, announced, event, { action, now, survivorEvent });
  const stored = isStored ? await findAction(db, action.id) : null;
  if (stored === null) {
    // Another one may have been announced meanwhile.
    const other = await openMerger();
    if (other !== null) return err({ reason: 'merger_announced', merger: other });
    const rows = actionRows(announced, now);
    const full = rows === null ? null : await roomFault(db, rows);
    if (full !== null) return err(full);
    return err({ reason: 'too_many_actions', limit: OPEN_ACTIONS_MAX });
  }
  log('info', 'a corporate action is announced', {
    action: stored.id,
    security: stored.security,
    type: stored.type,
    due_at: stored.dueAt,
    changes_shares: changesShares(terms),
  });
  await wakeDispatch(env, 'exchange');
  return ok(stored);
}

async function completeTerms(
  { DB }: Pick<LedgerEnv, 'DB'>,
  security: string,
  terms: Announcement['terms'],
): Promise<Result<ActionTerms, AnnouncementError>> {
  const db = database(DB);
  if (terms.type === 'share_cancellation') {
    const scale = (await scalesOf(db, [security])).get(security);
    if (scale === undefined || (await findHolder(db, security, terms.holder)) === null)
      return err({ reason: 'holder_not_found' });
    const shares = toScaled(terms.shares, scale);
    return shares.ok ? ok({ ...terms, shares: shares.value, scale }) : err({ reason: 'shares_not_representable' });
  }
  if (!('amountPerShare' in terms)) return ok(terms);
  const currency = await findAssetBySymbol(db, terms.currency);
  return currency?.category === 'currency'
    ? ok({ ...terms, currencyAsset: currency.id })
    : err({ reason: 'unknown_currency' });
}

function announcementEvent(
  id: string,
  { terms, description, recordDate, dueDate }: AnnouncedAction,
): AnnouncementEvent {
  const told = { corporate_action_id: id, description };
  if (terms.type === 'dividend')
    return {
      id: tradeEventId(id, 'dividend.declared'),
      type: 'dividend.declared',
      facts: {
        ...told,
        record_date: recordDate ?? dueDate,
        payment_date: dueDate,
        amount_per_share: fromScaled(terms.amountPerShare, AMOUNT_PER_SHARE_SCALE),
        currency: terms.currency,
      },
    };
  const stock = stockOf(terms);
  const ratio = terms.type === 'stock_split' ? terms : stock;
  const names = terms.type === 'name_change' ? terms : null;
  const cash = isPaid(terms) ? terms : null;
  return {
    id: tradeEventId(id, 'corporate_action.announced'),
    type: 'corporate_action.announced',
    facts: {
      ...told,
      action_type: terms.type,
      effective_date: dueDate,
      ratio_from: ratio?.ratioFrom ?? null,
      ratio_to: ratio?.ratioTo ?? null,
      counterparty: terms.type === 'merger' ? terms.counterparty : null,
      cash_per_share: cash === null ? null : fromScaled(cash.amountPerShare, AMOUNT_PER_SHARE_SCALE),
      currency: cash?.currency ?? null,
      surviving_security_id: stock?.survivor ?? null,
      asset_name: names?.assetName ?? null,
      cusip: names?.cusip ?? null,
      isin: names?.isin ?? null,
    },
  };
}
