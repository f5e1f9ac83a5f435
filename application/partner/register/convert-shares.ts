import { uuidv7 } from 'uuidv7';
import { findAsset } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import {
  type ConvertedHolder,
  convertedHolders,
  convertedTotal,
  writeConversionLines,
} from '../../../data/partner/register/conversion-events.ts';
import {
  announceEvent,
  findRegisterEvent,
  formReferences,
  type RegisterEventRow,
  type RegisterLine,
  recordEvent,
} from '../../../data/partner/register/register-events.ts';
import { stageSplit } from '../../../data/partner/register/split-events.ts';
import type { StockTerms } from '../../../domain/corporate-actions/corporate-action.ts';
import { sha256 } from '../../../domain/ledger/journal-chain.ts';
import { type SplitRatio, splitUnits } from '../../../domain/ledger/split-units.ts';
import type { Conversion } from '../../../domain/ledger/transactions.ts';
import { tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import { offeringOf } from '../../../domain/resale/offering.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';

/** Holders of one statement. */
const HOLDERS_AT_ONCE = 2_000;

/** Of the register's event by which holders get the shares of one attempt of a merger. */
export function conversionEventId({ id, attempt }: { readonly id: string; readonly attempt: number }): string {
  return tradeEventId(id, `conversion.${attempt}`);
}

/** Every holder is rounded up, as by a split. */
function ratioOf({ ratioFrom: from, ratioTo: to }: StockTerms): SplitRatio {
  return { from, to, fractions: 'round_up' };
}

/** What the ledger is asked for, while the register of the shares that end changes by nothing else. */
export async function conversionOf(env: LedgerEnv, security: string, stock: StockTerms): Promise<Conversion> {
  const db = database(env.DB);
  const ratio = ratioOf(stock);
  const [register, ended] = await Promise.all([convertedTotal(db, security, ratio), findAsset(db, security)]);
  const governs = offeringOf(ended?.offeringType ?? null, ended?.regulation ?? null);
  const regulation = governs === 'lockup' ? (ended?.regulation ?? null) : governs;
  return { ...ratio, asset: stock.survivor, register, restrictionEndsAt: stock.restrictionEndsAt, regulation };
}

/** Announces the event of the surviving security, which keeps back every other one of its register. False while another one is under way. */
export async function announceConversion(
  env: LedgerEnv,
  { id, attempt, actor }: { readonly id: string; readonly attempt: number; readonly actor: string },
  stock: StockTerms,
  { of, now }: { readonly of: string; readonly now: number },
): Promise<boolean> {
  const db = database(env.DB);
  const event = { id: conversionEventId({ id, attempt }), security: stock.survivor };
  const ratio = { ...ratioOf(stock), action: id, of };
  const hash = sha256('conversion', stock.survivor, of);
  await stageSplit(db, { ...event, type: 'conversion', hash, ratio, actor, createdAt: now });
  await announceEvent(db, event, { action: id });
  return (await findRegisterEvent(db, event.id))?.state === 'announced';
}

/** Records what holders got, by the lines of the recorded event of the shares that have ended. The same again goes on from where that stands. */
export async function recordConversion(env: LedgerEnv, id: string): Promise<void> {
  const db = database(env.DB);
  const event = await findRegisterEvent(db, id);
  if (event?.state === 'recorded') return;
  const { ratio } = event ?? {};
  if (event?.state !== 'announced' || ratio?.of === undefined)
    throw new Error(`the register of conversion ${id} is not held`);
  const ended = await findRegisterEvent(db, ratio.of);
  for (const security of [event.security, ended?.security ?? event.security])
    if (!(await formReferences(db, security))) throw new Error(`references of ${security} are not all formed yet`);
  for (let from = 0; ; from += HOLDERS_AT_ONCE) {
    const holders = await convertedHolders(db, { event: ratio.of, into: event.security, from, limit: HOLDERS_AT_ONCE });
    if (holders.length > 0)
      await writeConversionLines(
        db,
        event,
        holders.map((each) => lineOf(event, each, ratio)),
        from,
      );
    if (holders.length < HOLDERS_AT_ONCE) break;
  }
  await recordEvent(db, event, Date.now());
}

/** Holders without an account go by the agent's reference in both registers; where it stands for somebody else there, or looks like one of it, the merger is named behind it. */
function lineOf({ ratio: by }: RegisterEventRow, holder: ConvertedHolder, ratio: SplitRatio): RegisterLine {
  const { account, kind, isKindStated, name, country, isTaken, shares } = holder;
  const reference = isTaken ? `${holder.reference} (${by?.action})` : holder.reference;
  const nothing = { cost: 0, acquiredAt: null, restrictionEndsAt: null, offeringType: null, certificate: null };
  return {
    ...nothing,
    holder: { id: uuidv7(), account, reference, kind, isKindStated, name, country },
    shares: splitUnits(shares, ratio),
    legend: false,
  };
}
