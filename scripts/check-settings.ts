import { readEnvironment } from './deploy/read-environment.ts';
import { CHAINS_RULES, EXCHANGE_RULES, SIGNER_RULES, settingProblems } from './deploy/setting-problems.ts';

/**
 * `npm run check:settings`: that staging and production name every var and every secret, and have the flags and limits of all Workers. With the name of an environment,
 * `npm run check:settings -- production`, it asks before a deployment for what nobody else can know, too: the venue's names and its own hosts.
 */
const WORKERS = [
  { config: 'wrangler.toml', rules: EXCHANGE_RULES },
  { config: 'wrangler.chains.toml', rules: CHAINS_RULES },
];
const [strictly] = process.argv.slice(2);
let count = 0;
for (const { config, rules } of WORKERS) {
  const local = readEnvironment(config, '');
  for (const name of strictly === undefined ? ['staging', 'production'] : [strictly]) {
    const terms = { local, isStrict: strictly !== undefined };
    for (const problem of settingProblems(readEnvironment(config, name), rules, terms)) {
      count += 1;
      console.error(`settings: ${config}, ${name}: ${problem}`);
    }
  }
}
// A signer's has one environment, which its operator fills in.
const signer = readEnvironment('wrangler.signer.toml', '');
for (const problem of settingProblems(signer, SIGNER_RULES, { local: signer, isStrict: false })) {
  count += 1;
  console.error(`settings: wrangler.signer.toml: ${problem}`);
}
console.log(`settings: ${WORKERS.length + 1} Workers, ${count} problems`);
if (count > 0) process.exit(1);
