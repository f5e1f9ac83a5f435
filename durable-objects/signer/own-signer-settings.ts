import { type SignerPlaces, signerPlaces } from '../../protocol/bridge/signer-places.ts';
import { type SignerSettings, signerSettings } from '../../protocol/bridge/signer-settings.ts';

/** What the Worker of a signer is given (wrangler.signer.toml). */
export interface OwnSignerEnv {
  readonly SIGNER: { getByName(name: string): unknown };
  readonly [setting: string]: unknown;
}

interface OwnSignerSettings extends SignerSettings {
  /** Null: it makes keys, and signs nothing. */
  readonly places: SignerPlaces | null;
}

/** A variable of Cloudflare's holds 5 kB, and places of several vaults are longer: what follows stands in BRIDGE_SIGNER_PLACES_2 and on. */
const PLACES_PARTS_MAX = 16;

/** @throws Error with a sentence for each setting that is missing or malformed */
export function ownSignerSettings(env: OwnSignerEnv): OwnSignerSettings {
  const problems: string[] = [];
  const settings = signerSettings(env, (problem) => problems.push(problem));
  let places: SignerPlaces | null = null;
  try {
    const text = placesText(env);
    places = text === '' ? null : signerPlaces(text);
  } catch (error) {
    problems.push(`BRIDGE_SIGNER_PLACES: ${error instanceof SyntaxError ? 'no JSON' : String(error)}`);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { ...settings, places };
}

function placesText(env: OwnSignerEnv): string {
  const parts = Array.from({ length: PLACES_PARTS_MAX }, (_, index) => {
    const part = env[index === 0 ? 'BRIDGE_SIGNER_PLACES' : `BRIDGE_SIGNER_PLACES_${index + 1}`];
    return typeof part === 'string' ? part : '';
  });
  return parts.join('');
}
