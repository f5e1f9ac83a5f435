import { startGatewayProcess } from './gateway-process.ts';

const HOST = '127.0.0.1';
/** Photos in work when it is stopped are given this long. */
const DRAIN_MS = 3_000;

export interface InferenceProcessTerms {
  /** 0 takes a free one. */
  readonly port: number;
  /** File that its log lines are added to. */
  readonly log: string;
  readonly secret: string;
  /** Further settings of containers/inference/settings.ts, such as WORKERS. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface InferenceProcess {
  /** Where clients reach it; the same after a restart. */
  readonly port: number;
  /** Process id of the one that runs now; null between two. */
  pid(): number | null;
  /** Drains it and does not start it again. */
  stop(): Promise<void>;
}

/** Runs containers/inference and waits until every worker has loaded its models. Throws when it ends instead. */
export async function startInferenceProcess(terms: InferenceProcessTerms): Promise<InferenceProcess> {
  const { listening, pid, stop } = await startGatewayProcess<{ readonly port: number }>({
    container: 'inference',
    log: terms.log,
    settings: (before) => ({
      DRAIN_MS: String(DRAIN_MS),
      ...terms.settings,
      HOST,
      PORT: String(before?.port ?? terms.port),
      INFERENCE_SECRET: terms.secret,
    }),
  });
  return { port: listening.port, pid, stop };
}
