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
 * or a correction changes of alerts that were told to be over is not told; one that was told to last, and never was, is taken back, whether or not there was an
 * earlier one.
 */
export function capacityNotice(told: ToldAlert | null, last: CapacityAlert | null): CapacityNotice | null {
  if (last === null || isBefore(last, told)) {
    if (told === null || told.isOver) return null;
    const earlier = last === null ? null : { startedAt: last.startedAt, isOver: true };
    return { status: 'withdrawn', startedAt: told.startedAt, endedAt: null, occupancy: null, told: earlier };
  }
  const { startedAt, endedAt, occupancy } = last;
  const isOver = endedAt !== null;
  const isKnown = told?.startedAt === startedAt && told.isOver === isOver;
  const isPast = isOver && told?.isOver === true && startedAt <= told.startedAt;
  if (isKnown || isPast) return null;
  return { status: isOver ? 'cleared' : 'raised', startedAt, endedAt, occupancy, told: { startedAt, isOver } };
}

/** Whether an alert was over when the one began that was told to last. */
function isBefore({ endedAt }: CapacityAlert, told: ToldAlert | null): boolean {
  return told !== null && !told.isOver && endedAt !== null && endedAt <= told.startedAt;
}
