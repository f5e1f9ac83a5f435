import type { Application, Outgoing } from '../../containers/fix-gateway/application/application.ts';
import { type Field, type FixMessage, textOf, typeOf } from '../../containers/fix-gateway/codec/fix-message.ts';
import { TAG } from '../../containers/fix-gateway/codec/tags.ts';
import { MESSAGES } from '../../containers/fix-gateway/dictionary/dictionary.ts';
import { splitOwn } from '../../containers/fix-gateway/session/split-own.ts';

/** MsgTypes that the acceptance scripts want back: NewOrderSingle and SecurityDefinition. */
export const ECHOED: ReadonlySet<string> = new Set(['D', 'd']);

/** The application of the acceptance scripts: sends every message back, a possible repetition (97=Y) only when it is none. */
export function echo(answer: (sequence: number, outgoing: Outgoing | null) => void): Application {
  const seen = new Set<string>();
  return {
    loggedOn: () => seen.clear(),
    take(sequence, message) {
      const id = textOf(message, TAG.ClOrdID) ?? '';
      const repeated = textOf(message, TAG.PossResend) === 'Y' && seen.has(id);
      seen.add(id);
      answer(sequence, repeated ? null : echoOf(message));
    },
    disconnected: () => undefined,
    close: () => Promise.resolve(),
  };
}

function echoOf(message: FixMessage): Outgoing {
  const { header, body } = splitOwn(message);
  return { type: typeOf(message), header, body: ascending(typeOf(message), body) };
}

/** Fields in ascending order; a group stays in one piece behind its count. */
function ascending(type: string, body: readonly Field[]): Field[] {
  const groups = MESSAGES.get(type)?.groups;
  const pieces: Field[][] = [];
  let members: ReadonlySet<number> = new Set();
  for (const field of body) {
    const piece = pieces.at(-1);
    if (piece !== undefined && members.has(field[0])) {
      piece.push(field);
      continue;
    }
    pieces.push([field]);
    members = membersOf(groups?.get(field[0]));
  }
  return pieces.sort((a, b) => (a[0]?.[0] ?? 0) - (b[0]?.[0] ?? 0)).flat();
}

type Group = NonNullable<ReturnType<NonNullable<ReturnType<typeof MESSAGES.get>>['groups']['get']>>;

function membersOf(group: Group | undefined): ReadonlySet<number> {
  if (group === undefined) return new Set();
  return new Set([...group.positions.keys(), ...[...group.groups.values()].flatMap((inner) => [...membersOf(inner)])]);
}
