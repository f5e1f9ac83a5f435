import { isOwnId } from '../../../domain/identity/own-id.ts';

/** Names shaped like ids, in whatever case, are kept for events: one that is mistyped makes no collection. */
export function namesEvent(name: string): boolean {
  return isOwnId(name);
}
