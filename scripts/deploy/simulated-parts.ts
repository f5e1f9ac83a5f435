import type { StatedEnvironment } from './setting-problems.ts';

/** A part of the system that somebody else does. */
interface OutsidePart {
  readonly part: string;
  /** The setting that says who does it. */
  readonly setting: string;
  /** Who does it, in words, by the setting's value; `npm start` may state another than the local environment's. */
  readonly behind: (value: string, isLocal: boolean) => string;
}

/** A provider by name: what each name stands for; an empty one is nobody. */
function byName(names: Readonly<Record<string, string>>): (value: string) => string {
  return (value) => {
    const behind = value === '' ? 'nobody' : names[value];
    if (behind === undefined) throw new Error(`nothing is written about ${JSON.stringify(value)}`);
    return behind;
  };
}

function simulated(words: string): string {
  return `**simulated**: ${words}`;
}

const OVER_HTTP = 'a provider over HTTP, never run against one';

/** Everything that others do for the venue, by the setting that names who. */
const OUTSIDE_PARTS: readonly OutsidePart[] = [
  {
    part: 'broker of public equities, and its venues',
    setting: 'BROKER',
    behind: byName({
      sandbox: simulated('sixteen invented venues; our router splits orders over them'),
      alpaca: 'Alpaca, never run against the real one; it routes by itself',
    }),
  },
  {
    part: 'prime broker of crypto in profile A',
    setting: 'PRIME_BROKER',
    behind: byName({
      sandbox: simulated('an object that fills and sends the signed webhook'),
      coinbase: 'Coinbase Prime, never run against the real one, and asked, since it sends no TRANSFER webhook',
    }),
  },
  {
    part: 'verification of accredited investors',
    setting: 'VERIFICATION_PROVIDER',
    behind: byName({ simulated: simulated('believes what accounts state'), http: OVER_HTTP }),
  },
  {
    part: 'verification of people’s identity',
    setting: 'IDENTITY_PROVIDER',
    behind: byName({ simulated: simulated('believes everybody but whom a word in the name tells'), http: OVER_HTTP }),
  },
  {
    part: 'check of transfer agents’ registration',
    setting: 'REGISTRATION_VERIFIER',
    behind: byName({ simulated: simulated('believes numbers of the right form but a few'), http: OVER_HTTP }),
  },
  {
    part: 'screening of partners’ investors (identity, sanctions, adverse media, transactions)',
    setting: 'SCREENING_PROVIDER',
    behind: byName({ simulated: simulated('passes at once whoever is stated well'), http: OVER_HTTP }),
  },
  {
    part: 'text messages with one-time codes',
    setting: 'OTP_GATEWAY_URL',
    behind: (url) =>
      url === '' ? simulated('printed, and shown on a page of the local system') : 'the gateway that is stated',
  },
  {
    part: 'mail',
    setting: 'MAIL_PROVIDER',
    behind: byName({ outbox: simulated('kept, and shown on a page of the local system'), http: OVER_HTTP }),
  },
  {
    part: 'members of the committee',
    setting: 'CONSENSUS_MEMBERS',
    behind: (members) => {
      if (members === '') return 'to be stated: nothing becomes final before';
      if (members === 'embedded') return simulated('twenty keys in one object of one operator');
      return 'those that are stated';
    },
  },
  {
    part: 'chain of the registry of settlements',
    setting: 'REGISTRY_ADDRESS',
    behind: (address, isLocal) => {
      if (isLocal) return '**simulated**: a chain of the machine’s own, which `npm start` runs';
      return address === ''
        ? 'to be stated: nothing is recorded on chain before, and trades settle all the same'
        : 'the registry that is stated';
    },
  },
  {
    part: 'signers of the bridge',
    setting: 'BRIDGE_SIGNERS',
    behind: (signers) => {
      if (signers === 'objects') return simulated('five objects of one operator; quotes say `single_operator`');
      if (signers === '{}') return 'five addresses to be stated for each tenant, or it is one of a single operator';
      return 'those that are stated';
    },
  },
  {
    part: 'hardware module that signs large transfers',
    setting: 'BRIDGE_HARDWARE_URL',
    behind: (url) =>
      url === ''
        ? 'none: transfers that need it wait, and go back'
        : 'the module that is stated; SoftHSM is what tests have run',
  },
  {
    part: 'processor of faces',
    setting: 'INFERENCE_URL',
    behind: (url) =>
      url === ''
        ? 'a container of Cloudflare, without a GPU; its image was never built'
        : 'the process at that address (`npm start` runs one, on the CPU)',
  },
];

const ENVIRONMENTS = ['', 'staging', 'production'];

/** The table of docs/simulated.md. Errors: a setting with a value that nothing is written about. */
export function simulatedTable(read: (name: string) => StatedEnvironment): string {
  const environments = ENVIRONMENTS.map(read);
  const lines = OUTSIDE_PARTS.map(({ part, setting, behind }) => {
    const cells = environments.map(({ vars }, at) => {
      const value = vars[setting];
      if (value === undefined) throw new Error(`no environment may lack ${setting}`);
      return behind(String(value), ENVIRONMENTS[at] === '');
    });
    return `| ${[`${part} (\`${setting}\`)`, ...cells].join(' | ')} |`;
  });
  return ['| who does it (the setting) | local | staging | production |', '|---|---|---|---|', ...lines].join('\n');
}
