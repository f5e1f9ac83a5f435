import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import {
  decideCheck,
  expireChecks,
  type InvestorCheck,
  listChecks,
  listEndingChecks,
  listWaitingChecks,
  noteCheckAsked,
  renewCheck,
} from '../../../data/partner/investor-checks.ts';
import { findInvestor, type Investor } from '../../../data/partner/investors.ts';
import { MINUTE_MS } from '../../../domain/calendar/durations.ts';
import { createdAtOf } from '../../../domain/ids/created-at-of.ts';
import {
  ANSWER_WAIT_MS,
  decidedBy,
  RENEWED_AGAIN_MS,
  RENEWED_BEFORE_MS,
  type ScreeningProvider,
} from '../../../domain/partner/screening.ts';
import { ok } from '../../../domain/result.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { eachAlone, failFor } from '../../log/each-alone.ts';
import { applyChecks } from './apply-checks.ts';
import { screeningProviderOf } from './screening-provider-of.ts';

const CHECKS_PER_RUN_MAX = 300;
/** Investors that are carried on at the same time. */
const TOGETHER_MAX = 10;
const ASKED_AGAIN_MS = 4 * MINUTE_MS;

/**
 * Every five minutes: checks end and are made anew, providers are asked about those under way, and facts follow. What is left over waits for
 * the next run. One that fails keeps back none of the others.
 *
 * @throws AggregateError of those that failed, once all were tried
 */
export async function screenInvestors(env: Env, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  await expireChecks(db, now, CHECKS_PER_RUN_MAX);
  const unrenewed = await renewEnding(env, now);
  const waiting = await listWaitingChecks(db, now - ASKED_AGAIN_MS, CHECKS_PER_RUN_MAX);
  const ids = [...new Set(waiting.map(({ investor }) => investor))];
  const failure = 'the screening of an investor was not carried on';
  const failed = await eachAlone(ids, { idOf: (id) => id, failure, together: TOGETHER_MAX }, async (id) => {
    const investor = await findInvestor(db, id);
    if (investor !== null) await carryOnScreening(env, investor, now);
  });
  failFor(failure, unrenewed, failed);
}

/** Makes checks anew that are about to end. @returns those that failed */
async function renewEnding(env: Env, now: number): ReturnType<typeof eachAlone> {
  const provider = screeningProviderOf(env);
  if (provider === null) return new Map();
  const db = database(env.DB);
  const due = { endsBefore: now + RENEWED_BEFORE_MS, askedForBefore: now - RENEWED_AGAIN_MS, now };
  const ending = await listEndingChecks(db, due, CHECKS_PER_RUN_MAX);
  const each = { idOf: ({ request }: InvestorCheck) => request, failure: 'a check of an investor was not made anew' };
  // Whoever asks after this asks about it at once.
  return eachAlone(ending, each, (check) =>
    renewCheck(db, check, { kind: check.kind, request: uuidv7(), provider: provider.name }, 0),
  );
}

/** As far as the checks of an investor get now; what fails is tried again by the next run. What was decided takes effect first: no provider that is slow keeps it back. */
export async function carryOnScreening(env: Env, investor: Investor, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  const checks = await listChecks(db, investor.id);
  const unapplied = checks.filter((check) => !check.applied);
  for (const check of unapplied) await noteCheckAsked(db, check, now, null);
  if (unapplied.length > 0) await applyChecks(env, investor, now);
  const provider = screeningProviderOf(env);
  const open = checks.filter((check) => check.open);
  if (provider === null || open.length === 0) return;
  await Promise.all(open.map((check) => carryOnCheck(env, { provider, investor, check, now })));
  await applyChecks(env, investor, now);
}

interface Screening {
  readonly provider: ScreeningProvider;
  readonly investor: Investor;
  readonly check: InvestorCheck;
  readonly now: number;
}

async function carryOnCheck(env: Env, { provider, investor, check, now }: Screening): Promise<void> {
  const db = database(env.DB);
  const { kind, request, requestReference } = check;
  if (check.requestProvider !== provider.name || now >= createdAtOf(request) + ANSWER_WAIT_MS)
    return renewCheck(db, check, { kind, request: uuidv7(), provider: provider.name }, 0);
  await noteCheckAsked(db, check, now, null);
  const order = { id: request, kind, investor };
  const reference = requestReference === null ? await provider.request(order) : ok(requestReference);
  const of = { investor: investor.id, kind };
  if (!reference.ok) return log('warn', 'a check of an investor was not asked for', { ...of, ...reference.error });
  if (requestReference === null) await noteCheckAsked(db, check, now, reference.value);
  const finding = await provider.status(order, reference.value);
  if (!finding.ok) return log('warn', 'a provider does not say what it has found', { ...of, ...finding.error });
  if (finding.value.type === 'pending') return;
  const decided = decidedBy(finding.value, kind, now);
  // The same request would be told the same for ever.
  if (!decided.ok && now >= createdAtOf(request) + RENEWED_AGAIN_MS)
    await renewCheck(db, check, { kind, request: uuidv7(), provider: provider.name }, now);
  if (!decided.ok) return log('error', 'a finding of a provider does not do', { ...of, reason: decided.error });
  await decideCheck(db, check, decided.value, reference.value);
}
