/** What an environment of a wrangler configuration says, as far as a deployment depends on it. */
export interface StatedEnvironment {
  readonly vars: Readonly<Record<string, unknown>>;
  /** Names that wrangler asks for before it uploads anything. */
  readonly requiredSecrets: readonly string[];
  readonly compatibilityFlags: readonly string[];
  readonly cpu_ms: number | null;
  readonly queues: readonly StatedQueue[];
}

/** A queue that the Worker sends to. */
interface StatedQueue {
  readonly binding: string;
  readonly queue: string;
  /** Null where the Worker does not consume it. */
  readonly consumer: { readonly deadLetters: string | null } | null;
}

export interface WorkerRules {
  /** Secrets without which something of every deployment does not work. */
  readonly secrets: readonly string[];
  /** Secrets that stand in a var of the local environment alone: addresses of nodes carry keys. */
  readonly neverVars: readonly string[];
  /** Secrets that a value of a var asks for. */
  readonly secretsOf: readonly {
    readonly setting: string;
    readonly value: string;
    readonly secrets: readonly string[];
  }[];
  /** Vars that nobody can know before the deployment; a strict check wants them stated. */
  readonly stated: readonly string[];
}

const PUBLIC_FETCH = 'global_fetch_strictly_public';

export const EXCHANGE_RULES: WorkerRules = {
  secrets: [
    'API_KEY_MASTER_KEY',
    'IAM_KEY_ENCRYPTION_KEY',
    'TENANT_TOKEN_KEY',
    'OTP_GATEWAY_TOKEN',
    'GATEWAY_SECRET',
    'EVENTS_MASTER_KEY',
    'INFERENCE_SECRET',
    'IDENTITY_MASTER_KEYS',
    'PRIME_WEBHOOK_SECRETS',
    'CONSENSUS_SEED',
    'SETTLEMENT_SALT_KEY',
    'BRIDGE_SIGNER_KEY',
    'RECORDER_KEY',
    'REGISTRY_RPC_URL',
  ],
  neverVars: ['REGISTRY_RPC_URL'],
  secretsOf: [
    { setting: 'BROKER', value: 'alpaca', secrets: ['ALPACA_KEY_ID', 'ALPACA_SECRET_KEY'] },
    {
      setting: 'PRIME_BROKER',
      value: 'coinbase',
      secrets: ['PRIME_ACCESS_KEY', 'PRIME_PASSPHRASE', 'PRIME_SIGNING_KEY'],
    },
    {
      setting: 'VERIFICATION_PROVIDER',
      value: 'http',
      secrets: ['VERIFICATION_TOKEN', 'VERIFICATION_WEBHOOK_SECRETS'],
    },
    { setting: 'IDENTITY_PROVIDER', value: 'http', secrets: ['IDENTITY_PROVIDER_TOKEN', 'IDENTITY_WEBHOOK_SECRETS'] },
    { setting: 'REGISTRATION_VERIFIER', value: 'http', secrets: ['REGISTRATION_VERIFIER_TOKEN'] },
    { setting: 'SCREENING_PROVIDER', value: 'http', secrets: ['SCREENING_TOKEN'] },
    { setting: 'MAIL_PROVIDER', value: 'http', secrets: ['MAIL_TOKEN'] },
    { setting: 'MAIL_PROVIDER', value: 'smtp', secrets: ['MAIL_TOKEN'] },
  ],
  stated: [
    'PROFILE_HOSTS',
    'OWN_ZONES',
    'IAM_ISSUER',
    'CONSOLE_ORIGIN',
    'OTP_GATEWAY_URL',
    'MAIL_URL',
    'MAIL_FROM',
    'VENUE_FIRM_NAME',
    'VENUE_CRD_NUMBER',
    // `objects`, said so, where all tenants are of a single operator.
    'BRIDGE_SIGNERS',
    // `embedded`, said so, where the venue alone makes its settlements final.
    'CONSENSUS_MEMBERS',
  ],
};

export const CHAINS_RULES: WorkerRules = {
  secrets: ['BRIDGE_RPC_URLS', 'BRIDGE_RELAYER_KEY'],
  neverVars: ['BRIDGE_RPC_URLS'],
  secretsOf: [],
  stated: [],
};

export const SIGNER_RULES: WorkerRules = {
  secrets: ['BRIDGE_SIGNER_KEY', 'BRIDGE_SIGNER_TOKEN'],
  neverVars: ['BRIDGE_SIGNER_KEY', 'BRIDGE_SIGNER_TOKEN', 'BRIDGE_SIGNER_PLACES'],
  secretsOf: [],
  stated: [],
};

/** What stands in this repository in place of a deployment's own value. */
const PLACEHOLDER = /\bexample\.com\b/;

/**
 * What a deployed environment lacks, each with its name.
 *
 * @param local vars and secrets of the local environment: whatever stands there, a deployed one has, too
 * @param isStrict whether values that only the deployer knows have to be there
 */
export function settingProblems(
  environment: StatedEnvironment,
  rules: WorkerRules,
  { local, isStrict }: { readonly local: StatedEnvironment; readonly isStrict: boolean },
): string[] {
  const { vars, requiredSecrets, compatibilityFlags, cpu_ms, queues } = environment;
  const asked = rules.secretsOf.flatMap(({ setting, value, secrets }) => (vars[setting] === value ? secrets : []));
  const known = new Set([...rules.secrets, ...rules.secretsOf.flatMap(({ secrets }) => secrets), ...OPTIONAL_SECRETS]);
  return [
    ...[...rules.secrets, ...asked]
      .filter((name) => !requiredSecrets.includes(name))
      .map((name) => `the secret ${name} is not in secrets.required`),
    ...rules.neverVars.filter((name) => name in vars).map((name) => `${name} is a var: it is a secret`),
    ...Object.keys(local.vars)
      .filter((name) => !(name in vars) && !known.has(name))
      .map((name) => `the var ${name} is missing`),
    ...(compatibilityFlags.includes(PUBLIC_FETCH) ? [] : [`the compatibility flag ${PUBLIC_FETCH} is missing`]),
    ...(cpu_ms === null ? ['limits.cpu_ms is missing'] : []),
    ...local.queues
      .filter(({ binding }) => !queues.some((own) => own.binding === binding))
      .map(({ binding }) => `the queue ${binding} is missing`),
    ...queues.flatMap((own) => queueProblems(own, local.queues)),
    ...(isStrict ? rules.stated.filter((name) => !isStated(vars[name])).map((name) => `${name} is not stated`) : []),
  ];
}

function queueProblems({ binding, queue, consumer }: StatedQueue, local: readonly StatedQueue[]): string[] {
  return [
    ...(local.some((other) => other.queue === queue) ? [`the queue ${binding} is that of the local environment`] : []),
    ...(consumer === null ? [`nobody consumes the queue ${binding}`] : []),
    ...(consumer?.deadLetters === null ? [`the queue ${binding} has no dead letters`] : []),
  ];
}

/** Without them a part waits that a deployment may do without. */
const OPTIONAL_SECRETS = [
  'BRIDGE_SIGNER_TOKEN',
  'BRIDGE_HARDWARE_TOKEN',
  'BRIDGE_CUSTODY_PROVIDERS',
  'CONSOLE_CLIENT_SECRET',
];

function isStated(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value !== '{}' && !PLACEHOLDER.test(value);
}
