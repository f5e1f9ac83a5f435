import { FINALITIES_MAX, type Finality, sequencerOf } from '../../durable-objects/sequencer/api.ts';

type FinalityEnv = Pick<Env, 'SEQUENCER'>;

/** Where each of these trades stands, at most FINALITIES_MAX; null of all where the sequencer does not answer. */
export async function finalitiesOf(env: FinalityEnv, ids: readonly string[]): Promise<readonly (Finality | null)[]> {
  if (ids.length === 0) return [];
  if (ids.length > FINALITIES_MAX) throw new RangeError(`more than ${FINALITIES_MAX} trades`);
  try {
    return await sequencerOf(env).finalities(ids);
  } catch {
    return ids.map(() => null);
  }
}
