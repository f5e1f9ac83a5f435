/** Without these a venue in production tells others something false, or keeps nothing that it has sealed; no default stands for them. */
const PRODUCTION_SETTINGS = [
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
] as const satisfies readonly (keyof Env)[];

/** Names of the settings without which this Worker answers nothing. Environments for trying out have values of their own for all. */
export function missingSettings(env: Pick<Env, 'ENVIRONMENT' | (typeof PRODUCTION_SETTINGS)[number]>): string[] {
  if (env.ENVIRONMENT !== 'production') return [];
  return PRODUCTION_SETTINGS.filter((name) => (env[name] ?? '').trim() === '');
}

/** @throws Error that names what is missing */
export function requireSettings(env: Env): void {
  const missing = missingSettings(env);
  if (missing.length > 0) throw new Error(`settings are missing: ${missing.join(', ')}`);
}
