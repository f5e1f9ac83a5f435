import type { Mutant } from './mutant.ts';

const ANSWER = 'protocol/calls/answer-call.ts';
const SETTINGS = 'durable-objects/signer/own-signer-settings.ts';
const WORKER = 'workers/signer/index.ts';
const OBJECT = 'durable-objects/signer/own-signer.ts';
const SIGNERS = 'domain/bridge/vault-signing.ts';
const API = 'durable-objects/signer/api.ts';
const TENANT = 'application/bridge/tenant-signers.ts';
const worker = ['test/node/bridge/signing-worker.test.ts'];
const signing = ['domain/bridge/vault-signing.test.ts'];
const bridge = ['test/runtime/workers/bridge/bridge.test.ts'];

/** A signer as a Worker of its own, and whose the five are. */
export const BRIDGE_SIGNER_WORKER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'who does not show the token is answered nothing',
    file: ANSWER,
    from: "if (!isToken(authorization, token)) return { status: 401, body: { error: 'another token' } };",
    to: '',
    tests: worker,
  },
  {
    rule: 'a signer is asked for no more than its calls are long',
    file: ANSWER,
    from: 'if (length > bytesMax) return null;',
    to: '',
    tests: worker,
  },
  {
    rule: 'a Worker whose settings are wrong answers nobody',
    file: SETTINGS,
    from: "if (problems.length > 0) throw new Error(problems.join('\\n'));",
    to: '',
    tests: worker,
  },
  {
    rule: 'places that are longer than a variable go on in the next one',
    file: SETTINGS,
    from: 'const PLACES_PARTS_MAX = 16;',
    to: 'const PLACES_PARTS_MAX = 1;',
    tests: worker,
  },
  {
    rule: 'the Worker is a signer of the organizations that its operator names',
    file: WORKER,
    from: 'organizations.includes(organization) ?',
    to: 'true ?',
    tests: worker,
  },
  {
    rule: 'what the Worker keeps is sealed by its own secret, and lies in its object',
    file: OBJECT,
    from: 'new SealedMemory(new SignerStore(this.ctx.storage), secret, { organization, signer: number })',
    to: 'new SealedMemory(new SignerStore(this.ctx.storage), crypto.getRandomValues(new Uint8Array(32)), { organization, signer: number })',
    tests: worker,
  },
  {
    rule: 'outside the local environment one operator runs the five of a tenant alone where that is stated',
    file: SIGNERS,
    from: "return isSingleOperator || isLocal ? null : 'single_operator';",
    to: 'return null;',
    tests: signing,
  },
  {
    rule: 'a tenant whose row says a single operator is shown as one, whatever addresses are named',
    file: SIGNERS,
    from: 'return isSingleOperator || !hasOwnSigners;',
    to: 'return !hasOwnSigners;',
    tests: signing,
  },
  {
    rule: 'one address named five times is not five signers',
    file: API,
    from: ' && new Set(places).size === CLUSTER_SIZE;',
    to: ';',
    tests: bridge,
  },
  {
    rule: 'no key is made by one operator for an organization of which nobody states that',
    file: TENANT,
    from: 'const isSingleOperator = tenants.some((tenant) => tenant.isSingleOperator);',
    to: 'const isSingleOperator = true;',
    tests: bridge,
  },
];
