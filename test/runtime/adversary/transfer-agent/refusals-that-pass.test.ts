import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { changeRegister } from '../../../../application/partner/register/change-register.ts';
import type { Database } from '../../../../data/database.ts';
import {
  announceEvent,
  findRegisterEvent,
  NOT_ANNOUNCED,
  type RegisterLine,
  refuseEvent,
  type StagedEvent,
  stageEvent,
} from '../../../../data/partner/register/register-events.ts';
import { Ledger } from '../../../../domain/ledger/ledger.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

let db: Database;
let lister: Partner;
let agent: Partner;
let pairs = 0;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function listed(): Promise<{ id: string; symbol: string }> {
  pairs += 1;
  const id = uuidv7();
  const { symbol } = await createPair(db, `PASS${pairs}`, { asset: { id } });
  const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
  await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: `PASS${pairs}`, ...accepted });
  return { id, symbol };
}

const issuanceOf = (security: string): StagedEvent => ({
  id: uuidv7(),
  security,
  type: 'issuance',
  hash: 'h',
  recordDate: null,
  notes: null,
  actor: 'a',
  createdAt: Date.now(),
});

const lines = (): readonly RegisterLine[] => [
  {
    holder: { id: uuidv7(), account: null, reference: 'S', kind: 'individual', name: 'Sal', country: null },
    shares: 7,
    cost: 0,
    acquiredAt: 1,
    restrictionEndsAt: null,
    offeringType: null,
    certificate: null,
    legend: false,
  },
];

const issue = (event: StagedEvent) => changeRegister(env, event, lines());
const registered = async (security: string) =>
  (await ledgerOf(env).balances('boundary:register')).find(({ asset }) => asset === security)?.available ?? 0;

describe('M-15: a change of a register that is refused for the moment', () => {
  it('by a split that the ledger has begun is made by the same request once that is given up', async () => {
    const { id, symbol } = await listed();
    expect(await issue(issuanceOf(id))).toMatchObject({ ok: true });
    const step = (asked: object) =>
      ledgerOf(env).transact({
        kind: 'split',
        id: uuidv7(),
        split: 'lost',
        asset: id,
        step: asked,
        createdAt: Date.now(),
      } as never);
    const begin = {
      type: 'begin',
      from: 1,
      to: 2,
      fractions: 'round_up',
      register: { from: 7, to: 14 },
      books: [symbol],
    };
    expect(await step(begin)).toMatchObject({ type: 'done' });
    const event = issuanceOf(id);
    for (let n = 0; n < 2; n++) expect(await issue(event)).toEqual({ ok: false, error: { reason: 'busy' } });
    expect(await step({ type: 'give_up' })).toMatchObject({ type: 'done' });
    expect(await issue(event)).toMatchObject({ ok: true, value: { state: 'recorded' } });
    expect(await issue(event)).toMatchObject({ ok: true, value: { state: 'recorded' } });
    expect(await registered(id)).toBe(14);
  });

  it('by a ledger without room is made by the same request once there is some', async () => {
    const { id } = await listed();
    const event = issuanceOf(id);
    const { apply } = Ledger.prototype;
    const full = vi.spyOn(Ledger.prototype, 'apply').mockImplementation(function (this: Ledger, transaction, context) {
      if (transaction.kind !== 'register_entry') return apply.call(this, transaction, context) as never;
      const refused = apply.call(this, { ...transaction, legs: [] }, context);
      return { ...refused, outcome: { type: 'ledger_full' } } as never;
    });
    expect(await issue(event)).toEqual({ ok: false, error: { reason: 'ledger_full' } });
    full.mockRestore();
    expect(await issue(event)).toMatchObject({ ok: true, value: { state: 'recorded' } });
    expect(await registered(id)).toBe(7);
  });

  it('is refused by no run of an attempt before, late as it is', async () => {
    const { id } = await listed();
    const event = issuanceOf(id);
    await stageEvent(db, event, lines());
    await refuseEvent(db, { id: event.id, state: 'staged' }, NOT_ANNOUNCED);
    await stageEvent(db, event, lines());
    await announceEvent(db, event);
    expect(await refuseEvent(db, { id: event.id, state: 'announced', attempt: 1 }, 'split_under_way')).toBe(false);
    expect(await findRegisterEvent(db, event.id)).toMatchObject({ state: 'announced', attempt: 2 });
    expect(await refuseEvent(db, { id: event.id, state: 'announced', attempt: 2 }, 'split_under_way')).toBe(true);
  });
});
