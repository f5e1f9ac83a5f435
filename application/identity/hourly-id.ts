import { HOUR_MS } from '../../domain/calendar/durations.ts';
import { sha256Hex } from './sha256-hex.ts';

/** A UUIDv7 that is the same for the same hour and name, so that what anybody may cause at will is one row an hour. */
export async function hourlyId(now: number, name: string): Promise<string> {
  const hour = now - (now % HOUR_MS);
  const time = hour.toString(16).padStart(12, '0');
  const hash = await sha256Hex(`refused ${hour} ${name}`);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
