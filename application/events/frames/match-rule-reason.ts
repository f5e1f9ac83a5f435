import { isLaxerThanModel, type MatchRuleSetting } from '../../../domain/faces/match-rule.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { EventsCaller } from '../events-caller.ts';
import { currentModel, inferenceClient } from '../inference/inference-client.ts';

/** Why a rule may not be set: one that lets more faces pass than the model's own, or may, needs a reason. Null where it may. */
export async function unreasonedRule(
  env: Env,
  caller: EventsCaller,
  { setting, reason }: { readonly setting: MatchRuleSetting; readonly reason: string | null },
): Promise<ApiError | null> {
  if (reason !== null || Object.values(setting).every((part) => part === null)) return null;
  if (!isLaxerThanModel(setting, await currentModel(inferenceClient(env, caller)))) return null;
  return apiError('VALIDATION_ERROR', 'a threshold below the model’s own needs a reason', { field: 'reason' });
}
