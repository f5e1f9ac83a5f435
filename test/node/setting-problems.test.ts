import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../scripts/deploy/read-environment.ts';
import {
  CHAINS_RULES,
  EXCHANGE_RULES,
  SIGNER_RULES,
  type StatedEnvironment,
  settingProblems,
} from '../../scripts/deploy/setting-problems.ts';

const local = readEnvironment('wrangler.toml', '');
const stated = readEnvironment('wrangler.toml', 'production');

function problems(changed: Partial<StatedEnvironment>, isStrict = false): string[] {
  return settingProblems({ ...stated, ...changed }, EXCHANGE_RULES, { local, isStrict });
}

describe('M-19: before a deployment', () => {
  it('nothing is missing of what this repository can state', () => {
    for (const name of ['staging', 'production'])
      for (const [config, rules] of [
        ['wrangler.toml', EXCHANGE_RULES],
        ['wrangler.chains.toml', CHAINS_RULES],
      ] as const)
        expect(
          settingProblems(readEnvironment(config, name), rules, {
            local: readEnvironment(config, ''),
            isStrict: false,
          }),
        ).toEqual([]);
  });

  it.each(EXCHANGE_RULES.secrets)('the secret %s is asked for', (secret) => {
    const requiredSecrets = stated.requiredSecrets.filter((name) => name !== secret);
    expect(problems({ requiredSecrets })).toEqual([`the secret ${secret} is not in secrets.required`]);
  });

  it.each(CHAINS_RULES.secrets)('the secret %s of the chains is asked for', (secret) => {
    const chains = readEnvironment('wrangler.chains.toml', 'production');
    const requiredSecrets = chains.requiredSecrets.filter((name) => name !== secret);
    const terms = { local: readEnvironment('wrangler.chains.toml', ''), isStrict: false };
    expect(settingProblems({ ...chains, requiredSecrets }, CHAINS_RULES, terms)).toEqual([
      `the secret ${secret} is not in secrets.required`,
    ]);
  });

  it.each(SIGNER_RULES.secrets)('the secret %s of a signer is asked for, and stands in no var', (secret) => {
    const signer = readEnvironment('wrangler.signer.toml', '');
    const terms = { local: signer, isStrict: false };
    expect(settingProblems(signer, SIGNER_RULES, terms)).toEqual([]);
    const requiredSecrets = signer.requiredSecrets.filter((name) => name !== secret);
    const vars = { ...signer.vars, [secret]: '' };
    expect(settingProblems({ ...signer, requiredSecrets, vars }, SIGNER_RULES, terms)).toEqual([
      `the secret ${secret} is not in secrets.required`,
      `${secret} is a var: it is a secret`,
    ]);
  });

  it.each(Object.keys(stated.vars))('the var %s is asked for', (name) => {
    const { [name]: _, ...vars } = stated.vars;
    expect(problems({ vars })).toContain(`the var ${name} is missing`);
  });

  it.each([
    ['BROKER', 'alpaca', 'ALPACA_SECRET_KEY'],
    ['PRIME_BROKER', 'coinbase', 'PRIME_SIGNING_KEY'],
    ['VERIFICATION_PROVIDER', 'http', 'VERIFICATION_TOKEN'],
    ['REGISTRATION_VERIFIER', 'http', 'REGISTRATION_VERIFIER_TOKEN'],
    ['SCREENING_PROVIDER', 'http', 'SCREENING_TOKEN'],
  ])('%s = %s asks for its secrets', (setting, value, secret) => {
    const terms = { vars: { ...stated.vars, [setting]: value }, requiredSecrets: EXCHANGE_RULES.secrets };
    expect(problems(terms)).toContain(`the secret ${secret} is not in secrets.required`);
  });

  it.each(EXCHANGE_RULES.stated)('%s has a value of the deployment, and neither none nor an example', (name) => {
    const own = Object.fromEntries(EXCHANGE_RULES.stated.map((each) => [each, 'venue.com']));
    expect(problems({ vars: { ...stated.vars, ...own } }, true)).toEqual([]);
    for (const value of ['', 'https://id.example.com'])
      expect(problems({ vars: { ...stated.vars, ...own, [name]: value } }, true)).toEqual([`${name} is not stated`]);
  });

  it('M-10: a Worker without the flag that keeps its requests out of its own zone is refused', () => {
    expect(problems({ compatibilityFlags: ['nodejs_compat'] })).toEqual([
      'the compatibility flag global_fetch_strictly_public is missing',
    ]);
  });

  it('a limit of processor time is asked for', () => {
    expect(problems({ cpu_ms: null })).toEqual(['limits.cpu_ms is missing']);
  });

  it.each(stated.queues.map(({ binding }) => binding))(
    'I-07: the queue %s is asked for, with who consumes it and its dead letters',
    (name) => {
      const changed = (change: Partial<StatedEnvironment['queues'][number]>) =>
        problems({ queues: stated.queues.map((each) => (each.binding === name ? { ...each, ...change } : each)) });
      expect(problems({ queues: stated.queues.filter(({ binding }) => binding !== name) })).toEqual([
        `the queue ${name} is missing`,
      ]);
      expect(changed({ consumer: null })).toEqual([`nobody consumes the queue ${name}`]);
      expect(changed({ consumer: { deadLetters: null } })).toEqual([`the queue ${name} has no dead letters`]);
      const [own] = local.queues.filter(({ binding }) => binding === name);
      expect(changed({ queue: own?.queue ?? '' })).toEqual([`the queue ${name} is that of the local environment`]);
    },
  );

  it('M-23: an address that carries a key is no var', () => {
    expect(problems({ vars: { ...stated.vars, REGISTRY_RPC_URL: 'https://node/key' } })).toEqual([
      'REGISTRY_RPC_URL is a var: it is a secret',
    ]);
  });
});
