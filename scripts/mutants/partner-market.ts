import type { Mutant } from './mutant.ts';

const MARKET_DATA = ['test/runtime/workers/partner/market-data.test.ts'];
const STREAMS = ['test/runtime/workers/partner/streams.test.ts'];

/** Rules of market data of partners. */
export const PARTNER_MARKET_MUTANTS: readonly Mutant[] = [
  {
    rule: 'market data of what is not on the venue is its own lister’s and agent’s',
    file: 'application/partner/securities/followed-market.ts',
    from: ' || !followsSecurity(partner, security)',
    to: '',
    tests: MARKET_DATA,
  },
  {
    rule: 'any active partner sees market data of what is on the venue',
    file: 'domain/partner/follows-security.ts',
    from: "if (security.state === 'listed' || security.state === 'halted') return true;",
    to: '',
    tests: ['domain/partner/follows-security.test.ts'],
  },
  {
    rule: 'a stream ends once its organization is active no more',
    file: 'durable-objects/fan-out/partner-streams.ts',
    from: 'return role === undefined || security',
    to: 'return role !== undefined && security',
    tests: STREAMS,
  },
  {
    rule: 'a stream ends once its partner may follow the security no more',
    file: 'durable-objects/fan-out/partner-streams.ts',
    from: ' || !followsSecurity({ organization, role }, security)',
    to: '',
    tests: STREAMS,
  },
  {
    rule: 'a stream ends with the role of its user',
    file: 'durable-objects/fan-out/identity.ts',
    from: 'JSON.stringify([account, facts, partnerRoles])',
    to: 'JSON.stringify([account, facts])',
    tests: STREAMS,
  },
  {
    rule: 'streams count by organization',
    file: 'application/market-data/open-feed.ts',
    from: 'leaseGate: organizationGateName(stream.organization), ',
    to: '',
    tests: STREAMS,
  },
  {
    rule: 'a book takes five streams of an organization',
    file: 'durable-objects/fan-out/hub.ts',
    from: 'this.#ctx.getWebSockets(tag).length >= STREAMS_PER_BOOK_MAX',
    to: 'false',
    tests: STREAMS,
  },
];
