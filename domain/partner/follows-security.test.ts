import { expect, test } from 'vitest';
import { type FollowedTerms, followsSecurity } from './follows-security.ts';
import { AGENT_STATES, SECURITY_STATES } from './security.ts';

const OURS: FollowedTerms = {
  organization: 'lister',
  state: 'delisted',
  transferAgent: 'agent',
  agentState: 'accepted',
};

const follows = (organization: string, role: 'cross_lister' | 'transfer_agent', change: Partial<FollowedTerms> = {}) =>
  followsSecurity({ organization, role }, { ...OURS, ...change });

test.each(SECURITY_STATES)('market data of a security that is %s', (state) => {
  const isOnVenue = state === 'listed' || state === 'halted';
  expect(follows('lister', 'cross_lister', { state })).toBe(true);
  expect(follows('agent', 'transfer_agent', { state })).toBe(true);
  expect(follows('stranger', 'cross_lister', { state })).toBe(isOnVenue);
  expect(follows('stranger', 'transfer_agent', { state })).toBe(isOnVenue);
});

test.each(AGENT_STATES)(
  'an agent that is %s follows what is not on the venue only while it is asked or has accepted',
  (agentState) => {
    expect(follows('agent', 'transfer_agent', { agentState })).toBe(agentState !== 'declined');
  },
);

test('an organization follows in the one role that it has', () => {
  expect(follows('agent', 'cross_lister')).toBe(false);
  expect(follows('lister', 'transfer_agent')).toBe(false);
});
