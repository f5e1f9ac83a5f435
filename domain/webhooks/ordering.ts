/**
 * In which order an endpoint gets its messages. `none`: each as soon as it can be sent, whatever came of others. `security`: those of one security, or of one
 * transfer of the bridge, one after the other, and one that fails holds up its own alone. `endpoint`: all of them one after the other.
 */
export const ORDERINGS = ['none', 'security', 'endpoint'] as const;

export type Ordering = (typeof ORDERINGS)[number];

/** What a message waits in line with; null for a message that waits for no other. @param subject the security, or the transfer */
export function lineOf(ordering: Ordering, subject: string): string | null {
  if (ordering === 'none') return null;
  return ordering === 'security' ? subject : '';
}
