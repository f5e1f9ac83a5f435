import type { PayRequest } from './money-queries.ts';

export function toneOfRequest(status: PayRequest['status']): 'ok' | 'warn' | 'bad' | 'run' | 'none' {
  return ({ requested: 'warn', approved: 'run', executed: 'ok', rejected: 'bad', cancelled: 'none' } as const)[status];
}
