/** Tables that tests write themselves though rows rest on them: what is written is what the row begins with, and not what it proves. */
export interface Arranged {
  readonly file: string;
  /** As the test names it: of the schema, or in SQL. */
  readonly table: string;
  readonly why: string;
}

export const ARRANGED: readonly Arranged[] = [
  {
    file: 'test/runtime/workers/partner/investors.test.ts',
    table: 'investorChecks',
    why: 'a check that was made long ago',
  },
  {
    file: 'test/runtime/workers/partner/investors.test.ts',
    table: 'investors',
    why: 'a name that fails its next check',
  },
  {
    file: 'test/runtime/workers/partner/orders.test.ts',
    table: 'investorChecks',
    why: 'a check that has failed since',
  },
  {
    file: 'test/runtime/workers/partner/reports.test.ts',
    table: 'transfer_instructions',
    why: 'a transfer that is weeks old',
  },
  {
    file: 'test/runtime/workers/partner/reports.test.ts',
    table: 'corporate_action_payments',
    why: 'payments that an agent took back at times of the year',
  },
  {
    file: 'test/runtime/workers/partner/settlements.test.ts',
    table: 'securities',
    why: 'a security that has lost its agent',
  },
  { file: 'test/runtime/workers/partner/streams.test.ts', table: 'assets', why: 'an asset that anybody may buy' },
  {
    file: 'test/runtime/workers/exchange/asset-search.test.ts',
    table: 'assets',
    why: 'an asset of another accreditation type',
  },
  { file: 'test/runtime/workers/exchange/order-entry.test.ts', table: 'apiKeys', why: 'a key with other limits' },
  { file: 'test/runtime/workers/exchange/order-states.test.ts', table: 'assets', why: 'an asset that was closed' },
  { file: 'test/runtime/workers/exchange/order-validation.test.ts', table: 'trades', why: 'a purchase a year ago' },
  {
    file: 'test/runtime/workers/events/enhance.test.ts',
    table: 'enhancementJobs',
    why: 'a job that no message of the queue is for, so that the test delivers it',
  },
  {
    file: 'test/runtime/workers/events/retention.test.ts',
    table: 'events',
    why: 'a deletion that is weeks old, and a row that somebody brings back',
  },
  { file: 'test/runtime/workers/events/retention.test.ts', table: 'attendees', why: 'a row that somebody brings back' },
  { file: 'test/runtime/workers/events/retention.test.ts', table: 'timeline', why: 'a row that somebody brings back' },
  {
    file: 'test/runtime/workers/events/retention.test.ts',
    table: 'corrections',
    why: 'a row that somebody brings back',
  },
  {
    file: 'test/runtime/workers/events/retention.test.ts',
    table: 'departures',
    why: 'a departure whose time has come',
  },
  {
    file: 'test/runtime/workers/events/timeline.test.ts',
    table: 'timeline',
    why: 'an empty timeline before each of many runs',
  },
  { file: 'test/runtime/workers/bridge/bridge.test.ts', table: 'bridgeTenants', why: 'what an operator has stated' },
  {
    file: 'test/runtime/workers/bridge/bridge.test.ts',
    table: 'partner_organizations',
    why: 'an organization that an operator has suspended',
  },
  {
    file: 'test/runtime/workers/agent/tool-call-log.test.ts',
    table: 'agent_tool_calls',
    why: 'the change that the table refuses',
  },
];
