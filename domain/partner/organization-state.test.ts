import { describe, expect, test } from 'vitest';
import { nextPartnerState, PARTNER_ACTIONS } from './organization-state.ts';
import { PARTNER_STATES } from './partner-organization.ts';

const NOW = 1_000;
const lister = (state: (typeof PARTNER_STATES)[number]) =>
  ({ role: 'cross_lister', state, verificationExpiresAt: null, checkId: null }) as const;
const agent = (
  state: (typeof PARTNER_STATES)[number],
  verificationExpiresAt: number | null = null,
  checkId: string | null = null,
) => ({ role: 'transfer_agent', state, verificationExpiresAt, checkId }) as const;

describe('the state of a partner', () => {
  test.each([
    [lister('applied'), 'approve', 'active'],
    [lister('applied'), 'refuse', 'refused'],
    [lister('applied'), 'lapsed', 'refused'],
    [lister('active'), 'suspend', 'suspended'],
    [lister('suspended'), 'reinstate', 'active'],
    [agent('applied'), 'verified', 'active'],
    [agent('active'), 'verified', 'active'],
    [agent('applied'), 'not_verified', 'refused'],
    [agent('active'), 'not_verified', 'suspended'],
    [agent('active'), 'registration_ended', 'suspended'],
    [agent('refused'), 'recheck', 'applied'],
    [agent('suspended'), 'recheck', 'applied'],
    [agent('suspended', NOW + 1), 'reinstate', 'active'],
    [agent('applied'), 'number_verified', 'applied'],
    [agent('active'), 'number_verified', 'active'],
    [agent('applied', NOW + 1), 'approve', 'active'],
    [agent('active'), 'release-number', 'refused'],
    [agent('suspended'), 'release-number', 'refused'],
  ] as const)('%o by %s is %s', (standing, event, next) => {
    expect(nextPartnerState(standing, event, NOW)).toEqual({ ok: true, value: next });
  });

  test.each([
    ['approve', 'applied'],
    ['reinstate', 'suspended'],
  ] as const)(
    'M-22: an operator does %s a transfer agent only while its registration is in force',
    (decision, state) => {
      for (const end of [null, NOW])
        expect(nextPartnerState(agent(state, end), decision, NOW)).toMatchObject({
          error: { reason: 'registration_not_in_force' },
        });
      expect(nextPartnerState(agent(state, NOW + 1, 'a check'), decision, NOW)).toMatchObject({
        error: { reason: 'registration_being_checked' },
      });
    },
  );

  test('a cross-lister has no registration to be checked', () => {
    for (const action of ['recheck', 'release-number'] as const)
      expect(nextPartnerState(lister('refused'), action, NOW)).toMatchObject({ error: { reason: 'no_registration' } });
  });

  test('a finding changes nothing of who is refused or suspended', () => {
    for (const state of ['refused', 'suspended'] as const)
      for (const event of ['verified', 'number_verified', 'not_verified'] as const)
        expect(nextPartnerState(agent(state), event, NOW)).toMatchObject({
          error: { reason: 'wrong_state', from: state },
        });
  });

  test('nothing that an operator does leaves a partner as it is', () => {
    for (const action of PARTNER_ACTIONS)
      for (const state of PARTNER_STATES)
        for (const partner of [lister(state), agent(state, NOW + 1)]) {
          const next = nextPartnerState(partner, action, NOW);
          if (next.ok) expect(next.value).not.toBe(state);
        }
  });
});
