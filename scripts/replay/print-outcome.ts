import type { Level } from '../../durable-objects/order-book/engine/engine.ts';
import { type LobsterMessage, MESSAGE_TYPE } from './lobster/message.ts';
import type { ReplayOutcome } from './outcome.ts';

/** Whether every row is as the file has it and every execution took the order that the file names. */
export function isRight(messages: readonly LobsterMessage[], outcome: ReplayOutcome): boolean {
  return outcome.rowsThatDiffer === 0 && outcome.executionsThatHit === executionsOf(messages);
}

export function printOutcome(messages: readonly LobsterMessage[], outcome: ReplayOutcome): void {
  const { firstDifference, firstMiss, commands, seconds } = outcome;
  if (firstDifference !== null) {
    const { step, difference } = firstDifference;
    console.log(`first difference: after message ${described(messages, step)}`);
    console.log(
      `  ${difference.side} level ${difference.level}: ${levelText(difference.found)}, the file has ${levelText(difference.expected)}`,
    );
  }
  if (firstMiss !== null)
    console.log(`first execution that took another order: message ${described(messages, firstMiss)}`);
  const figures: readonly (readonly [name: string, value: number])[] = [
    ['messages', messages.length],
    ['book rows compared', outcome.rowsCompared],
    ['rows that differ', outcome.rowsThatDiffer],
    ['executions', executionsOf(messages)],
    ['executions that hit the named maker', outcome.executionsThatHit],
    ['orders/s', Math.round(commands / seconds)],
  ];
  for (const [name, value] of figures) console.log(`${name.padEnd(36)}${String(value).padStart(10)}`);
}

function executionsOf(messages: readonly LobsterMessage[]): number {
  return messages.filter(({ type }) => type === MESSAGE_TYPE.execution).length;
}

function described(messages: readonly LobsterMessage[], step: number): string {
  const message = messages[step];
  if (message === undefined) return String(step + 1);
  const { type, orderId, size, price, side } = message;
  return `${step + 1} (type ${type}, order ${orderId}, ${size} at ${price}, ${side})`;
}

function levelText(level: Level | null): string {
  return level === null ? 'no level' : `${level[1]} at ${level[0]}`;
}
