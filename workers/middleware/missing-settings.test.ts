import { expect, test } from 'vitest';
import { missingSettings } from './missing-settings.ts';

const NAMES = [
  'API_KEY_MASTER_KEY',
  'IAM_KEY_ENCRYPTION_KEY',
  'TENANT_TOKEN_KEY',
  'EVENTS_MASTER_KEY',
  'CONSENSUS_SEED',
  'SETTLEMENT_SALT_KEY',
  'BRIDGE_SIGNER_KEY',
  'CLIENT_ADDRESS_HEADER',
  'OWN_ZONES',
  'VENUE_FIRM_NAME',
  'VENUE_CRD_NUMBER',
] as const;

const complete = {
  ENVIRONMENT: 'production',
  ...(Object.fromEntries(NAMES.map((name) => [name, 'stated'])) as Record<(typeof NAMES)[number], string>),
};

test('a venue in production that states all is complete', () => {
  expect(missingSettings(complete)).toEqual([]);
});

test.each(NAMES)('M-19: a venue in production without %s starts nothing, by name', (name) => {
  for (const value of ['', ' ', undefined as unknown as string])
    expect(missingSettings({ ...complete, [name]: value })).toEqual([name]);
});

test('elsewhere values of the environment stand for them', () => {
  for (const ENVIRONMENT of ['local', 'staging'])
    expect(missingSettings({ ...complete, ENVIRONMENT, VENUE_FIRM_NAME: '' })).toEqual([]);
});
