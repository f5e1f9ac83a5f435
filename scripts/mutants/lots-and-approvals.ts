import type { Mutant } from './mutant.ts';

const BOUGHT = ['test/adversary/trader/bought-lots-of-a-security.test.ts'];
const DIVIDENDS = ['test/runtime/workers/partner/dividends.test.ts'];
const SECOND = ['test/runtime/adversary/operator/second-operator.test.ts'];
const CODEC = ['domain/ledger/record-codec.test.ts', 'domain/ledger/settlement-chunk.test.ts'];
const RELEASED = ['test/runtime/adversary/transfer-agent/announced-before-release.test.ts'];
const UNDER_WAY = ['test/runtime/adversary/transfer-agent/actions-under-way.test.ts'];
const ROWS = ['test/runtime/adversary/transfer-agent/rows-of-a-register.test.ts'];
const TRADED = ['domain/ledger/traded-lots.test.ts'];

/** Whose lots count for whom, what people may end, and which acts ask for a second operator. */
export const LOT_AND_APPROVAL_MUTANTS: readonly Mutant[] = [
  {
    rule: 'lots that were bought count for no security',
    file: 'domain/ledger/lots.ts',
    from: "if (this.origin(lot) === 'registered') this",
    to: 'this',
    tests: BOUGHT,
  },
  {
    rule: 'lots that a register or deposit brings count for their security',
    file: 'domain/ledger/register-entries.ts',
    from: "lots.insert(balance, lot, 'registered')",
    to: "lots.insert(balance, lot, 'bought')",
    tests: BOUGHT,
  },
  {
    rule: 'lots that come back with a trade came as they did before',
    file: 'domain/ledger/trade-adjustments.ts',
    from: "isBought === true ? 'bought' : 'registered'",
    to: "'registered'",
    tests: BOUGHT,
  },
  {
    rule: 'what a trade gave is known with how it came to its seller',
    file: 'domain/ledger/traded-lots-of.ts',
    from: "...(lots.origin(lot) === 'bought' ? { isBought: true } : {}),",
    to: 'isBought: true,',
    tests: BOUGHT,
  },
  {
    rule: 'lots that are converted came as they did before',
    file: 'domain/ledger/convert-holding.ts',
    from: '...termsOf(lot, into) }, origin);',
    to: "...termsOf(lot, into) }, 'registered');",
    tests: BOUGHT,
  },
  {
    rule: 'how a lot came is kept with a checkpoint',
    file: 'domain/ledger/lots.ts',
    from: '    bought: this.#bought,',
    to: '',
    tests: BOUGHT,
  },
  {
    rule: 'the hash of a ledger tells how lots came',
    file: 'domain/ledger/state-hash.ts',
    from: "if (lots.origin(lot) === 'bought') sum.add(31, lots.ids.hash(lot));",
    to: '',
    tests: BOUGHT,
  },
  {
    rule: 'further lots that a trade took from count for the seller',
    file: 'domain/ledger/traded-lots.ts',
    from: 'const taker = 1 + Math.min(1, given.length)',
    to: 'const taker = 1 + given.length',
    tests: [...TRADED, ...BOUGHT],
  },
  {
    rule: 'further lots that a trade went into count for the seller',
    file: 'domain/ledger/traded-lots.ts',
    from: '+ Math.min(1, received.length);',
    to: '+ received.length;',
    tests: TRADED,
  },
  {
    rule: 'one lot that a trade takes from does not count for who is taken from',
    file: 'domain/ledger/traded-lots.ts',
    from: 'const taker = 1 + Math.min(1, given.length)',
    to: 'const taker = 1 + 0',
    tests: TRADED,
  },
  {
    rule: 'a trade that is forgotten counts for neither side',
    file: 'domain/ledger/traded-lots.ts',
    from: '      of.parts -= parts;',
    to: '      if (account === heaviest) of.parts -= parts;',
    tests: TRADED,
  },
  {
    rule: 'who gave a trade is kept with a checkpoint',
    file: 'domain/ledger/traded-lots.ts',
    from: '([id, { lots, taker, giver }]) => [id, lots, taker, giver] as const',
    to: '([id, { lots, taker }]) => [id, lots, taker] as const',
    tests: TRADED,
  },
  {
    rule: 'rows of a security count for the agent that wrote them',
    file: 'data/partner/register/register-room.ts',
    from: "|| coalesce(' ' ||",
    to: '|| coalesce(NULL ||',
    tests: ROWS,
  },
  {
    rule: 'what is left of a dividend is asked for again, under another id, once its payer has room',
    file: 'application/partner/actions/pay-holders.ts',
    from: 'if (await payerTakes(env, action, terms, sum)) await nextRestAttempt',
    to: 'if (false) await nextRestAttempt',
    tests: DIVIDENDS,
  },
  {
    rule: 'the ledger is not asked at every run for what a payer has no room for',
    file: 'data/partner/actions/entitlements.ts',
    from: 'return (row?.total ?? 0) + sum <= AMOUNT_MAX;',
    to: 'return true;',
    tests: DIVIDENDS,
  },
  {
    rule: 'a second operator: nobody decides on what they are behind',
    file: 'application/operator/approvals/second-operator.ts',
    from: 'isDoneHere ? [] : await namedBy(env, found)',
    to: 'isDoneHere ? [] : (await namedBy(env, found))?.slice(0, 0) ?? null',
    tests: SECOND,
  },
  {
    rule: 'a second operator: both sides of a trade are behind it',
    file: 'data/identity/behind-names.ts',
    from: 'SELECT t.seller AS name',
    to: 'SELECT t.buyer AS name',
    tests: SECOND,
  },
  {
    rule: 'a second operator: partners begin by two',
    file: 'workers/exchange/operator/partner-routes.ts',
    from: 'LETS_BEGIN.has(decision) ?',
    to: 'LETS_BEGIN.size === 0 ?',
    tests: SECOND,
  },
  {
    rule: 'a second operator: a held action goes on by two',
    file: 'workers/exchange/operator/corporate-action-routes.ts',
    from: "verb === 'release' ? await weigh(c, { reason }, by) : null",
    to: 'null as null | Awaited<ReturnType<typeof weigh>>',
    tests: SECOND,
  },
  {
    rule: 'a second operator: keys of a bridge are made by two',
    file: 'workers/exchange/operator/bridge-routes.ts',
    from: 'await weigh(c, { scheme: asked }, freshActionOf(c))',
    to: 'null as null | Awaited<ReturnType<typeof weigh>>',
    tests: SECOND,
  },
  {
    rule: 'a field that a record leaves out before another is read as left out',
    file: 'domain/ledger/record-codec.ts',
    from: 'optional.some((at) => values[at] === null) ?',
    to: 'optional.length < 0 ?',
    tests: CODEC,
  },
  {
    rule: 'a field that a record leaves out beside others of a list is read as left out',
    file: 'domain/ledger/record-codec.ts',
    from: 'optional.includes(at) ? presentIn(unpacked) : unpacked',
    to: 'unpacked',
    tests: CODEC,
  },
  {
    rule: 'nothing is begun in a register for an agent that keeps it no longer',
    file: 'data/partner/register/register-events.ts',
    from: 'agent === undefined ? sql`TRUE` : isKeptBy',
    to: 'agent !== undefined ? sql`TRUE` : isKeptBy',
    tests: RELEASED,
  },
  {
    rule: 'a rejection of an agent that was released is given up',
    file: 'data/partner/register/transfer-instructions.ts',
    from: "(s.transfer_agent IS NOT i.agent OR s.agent_state IS NOT 'accepted')",
    to: 'FALSE',
    tests: RELEASED,
  },
  {
    rule: 'a rejection waits while its agent is suspended',
    file: 'data/partner/register/transfer-instructions.ts',
    from: "p.state = 'suspended')",
    to: "p.state = 'asleep')",
    tests: RELEASED,
  },
  {
    rule: 'a job that has more to do goes on at once',
    file: 'workers/cron/run-job.ts',
    from: 'outcome.said === MORE_TO_DO ?',
    to: 'false ?',
    tests: ['test/runtime/adversary/venue-operator/jobs.test.ts'],
  },
  {
    rule: 'an action of an agent that was released takes no step',
    file: 'data/partner/actions/action-right.ts',
    from: "s.transfer_agent IS NOT a.agent OR s.agent_state IS NOT 'accepted' THEN",
    to: 'FALSE THEN',
    tests: UNDER_WAY,
  },
  {
    rule: 'an action of an agent that is suspended takes no step',
    file: 'data/partner/actions/action-right.ts',
    from: "p.state IS NOT 'active' THEN",
    to: 'FALSE THEN',
    tests: UNDER_WAY,
  },
  {
    rule: 'an action that an operator holds takes no step',
    file: 'data/partner/actions/action-right.ts',
    from: 'a.held_reason IS NOT NULL THEN',
    to: 'FALSE THEN',
    tests: UNDER_WAY,
  },
  {
    rule: 'once shares move, an action goes to its end',
    file: 'data/partner/actions/action-right.ts',
    from: 'WHEN a.moving_at IS NOT NULL THEN NULL',
    to: '',
    tests: UNDER_WAY,
  },
];
