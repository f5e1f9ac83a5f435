import { imagePath } from '../../../data/events/images/sealed-images.ts';
import type { KeyScope } from '../../../data/events/keys/scope-key.ts';

/** Whose key seals a tenant's images that are enhanced. */
export function enhancementScope(tenant: string): KeyScope {
  return { tenant, scope: 'enhancements' };
}

export function sourcePlace(tenant: string, jobId: string) {
  return { path: imagePath(enhancementScope(tenant), 'enhancement', jobId), kind: 'enhancement', id: jobId } as const;
}

export function resultPlace(tenant: string, jobId: string) {
  return { path: imagePath(enhancementScope(tenant), 'enhanced', jobId), kind: 'enhanced', id: jobId } as const;
}
