import { readFileSync } from 'node:fs';
import { type SignerPlaces, signerPlaces } from '../../protocol/bridge/signer-places.ts';
import { type SignerSettings, signerSettings } from '../../protocol/bridge/signer-settings.ts';
import { type Environment, parseSettings, SettingsError } from '../process/parse-settings.ts';

/** How a signer runs in a process of its own. */
export interface Settings extends SignerSettings {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The folder of what the signer must never forget. */
  readonly memory: string;
  /** The file that says where its chains and vaults are (`readPlaces`); null: it makes keys, and signs nothing. */
  readonly places: string | null;
}

const PORT_DEFAULT = 8_792;

/** Reads BRIDGE_SIGNER_HOST, _PORT, _TOKEN, _ORGANIZATIONS, _NUMBER, _KEY, _MEMORY, _ROSTERS and _PLACES. */
export function readSettings(environment: Environment): Settings {
  return parseSettings(environment, (from) => ({
    ...signerSettings(environment, (problem) => from.refuse(problem)),
    host: from.text('BRIDGE_SIGNER_HOST', '127.0.0.1'),
    port: from.port('BRIDGE_SIGNER_PORT', PORT_DEFAULT),
    memory: from.required('BRIDGE_SIGNER_MEMORY', 'the folder of what it must never forget'),
    places: from.optional('BRIDGE_SIGNER_PLACES'),
  }));
}

/** Where a signer's chains and vaults are. @throws SettingsError where the file does not say it */
export function readPlaces(path: string): SignerPlaces {
  try {
    return signerPlaces(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SettingsError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
