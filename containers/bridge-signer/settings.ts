import { CLUSTER_SIZE } from '../../domain/bridge/transfer.ts';
import { type Environment, parseSettings } from '../process/parse-settings.ts';

/** How a signer runs in a process of its own. */
export interface Settings {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What whoever asks has to show. */
  readonly token: string;
  readonly organization: string;
  /** 0 to 4. */
  readonly number: number;
  /** 32 bytes or more: what the memory is encrypted with. Kept elsewhere than the memory. */
  readonly secret: Uint8Array;
  /** The folder of what the signer must never forget. */
  readonly memory: string;
  /** Identities of the five, where whoever runs the signer says who they are. */
  readonly roster: readonly string[] | null;
  /** The file that says which chains it asks where (`readChains`); null: it makes keys, and signs nothing. */
  readonly chains: string | null;
}

const PORT_DEFAULT = 8_792;
const TOKEN_LENGTH_MIN = 32;
const SECRET_BYTES_MIN = 32;

/** Reads BRIDGE_SIGNER_HOST, _PORT, _TOKEN, _ORGANIZATION, _NUMBER, _KEY, _MEMORY, _ROSTER and _CHAINS. */
export function readSettings(environment: Environment): Settings {
  return parseSettings(environment, (from) => {
    const token = from.required('BRIDGE_SIGNER_TOKEN', 'what the coordinator shows');
    if (token !== '' && token.length < TOKEN_LENGTH_MIN)
      from.refuse(`BRIDGE_SIGNER_TOKEN has fewer than ${TOKEN_LENGTH_MIN} characters`);
    const key = from.required('BRIDGE_SIGNER_KEY', 'base64url of 32 random bytes');
    const secret = Uint8Array.from(Buffer.from(key, 'base64url'));
    if (key !== '' && secret.length < SECRET_BYTES_MIN)
      from.refuse(`BRIDGE_SIGNER_KEY has fewer than ${SECRET_BYTES_MIN} bytes`);
    from.required('BRIDGE_SIGNER_NUMBER', 'which of the five it is, from 0');
    const roster = from.optional('BRIDGE_SIGNER_ROSTER')?.split(',') ?? null;
    if (roster !== null && !(roster.length === CLUSTER_SIZE && roster.every((id) => /^0[23][0-9a-f]{64}$/.test(id))))
      from.refuse('BRIDGE_SIGNER_ROSTER is not five compressed keys with commas in between');
    return {
      host: from.text('BRIDGE_SIGNER_HOST', '127.0.0.1'),
      port: from.port('BRIDGE_SIGNER_PORT', PORT_DEFAULT),
      token,
      organization: from.required('BRIDGE_SIGNER_ORGANIZATION', 'whose keys it has a share of'),
      number: from.wholeNumber('BRIDGE_SIGNER_NUMBER', { otherwise: 0, max: CLUSTER_SIZE - 1 }),
      secret,
      memory: from.required('BRIDGE_SIGNER_MEMORY', 'the folder of what it must never forget'),
      roster,
      chains: from.optional('BRIDGE_SIGNER_CHAINS'),
    };
  });
}
