import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeFacts } from '../../../../application/ledger/change-facts.ts';
import { changeMarket } from '../../../../application/ledger/change-market.ts';
import { setVenueHalted } from '../../../../application/ledger/halt-venue.ts';
import { projected } from '../../../../application/ledger/projected.ts';
import { transact } from '../../../../application/ledger/transact.ts';
import type { Database } from '../../../../data/database.ts';
import { REG_CF_AMOUNTS } from '../../../../domain/investment-limit/reg-cf-limit.ts';
import { place } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
beforeAll(async () => {
  db = await migrate();
});
afterEach(clearLedgerFaults);

const action = () => ({ id: uuidv7(), actor: 'operator-test', requestId: 'request-test' });

/** The projector no longer reaches D1, with a change that it has yet to write; everyone else reads D1. */
async function holdBehind({ accountId }: Trader): Promise<void> {
  planLedgerFaults({ d1: () => 'away', settings: { projectedWait_ms: 5 } });
  const grant = { id: uuidv7(), account: accountId, asset: 'behind', amount: 1, createdAt: Date.now(), expect: [] };
  expect(await transact(env, { kind: 'grant', ...grant })).toMatchObject({ type: 'done' });
}

async function refusalOf(symbol: string, { accountId }: Trader): Promise<string | null> {
  const [result] = await env.ORDER_BOOK.getByName(symbol).submit([place(accountId, 'buy', 1, 1_000)]);
  return result?.type === 'refused' ? result.refusal.reason : null;
}

describe('while D1 is behind', () => {
  test('changes of facts, of rules and the halt of the venue take effect in the ledger, and the same action finds out later', async () => {
    const [market, other] = [await createPair(db, 'HALTED'), await createPair(db, 'OTHER')];
    const traders = Array.from({ length: 3 }, () => createTrader(db, { cash: 1_000_000 }));
    const [frozen, twice, free] = (await Promise.all(traders)) as [Trader, Trader, Trader];
    const freeze = {
      account: frozen.accountId,
      facts: { frozen: true },
      action: action(),
      regCfAmounts: REG_CF_AMOUNTS,
      now: Date.now(),
    };
    const first = { ...freeze, account: twice.accountId, action: action() };
    const second = { ...first, facts: { kycStatus: 'rejected' as const }, action: action() };
    const halt = { symbol: market.symbol, rules: { status: 'halted' as const }, action: action(), now: Date.now() };
    const haltVenue = { halted: true, action: action(), now: Date.now() };

    await holdBehind(free);
    const [ofFreeze, ofSecond, ofHalt] = await Promise.all([
      changeFacts(env, freeze).then(() => changeFacts(env, { ...freeze, now: Date.now() })),
      changeFacts(env, first).then(() => changeFacts(env, second)),
      changeMarket(env, halt),
    ]);
    const unknown = { error: { reason: 'outcome_unknown' } };
    expect([ofFreeze, ofSecond, ofHalt]).toMatchObject([unknown, unknown, unknown]);
    expect(await refusalOf(other.symbol, frozen)).toBe('account_frozen');
    expect(await refusalOf(market.symbol, free)).toBe('market_not_open');
    expect(await refusalOf(other.symbol, free)).toBeNull();
    expect(await setVenueHalted(env, haltVenue)).toBe(false);
    expect(await refusalOf(other.symbol, free)).toBe('market_not_open');

    clearLedgerFaults();
    await expect.poll(() => projected(env)).toBe(true);
    expect(await changeFacts(env, freeze)).toMatchObject({
      value: { before: { frozen: false }, after: { frozen: true } },
    });
    // Worked out from the first, which D1 did not show, it would have lifted the freeze.
    expect(await changeFacts(env, second)).toMatchObject({ value: { after: { frozen: true, kycStatus: 'rejected' } } });
    expect(await changeMarket(env, halt)).toMatchObject({ value: { after: { status: 'halted' } } });
    expect(await setVenueHalted(env, haltVenue)).toBe(true);
    expect(await setVenueHalted(env, { ...haltVenue, halted: false, action: action() })).toBe(true);
  });
});
