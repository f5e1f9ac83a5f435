import { z } from 'zod';
import { CLUSTER_SIZE } from '../../domain/bridge/transfer.ts';

/** What a signer is, wherever it runs. */
export interface SignerSettings {
  /** What whoever asks has to show. */
  readonly token: string;
  /** Whose keys it has shares of; of each others. */
  readonly organizations: readonly string[];
  /** 0 to 4. */
  readonly number: number;
  /** 32 bytes or more: what the memory is encrypted with. Kept elsewhere than the memory. */
  readonly secret: Uint8Array;
  /** Identities of the five by organization, where whoever runs the signer says who they are. */
  readonly rosters: Readonly<Record<string, readonly string[]>>;
}

const TOKEN_LENGTH_MIN = 32;
const SECRET_BYTES_MIN = 32;
const ORGANIZATIONS_MAX = 1_000;
const ORGANIZATION = /^[\w.-]{1,64}$/;

const Rosters = z.record(
  z.string().regex(ORGANIZATION),
  z.array(z.string().regex(/^0[23][0-9a-f]{64}$/)).length(CLUSTER_SIZE),
);

/** Reads BRIDGE_SIGNER_TOKEN, _ORGANIZATIONS, _NUMBER, _KEY and _ROSTERS. @param refuse takes a sentence for each thing that has to be set right */
export function signerSettings(
  environment: Readonly<Record<string, unknown>>,
  refuse: (problem: string) => void,
): SignerSettings {
  const required = (name: string, what: string) => {
    const value = environment[name];
    if (typeof value === 'string' && value !== '') return value;
    refuse(`${name} is not set: ${what}`);
    return null;
  };
  const token = required('BRIDGE_SIGNER_TOKEN', 'what the coordinator shows');
  if (token !== null && token.length < TOKEN_LENGTH_MIN)
    refuse(`BRIDGE_SIGNER_TOKEN has fewer than ${TOKEN_LENGTH_MIN} characters`);
  const key = required('BRIDGE_SIGNER_KEY', 'base64url of 32 random bytes');
  const secret = Uint8Array.from(Buffer.from(key ?? '', 'base64url'));
  if (key !== null && secret.length < SECRET_BYTES_MIN)
    refuse(`BRIDGE_SIGNER_KEY has fewer than ${SECRET_BYTES_MIN} bytes`);
  const number = required('BRIDGE_SIGNER_NUMBER', 'which of the five it is, from 0');
  if (number !== null && !/^[0-4]$/.test(number))
    refuse(`BRIDGE_SIGNER_NUMBER=${number} is no whole number from 0 to ${CLUSTER_SIZE - 1}`);
  const organizations = required('BRIDGE_SIGNER_ORGANIZATIONS', 'whose keys it has shares of')?.split(',') ?? [];
  if (organizations.length > ORGANIZATIONS_MAX || !organizations.every((id) => ORGANIZATION.test(id)))
    refuse(`BRIDGE_SIGNER_ORGANIZATIONS is not 1 to ${ORGANIZATIONS_MAX} ids with commas in between`);
  const rosters = Rosters.safeParse(jsonOf(environment.BRIDGE_SIGNER_ROSTERS || '{}'));
  if (!rosters.success) refuse('BRIDGE_SIGNER_ROSTERS is no JSON object from organizations to five compressed keys');
  return { token: token ?? '', organizations, number: Number(number), secret, rosters: rosters.data ?? {} };
}

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}
