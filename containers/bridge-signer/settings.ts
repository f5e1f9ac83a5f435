import { z } from 'zod';
import { CLUSTER_SIZE } from '../../domain/bridge/transfer.ts';
import { type Environment, parseSettings } from '../process/parse-settings.ts';

/** How a signer runs in a process of its own. */
export interface Settings {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What whoever asks has to show. */
  readonly token: string;
  /** Whose keys it has shares of; of each others. */
  readonly organizations: readonly string[];
  /** 0 to 4. */
  readonly number: number;
  /** 32 bytes or more: what the memory is encrypted with. Kept elsewhere than the memory. */
  readonly secret: Uint8Array;
  /** The folder of what the signer must never forget. */
  readonly memory: string;
  /** Identities of the five by organization, where whoever runs the signer says who they are. */
  readonly rosters: Readonly<Record<string, readonly string[]>>;
  /** The file that says where its chains and vaults are (`readPlaces`); null: it makes keys, and signs nothing. */
  readonly places: string | null;
}

const PORT_DEFAULT = 8_792;
const TOKEN_LENGTH_MIN = 32;
const SECRET_BYTES_MIN = 32;

const ORGANIZATIONS_MAX = 1_000;
const ORGANIZATION = /^[\w.-]{1,64}$/;

const Rosters = z.record(
  z.string().regex(ORGANIZATION),
  z.array(z.string().regex(/^0[23][0-9a-f]{64}$/)).length(CLUSTER_SIZE),
);

/** Reads BRIDGE_SIGNER_HOST, _PORT, _TOKEN, _ORGANIZATIONS, _NUMBER, _KEY, _MEMORY, _ROSTERS and _PLACES. */
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
    const organizations = from.required('BRIDGE_SIGNER_ORGANIZATIONS', 'whose keys it has shares of').split(',');
    if (organizations.length > ORGANIZATIONS_MAX || !organizations.every((id) => ORGANIZATION.test(id)))
      from.refuse(`BRIDGE_SIGNER_ORGANIZATIONS is not 1 to ${ORGANIZATIONS_MAX} ids with commas in between`);
    const rosters = Rosters.safeParse(jsonOf(from.text('BRIDGE_SIGNER_ROSTERS', '{}')));
    if (!rosters.success)
      from.refuse('BRIDGE_SIGNER_ROSTERS is no JSON object from organizations to five compressed keys');
    return {
      host: from.text('BRIDGE_SIGNER_HOST', '127.0.0.1'),
      port: from.port('BRIDGE_SIGNER_PORT', PORT_DEFAULT),
      token,
      organizations,
      number: from.wholeNumber('BRIDGE_SIGNER_NUMBER', { otherwise: 0, max: CLUSTER_SIZE - 1 }),
      secret,
      memory: from.required('BRIDGE_SIGNER_MEMORY', 'the folder of what it must never forget'),
      rosters: rosters.data ?? {},
      places: from.optional('BRIDGE_SIGNER_PLACES'),
    };
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
