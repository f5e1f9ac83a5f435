import type { Model } from './explore.ts';

/** The rules by which rows of the ledger's journal reach the read model once each. */
export interface ProjectorRules {
  /** The batch that writes rows moves the cursor, and lands only from where the cursor stands. */
  readonly batchNamesCursor: boolean;
  /** The cursor moves in the batch that writes the rows, not after it. */
  readonly cursorMovesWithRows: boolean;
}

export const ALL_PROJECTOR_RULES: ProjectorRules = {
  batchNamesCursor: true,
  cursorMovesWithRows: true,
};

interface Request {
  readonly instance: number;
  readonly type: 'rows' | 'cursor';
  readonly from: number;
  readonly to: number;
}

interface Instance {
  readonly id: number;
  readonly cursor: number;
  readonly pending: Request | null;
}

export interface ProjectorState {
  readonly journaled: number;
  readonly model: { readonly cursor: number; readonly rows: readonly number[] };
  /** The living one last; others linger, with their requests on the wire. */
  readonly instances: readonly Instance[];
  readonly requests: readonly Request[];
  readonly answers: readonly { readonly instance: number; readonly cursor: number }[];
  readonly left: { readonly crashes: number; readonly losses: number; readonly resends: number };
}

const ROWS = 3;

/** A projector that dies and lingers, whose requests are lost, doubled and late. */
export function projector(rules: ProjectorRules, left: ProjectorState['left']): Model<ProjectorState> {
  return {
    initial: {
      journaled: 0,
      model: { cursor: 0, rows: [] },
      instances: [{ id: 0, cursor: 0, pending: null }],
      requests: [],
      answers: [],
      left,
    },
    steps: (state) => stepsOf(state, rules),
    violation: ({ model, requests, instances, journaled }) => {
      if (model.rows.some((row, at) => row !== at + 1)) return `rows came as ${model.rows.join(', ')}`;
      const isQuiet =
        requests.length === 0 && instances.every(({ pending, cursor }) => pending === null && cursor === journaled);
      return isQuiet && model.rows.length < journaled ? `${model.rows.length} of ${journaled} rows are there` : null;
    },
  };
}

function* stepsOf(state: ProjectorState, rules: ProjectorRules): Generator<readonly [string, ProjectorState]> {
  const { instances, requests, answers, left } = state;
  if (state.journaled < ROWS) yield ['a row is journaled', { ...state, journaled: state.journaled + 1 }];
  for (const instance of instances) {
    if (instance.pending !== null && left.resends > 0)
      yield [
        `${instance.id} sends again`,
        withRequest({ ...state, left: { ...left, resends: left.resends - 1 } }, instance.pending),
      ];
    if (instance.pending === null && instance.cursor < state.journaled) {
      const pending: Request = { instance: instance.id, type: 'rows', from: instance.cursor, to: state.journaled };
      yield [`${instance.id} sends rows`, withRequest(withInstance(state, { ...instance, pending }), pending)];
    }
  }
  for (const [at, request] of requests.entries()) {
    const rest = { ...state, requests: requests.filter((_, index) => index !== at) };
    yield [`${request.type} of ${request.instance} land`, landed(rest, rules, request)];
    if (left.losses > 0) yield ['a request is lost', { ...rest, left: { ...left, losses: left.losses - 1 } }];
  }
  for (const [at, answer] of answers.entries()) {
    const rest = { ...state, answers: answers.filter((_, index) => index !== at) };
    const instance = instances.find(({ id }) => id === answer.instance);
    if (instance !== undefined && instance.pending !== null)
      yield ['an answer comes', withInstance(rest, { ...instance, cursor: answer.cursor, pending: null })];
    if (left.losses > 0) yield ['an answer is lost', { ...rest, left: { ...left, losses: left.losses - 1 } }];
  }
  if (left.crashes > 0) {
    const next = { id: instances.length, cursor: state.model.cursor, pending: null };
    yield ['crash', { ...state, instances: [...instances, next], left: { ...left, crashes: left.crashes - 1 } }];
  }
}

function landed(state: ProjectorState, rules: ProjectorRules, request: Request): ProjectorState {
  const { model } = state;
  const { instance, from, to } = request;
  if (request.type === 'cursor') return withAnswer({ ...state, model: { ...model, cursor: to } }, instance, to);
  if (rules.batchNamesCursor && model.cursor !== from) return withAnswer(state, instance, model.cursor);
  const rows = [...model.rows, ...Array.from({ length: to - from }, (_, at) => from + at + 1)];
  if (!rules.cursorMovesWithRows)
    return withRequest({ ...state, model: { ...model, rows } }, { ...request, type: 'cursor' });
  return withAnswer({ ...state, model: { cursor: to, rows } }, instance, to);
}

function withInstance(state: ProjectorState, instance: Instance): ProjectorState {
  return { ...state, instances: state.instances.map((each) => (each.id === instance.id ? instance : each)) };
}

function withRequest(state: ProjectorState, request: Request): ProjectorState {
  return {
    ...state,
    requests: [...state.requests, request].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

function withAnswer(state: ProjectorState, instance: number, cursor: number): ProjectorState {
  const answers = [...state.answers, { instance, cursor }];
  return { ...state, answers: answers.sort((a, b) => a.instance - b.instance || a.cursor - b.cursor) };
}
