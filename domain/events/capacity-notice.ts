import type { CapacityAlert } from './occupancy.ts';

/** The alert of a room that its tenant was told of last; null where none was, or it was withdrawn. */
export interface ToldAlert {
  readonly startedAt: number;
  readonly isOver: boolean;
}

export interface CapacityNotice {
  readonly status: 'raised' | 'cleared' | 'withdrawn';
  readonly startedAt: number;
  /** Null while it lasts, and of one that is withdrawn. */
  readonly endedAt: number | null;
  /** The most people; null of one that is withdrawn. */
  readonly occupancy: number | null;
  /** What was told then. */
  readonly told: ToldAlert | null;
}

/**
 * What a tenant is told of a room, by its last alert; null where it knows. One that came and went between two looks is told once, as cleared. What a late frame
 * or a correction changes of alerts that were told to be over is not told.
 */
export function capacityNotice(told: ToldAlert | null, last: CapacityAlert | null): CapacityNotice | null {
  if (last === null) {
    if (told === null || told.isOver) return null;
    return { status: 'withdrawn', startedAt: told.startedAt, endedAt: null, occupancy: null, told: null };
  }
  const { startedAt, endedAt, occupancy } = last;
  const isOver = endedAt !== null;
  const isKnown = told?.startedAt === startedAt && told.isOver === isOver;
  const isPast = isOver && told?.isOver === true && startedAt <= told.startedAt;
  if (isKnown || isPast) return null;
  return { status: isOver ? 'cleared' : 'raised', startedAt, endedAt, occupancy, told: { startedAt, isOver } };
}
