import { newYorkDate, newYorkTime } from '../calendar/new-york-time.ts';
import { statedMoment } from '../corporate-actions/action-dates.ts';

/** Whether what an agent states of its record, a day in New York or a moment, lies before the day in New York on which its trade was executed: nothing could be recorded then. */
export function precedesTrade(stated: string, executedAt: number): boolean {
  return statedMoment(stated, 'end') < newYorkTime(newYorkDate(executedAt), 0);
}
